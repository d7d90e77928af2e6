import { dictionary } from '../domain/record.ts'
import type { CarrierContent } from './content.ts'
import { darkRuns, leastWidthMm, type Matrix, modulesAcross, qrMatrix } from './matrix.ts'
import { linesOf } from './wrap-text.ts'

/** In modules. */
const LINE = 4
const LETTERS = 2.5
/** Relative to the font height. */
const LETTER_WIDTH = 0.62

interface Options {
  /** CSS pixels. */
  readonly size: number
  /** Adds the content as text below the code. */
  readonly isReadable: boolean
  readonly caption?: string | undefined
}

/** Draws a code as a standalone document in module units. The title states target and minimum print size. */
export function drawSvg(matrix: Matrix, { uri, text }: CarrierContent, { size, isReadable, caption }: Options): string {
  const across = modulesAcross(matrix)
  // Above the quiet zone, to keep the code's coordinates.
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
 * Draws an address code for a page. Error correction M suffices: pages are not scratched.
 * @param id for reuse within the page
 */
export function inlineCode(address: string, id: string): string {
  const matrix = qrMatrix(address, 'M')
  const across = modulesAcross(matrix)
  return `<svg id="${id}" viewBox="0 0 ${across} ${across}" aria-hidden="true">${darkPath(matrix)}</svg>`
}

function darkPath(matrix: Matrix): string {
  let d = ''
  let last = { x: 0, y: -1 }
  for (const { x, y, width } of darkRuns(matrix)) {
    d += y === last.y ? `m${x - last.x} 0h${width}` : `M${x + matrix.quiet} ${y + matrix.quiet}.5h${width}`
    last = { x: x + width, y }
  }
  return `<path stroke="#000" shape-rendering="crispEdges" d="${d}"/>`
}

const widthOf = (text: string): number => text.length * LETTERS * LETTER_WIDTH

function line(text: string, across: number, top: number, font: string): string {
  const maxWidth = across - 2
  const squeezed = widthOf(text) > maxWidth ? ` textLength="${maxWidth}" lengthAdjust="spacingAndGlyphs"` : ''
  return `<text x="${across / 2}" y="${top + LETTERS}" font-family="${font}" font-size="${LETTERS}" text-anchor="middle"${squeezed}>${escaped(text)}</text>`
}

/** Normalizes to one line and removes bidi and hidden characters. */
export const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .trim()

const ESCAPES = dictionary({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] as string)
