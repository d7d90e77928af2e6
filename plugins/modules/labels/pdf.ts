import { extname } from 'node:path'
import { WorkThread } from '../../../src/plugin/index.ts'
import { type Gs1Element, type Matrix, unavailable } from '../../../src/plugin/module.ts'
import { type Label, lineOf } from './label.ts'
import { type Layout, labelsPerPage } from './layouts.ts'
import type { SheetLabel, SheetTask } from './pdf-thread.ts'

export interface DrawnLabel {
  readonly label: Label
  readonly matrix: Matrix
}

const RETRY_AFTER_SECONDS = 10
/** Drawing a page takes up to 100 ms, so it never runs on the request thread. */
const thread = new WorkThread<SheetTask, Uint8Array | undefined>(
  new URL(`./pdf-thread${extname(import.meta.filename)}`, import.meta.url),
  { maxWaiting: 20, maxWait: 30_000, maxDuration: 30_000, maxHeap: 256 },
)
let documents = 0

/**
 * One page is in memory at a time.
 * @throws Problem 503 if the drawing thread ended before the document
 */
export async function* drawPdf(labels: AsyncIterable<DrawnLabel>, layout: Layout): AsyncGenerator<Uint8Array, void> {
  documents += 1
  const id = documents
  const draw = async (page: number, sheet: SheetTask['sheet']) => {
    const piece = await thread.run({ id, layout, page, sheet })
    if (piece === undefined)
      throw unavailable('The drawing of the labels was interrupted. Retry later.', RETRY_AFTER_SECONDS)
    return piece
  }
  let page = 0
  let isEnded = false
  try {
    for await (const sheet of sheetsOf(labels, labelsPerPage(layout))) {
      yield await draw(page, sheet.map(packed))
      page += 1
    }
    isEnded = true
    yield await draw(page, undefined)
  } finally {
    // Frees the document of a reader that has left.
    if (!isEnded) await draw(page, undefined).catch(() => {})
  }
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

function packed({ label: { name, operator, content, caption }, matrix }: DrawnLabel): SheetLabel {
  const { symbology, modules, quiet } = matrix
  const dark = Uint8Array.from({ length: modules * modules }, (_, index) =>
    Number(matrix.isDark(index % modules, Math.floor(index / modules))),
  )
  const texts = [name ?? '', ...(content.elements?.map(elementLine) ?? [content.text]), operator, caption ?? '']
  return { matrix: { symbology, modules, quiet, dark }, paragraphs: texts.map(lineOf).filter((text) => text !== '') }
}

const elementLine = ([ai, value]: Gs1Element): string => `(${ai})\u00a0${value}`
