import {
  drawCode,
  type Matrix,
  modulesAcross,
  openPdf,
  type PdfDocument,
  POINT,
  serveThread,
} from '../../../src/plugin/thread.ts'
import { fitText } from './fit-text.ts'
import type { Layout } from './layouts.ts'
import { moduleMm } from './module-width.ts'

/** Space between code and text, in mm. */
const GAP = 1.5

/** A code and the paragraphs next to it. */
export interface SheetLabel {
  readonly matrix: Omit<Matrix, 'isDark'> & { readonly dark: Uint8Array }
  readonly paragraphs: readonly string[]
}

export interface SheetTask {
  /** Document number. */
  readonly id: number
  readonly layout: Layout
  /** Number of the page, from 0. */
  readonly page: number
  /** Undefined ends the document. */
  readonly sheet: readonly SheetLabel[] | undefined
}

/** Unfinished documents, each with one page in memory. */
const documents = new Map<number, PdfDocument>()

/** Draws one page, or ends the document. Returns its finished bytes; undefined if its earlier pages were lost with a thread. */
async function draw({ id, layout, page, sheet }: SheetTask): Promise<Uint8Array | undefined> {
  const size: [number, number] = [layout.page.width * POINT, layout.page.height * POINT]
  const doc = documents.get(id) ?? (page === 0 ? await openPdf({ title: 'Labels', lang: 'en', size }) : undefined)
  if (doc === undefined) return undefined
  documents.set(id, doc)
  if (sheet !== undefined) {
    doc.addPage()
    for (const [place, label] of sheet.entries()) drawLabel(doc, label, layout, place)
    return Buffer.concat([...waiting(doc)])
  }
  documents.delete(id)
  if (page === 0) doc.addPage()
  doc.end()
  const pieces: Uint8Array[] = []
  for await (const piece of doc) pieces.push(piece)
  return Buffer.concat(pieces)
}

function* waiting(doc: PdfDocument): Iterable<Uint8Array> {
  for (;;) {
    const piece: Uint8Array | null = (doc as unknown as NodeJS.ReadableStream).read() as unknown as Uint8Array | null
    if (piece === null) return
    yield piece
  }
}

function drawLabel(doc: PdfDocument, { matrix: packed, paragraphs }: SheetLabel, layout: Layout, place: number): void {
  const { first, pitch, columns } = layout
  const left = first.left + (place % columns) * pitch.x
  const top = first.top + Math.floor(place / columns) * pitch.y
  const { width, height, padding } = layout.label
  const { dark, modules } = packed
  const matrix: Matrix = { ...packed, isDark: (x, y) => dark[y * modules + x] === 1 }
  const module = moduleMm(matrix, layout)
  const side = module * modulesAcross(matrix)
  const inner = { width: width - 2 * padding, height: height - 2 * padding }
  const isWide = width >= height
  const code = isWide
    ? { x: left + padding, y: top + (height - side) / 2 }
    : { x: left + (width - side) / 2, y: top + padding }
  drawCode(doc, matrix, module * POINT, { x: code.x * POINT, y: code.y * POINT })
  const box: Box = isWide
    ? { x: code.x + side + GAP, y: top + padding, width: inner.width - side - GAP, height: inner.height }
    : { x: left + padding, y: code.y + side + GAP, width: inner.width, height: inner.height - side - GAP }
  drawTexts(doc, paragraphs, box)
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function drawTexts(doc: PdfDocument, paragraphs: readonly string[], { x, y, width, height }: Box): void {
  const lineHeight = doc.fontSize(1).currentLineHeight(true)
  const { size, lines } = fitText(
    paragraphs,
    { width: width * POINT, height: height * POINT },
    { widthOf: (text) => doc.widthOfString(text), lineHeight },
  )
  doc.fontSize(size)
  for (const [index, line] of lines.entries()) {
    doc.text(line, x * POINT, y * POINT + index * size * lineHeight, { lineBreak: false })
  }
}

serveThread(draw)
