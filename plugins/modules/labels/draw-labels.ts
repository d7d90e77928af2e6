import { mapYielding } from '../../../src/plugin/index.ts'
import {
  drawPng,
  drawSvg,
  type Encode,
  encoderOf,
  fileNameOf,
  LEAST_MODULE_MM,
  type Matrix,
  type ModuleCradle,
  modulesAcross,
  pixelsOf,
} from '../../../src/plugin/module.ts'
import type { SkippedLabel } from './entities.ts'
import type { Label } from './label.ts'
import { type LabelRequest, validateRequest } from './label-request.ts'
import type { Printer } from './label-rows.ts'
import type { Layout } from './layouts.ts'
import { moduleMm } from './module-width.ts'
import { type DrawnLabel, drawPdf } from './pdf.ts'
import { type LabelReport, labelSlices, type SelectDeps, SLICE } from './select-labels.ts'
import { type ArchivedFile, drawZip } from './zip.ts'

interface DrawDeps extends SelectDeps, Pick<ModuleCradle, 'translator'> {}

/**
 * `report` is complete after the last piece.
 * @throws Problem 400
 */
export async function* drawLabels(
  deps: DrawDeps,
  printer: Printer,
  request: LabelRequest,
  report: LabelReport,
): AsyncGenerator<Uint8Array, void> {
  const { layout, selection } = validateRequest(request)
  const selected = labelSlices(deps, printer, request.subject, selection, report)
  const slices = withCodes(selected, drawingOf(deps, request, layout), report)
  yield* request.format === 'pdf' ? drawPdf(oneByOne(slices), layout) : drawZip(filesOf(slices, request, report))
}

interface Drawing {
  readonly encode: Encode
  readonly caption: string | undefined
  /** True if modules can be printed and read. */
  readonly isLargeEnough: (matrix: Matrix) => boolean
}

function drawingOf({ translator }: DrawDeps, request: LabelRequest, layout: Layout): Drawing {
  const { format = 'png', symbology = 'qr', ecl = 'Q', size, caption = false, lang = 'en' } = request
  const isLargeEnough = (matrix: Matrix) => {
    if (format === 'pdf') return moduleMm(matrix, layout) >= LEAST_MODULE_MM
    return format === 'svg' || modulesAcross(matrix) <= pixelsOf(size)
  }
  return {
    encode: encoderOf(symbology, ecl),
    caption: caption ? translator.text(lang, 'carrier.caption') : undefined,
    isLargeEnough,
  }
}

async function* withCodes(
  slices: AsyncIterable<readonly Label[]>,
  { encode, caption, isLargeEnough }: Drawing,
  report: LabelReport,
): AsyncGenerator<readonly DrawnLabel[]> {
  const matrixOf = cacheRecent(SLICE, ({ content }: Label) => encode(content))
  for await (const slice of slices) {
    const drawn = await mapYielding(slice, (label): DrawnLabel | SkippedLabel => {
      const matrix = matrixOf(label.id, label)
      if (matrix === undefined) return { id: label.id, reason: 'NOT_GS1' }
      return isLargeEnough(matrix) ? { label: { ...label, caption }, matrix } : { id: label.id, reason: 'TOO_SMALL' }
    })
    const labels: DrawnLabel[] = []
    for (const each of drawn) {
      if ('matrix' in each) labels.push(each)
      else report.skipped.push(each)
    }
    report.included += labels.length
    yield labels
  }
}

/** Caches results of the last `maxEntries` ids, which may repeat. */
function cacheRecent<Item, Result>(
  maxEntries: number,
  make: (item: Item) => Result,
): (id: string, item: Item) => Result {
  const recent = new Map<string, Result>()
  return (id, item) => {
    const known = recent.get(id)
    const result = known ?? make(item)
    recent.delete(id)
    recent.set(id, result)
    const [oldest] = recent.keys()
    if (recent.size > maxEntries && oldest !== undefined) recent.delete(oldest)
    return result
  }
}

async function* oneByOne<T>(slices: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const slice of slices) yield* slice
}

async function* filesOf(
  slices: AsyncIterable<readonly DrawnLabel[]>,
  { format = 'png', size, hri = false }: LabelRequest,
  report: LabelReport,
): AsyncGenerator<ArchivedFile> {
  const taken = new Map<string, number>()
  const pixels = pixelsOf(size)
  const bytesOf = cacheRecent(SLICE, ({ label: { content, caption }, matrix }: DrawnLabel) =>
    format === 'svg'
      ? Buffer.from(drawSvg(matrix, content, { size: pixels, isReadable: hri, caption }))
      : (drawPng(matrix, pixels) as Uint8Array),
  )
  for await (const slice of slices) {
    yield* await mapYielding(slice, (drawn): ArchivedFile => {
      const { id, key } = drawn.label
      const name = `${distinct(fileNameOf(key), taken)}.${format}`
      return { name, bytes: bytesOf(id, drawn), isPacked: format === 'png' }
    })
  }
  yield { name: 'manifest.json', bytes: Buffer.from(`${JSON.stringify(report)}\n`), isPacked: false }
}

/** Ignores case, as some file systems do. */
function distinct(name: string, taken: Map<string, number>): string {
  for (;;) {
    const key = name.toLowerCase()
    const count = (taken.get(key) ?? 0) + 1
    taken.set(key, count)
    if (count === 1) return name
    name = `${name}-${count}`
  }
}
