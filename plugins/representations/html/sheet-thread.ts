import { drawAddress, openPdf, PDF_FONTS, type PdfDocument, serveThread } from '../../../src/plugin/thread.ts'

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly title?: string; readonly text: string }
  | { readonly kind: 'row'; readonly label: string; readonly text: string }

export interface SheetContent {
  readonly title: string
  readonly lang: string
  /** Creation time, for reproducible bytes. */
  readonly at: Date
  readonly wordmark: string
  readonly category: string
  readonly name: string
  readonly byline: string
  readonly keyFacts: readonly string[]
  readonly address: string
  readonly banners: readonly { readonly isDanger: boolean; readonly title: string; readonly lines: readonly string[] }[]
  readonly blocks: readonly Block[]
  readonly more: readonly string[]
}

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
/** Both sides of a sheet. */
const MAX_PAGES = 2
const TEXT_SIZES = [9, 8, 7] as const

/** Draws the sheet. Measuring text takes up to seconds, so it never runs on the request thread. */
async function drawSheet(content: SheetContent): Promise<Uint8Array> {
  const { title, lang, at } = content
  const doc = await openPdf({ title, lang, size: [PAGE.width, PAGE.height], at, isTagged: true })
  new Sheet(doc, content).write()
  doc.end()
  const pieces: Uint8Array[] = []
  for await (const piece of doc) pieces.push(piece)
  return Buffer.concat(pieces)
}

class Sheet {
  readonly #doc: PdfDocument
  readonly #content: SheetContent
  readonly #root: PDFKit.PDFStructureElement
  #size: number = TEXT_SIZES[0]
  #y = 0
  #pages = 0

  constructor(doc: PdfDocument, content: SheetContent) {
    this.#doc = doc
    this.#content = content
    this.#root = doc.struct('Document')
    doc.addStructure(this.#root)
  }

  write(): void {
    const { blocks, more } = this.#content
    this.#addPage()
    this.#writeHead()
    const top = this.#y
    this.#size = TEXT_SIZES.find((size) => this.#fits(blocks, size, top)) ?? (TEXT_SIZES.at(-1) as number)
    for (const [index, block] of blocks.entries()) {
      const isLast = this.#pages === MAX_PAGES
      const bottom = isLast && index < blocks.length - 1 ? BOTTOM - 2 * this.#size : BOTTOM
      if (this.#y + this.#heightOf(block) > bottom) {
        if (isLast) {
          const left = blocks.slice(index).filter(({ kind }) => kind === 'row').length
          this.#writeParagraph({ kind: 'paragraph', text: more[left] ?? '' })
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
        if (pages === MAX_PAGES) return false
        pages += 1
        y = MARGIN
      }
      y += height
    }
    return true
  }

  /** Returns the height including spacing. Headings stay with the next row. */
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
    const number = String(this.#pages)
    // Pagination is an artifact (ISO 14289-1, 7.8).
    this.#doc.markContent('Artifact', { type: 'Pagination' })
    this.#doc.font(PDF_FONTS.regular).fontSize(7).fillColor(QUIET)
    this.#doc.text(this.#content.wordmark, MARGIN, PAGE.height - MARGIN, { lineBreak: false })
    const at = PAGE.width - MARGIN - this.#doc.widthOfString(number)
    this.#doc.text(number, at, PAGE.height - MARGIN, { lineBreak: false })
    this.#doc.endMarkedContent()
  }

  #writeHead(): void {
    const { category, name, byline, banners, keyFacts, address } = this.#content
    const width = WIDTH - CODE - 20
    this.#text('P', category, { size: 8, colour: QUIET, width })
    this.#text('H1', name, { size: name.length > 40 ? 14 : 20, font: PDF_FONTS.bold, width })
    if (byline !== '') this.#text('P', byline, { size: 9.5, colour: QUIET, width })
    this.#y += 4
    for (const fact of keyFacts) this.#text('P', fact, { size: 8.5, width })
    this.#writeCode(address)
    this.#y = Math.max(this.#y, MARGIN + CODE + 26) + 6
    this.#size = TEXT_SIZES[0]
    for (const { isDanger, title, lines } of banners) {
      this.#text('P', title, { size: 11, font: PDF_FONTS.bold, colour: isDanger ? DANGER : INK, width: WIDTH })
      for (const line of lines) this.#text('P', line, { size: 9, width: WIDTH })
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

serveThread(drawSheet)
