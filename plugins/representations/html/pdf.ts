import { extname } from 'node:path'
import { beginningOf, WorkThread } from '../../../src/plugin/index.ts'
import type { Answer } from './answers.ts'
import type { BarChart, ShareChart } from './charts.ts'
import type { PassportPage } from './passport-page.ts'
import type { SectionContent } from './passport-sections.ts'
import type { Block, SheetContent } from './sheet-thread.ts'
import type { Texts } from './texts.ts'
import type { Entry, Value } from './value.ts'

const MAX_TEXT_CHARACTERS = 700
/** Line breaking of very long words dominates drawing time. */
const LONG_WORD = /\S{120,}/gu
const LINE_OF_LONG_WORD = /.{60}(?=.)/gu

const thread = new WorkThread<SheetContent, Uint8Array>(
  new URL(`./sheet-thread${extname(import.meta.filename)}`, import.meta.url),
  { maxWaiting: 20, maxWait: 20_000, maxDuration: 10_000, maxHeap: 256 },
)

/** Draws the passport page as a PDF sheet; excess content is only behind the QR code. */
export function passportSheet(page: PassportPage, texts: Texts, at: Date): Promise<Uint8Array> {
  return thread.run(contentOf(page, texts, at))
}

function contentOf(page: PassportPage, texts: Texts, at: Date): SheetContent {
  const { title, lang, category, name, byline, keyFacts, address, banners } = page
  const blocks = blocksOf(page, texts)
  return {
    ...{ title, lang, at, address },
    wordmark: texts.t('page.wordmark'),
    category: category.text,
    name: shortened(name, 160),
    byline: shortened(byline.join(' · '), 200),
    keyFacts: keyFacts.map(({ label, value }) => `${label.text}: ${shortened(plainOf(value, texts), 160)}`),
    banners: banners.map(({ tone, title, text, words, contact }) => ({
      isDanger: tone === 'danger',
      title,
      lines: [text, words?.text, contact && `${contact.label} ${contact.text}`]
        .filter((line) => line !== undefined)
        .map((line) => shortened(line)),
    })),
    blocks,
    more: Array.from({ length: blocks.length + 1 }, (_, count) => texts.t('value.more', { count })),
  }
}

const shortened = (text: string, maxCharacters = MAX_TEXT_CHARACTERS) =>
  beginningOf(text, maxCharacters).replaceAll(LONG_WORD, (word) => word.replaceAll(LINE_OF_LONG_WORD, '$&\n'))

function blocksOf(page: PassportPage, texts: Texts): Block[] {
  const { t } = texts
  const { authenticity, masked, documents, journey } = page
  const heading = (text: string): Block => ({ kind: 'heading', text })
  return [
    ...warningBlocks(page.warnings, heading),
    ...(page.signs === undefined
      ? []
      : [row(page.signs.title, page.signs.signs.map(({ text, own = '' }) => `${text} ${own}`.trim()).join(' · '))]),
    ...page.answers.filter(({ id }) => SHOWN_ANSWERS.has(id)).map((answer) => answerRow(answer, texts)),
    heading(t('section.authenticity')),
    { kind: 'paragraph', title: authenticity.title, text: [authenticity.meaning, ...authenticity.points].join(' ') },
    ...authenticity.names.map((entry) => entryRow(entry, texts)),
    ...page.sections.flatMap(({ id, title, note, content, folded, privileged }) => {
      const rows = [
        ...(content === undefined ? [] : rowsOf(content, texts)),
        ...(folded ?? []).map((entry) => entryRow(entry, texts)),
        ...(privileged === undefined ? [] : rowsOf(privileged, texts)),
        ...(id === 'documents' ? documents.map(({ label, href }) => row(label.text, href)) : []),
        ...(id === 'journey' && journey !== undefined ? journeyRows(journey) : []),
      ]
      const remark: Block[] = note === undefined ? [] : [{ kind: 'paragraph', text: note }]
      return rows.length === 0 ? [] : [heading(title), ...remark, ...rows]
    }),
    ...(masked === undefined
      ? []
      : [
          heading(t('section.masked')),
          { kind: 'paragraph' as const, text: `${masked.text} ${masked.labels.map(({ text }) => text).join(' · ')}` },
        ]),
    heading(t('section.technical')),
    ...(page.acts.length === 0 ? [] : [row(t('legal.under'), page.acts.map(({ label }) => label.text).join(' · '))]),
    ...page.technical.map((entry) => entryRow(entry, texts)),
  ]
}

const journeyRows = ({ steps, cut, note }: NonNullable<PassportPage['journey']>): Block[] => [
  ...steps.map(({ number, stage, place, country, date, after }) =>
    row(`${number} ${stage}`, [place, country, date, after].filter((part) => part !== undefined).join(' · ')),
  ),
  row('', [cut, note].filter((part) => part !== undefined).join(' ')),
]

const SHOWN_ANSWERS: ReadonlySet<string> = new Set(['next', 'maker'])

function answerRow({ title, lead, lines }: Answer, texts: Texts): Block {
  const joined = (parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined).join(': ')
  return row(
    title,
    [
      ...(lead === undefined ? [] : [joined([lead.label?.text, plainOf(lead.value, texts)])]),
      ...lines.map(({ label, value, link }) => joined([label?.text, value && plainOf(value, texts), link?.href])),
    ].join('\n'),
  )
}

function warningBlocks(warnings: PassportPage['warnings'], heading: (text: string) => Block): Block[] {
  if (warnings === undefined) return []
  const { title, signalWord, pictograms, groups, note } = warnings
  return [
    heading(title),
    ...(signalWord === undefined ? [] : [row('', signalWord.text)]),
    ...(pictograms.length === 0 ? [] : [row('', pictograms.map(({ text }) => text).join(' · '))]),
    ...groups.flatMap(({ label, statements, more }) => [
      ...statements.map(({ code, text, own }, index) =>
        row(code ?? (index === 0 ? (label?.text ?? '') : ''), [text, own].filter((part) => part).join(' ')),
      ),
      ...(more === undefined ? [] : [row('', more)]),
    ]),
    ...(note === undefined ? [] : [row('', note)]),
  ]
}

const row = (label: string, text: string): Block => ({
  kind: 'row',
  label: shortened(label, 160),
  text: shortened(text),
})

const entryRow = ({ label, value }: Entry, texts: Texts): Block => row(label.text, plainOf(value, texts))

function rowsOf({ figures, charts, facts }: SectionContent, texts: Texts): Block[] {
  return [
    ...figures.map(({ label, text, unit }) => row(label.text, unit === undefined ? text : `${text} ${unit}`)),
    ...charts.flatMap((chart) =>
      chart.kind === 'time'
        ? []
        : [
            row(
              chart.title.text,
              chartRows(chart)
                .map(({ name, figure }) => `${nameOf(name, texts)} ${figure}`)
                .join(' · '),
            ),
          ],
    ),
    ...facts.map((entry) => entryRow(entry, texts)),
  ]
}

const chartRows = (chart: ShareChart | BarChart) =>
  chart.kind === 'shares' ? [...chart.rows, ...(chart.others?.rows ?? [])] : chart.rows

const nameOf = (name: Value | Entry['label'], texts: Texts): string =>
  'kind' in name ? plainOf(name, texts) : name.text

function plainOf(value: Value, texts: Texts): string {
  const listed = (entries: readonly Entry[]) =>
    entries.map(({ label, value }) => `${label.text}: ${plainOf(value, texts)}`).join(' · ')
  switch (value.kind) {
    case 'masked':
      return texts.t('value.masked')
    case 'list':
      return [...value.items.map((item) => plainOf(item, texts)), ...(value.more ? [value.more] : [])].join(' · ')
    case 'group':
      return listed(value.entries)
    case 'items':
      return [
        ...value.items.map(({ title, entries }) =>
          [...(title ? [plainOf(title, texts)] : []), ...(entries.length > 0 ? [listed(entries)] : [])].join(': '),
        ),
        ...(value.more ? [value.more] : []),
      ].join('\n')
    case 'table':
      return [
        ...value.rows.map(({ name, cells }) => {
          const cellTexts = cells.flatMap((cell, index) =>
            cell === undefined ? [] : [`${value.columns[index + 1]?.text ?? ''}: ${plainOf(cell, texts)}`],
          )
          return `${plainOf(name, texts)}: ${cellTexts.join(' · ')}`
        }),
        ...(value.more ? [value.more] : []),
      ].join('\n')
    case 'link':
      return value.href
    default:
      return value.text
  }
}
