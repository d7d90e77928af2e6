import { describe, expect, test } from 'vitest'
import { passportContent, unitContent } from '../../../src/carriers/content.ts'
import { encoderOf, type Matrix, type Symbology } from '../../../src/carriers/matrix.ts'
import { rasterised, readByZxing, textOf } from '../../../test/support/code-readers.ts'
import { HOSTILE_NAMES } from '../../../test/support/hostile-names.ts'
import { referenceTool } from '../../../test/support/reference-tools.ts'
import { LAYOUTS, type Layout } from './layouts.ts'
import { moduleMm } from './module-width.ts'
import { type DrawnLabel, drawPdf } from './pdf.ts'

const poppler = referenceTool('pdftoppm')

interface Given {
  readonly count: number
  readonly name?: (index: number) => string | null
  readonly symbology?: Symbology
  readonly operator?: string
}

async function* labels({ count, name = () => 'Nordlicht Home 5.1', symbology = 'qr', operator = 'Nordlicht' }: Given) {
  const encode = encoderOf(symbology, 'Q')
  for (let index = 0; index < count; index += 1) {
    const content = unitContent('https://id.example.org', {
      id: String(index),
      serialNumber: `SN-${index}`,
      productId: '09506000134352',
    })
    const label = { id: String(index), content, name: name(index), operator, key: '' }
    yield { label, matrix: encode(content) as Matrix } satisfies DrawnLabel
  }
}

async function* once<T>(items: readonly T[]) {
  yield* items
}

async function drawn(given: Given, layout: string | Layout): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const of = typeof layout === 'string' ? (LAYOUTS[layout] as Layout) : layout
  for await (const piece of drawPdf(labels(given), of)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const uris = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `https://id.example.org/01/09506000134352/21/SN-${from + index}`)

describe.runIf(poppler !== undefined)('a sheet of labels, by Poppler and ZXing', () => {
  test.each(Object.entries(LAYOUTS))(
    '%s: every code is read, in its place',
    { timeout: 120_000 },
    async (name, layout) => {
      const perPage = layout.columns * layout.rows
      const pages = rasterised(await drawn({ count: perPage + 1 }, name), DPI)
      expect(pages).toHaveLength(2)
      const found = await readByZxing(pages[0] as Uint8Array)
      expect(found.map(({ text }) => text).sort()).toEqual(uris(0, perPage).sort())
      for (const { text, position } of found) {
        const place = Number(text.split('SN-')[1])
        const { x, y } = inMm(position.topLeft)
        const left = layout.first.left + (place % layout.columns) * layout.pitch.x
        const top = layout.first.top + Math.floor(place / layout.columns) * layout.pitch.y
        expect(x).toBeGreaterThan(left + layout.label.padding)
        expect(y).toBeGreaterThan(top + layout.label.padding)
        const end = inMm(position.bottomRight)
        expect(end.x).toBeLessThan(left + layout.label.width - layout.label.padding)
        expect(end.y).toBeLessThan(top + layout.label.height - layout.label.padding)
      }
      const [last] = await readByZxing(pages[1] as Uint8Array)
      expect(last?.text).toBe(uris(perPage, perPage + 1)[0])
    },
  )

  test('a DataMatrix is read too', async () => {
    const [page] = rasterised(await drawn({ count: 2, symbology: 'datamatrix' }, 'L7160'), DPI)
    const found = await readByZxing(page as Uint8Array)
    expect(found.map(({ text }) => text).sort()).toEqual(['(01)09506000134352(21)SN-0', '(01)09506000134352(21)SN-1'])
  })

  test('names in Latin, Greek and Cyrillic letters are written as they are', async () => {
    const names = ['Überzug für Füße, gefärbt', 'Ελληνικά καλώδια', 'Батерия за скутер', 'Żółć, čeština, ķīmija']
    const text = textOf(await drawn({ count: names.length, name: (index) => names[index] as string }, 'L7163'))
    for (const name of names) expect(text.replaceAll(/\s+/g, ' ')).toContain(name)
    expect(text).toContain('(01) 09506000134352')
    expect(text).toContain('(21) SN-3')
    expect(text).toContain('Nordlicht')
  })

  test('no name keeps a label from being drawn, or its code from being read', { timeout: 120_000 }, async () => {
    const count = HOSTILE_NAMES.length
    const pdf = await drawn(
      { count, name: (index) => HOSTILE_NAMES[index] as string, operator: 'O'.repeat(5000) },
      'roll-50x25',
    )
    const pages = rasterised(pdf, DPI)
    const read: (string | undefined)[] = []
    for (const page of pages) read.push((await readByZxing(page))[0]?.text)
    expect(read).toEqual(uris(0, count))
    expect(textOf(pdf)).not.toMatch(/\p{Bidi_Control}/u)
  })

  test('a label without a name has none', async () => {
    expect(textOf(await drawn({ count: 1, name: () => null }, 'L7160')).trim()).toBe(
      '(01) 09506000134352\n(21) SN-0\nNordlicht',
    )
  })
})

test('a high label has its text below the code', async () => {
  if (poppler === undefined) return
  const high: Layout = {
    title: 'A high label',
    page: { width: 40, height: 60 },
    label: { width: 40, height: 60, padding: 2 },
    first: { left: 0, top: 0 },
    columns: 1,
    rows: 1,
    pitch: { x: 40, y: 60 },
  }
  const [page] = rasterised(await drawn({ count: 1 }, high), DPI)
  const [found] = await readByZxing(page as Uint8Array)
  expect(found?.text).toBe(uris(0, 1)[0])
  if (found === undefined) return
  const { topLeft, bottomRight } = found.position
  expect(inMm(topLeft).x + inMm(bottomRight).x).toBeCloseTo(40, 0)
  expect(inMm(bottomRight).y).toBeLessThan(42)
})

test('modules are as large as the label allows, and never larger than GS1 does', async () => {
  const matrix = encoderOf(
    'qr',
    'M',
  )(passportContent('https://a.eu', { id: '', productId: '09506000134352' })) as Matrix
  expect(matrix.modules + 8).toBe(33)
  expect(moduleMm(matrix, LAYOUTS['roll-50x25'] as Layout)).toBeCloseTo(23 / 33)
  expect(moduleMm(matrix, LAYOUTS['roll-100x50'] as Layout)).toBe(0.99)
})

test('pages are drawn outside the event loop', async () => {
  await drawn({ count: 1 }, 'L7160')
  // The codes, which this thread makes, are not measured.
  const ready: DrawnLabel[] = []
  const name = (index: number) => `Ελληνικά ${index} ${'long name '.repeat(20)}`
  for await (const label of labels({ count: 210, name })) ready.push(label)
  const [thread, whole] = [process.threadCpuUsage(), process.cpuUsage()]
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  const pieces: Uint8Array[] = []
  for await (const piece of drawPdf(once(ready), LAYOUTS.L7160 as Layout)) pieces.push(piece)
  clearInterval(timer)
  const [mine, all] = [process.threadCpuUsage(thread), process.cpuUsage(whole)]
  const share = (mine.user + mine.system) / (all.user + all.system)
  expect(pieces).toHaveLength(11)
  expect(share, `longest wait ${longest} ms`).toBeLessThan(0.4)
})

test('documents that are drawn at the same time are separate, and one whose reader leaves is closed', async () => {
  const count = (pdf: Buffer) => Number(/\/Count (\d+)\b/.exec(pdf.toString('latin1'))?.[1])
  const left = drawPdf(labels({ count: 100 }), LAYOUTS.L7160 as Layout)
  await left.next()
  const [one, two] = await Promise.all([
    drawn({ count: 22 }, 'L7160'),
    drawn({ count: 3 }, 'roll-50x25'),
    left.return(),
  ])
  expect([one, two].map(count)).toEqual([2, 3])
})

test('no labels are one empty page', async () => {
  expect((await drawn({ count: 0 }, 'L7160')).toString('latin1')).toMatch(/\/Count 1\b/)
})

const DPI = 150
const inMm = ({ x, y }: { x: number; y: number }) => ({ x: (x / DPI) * 25.4, y: (y / DPI) * 25.4 })
