import { beginningOf, drawAddress, openPdf, PDF_FONTS, type PdfDocument } from '../../../src/plugin/index.ts'
import type { Answer } from './answers.ts'
import type { BarChart, ShareChart } from './charts.ts'
import type { PassportPage, SectionContent } from './passport-page.ts'
import type { Texts } from './texts.ts'
import type { Entry, Value } from './value.ts'

/** What stands below the head of the sheet, from top to bottom. */
type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly title?: string; readonly text: string }
  | { readonly kind: 'row'; readonly label: string; readonly text: string }

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = 42
const WIDTH = PAGE.width - 2 * MARGIN
const BOTTOM = PAGE.height - MARGIN - 18
const LABEL_WIDTH = 150
const CODE = 96
const INK = '#17211f'
const QUIET = '#51605c'
const ACCENT = '#0b5f5a'
const DANGER = '#9b1c1c'
/** A sheet of paper, both sides. */
const MOST_PAGES = 2
/** The largest at which everything fits is taken. */
const TEXT_SIZES = [9, 8, 7] as const
const MOST_TEXT_CHARACTERS = 700

/** The passport page on one sheet of paper: what is too much for it stays behind the code. */
export async function passportSheet(page: PassportPage, texts: Texts, at: Date): Promise<Uint8Array> {
  const doc = await openPdf({ title: page.title, lang: page.lang, size: [PAGE.width, PAGE.height], at, isTagged: true })
  const sheet = new Sheet(doc, page, texts)
  const blocks = blocksOf(page, texts)
  sheet.write(blocks)
  doc.end()
  const pieces: Uint8Array[] = []
  for await (const piece of doc) pieces.push(piece)
  return Buffer.concat(pieces)
}

class Sheet {
  readonly #doc: PdfDocument
  readonly #page: PassportPage
  readonly #texts: Texts
  readonly #root: PDFKit.PDFStructureElement
  #size: number = TEXT_SIZES[0]
  #y = 0
  #pages = 0

  constructor(doc: PdfDocument, page: PassportPage, texts: Texts) {
    this.#doc = doc
    this.#page = page
    this.#texts = texts
    this.#root = doc.struct('Document')
    doc.addStructure(this.#root)
  }

  write(blocks: readonly Block[]): void {
    this.#addPage()
    this.#writeHead()
    const top = this.#y
    this.#size = TEXT_SIZES.find((size) => this.#fits(blocks, size, top)) ?? (TEXT_SIZES.at(-1) as number)
    for (const [index, block] of blocks.entries()) {
      // The line that says so has its place on the last page.
      const isLast = this.#pages === MOST_PAGES
      const most = isLast && index < blocks.length - 1 ? BOTTOM - 2 * this.#size : BOTTOM
      if (this.#y + this.#heightOf(block) > most) {
        if (isLast) {
          const left = blocks.slice(index).filter(({ kind }) => kind === 'row').length
          this.#writeParagraph({ kind: 'paragraph', text: this.#texts.t('value.more', { count: left }) })
          break
        }
        this.#addPage()
      }
      this.#writeBlock(block)
    }
    this.#root.end()
  }

  #fits(blocks: readonly Block[], size: number, top: number): boolean {
    this.#size = size
    let y = top
    let pages = 1
    for (const block of blocks) {
      const height = this.#heightOf(block)
      if (y + height > BOTTOM) {
        if (pages === MOST_PAGES) return false
        pages += 1
        y = MARGIN
      }
      y += height
    }
    return true
  }

  /** What a block takes, with the space behind it. A heading is kept together with the row that follows. */
  #heightOf(block: Block): number {
    if (block.kind === 'heading') return this.#size * 5
    if (block.kind === 'row') {
      const label = this.#measure(block.label, LABEL_WIDTH - 10)
      return Math.max(label, this.#measure(block.text, WIDTH - LABEL_WIDTH)) + this.#size * 0.45
    }
    const title = block.title === undefined ? 0 : this.#measure(block.title, WIDTH, PDF_FONTS.bold)
    return title + this.#measure(block.text, WIDTH) + this.#size * 0.8
  }

  #measure(text: string, width: number, font = PDF_FONTS.regular): number {
    return this.#doc.font(font).fontSize(this.#size).heightOfString(text, { width })
  }

  #addPage(): void {
    this.#doc.addPage()
    this.#pages += 1
    this.#y = MARGIN
    const { wordmark, number } = { wordmark: this.#texts.t('page.wordmark'), number: String(this.#pages) }
    // Pagination is an artifact (ISO 14289-1, 7.8).
    this.#doc.markContent('Artifact', { type: 'Pagination' })
    this.#doc.font(PDF_FONTS.regular).fontSize(7).fillColor(QUIET)
    this.#doc.text(wordmark, MARGIN, PAGE.height - MARGIN, { lineBreak: false })
    const at = PAGE.width - MARGIN - this.#doc.widthOfString(number)
    this.#doc.text(number, at, PAGE.height - MARGIN, { lineBreak: false })
    this.#doc.endMarkedContent()
  }

  #writeHead(): void {
    const { category, name, byline, banners, keyFacts, address } = this.#page
    const width = WIDTH - CODE - 20
    this.#text('P', category.text, { size: 8, colour: QUIET, width })
    this.#text('H1', beginningOf(name, 160), { size: name.length > 40 ? 14 : 20, font: PDF_FONTS.bold, width })
    if (byline.length > 0) this.#text('P', beginningOf(byline.join(' · '), 200), { size: 9.5, colour: QUIET, width })
    this.#y += 4
    for (const { label, value } of keyFacts) {
      const text = `${label.text}: ${beginningOf(plainOf(value, this.#texts), 160)}`
      this.#text('P', text, { size: 8.5, width })
    }
    this.#writeCode(address)
    this.#y = Math.max(this.#y, MARGIN + CODE + 26) + 6
    this.#size = TEXT_SIZES[0]
    for (const { tone, title, text, words, contact } of banners) {
      this.#text('P', title, { size: 11, font: PDF_FONTS.bold, colour: tone === 'danger' ? DANGER : INK, width: WIDTH })
      for (const line of [text, words?.text, contact && `${contact.label} ${contact.text}`]) {
        if (line !== undefined) this.#text('P', beginningOf(line, MOST_TEXT_CHARACTERS), { size: 9, width: WIDTH })
      }
      this.#y += 4
    }
  }

  #writeCode(address: string): void {
    const x = PAGE.width - MARGIN - CODE
    const doc = this.#doc
    this.#root.add(
      doc.struct('Figure', { alt: address }, () => drawAddress(doc, address, { x, y: MARGIN, side: CODE })),
    )
    this.#root.add(
      doc.struct('Link', { alt: address }, () => {
        doc.font(PDF_FONTS.regular).fontSize(6).fillColor(INK)
        doc.text(address, x, MARGIN + CODE, { width: CODE, align: 'center', link: address })
      }),
    )
  }

  #writeBlock(block: Block): void {
    if (block.kind === 'heading') this.#writeHeading(block.text)
    else if (block.kind === 'row') this.#writeRow(block)
    else this.#writeParagraph(block)
  }

  #writeHeading(text: string): void {
    const doc = this.#doc
    this.#y += this.#size * 0.9
    this.#text('H2', text, { size: this.#size * 1.25, font: PDF_FONTS.bold, colour: ACCENT, width: WIDTH })
    doc.markContent('Artifact', { type: 'Layout' })
    doc
      .moveTo(MARGIN, this.#y + 1)
      .lineTo(PAGE.width - MARGIN, this.#y + 1)
      .lineWidth(0.5)
      .strokeColor('#c9d4d0')
      .stroke()
    doc.endMarkedContent()
    this.#y += this.#size * 0.6
  }

  #writeRow({ label, text }: Block & { kind: 'row' }): void {
    const doc = this.#doc
    const height = this.#heightOf({ kind: 'row', label, text })
    this.#root.add(
      doc.struct('P', {}, () => {
        doc.font(PDF_FONTS.regular).fontSize(this.#size)
        doc.fillColor(QUIET).text(label, MARGIN, this.#y, { width: LABEL_WIDTH - 10 })
        doc.fillColor(INK).text(text, MARGIN + LABEL_WIDTH, this.#y, { width: WIDTH - LABEL_WIDTH })
      }),
    )
    this.#y += height
  }

  #writeParagraph({ title, text }: Block & { kind: 'paragraph' }): void {
    if (title !== undefined) this.#text('P', title, { size: this.#size, font: PDF_FONTS.bold, width: WIDTH })
    this.#text('P', text, { size: this.#size, width: WIDTH })
    this.#y += this.#size * 0.8
  }

  /** Writes a text below what there is. */
  #text(
    type: 'P' | 'H1' | 'H2',
    text: string,
    {
      size,
      width,
      font = PDF_FONTS.regular,
      colour = INK,
    }: { size: number; width: number; font?: string; colour?: string },
  ): void {
    const doc = this.#doc
    this.#root.add(
      doc.struct(type, {}, () => {
        doc.font(font).fontSize(size).fillColor(colour).text(text, MARGIN, this.#y, { width })
      }),
    )
    this.#y = doc.y
  }
}

/** The page's sections, one after the other. */
function blocksOf(page: PassportPage, texts: Texts): Block[] {
  const { t } = texts
  const { authenticity, masked, documents, journey } = page
  const heading = (text: string): Block => ({ kind: 'heading', text })
  return [
    ...warningBlocks(page.warnings, heading),
    ...(page.signs === undefined
      ? []
      : [row(page.signs.title, page.signs.signs.map(({ text, own = '' }) => `${text} ${own}`.trim()).join(' · '))]),
    ...page.answers.filter(({ id }) => TOLD_HERE.has(id)).map((answer) => answerRow(answer, texts)),
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

/** The answers that no section repeats. */
const TOLD_HERE: ReadonlySet<string> = new Set(['next', 'maker'])

function answerRow({ title, lead, lines }: Answer, texts: Texts): Block {
  const told = (parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined).join(': ')
  return row(
    title,
    [
      ...(lead === undefined ? [] : [told([lead.label?.text, plainOf(lead.value, texts)])]),
      ...lines.map(({ label, value, link }) => told([label?.text, value && plainOf(value, texts), link?.href])),
    ].join('\n'),
  )
}

/** Dangers, each statement under its code. */
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
  label,
  text: beginningOf(text, MOST_TEXT_CHARACTERS),
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

/** Those that the page folds away too. */
const chartRows = (chart: ShareChart | BarChart) =>
  chart.kind === 'shares' ? [...chart.rows, ...(chart.others?.rows ?? [])] : chart.rows

const nameOf = (name: Value | Entry['label'], texts: Texts): string =>
  'kind' in name ? plainOf(name, texts) : name.text

/** A value as one text. */
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
          const told = cells.flatMap((cell, index) =>
            cell === undefined ? [] : [`${value.columns[index + 1]?.text ?? ''}: ${plainOf(cell, texts)}`],
          )
          return `${plainOf(name, texts)}: ${told.join(' · ')}`
        }),
        ...(value.more ? [value.more] : []),
      ].join('\n')
    case 'link':
      return value.href
    default:
      return value.text
  }
}
