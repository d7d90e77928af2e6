import { createRequire } from 'node:module'
import { darkRuns, type Matrix, modulesAcross, qrMatrix } from './matrix.ts'

/** Points per mm. */
export const POINT = 72 / 25.4

export type PdfDocument = PDFKit.PDFDocument

const fontFile = (name: string) => createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`)

/** Standard PDF fonts lack Greek and Cyrillic; only used glyphs are embedded. */
export const PDF_FONTS = { regular: fontFile('DejaVuSansCondensed'), bold: fontFile('DejaVuSansCondensed-Bold') }

interface PdfOptions {
  readonly title: string
  /** BCP 47. */
  readonly lang: string
  /** Page width and height in points. */
  readonly size: [number, number]
  /** Creation time, for reproducible bytes (default: now). */
  readonly at?: Date
  /** Tagged for screen readers (ISO 14289-1). */
  readonly isTagged?: boolean
}

/** Loads the library on first use. */
export async function openPdf({ title, lang, size, at, isTagged = false }: PdfOptions): Promise<PdfDocument> {
  const { default: PdfDocument } = await import('pdfkit')
  return new PdfDocument({
    autoFirstPage: false,
    size,
    margin: 0,
    font: PDF_FONTS.regular,
    lang,
    // The cache would retain every text.
    fontLayoutCache: isTagged,
    info: {
      Title: title,
      Producer: 'dpp-gateway',
      Creator: 'dpp-gateway',
      ...(at && { CreationDate: at, ModDate: at }),
    },
    // The types lack this subset.
    ...(isTagged && { pdfVersion: '1.7', tagged: true, displayTitle: true, subset: 'PDF/UA' as never }),
  })
}

/**
 * @param unit module width in points
 * @param at top left corner of the quiet zone, in points
 */
export function drawCode(doc: PdfDocument, matrix: Matrix, unit: number, at: { x: number; y: number }): void {
  const left = at.x + matrix.quiet * unit
  const top = at.y + matrix.quiet * unit
  const height = coordinate(unit)
  // One string: separate rectangles would take 100 MB of buffers for 10,000 labels.
  let path = ''
  for (const { x, y, width } of darkRuns(matrix)) {
    path += `${coordinate(left + x * unit)} ${coordinate(top + y * unit)} ${coordinate(width * unit)} ${height} re\n`
  }
  doc.addContent(path)
  doc.fill('black')
}

/** @param side width with quiet zone, in points */
export function drawAddress(
  doc: PdfDocument,
  address: string,
  { side, ...at }: { x: number; y: number; side: number },
): void {
  const matrix = qrMatrix(address, 'M')
  drawCode(doc, matrix, side / modulesAcross(matrix), at)
}

/** ISO 32000-2, 7.3.3: no exponent. */
const coordinate = (points: number) => Number(points.toFixed(3))
