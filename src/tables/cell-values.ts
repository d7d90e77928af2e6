import { isGtin14, paddedGtin } from '../domain/identifiers.ts'
import { isExactNumber } from '../domain/json-guard.ts'
import type { Json } from '../domain/metadata.ts'
import { beginningOf } from '../domain/text.ts'
import type { Cell, CellNote } from './table.ts'

/** Content of the cells of a column; a list is in one cell, its entries between semicolons. */
export type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'numbers'

/** Fault of a cell; its place is put before the message. */
export class CellFault extends Error {}

/** Fault of a number whose last digits are lost. */
export const MORE_DIGITS =
  'is a number of more digits than numbers have. Format the column as text, and write it again.'

/** A cell with its column. */
interface Given {
  readonly cell: Cell
  readonly note: CellNote | undefined
  readonly kind: Kind | undefined
  /** True if the column holds a GTIN, or may. */
  readonly isIdentifier: boolean
}

interface Value {
  readonly json: Json
  /** True for a GTIN that got its zeros back. */
  readonly isPadded?: boolean
}

/** The value of a cell in its column; undefined if it has none. @throws CellFault */
export function valueIn({ cell, note, kind, isIdentifier }: Given): Value | undefined {
  if (cell === undefined) return undefined
  const shown = note?.shown
  if (isIdentifier) return identifierOf(cell, shown)
  switch (kind) {
    case 'text': {
      const text = textOf(cell, shown)
      return text === undefined ? undefined : { json: text }
    }
    case 'number':
      return { json: numberOf(cell, note) }
    case 'boolean': {
      const word = String(cell).trim().toLowerCase()
      if (word !== 'true' && word !== 'false') throw new CellFault(`must be true or false, and is ${quoted(cell)}.`)
      return { json: word === 'true' }
    }
    case 'texts':
      return { json: entriesOf(shown ?? String(cell)) }
    case 'numbers':
      return {
        json:
          typeof cell === 'number' ? [numberOf(cell, note)] : entriesOf(String(cell)).map((entry) => numberOf(entry)),
      }
    default:
      // Zeros ahead of a number are those of a text that was taken for one.
      return { json: shown !== undefined && /^0\d+$/.test(shown) ? shown : cell }
  }
}

/** Text that somebody wrote into a cell, and no more of it than can be read. */
const quoted = (cell: Cell) => JSON.stringify(beginningOf(String(cell), 40))

const entriesOf = (text: string): string[] =>
  text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Significant digits that spreadsheet programs show. */
const SHOWN_DIGITS = 15
/** A number without the last digits, which only binary arithmetic made: 0.3 and not 0.30000000000000004. */
export const withoutNoise = (number: number): number => Number(number.toPrecision(SHOWN_DIGITS))

/** The text that a cell shows; undefined if it shows nothing. */
function textOf(cell: string | number | boolean, shown: string | undefined): string | undefined {
  if (shown !== undefined) return shown === '' ? undefined : shown
  if (typeof cell !== 'number') return String(cell)
  if (!Number.isInteger(cell)) return String(withoutNoise(cell))
  if (!Number.isSafeInteger(cell)) throw new CellFault(MORE_DIGITS)
  return String(cell)
}

/** Digits as spreadsheet programs protect them from losing zeros: as a formula, or behind an apostrophe. */
const PROTECTED = /^(?:="([0-9]+)"|'([0-9]+))$/
/** A long number as spreadsheet programs shorten it, which loses digits. */
const SHORTENED = /^[0-9](?:[.,][0-9]+)?E\+[0-9]+$/i
/**
 * A product id or GTIN. Zeros that a spreadsheet program took away are put back if the check digit then fits: of a number of 8 to 13
 * digits, and of a text of 8, 12 or 13.
 * @throws CellFault for numbers that have lost digits
 */
function identifierOf(cell: string | number | boolean, shown: string | undefined): Value | undefined {
  const text = textOf(cell, shown)?.trim()
  if (text === undefined) return undefined
  if (SHORTENED.test(text)) {
    throw new CellFault(
      `is ${quoted(text)}, a number of which digits are lost. Format the column as text, and write the whole number.`,
    )
  }
  const [, formula, behindApostrophe] = PROTECTED.exec(text) ?? []
  const digits = formula ?? behindApostrophe ?? text
  const gtin = typeof cell === 'number' ? gtinOfNumber(digits) : paddedGtin(digits)
  return gtin === undefined ? { json: digits } : { json: gtin, isPadded: gtin !== digits }
}

/**
 * The GTIN that a number shows, whose groups of digits may stand apart. Numbers of less than 8 digits are article numbers: GTIN-8 do
 * not begin with a zero, since these are for use inside of a company (GS1 General Specifications 1.4).
 */
function gtinOfNumber(shown: string): string | undefined {
  const digits = shown.replace(/[\s-]/g, '')
  const gtin = digits.padStart(14, '0')
  return digits.length >= 8 && isGtin14(gtin) ? gtin : undefined
}

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/
/** With points or blanks between thousands and a decimal comma, or the other way round, so that there is one way to read it. */
const GERMAN = /^-?(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+),[0-9]+$/
const ENGLISH = /^-?[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+$/
/** One and a fraction of three digits, or a thousand and some. */
const EITHER = /^-?[1-9][0-9]{0,2},[0-9]{3}$/

function numberOf(cell: string | number | boolean, note?: CellNote): number {
  if (typeof cell === 'number') {
    if (note?.misleads !== undefined) throw new CellFault(note.misleads)
    return cell
  }
  const text = String(cell).trim()
  if (EITHER.test(text)) {
    const [whole, fraction] = text.split(',')
    throw new CellFault(
      `is "${text}", which may be ${whole}${fraction} or ${whole}.${fraction}. Write it with a point, or without thousands.`,
    )
  }
  let plain = text
  if (GERMAN.test(text)) plain = text.replaceAll('.', '').replace(',', '.')
  else if (ENGLISH.test(text)) plain = text.replaceAll(',', '')
  const number = NUMBER.test(plain) ? Number(plain) : Number.NaN
  if (!Number.isFinite(number)) throw new CellFault(`must be a number, and is ${quoted(cell)}.`)
  if (!isExactNumber(plain)) throw new CellFault(`is ${quoted(cell)}, of more digits than numbers have.`)
  return number
}
