import { openPackage, type Parts, readPart, relationshipsOf, xmlParser } from './package.ts'
import {
  assertRowCount,
  type Cell,
  columnLetters,
  MOST_CELL_CHARACTERS,
  MOST_COLUMNS,
  MOST_ROW_CHARACTERS,
  type Remark,
  type Row,
  TableError,
} from './table.ts'

export const WORKBOOK = 'xl/workbook.xml'
/** How files of the old kind begin, and encrypted ones. */
const OLD_KIND = Buffer.from('d0cf11e0', 'hex')
/** Parts of the package. */
const MOST_PARTS = 1000
/** Of the texts that cells share. */
const MOST_SHARED_CHARACTERS = 32 * 1024 * 1024
const MOST_SHARED_TEXTS = 1_000_000
const MAX_SHARED_BYTES = 512 * 1024 * 1024
const MOST_SHEETS = 256
const MOST_STYLES = 65_536
const MOST_MERGES = 10_000
/** The sheet that is read where there are several; else the first that is shown. */
const SHEET = 'Passports'

/** A workbook, of which one sheet is read, as often as one likes. */
interface Workbook {
  readonly sheet: string
  readonly remarks: readonly Remark[]
  rows(): AsyncGenerator<Row>
}

/**
 * Opens a workbook as ISO/IEC 29500 (ECMA-376) has it. Formulas are never computed, and macros and links never read.
 * @throws TableError for what is no workbook, and for one that is larger than it may be
 */
export async function openXlsx(bytes: Buffer): Promise<Workbook> {
  if (bytes.subarray(0, 4).equals(OLD_KIND)) {
    throw new TableError(
      'The file is protected by a password, or of the old kind (.xls). Save it as .xlsx without a password.',
    )
  }
  const parts = await openPackage(bytes, {
    name: '.xlsx workbook',
    mostParts: MOST_PARTS,
    advice: 'Send it in parts, or as CSV.',
  })
  const { sheets, is1904 } = await readWorkbook(parts)
  const sheet = sheets.find(({ name }) => name === SHEET) ?? sheets.find(({ isShown }) => isShown) ?? sheets[0]
  if (sheet === undefined) throw new TableError('The workbook has no sheet.')
  const path = (await relationshipsOf(parts, WORKBOOK)).find(({ id }) => id === sheet.relation)?.part
  if (path === undefined || !parts.has(path)) throw new TableError(`The sheet "${sheet.name}" is not in the file.`)
  const dateStyles = await readDateStyles(parts)
  const shared = await readSharedTexts(parts)
  let merges: readonly MergedRows[] = []
  const hasMacros = parts.has('xl/vbaproject.bin')
  return {
    sheet: sheet.name,
    remarks: hasMacros ? [{ code: 'MACROS_IGNORED' }] : [],
    async *rows() {
      const reader = new SheetReader({ shared, dateStyles, is1904 })
      const judged = mergeJudge(merges)
      for await (const piece of parts.read(path)) for (const row of reader.push(piece)) yield judged(row)
      for (const row of reader.end()) yield judged(row)
      // They stand behind the rows, and are known when these are read again.
      merges = mergedRows(reader.merges)
    },
  }
}

interface SheetName {
  readonly name: string
  readonly relation: string
  readonly isShown: boolean
}

async function readWorkbook(parts: Parts): Promise<{ sheets: SheetName[]; is1904: boolean }> {
  if (!parts.has(WORKBOOK)) throw new TableError(`The file is no .xlsx workbook: ${WORKBOOK} is missing.`)
  const sheets: SheetName[] = []
  let is1904 = false
  await readPart(parts, WORKBOOK, {
    open(name, { name: title = '', id = '', state = 'visible', date1904 }) {
      if (name === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
      if (name !== 'sheet') return
      if (sheets.length === MOST_SHEETS) throw new TableError(`The workbook has more than ${MOST_SHEETS} sheets.`)
      sheets.push({ name: title, relation: id, isShown: state === 'visible' })
    },
  })
  return { sheets, is1904 }
}

/** Formats of numbers that every program has and that show dates (ISO/IEC 29500-1, 18.8.30). */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether each cell style shows dates. */
async function readDateStyles(parts: Parts): Promise<boolean[]> {
  const formats = new Map<number, string>()
  const styles: boolean[] = []
  let isInside = false
  await readPart(parts, 'xl/styles.xml', {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'cellXfs') isInside = true
      const id = Number(numFmtId)
      if (name === 'numFmt' && formats.size < MOST_STYLES) formats.set(id, formatCode)
      if (name !== 'xf' || !isInside || styles.length === MOST_STYLES) return
      const own = formats.get(id)
      styles.push(own === undefined ? isBuiltInDate(id) : showsDate(own))
    },
    close(name) {
      if (name === 'cellXfs') isInside = false
    },
  })
  return styles
}

/** A format shows a date where letters of one stand outside of what is only shown or only coloured. */
const showsDate = (format: string): boolean =>
  /[dmyhs]/i.test(
    format
      .slice(0, 255)
      .replace(/"[^"]*"|\\./g, '')
      .replace(/\[[^\][]*\]/g, ''),
  )

async function readSharedTexts(parts: Parts): Promise<string[]> {
  const texts: string[] = []
  let characters = 0
  let text = ''
  const gather = textGatherer((piece) => {
    text += piece
    if (text.length > MOST_CELL_CHARACTERS) throw longCell(`Text ${texts.length + 1}`)
  })
  const handler = {
    open(name: string) {
      if (name === 'si') text = ''
      gather.open(name)
    },
    text: gather.text,
    close(name: string) {
      gather.close(name)
      if (name !== 'si') return
      characters += text.length
      if (characters > MOST_SHARED_CHARACTERS || texts.length === MOST_SHARED_TEXTS) {
        throw new TableError('The workbook has too much text. Send it in parts, or as CSV.')
      }
      // A copy: the pieces that it was cut from would all be kept.
      texts.push(Buffer.from(unescaped(text)).toString())
    },
  }
  await readPart(parts, 'xl/sharedStrings.xml', handler, MAX_SHARED_BYTES)
  return texts
}

/** The text of a cell is in its `t`, perhaps in several runs; how it is pronounced is no part of it. */
function textGatherer(take: (text: string) => void) {
  let isText = false
  let isPronounced = false
  return {
    open(name: string) {
      if (name === 't') isText = true
      if (name === 'rPh') isPronounced = true
    },
    text(piece: string) {
      if (isText && !isPronounced) take(piece)
    },
    close(name: string) {
      if (name === 't') isText = false
      if (name === 'rPh') isPronounced = false
    },
  }
}

/** Characters that XML cannot hold are escaped in workbooks (ISO/IEC 29500-1, 22.9.2.19). */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const longCell = (place: string) => new TableError(`${place} has more than ${MOST_CELL_CHARACTERS} characters.`)

interface Known {
  readonly shared: readonly string[]
  readonly dateStyles: readonly boolean[]
  readonly is1904: boolean
}

/** Reads the rows of a sheet as its text comes in. */
class SheetReader {
  readonly merges: string[] = []
  readonly #known: Known
  readonly #parser: ReturnType<typeof xmlParser>
  #ready: Row[] = []
  #count = 0
  #number = 0
  #cells: Cell[] = []
  #characters = 0
  #fault: string | undefined
  #remarks: Remark[] = []
  #column = -1
  #type = 'n'
  #style = 0
  #value: string | undefined
  #isFormula = false
  #isInside = false
  #isValue = false

  constructor(known: Known) {
    this.#known = known
    const gather = textGatherer((piece) => this.#take(piece))
    this.#parser = xmlParser({
      open: (name, attributes) => {
        gather.open(name)
        this.#open(name, attributes)
      },
      text: (piece) => {
        if (this.#isValue) this.#take(piece)
        else if (this.#type === 'inlineStr' && this.#isInside) gather.text(piece)
      },
      close: (name) => {
        gather.close(name)
        this.#close(name)
      },
    })
  }

  push(piece: string): Row[] {
    this.#parser.write(piece)
    return this.#taken()
  }

  end(): Row[] {
    this.#parser.end()
    return this.#taken()
  }

  #taken(): Row[] {
    const rows = this.#ready
    this.#ready = []
    return rows
  }

  #open(name: string, { r, s = '0', t = 'n', ref }: Readonly<Record<string, string>>): void {
    if (name === 'row') this.#beginRow(r)
    else if (name === 'c') {
      this.#column = r === undefined ? this.#column + 1 : columnOf(r)
      this.#type = t
      this.#style = Number(s)
      this.#value = undefined
      this.#isFormula = false
      this.#isInside = true
    } else if (name === 'v') this.#isValue = true
    else if (name === 'f') this.#isFormula = true
    else if (name === 'mergeCell' && ref !== undefined) {
      if (this.merges.length === MOST_MERGES) throw new TableError(`More than ${MOST_MERGES} cells are merged.`)
      this.merges.push(ref)
    }
  }

  #beginRow(r: string | undefined): void {
    const number = r === undefined ? this.#number + 1 : Number(r)
    if (!(Number.isInteger(number) && number > this.#number && number <= 1_048_576)) {
      throw new TableError(`The workbook is not what it should be: row ${this.#number} is followed by row ${r}.`)
    }
    this.#number = number
    this.#cells = []
    this.#characters = 0
    this.#fault = undefined
    this.#remarks = []
    this.#column = -1
  }

  #take(piece: string): void {
    this.#value = (this.#value ?? '') + piece
    if (this.#value.length > MOST_CELL_CHARACTERS) throw longCell(this.#place())
  }

  #close(name: string): void {
    if (name === 'v') this.#isValue = false
    else if (name === 'c') this.#endCell()
    else if (name === 'row' && this.#cells.length > 0) {
      this.#count += 1
      assertRowCount(this.#count)
      this.#ready.push({
        number: this.#number,
        cells: this.#cells,
        fault: this.#fault,
        remarks: this.#remarks.length === 0 ? undefined : this.#remarks,
      } as Row)
    }
  }

  #endCell(): void {
    this.#isInside = false
    if (this.#isFormula && this.#value === undefined) {
      this.#fault ??= `${this.#place()} has a formula without its value. Open and save the file in a spreadsheet program, or write the value itself.`
      this.#put('')
      return
    }
    if (this.#value === undefined || this.#value === '') return
    if (this.#isFormula) this.#remarks.push({ code: 'FORMULA_VALUE_TAKEN', place: this.#place() })
    this.#put(this.#read(this.#value))
  }

  #put(cell: Cell): void {
    if (this.#column >= MOST_COLUMNS) {
      throw new TableError(`${this.#place()} is beyond the ${MOST_COLUMNS} columns that are read.`)
    }
    this.#characters += String(cell).length
    if (this.#characters > MOST_ROW_CHARACTERS) {
      throw new TableError(`Row ${this.#number} has more than ${MOST_ROW_CHARACTERS} characters.`)
    }
    while (this.#cells.length < this.#column) this.#cells.push(undefined)
    this.#cells[this.#column] = cell === '' ? undefined : cell
  }

  #read(value: string): Cell {
    const { shared, dateStyles, is1904 } = this.#known
    switch (this.#type) {
      case 's': {
        const text = /^\d{1,9}$/.test(value) ? shared[Number(value)] : undefined
        if (text === undefined) throw new TableError(`${this.#place()} has text ${value}, which is not in the file.`)
        return text
      }
      case 'b':
        return value === '1' || value === 'true'
      case 'e':
        this.#fault ??= `${this.#place()} has the error ${value}.`
        return value
      case 'inlineStr':
      case 'str':
        return unescaped(value)
      case 'd':
        return value
      default: {
        const number = Number(value)
        if (!Number.isFinite(number)) throw new TableError(`${this.#place()} has "${value}", which is no number.`)
        if (!dateStyles[this.#style]) return number
        const date = dateOf(number, is1904)
        if (date === undefined) this.#fault ??= `${this.#place()} shows a day that there is not.`
        return date ?? number
      }
    }
  }

  #place(): string {
    return `${columnLetters(Math.max(0, this.#column))}${this.#number}`
  }
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string): number {
  const [, letters] = /^([A-Z]{1,3})\d{1,7}$/.exec(reference) ?? []
  if (letters === undefined)
    throw new TableError(`The workbook is not what it should be: there is a cell "${reference}".`)
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

const DAY = 86_400_000
const SECOND = 1000
/** 31 December 9999, the last day that spreadsheets know. */
const LAST_DAY = 2_958_465

/**
 * The date that a number shows: days since the end of 1899, among which is a 29 February 1900 that there was not (day 60), or
 * since 1 January 1904 (ISO/IEC 29500-1, 18.17.4.1). A part of a day is a time of it.
 */
function dateOf(days: number, is1904: boolean): string | undefined {
  if (days < 0 || days > LAST_DAY) return undefined
  if (!is1904 && Math.floor(days) === 60) return undefined
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const moment = new Date(Math.round((epoch + days * DAY) / SECOND) * SECOND).toISOString()
  return Number.isInteger(days) ? moment.slice(0, 10) : moment.slice(0, 19)
}

/** Rows that merged cells touch. */
interface MergedRows {
  readonly reference: string
  readonly from: number
  readonly to: number
}

/** The rows that merged cells touch, in their order; none is named twice. */
function mergedRows(references: readonly string[]): MergedRows[] {
  const rows: MergedRows[] = []
  let until = 0
  const ranges = references.map((reference) => {
    const [from = 0, to = from] = reference.split(':').map((end) => Number(/^[A-Z]{1,3}(\d{1,7})$/.exec(end)?.[1]))
    return { reference, from, to }
  })
  for (const { reference, from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    if (to > until) rows.push({ reference, from: Math.max(from, until + 1), to })
    until = Math.max(until, to)
  }
  return rows
}

/** Puts the fault of merged cells on rows, which come in their order. */
function mergeJudge(merges: readonly MergedRows[]): (row: Row) => Row {
  let next = 0
  return (row) => {
    while (next < merges.length && (merges[next] as MergedRows).to < row.number) next += 1
    const merged = merges[next]
    if (merged === undefined || merged.from > row.number) return row
    return { ...row, fault: `The cells ${merged.reference} are merged. Unmerge them, and fill in each one.` }
  }
}
