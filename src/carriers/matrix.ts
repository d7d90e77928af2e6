import { createRequire } from 'node:module'
import type QrCode from 'qrcode'
import type { CarrierContent, Gs1Element } from './content.ts'

export const SYMBOLOGIES = ['qr', 'datamatrix'] as const
export type Symbology = (typeof SYMBOLOGIES)[number]

/** QR error correction (ISO/IEC 18004): 15, 25 and 30 %. */
export const ERROR_CORRECTIONS = ['M', 'Q', 'H'] as const
type ErrorCorrection = (typeof ERROR_CORRECTIONS)[number]

export interface Matrix {
  readonly symbology: Symbology
  readonly modules: number
  readonly quiet: number
  isDark(x: number, y: number): boolean
}

/** Module width at a point of sale (GS1 General Specifications, 5.12). */
export const LEAST_MODULE_MM = 0.396
export const MAX_MODULE_MM = 0.99

/** ISO/IEC 18004, 6.3.8; GS1 General Specifications, 5.12. */
const QR_QUIET = 4
/** GS1 General Specifications, 5.6, require 1; the second is cutting tolerance. */
const DATAMATRIX_QUIET = 2

export const modulesAcross = ({ modules, quiet }: Matrix): number => modules + 2 * quiet

export const leastWidthMm = (matrix: Matrix): number => Math.ceil(modulesAcross(matrix) * LEAST_MODULE_MM * 10) / 10

/** Undefined if the symbology cannot encode the content. */
export type Encode = (content: CarrierContent) => Matrix | undefined

export function encoderOf(symbology: Symbology, errorCorrection: ErrorCorrection): Encode {
  return symbology === 'qr' ? ({ uri }) => qrMatrix(uri, errorCorrection) : dataMatrix
}

/** ISO/IEC 18004. */
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

interface BwipJs {
  raw(options: { bcid: string; text: string; parse?: boolean }): readonly { pixs: readonly number[]; pixx: number }[]
}

const require = createRequire(import.meta.url)

/** Loaded on first use: 41 ms and 12 MB. */
export const bwip = (): BwipJs => require('bwip-js')

/** Formats elements for bwip-js. Escapes `(`, which opens an element, as ^NNN (parse mode); values contain no `^`. */
export const elementText = (elements: readonly Gs1Element[]): string =>
  elements.map(([ai, value]) => `(${ai})${value.replaceAll('(', '^040')}`).join('')

/** Yields horizontal runs of dark modules, without quiet zone. */
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
