import { dictionary } from '../domain/record.ts'
import type { CarrierContent } from './content.ts'
import { linesOf } from './fit-text.ts'
import { darkRuns, leastWidthMm, type Matrix, modulesAcross, qrMatrix } from './matrix.ts'

/** Height of the line below a code, and of its letters, in modules. */
const LINE = 4
const LETTERS = 2.5
/** Width of a letter of a monospaced font, as part of its height. */
const LETTER_WIDTH = 0.62

interface Options {
  /** Width in CSS pixels. */
  readonly size: number
  /** Writes what the code says below it, for people. */
  readonly isReadable: boolean
  /** Stands above the code. */
  readonly caption?: string | undefined
}

/**
 * A code as a document of its own. Its units are modules, so that it is sharp at any size; its title says what it leads to
 * and how small it may be printed.
 */
export function drawSvg(matrix: Matrix, { uri, text }: CarrierContent, { size, isReadable, caption }: Options): string {
  const across = modulesAcross(matrix)
  // It stands above the quiet zone, so that the code's own coordinates stay as they are.
  const invitation = caption === undefined ? [] : linesOf(plain(caption), across - 2, widthOf)
  const top = -LINE * invitation.length
  const height = across - top + (isReadable ? LINE : 0)
  const title = `${NAMES[matrix.symbology]}: ${uri}. Print it at least ${leastWidthMm(matrix)} mm wide, margin included.`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${Math.round((size * height) / across)}"`,
    ` viewBox="0 ${top} ${across} ${height}" role="img" aria-labelledby="t"><title id="t">${escaped(title)}</title>`,
    `<path fill="#fff" d="M0 ${top}h${across}v${height}H0z"/>${darkPath(matrix)}`,
    ...invitation.map((words, place) => line(words, across, top + place * LINE, 'sans-serif')),
    isReadable ? line(plain(text), across, across - LETTERS * 0.2, 'monospace') : '',
    '</svg>\n',
  ].join('')
}

const NAMES = { qr: 'QR code', datamatrix: 'GS1 DataMatrix' } as const

/**
 * The code of an address for a page that has it beside: no units, no title, and error correction M, since nobody scratches
 * a page.
 * @param id by which the page can show it once more
 */
export function inlineCode(address: string, id: string): string {
  const matrix = qrMatrix(address, 'M')
  const across = modulesAcross(matrix)
  return `<svg id="${id}" viewBox="0 0 ${across} ${across}" aria-hidden="true">${darkPath(matrix)}</svg>`
}

/** The dark modules as one line, row by row, with the quiet zone on its left and above. */
function darkPath(matrix: Matrix): string {
  let d = ''
  let last = { x: 0, y: -1 }
  for (const { x, y, width } of darkRuns(matrix)) {
    // Each move but the first of a row begins where the line has ended.
    d += y === last.y ? `m${x - last.x} 0h${width}` : `M${x + matrix.quiet} ${y + matrix.quiet}.5h${width}`
    last = { x: x + width, y }
  }
  return `<path stroke="#000" shape-rendering="crispEdges" d="${d}"/>`
}

const widthOf = (text: string): number => text.length * LETTERS * LETTER_WIDTH

/** @param top where the letters begin */
function line(text: string, across: number, top: number, font: string): string {
  // As wide as its letters, and squeezed where that is more than there is.
  const most = across - 2
  const squeezed = widthOf(text) > most ? ` textLength="${most}" lengthAdjust="spacingAndGlyphs"` : ''
  return `<text x="${across / 2}" y="${top + LETTERS}" font-family="${font}" font-size="${LETTERS}" text-anchor="middle"${squeezed}>${escaped(text)}</text>`
}

/** A text in one line, without what would turn it round or hide it. */
export const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .trim()

const ESCAPES = dictionary({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] as string)
