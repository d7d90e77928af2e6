import { createRequire } from 'node:module'
import type QrCode from 'qrcode'
import type { CarrierContent, Gs1Element } from './content.ts'

/** The symbologies that are drawn. */
export const SYMBOLOGIES = ['qr', 'datamatrix'] as const
export type Symbology = (typeof SYMBOLOGIES)[number]

/** Error correction of a QR code (ISO/IEC 18004): 15, 25 and 30 per cent. */
export const ERROR_CORRECTIONS = ['M', 'Q', 'H'] as const
type ErrorCorrection = (typeof ERROR_CORRECTIONS)[number]

/** A square code as modules. */
export interface Matrix {
  readonly symbology: Symbology
  /** Modules of one side, without the quiet zone. */
  readonly modules: number
  /** Modules that stay empty on every side. */
  readonly quiet: number
  isDark(x: number, y: number): boolean
}

/** Least and most width of a module at a point of sale, in millimetres (GS1 General Specifications, 5.12). */
export const LEAST_MODULE_MM = 0.396
export const MAX_MODULE_MM = 0.99

/** ISO/IEC 18004, 6.3.8; GS1 General Specifications, 5.12. */
const QR_QUIET = 4
/** GS1 General Specifications, 5.6, ask for one; the second is for whoever cuts. */
const DATAMATRIX_QUIET = 2

/** Modules of one side with the quiet zone. */
export const modulesAcross = ({ modules, quiet }: Matrix): number => modules + 2 * quiet

/** The least width at which a code may be printed, in millimetres, its quiet zone included. */
export const leastWidthMm = (matrix: Matrix): number => Math.ceil(modulesAcross(matrix) * LEAST_MODULE_MM * 10) / 10

/** Draws what a code says as modules; undefined where the symbology cannot say it. */
export type Encode = (content: CarrierContent) => Matrix | undefined

/** What draws codes of this symbology. Its library is loaded with the first code. */
export function encoderOf(symbology: Symbology, errorCorrection: ErrorCorrection): Encode {
  return symbology === 'qr' ? ({ uri }) => qrMatrix(uri, errorCorrection) : dataMatrix
}

/** A QR code of a text (ISO/IEC 18004). */
export function qrMatrix(text: string, errorCorrection: ErrorCorrection): Matrix {
  const { create }: typeof QrCode = require('qrcode')
  const { size, data } = create(text, { errorCorrectionLevel: errorCorrection }).modules
  return { symbology: 'qr', modules: size, quiet: QR_QUIET, isDark: (x, y) => data[y * size + x] !== 0 }
}

function dataMatrix({ elements }: CarrierContent): Matrix | undefined {
  if (elements === undefined) return undefined
  const [drawn] = bwip().raw({ bcid: 'gs1datamatrix', text: elementText(elements), parse: true })
  if (drawn === undefined) throw new Error('bwip-js has drawn nothing.')
  const { pixs, pixx: size } = drawn
  return { symbology: 'datamatrix', modules: size, quiet: DATAMATRIX_QUIET, isDark: (x, y) => pixs[y * size + x] === 1 }
}

/** What is used of bwip-js. */
interface BwipJs {
  /** Codes of two dimensions as modules, row by row. */
  raw(options: { bcid: string; text: string; parse?: boolean }): readonly { pixs: readonly number[]; pixx: number }[]
}

const require = createRequire(import.meta.url)

/** bwip-js, which is loaded when it is first asked for: that costs 41 ms and 12 MB. */
export const bwip = (): BwipJs => require('bwip-js')

/**
 * Elements as bwip-js reads them. `(` would open the next element: in parse mode ^NNN stands for a character, and no value
 * can hold a `^` itself.
 */
export const elementText = (elements: readonly Gs1Element[]): string =>
  elements.map(([ai, value]) => `(${ai})${value.replaceAll('(', '^040')}`).join('')

/** The dark modules of a code as runs: `width` modules from (`x`, `y`), counted without the quiet zone. */
export function* darkRuns({ modules, isDark }: Matrix): Iterable<{ x: number; y: number; width: number }> {
  for (let y = 0; y < modules; y += 1) {
    for (let x = 0; x < modules; x += 1) {
      if (!isDark(x, y)) continue
      let width = 1
      while (x + width < modules && isDark(x + width, y)) width += 1
      yield { x, y, width }
      x += width
    }
  }
}
