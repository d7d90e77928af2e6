import { setImmediate } from 'node:timers/promises'
import { isExactNumber } from '../../../../src/plugin/module.ts'
import { MORE_DIGITS } from './cell-values.ts'
import type { NumberReader } from './number-format.ts'
import { openPackage, type Parts, readPart, relationshipsOf, xmlParser } from './package.ts'
import {
  assertRowCount,
  type Cell,
  type CellNote,
  columnLetters,
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROW_CHARACTERS,
  type Remark,
  type Row,
  TableError,
} from './table.ts'

export const WORKBOOK = 'xl/workbook.xml'
/** Relationship types and namespaces: transitional and strict. */
const RELATIONS = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
]
/** Transitional and strict (ISO/IEC 29500-1, 18). */
const NAMESPACES: ReadonlySet<string> = new Set([
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
  ...RELATIONS,
])
const MACROS = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject'
/** Signature of old and encrypted files. */
const OLD_KIND = Buffer.from('d0cf11e0', 'hex')
const MAX_PARTS = 1000
const MAX_SHARED_CHARACTERS = 32 * 1024 * 1024
const MAX_SHARED_TEXTS = 1_000_000
const MAX_SHARED_BYTES = 512 * 1024 * 1024
const MAX_SHEETS = 256
const MAX_STYLES = 65_536
/** Excel writes 250 custom formats; the library caches 1,000. */
const MAX_FORMATS = 320
const MAX_MERGES = 10_000
const SHEET = 'Passports'

interface Workbook {
  readonly sheet: string
  readonly remarks: readonly Remark[]
  rows(): AsyncGenerator<Row>
}

/**
 * Opens a workbook (ISO/IEC 29500, ECMA-376). Never computes formulas; ignores macros and links.
 * @throws TableError for other or too large files
 */
export async function openXlsx(bytes: Buffer): Promise<Workbook> {
  if (bytes.subarray(0, 4).equals(OLD_KIND)) {
    throw new TableError(
      'The file is password-protected or in the old format .xls. Save it as .xlsx without a password.',
    )
  }
  const parts = await openPackage(bytes, {
    name: '.xlsx workbook',
    maxParts: MAX_PARTS,
    advice: 'Send it in parts, or as CSV.',
  })
  const workbook = (await relatedTo(parts, '')).partOf('officeDocument')
  if (workbook === undefined)
    throw new TableError('Invalid .xlsx file: it contains no workbook. Save it as .xlsx again.')
  const { sheets, is1904 } = await readWorkbook(parts, workbook)
  const sheet = sheets.find(({ name }) => name === SHEET) ?? sheets.find(({ isShown }) => isShown) ?? sheets[0]
  if (sheet === undefined) throw new TableError('The workbook has no sheets.')
  const { relationships, partOf } = await relatedTo(parts, workbook)
  const path = relationships.find(({ id }) => id === sheet.relation)?.part
  if (path === undefined || !parts.has(path)) throw new TableError(`The sheet "${sheet.name}" is missing in the file.`)
  const styles = await readStyles(parts, partOf('styles'), is1904)
  const shared = await readSharedTexts(parts, partOf('sharedStrings'))
  let merges: readonly MergedRows[] = []
  const hasMacros = relationships.some(({ type, part = '' }) => type === MACROS && parts.has(part))
  return {
    sheet: sheet.name,
    remarks: hasMacros ? [{ code: 'MACROS_IGNORED' }] : [],
    async *rows() {
      const reader = new SheetReader({ shared, styles })
      const checkMerges = createMergeCheck(merges)
      for await (const piece of parts.read(path)) for (const row of reader.push(piece)) yield checkMerges(row)
      for (const row of reader.end()) yield checkMerges(row)
      // Merges follow the rows, so they apply from the second pass.
      merges = mergedRows(reader.merges)
    },
  }
}

async function relatedTo(parts: Parts, source: string) {
  const relationships = await relationshipsOf(parts, source)
  const partOf = (type: string): string | undefined =>
    relationships.find(
      (each) => RELATIONS.some((prefix) => each.type === `${prefix}/${type}`) && parts.has(each.part ?? ''),
    )?.part
  return { relationships, partOf }
}

interface SheetName {
  readonly name: string
  readonly relation: string
  readonly isShown: boolean
}

async function readWorkbook(parts: Parts, workbook: string): Promise<{ sheets: SheetName[]; is1904: boolean }> {
  const sheets: SheetName[] = []
  let is1904 = false
  await readPart(parts, workbook, {
    namespaces: NAMESPACES,
    open(name, { name: title = '', id = '', state = 'visible', date1904 }) {
      if (name === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
      if (name !== 'sheet') return
      if (sheets.length === MAX_SHEETS) throw new TableError(`The workbook has more than ${MAX_SHEETS} sheets.`)
      sheets.push({ name: title, relation: id, isShown: state === 'visible' })
    },
  })
  return { sheets, is1904 }
}

/**
 * Returns number readers per cell style; undefined if unformatted.
 * @throws TableError for too many formats
 */
async function readStyles(
  parts: Parts,
  path: string | undefined,
  is1904: boolean,
): Promise<(NumberReader | undefined)[]> {
  if (path === undefined) return []
  const { formatCode, numberReader } = await import('./number-format.ts')
  const own = new Map<number, string>()
  const codes: string[] = []
  let isInside = false
  await readPart(parts, path, {
    namespaces: NAMESPACES,
    open(name, { numFmtId = '0', formatCode: code = '' }) {
      if (name === 'cellXfs') isInside = true
      const id = Number(numFmtId)
      if (name === 'numFmt' && own.size < MAX_STYLES) own.set(id, code)
      if (name === 'xf' && isInside && codes.length < MAX_STYLES) codes.push(formatCode(id, own))
    },
    close(name) {
      if (name === 'cellXfs') isInside = false
    },
  })
  const readers = new Map<string, NumberReader | undefined>()
  for (const code of new Set(codes)) {
    if (readers.size === MAX_FORMATS) {
      throw new TableError(`The workbook has more than ${MAX_FORMATS} number formats. Send it as CSV.`)
    }
    readers.set(code, numberReader(code, is1904))
    // A format may take 1 ms.
    await setImmediate()
  }
  return codes.map((code) => readers.get(code))
}

async function readSharedTexts(parts: Parts, path: string | undefined): Promise<string[]> {
  const texts: string[] = []
  if (path === undefined) return texts
  let characters = 0
  let text = ''
  const gather = textGatherer((piece) => {
    text += piece
    if (text.length > MAX_CELL_CHARACTERS) throw longCell(`Text ${texts.length + 1}`)
  })
  const handler = {
    namespaces: NAMESPACES,
    open(name: string) {
      if (name === 'si') text = ''
      gather.open(name)
    },
    text: gather.text,
    close(name: string) {
      gather.close(name)
      if (name !== 'si') return
      characters += text.length
      if (characters > MAX_SHARED_CHARACTERS || texts.length === MAX_SHARED_TEXTS) {
        throw new TableError('The workbook has too much text. Send it in parts, or as CSV.')
      }
      // Copies the text: a slice would retain its source.
      texts.push(Buffer.from(unescaped(text)).toString())
    },
  }
  await readPart(parts, path, handler, MAX_SHARED_BYTES)
  return texts
}

/** Collects `t` runs and skips phonetic text. */
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

/** ISO/IEC 29500-1, 22.9.2.19. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

const longCell = (place: string) => new TableError(`${place} has more than ${MAX_CELL_CHARACTERS} characters.`)

interface WorkbookContext {
  readonly shared: readonly string[]
  readonly styles: readonly (NumberReader | undefined)[]
}

class SheetReader {
  readonly merges: string[] = []
  readonly #known: WorkbookContext
  readonly #parser: ReturnType<typeof xmlParser>
  #ready: Row[] = []
  #count = 0
  #number = 0
  #cells: Cell[] = []
  #characters = 0
  #notes: Map<number, CellNote> | undefined
  #remarks: Remark[] = []
  #column = -1
  #type = 'n'
  #style = 0
  #value: string | undefined
  #isFormula = false
  #isInside = false
  #isValue = false

  constructor(known: WorkbookContext) {
    this.#known = known
    const gather = textGatherer((piece) => this.#take(piece))
    this.#parser = xmlParser({
      namespaces: NAMESPACES,
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
      if (this.merges.length === MAX_MERGES) throw new TableError(`More than ${MAX_MERGES} cells are merged.`)
      this.merges.push(ref)
    }
  }

  #beginRow(r: string | undefined): void {
    const number = r === undefined ? this.#number + 1 : Number(r)
    if (!(Number.isInteger(number) && number > this.#number && number <= 1_048_576)) {
      throw new TableError(`The workbook is malformed: row ${this.#number} is followed by row ${r}.`)
    }
    this.#number = number
    this.#cells = []
    this.#characters = 0
    this.#notes = undefined
    this.#remarks = []
    this.#column = -1
  }

  #take(piece: string): void {
    this.#value = (this.#value ?? '') + piece
    if (this.#value.length > MAX_CELL_CHARACTERS) throw longCell(this.#place())
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
        notes: this.#notes,
        remarks: this.#remarks.length === 0 ? undefined : this.#remarks,
      } as Row)
    }
  }

  #endCell(): void {
    this.#isInside = false
    if (this.#isFormula && this.#value === undefined) {
      this.#note({
        fault:
          'has a formula without its value. Open and save the file in a spreadsheet program, or enter the value itself.',
      })
      this.#put('')
      return
    }
    if (this.#value === undefined || this.#value === '') return
    if (this.#isFormula) this.#remarks.push({ code: 'FORMULA_VALUE_TAKEN', place: this.#place() })
    this.#put(this.#read(this.#value))
  }

  #put(cell: Cell): void {
    if (this.#column >= MAX_COLUMNS) {
      throw new TableError(`${this.#place()} is beyond the limit of ${MAX_COLUMNS} columns.`)
    }
    this.#characters += String(cell).length
    if (this.#characters > MAX_ROW_CHARACTERS) {
      throw new TableError(`Row ${this.#number} has more than ${MAX_ROW_CHARACTERS} characters.`)
    }
    while (this.#cells.length < this.#column) this.#cells.push(undefined)
    this.#cells[this.#column] = cell === '' ? undefined : cell
  }

  #note(note: CellNote): void {
    this.#notes ??= new Map()
    this.#notes.set(this.#column, note)
  }

  #read(value: string): Cell {
    const { shared, styles } = this.#known
    switch (this.#type) {
      case 's': {
        const text = /^\d{1,9}$/.test(value) ? shared[Number(value)] : undefined
        if (text === undefined)
          throw new TableError(`${this.#place()} refers to shared string ${value}, which is missing in the file.`)
        return text
      }
      case 'b':
        return value === '1' || value === 'true'
      case 'e':
        this.#note({ fault: `has the error ${value}.` })
        return value
      case 'inlineStr':
      case 'str':
        return unescaped(value)
      case 'd':
        return value
      default: {
        const number = Number(value)
        if (!Number.isFinite(number)) throw new TableError(`${this.#place()} has "${value}", which is not a number.`)
        if (!isExactNumber(value)) {
          this.#note({ fault: MORE_DIGITS })
          return number
        }
        const read = styles[this.#style]?.(number)
        if (read === undefined) return number
        const { cell, ...note } = read
        if (note.shown !== undefined || note.fault !== undefined) this.#note(note)
        return cell
      }
    }
  }

  #place(): string {
    return `${columnLetters(Math.max(0, this.#column))}${this.#number}`
  }
}

function columnOf(reference: string): number {
  const [, letters] = /^([A-Z]{1,3})\d{1,7}$/.exec(reference) ?? []
  if (letters === undefined) throw new TableError(`The workbook is malformed: it has a cell "${reference}".`)
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

interface MergedRows {
  readonly reference: string
  readonly from: number
  readonly to: number
}

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

function createMergeCheck(merges: readonly MergedRows[]): (row: Row) => Row {
  let next = 0
  return (row) => {
    while (next < merges.length && (merges[next] as MergedRows).to < row.number) next += 1
    const merged = merges[next]
    if (merged === undefined || merged.from > row.number) return row
    return { ...row, fault: `The cells ${merged.reference} are merged. Unmerge them and fill in each cell.` }
  }
}
