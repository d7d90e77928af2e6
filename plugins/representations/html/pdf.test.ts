import { describe, expect, test } from 'vitest'
import type { PassportView } from '../../../src/plugin/index.ts'
import { fixtures, largeView } from '../../../test/browser/fixtures.ts'
import { payloads } from '../../../test/browser/payloads.ts'
import { contextFor } from '../../../test/browser/render.ts'
import { rasterised, readByZxing, textOf } from '../../../test/support/code-readers.ts'
import { referenceTool } from '../../../test/support/reference-tools.ts'
import { pdf } from './index.ts'

const poppler = referenceTool('pdftoppm')

const drawn = async (view: PassportView, lang = 'en') => (await pdf.render(view, contextFor(lang))).body

const sheets = new Map<PassportView, ReturnType<typeof drawn>>()

function sheetOf(view: PassportView) {
  const sheet = sheets.get(view) ?? drawn(view)
  sheets.set(view, sheet)
  return sheet
}

describe.skipIf(poppler === undefined)('a passport on paper', () => {
  test.each(Object.entries({ ...fixtures, largeView }))(
    '%s is two pages at most, and begins with its name',
    async (_, view) => {
      const sheet = await sheetOf(view)
      expect(rasterised(sheet, 20).length).toBeLessThanOrEqual(2)
      const { productName } = view.metadata
      if (typeof productName === 'string')
        expect(textOf(sheet).replaceAll(/\s+/g, ' ')).toContain(productName.slice(0, 40))
    },
  )

  test('says where the rest is where two pages do not hold everything', async () => {
    const text = textOf(await sheetOf(largeView))
    expect(text).toMatch(/\d+ more/)
    expect(text).not.toContain('Field 399')
  })

  test('has a code that leads to the passport', async () => {
    const [page] = rasterised(await sheetOf(fixtures.battery), 150)
    expect((await readByZxing(page as Uint8Array)).map(({ text }) => text)).toEqual([fixtures.battery.digitalLinkUri])
  })

  test.each([
    ['el', 'Πρωτότυπο|Ανακληθεί|ανακληθεί'],
    ['bg', 'Безопасност|изтеглен'],
    ['lv', 'Atsaukts|atsaukts'],
  ])('in %s it is in letters that can be copied', async (lang, words) => {
    const text = textOf(await drawn(fixtures.electronicsRecalled, lang))
    expect(text.normalize()).toMatch(new RegExp(words))
  })

  test('tells dangers first, each statement with its code', async () => {
    const text = textOf(await drawn(fixtures.everySign, 'de')).replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/H318 Verursacht schwere Augenschäden/)
    expect(text.indexOf('H318')).toBeLessThan(text.indexOf('Siegel der Daten'))
  })

  test('shows a reader nothing that the page masks', async () => {
    expect(textOf(await sheetOf(fixtures.battery))).not.toContain('REDACTED')
  })

  test('is the same bytes for the same passport', async () => {
    expect(Buffer.compare(await sheetOf(fixtures.textile), await drawn(fixtures.textile))).toBe(0)
  })

  test('is tagged, titled and in the language of its words', async () => {
    const text = Buffer.from(await drawn(fixtures.textile, 'el')).toString('latin1')
    expect(text).toMatch(/\/MarkInfo/)
    expect(text).toMatch(/\/Lang \(el\)/)
    expect(text).toMatch(/\/DisplayDocTitle true/)
    expect(text).toMatch(/pdfuaid:part>1</)
  })

  test('holds hostile texts as texts', async () => {
    const metadata = Object.fromEntries(payloads.map((payload, index) => [`field${index}`, payload]))
    const { category } = fixtures.textile.metadata
    const sheet = await sheetOf({ ...fixtures.textile, metadata: { category: category ?? '', ...metadata } })
    expect(rasterised(sheet, 20).length).toBeLessThanOrEqual(2)
    expect(Buffer.from(sheet).toString('latin1')).not.toMatch(/\/(JavaScript|JS|Launch|OpenAction|EmbeddedFile)\b/)
  })

  test.each([
    ['words without a space', 'A'.repeat(690)],
    ['combining marks', 'a\u0301\u0327'.repeat(230)],
    ['Arabic', 'منتج '.repeat(138)],
  ])('review-3-security S2: %s keep the thread that answers requests free', async (_, text) => {
    const metadata = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`field${index}`, text]))
    const view = { ...fixtures.textile, metadata: { category: 'textiles', ...metadata } }
    expect(rasterised(await drawn(view), 20).length).toBe(2)
    const milliseconds: number[] = []
    for (let run = 0; run < 3; run += 1) {
      const before = process.threadCpuUsage()
      await drawn(view)
      const { user, system } = process.threadCpuUsage(before)
      milliseconds.push((user + system) / 1000)
    }
    // The smallest: collections and other processes on the core count as CPU time too.
    expect(Math.min(...milliseconds)).toBeLessThan(50)
  })
})
