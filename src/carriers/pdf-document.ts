import { createRequire } from 'node:module'
import { darkRuns, type Matrix, modulesAcross, qrMatrix } from './matrix.ts'

/** PostScript points of a millimetre. */
export const POINT = 72 / 25.4

export type PdfDocument = PDFKit.PDFDocument

const fontFile = (name: string) => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/**
 * Of the fonts that every reader has none knows Greek or Cyrillic; of these only the letters that are used go into a file.
 */
export const PDF_FONTS = { regular: fontFile('DejaVuSansCondensed'), bold: fontFile('DejaVuSansCondensed-Bold') }

interface PdfOptions {
  readonly title: string
  /** BCP 47 language of its texts. */
  readonly lang: string
  /** Width and height of a page, in points. */
  readonly size: [number, number]
  /** When what it says was made, so that the same content gives the same bytes; absent: now. */
  readonly at?: Date
  /** Its content has structure elements, for readers that speak (ISO 14289-1); what has none is an artifact. */
  readonly isTagged?: boolean
}

/** A PDF without a page yet. The library is loaded with the first. */
export async function openPdf({ title, lang, size, at, isTagged = false }: PdfOptions): Promise<PdfDocument> {
  const { default: PdfDocument } = await import('pdfkit')
  return new PdfDocument({
    autoFirstPage: false,
    size,
    margin: 0,
    font: PDF_FONTS.regular,
    lang,
    // It would keep every text that was ever written.
    fontLayoutCache: isTagged,
    info: {
      Title: title,
      Producer: 'dpp-gateway',
      Creator: 'dpp-gateway',
      ...(at && { CreationDate: at, ModDate: at }),
    },
    // Its types do not know the subset.
    ...(isTagged && { pdfVersion: '1.7', tagged: true, displayTitle: true, subset: 'PDF/UA' as never }),
  })
}

/**
 * Draws a code.
 * @param unit width of a module, in points
 * @param at where its quiet zone begins, in points
 */
export function drawCode(doc: PdfDocument, matrix: Matrix, unit: number, at: { x: number; y: number }): void {
  const left = at.x + matrix.quiet * unit
  const top = at.y + matrix.quiet * unit
  const height = coordinate(unit)
  // As one text: hundreds of rectangles would be as many small buffers, a hundred megabytes of them for ten thousand labels.
  let path = ''
  for (const { x, y, width } of darkRuns(matrix)) {
    path += `${coordinate(left + x * unit)} ${coordinate(top + y * unit)} ${coordinate(width * unit)} ${height} re\n`
  }
  doc.addContent(path)
  doc.fill('black')
}

/**
 * Draws the QR code of an address.
 * @param side of the code with its quiet zone, in points
 */
export function drawAddress(
  doc: PdfDocument,
  address: string,
  { side, ...at }: { x: number; y: number; side: number },
): void {
  const matrix = qrMatrix(address, 'M')
  drawCode(doc, matrix, side / modulesAcross(matrix), at)
}

/** A number of points as a PDF has it (ISO 32000-2, 7.3.3): no exponent, and no digits that nobody could print. */
const coordinate = (points: number) => Number(points.toFixed(3))
