import { isExactNumber } from '../../../../src/plugin/module.ts'
import { MORE_DIGITS } from './cell-values.ts'
import type { NumberReader } from './number-format.ts'
import { xmlParser } from './package.ts'
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
import { NAMESPACES } from './xlsx-namespaces.ts'
import { longCell, textGatherer, unescaped } from './xlsx-texts.ts'

const MAX_MERGES = 10_000

interface WorkbookContext {
  readonly shared: readonly string[]
  readonly styles: readonly (NumberReader | undefined)[]
}

export class SheetReader {
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
