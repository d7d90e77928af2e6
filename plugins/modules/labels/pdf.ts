import { runYielding } from '../../../src/plugin/index.ts'
import {
  drawCode,
  type Gs1Element,
  MAX_MODULE_MM,
  type Matrix,
  modulesAcross,
  openPdf,
  type PdfDocument,
  POINT,
} from '../../../src/plugin/module.ts'
import { fitText } from './fit-text.ts'
import { type Label, lineOf } from './label.ts'
import { type Layout, labelsPerPage } from './layouts.ts'

/** Space between code and text, in mm. */
const GAP = 1.5

export interface DrawnLabel {
  readonly label: Label
  readonly matrix: Matrix
}

export function moduleMm(matrix: Matrix, { label: { width, height, padding } }: Layout): number {
  const side = Math.min(width, height) - 2 * padding
  return Math.min(side / modulesAcross(matrix), MAX_MODULE_MM)
}

/** One page is in memory at a time. */
export async function* drawPdf(labels: AsyncIterable<DrawnLabel>, layout: Layout): AsyncGenerator<Uint8Array, void> {
  const { page } = layout
  const doc = await openPdf({ title: 'Labels', lang: 'en', size: [page.width * POINT, page.height * POINT] })
  for await (const sheet of sheetsOf(labels, labelsPerPage(layout))) {
    doc.addPage()
    await runYielding(drawSheet(doc, sheet, layout))
    yield* waiting(doc)
  }
  if (doc.bufferedPageRange().count === 0) doc.addPage()
  doc.end()
  for await (const piece of doc) yield piece
}

async function* sheetsOf<T>(labels: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let sheet: T[] = []
  for await (const label of labels) {
    sheet.push(label)
    if (sheet.length < size) continue
    yield sheet
    sheet = []
  }
  if (sheet.length > 0) yield sheet
}

function* waiting(doc: PdfDocument): Iterable<Uint8Array> {
  for (;;) {
    const piece: Uint8Array | null = (doc as unknown as NodeJS.ReadableStream).read() as unknown as Uint8Array | null
    if (piece === null) return
    yield piece
  }
}

function* drawSheet(doc: PdfDocument, sheet: readonly DrawnLabel[], layout: Layout): Iterator<void, void> {
  const { first, pitch, columns } = layout
  for (const [place, label] of sheet.entries()) {
    const left = first.left + (place % columns) * pitch.x
    const top = first.top + Math.floor(place / columns) * pitch.y
    drawLabel(doc, label, layout, { left, top })
    yield
  }
}

function drawLabel(
  doc: PdfDocument,
  { label, matrix }: DrawnLabel,
  layout: Layout,
  { left, top }: Layout['first'],
): void {
  const { width, height, padding } = layout.label
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
  drawTexts(doc, label, box)
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function drawTexts(doc: PdfDocument, { name, operator, content, caption }: Label, { x, y, width, height }: Box): void {
  const paragraphs = [name ?? '', ...(content.elements?.map(elementLine) ?? [content.text]), operator, caption ?? '']
    .map(lineOf)
    .filter((text) => text !== '')
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

const elementLine = ([ai, value]: Gs1Element): string => `(${ai})\u00a0${value}`
