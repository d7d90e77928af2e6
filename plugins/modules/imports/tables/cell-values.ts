import { beginningOf, type Json } from '../../../../src/plugin/index.ts'
import { isExactNumber, isGtin14, paddedGtin } from '../../../../src/plugin/module.ts'
import type { Cell, CellNote } from './table.ts'

/** Cell content of a column; list entries are separated by semicolons. */
export type Kind = 'text' | 'number' | 'boolean' | 'texts' | 'numbers'

export class CellFault extends Error {}

export const MORE_DIGITS = 'is a number with too many digits. Format the column as text and enter it again.'

interface Given {
  readonly cell: Cell
  readonly note: CellNote | undefined
  readonly kind: Kind | undefined
  readonly isIdentifier: boolean
}

interface Value {
  readonly json: Json
  /** True for a GTIN with restored zeros. */
  readonly isPadded?: boolean
}

/** Returns undefined for empty cells. @throws CellFault */
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
      if (word !== 'true' && word !== 'false') throw new CellFault(`must be true or false, not ${quoted(cell)}.`)
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
      // Leading zeros indicate text formatted as a number.
      return { json: shown !== undefined && /^0\d+$/.test(shown) ? shown : cell }
  }
}

const quoted = (cell: Cell) => JSON.stringify(beginningOf(String(cell), 40))

const entriesOf = (text: string): string[] =>
  text
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Digits that spreadsheet programs show. */
const SHOWN_DIGITS = 15
/** Removes floating-point noise: 0.3, not 0.30000000000000004. */
export const withoutNoise = (number: number): number => Number(number.toPrecision(SHOWN_DIGITS))

function textOf(cell: string | number | boolean, shown: string | undefined): string | undefined {
  if (shown !== undefined) return shown === '' ? undefined : shown
  if (typeof cell !== 'number') return String(cell)
  if (!Number.isInteger(cell)) return String(withoutNoise(cell))
  if (!Number.isSafeInteger(cell)) throw new CellFault(MORE_DIGITS)
  return String(cell)
}

/** Zero protection: `="0012"` or a leading apostrophe. */
const PROTECTED = /^(?:="([0-9]+)"|'([0-9]+))$/
const SHORTENED = /^[0-9](?:[.,][0-9]+)?E\+[0-9]+$/i
/**
 * Parses a product ID or GTIN. Restores removed zeros if the check digit fits: for numbers of 8 to 13 digits and texts of 8, 12 or 13.
 * @throws CellFault for lost digits
 */
function identifierOf(cell: string | number | boolean, shown: string | undefined): Value | undefined {
  const text = textOf(cell, shown)?.trim()
  if (text === undefined) return undefined
  if (SHORTENED.test(text)) {
    throw new CellFault(
      `is ${quoted(text)}, a number with lost digits. Format the column as text and enter the complete number.`,
    )
  }
  const [, formula, behindApostrophe] = PROTECTED.exec(text) ?? []
  const digits = formula ?? behindApostrophe ?? text
  const gtin = typeof cell === 'number' ? gtinOfNumber(digits) : paddedGtin(digits)
  return gtin === undefined ? { json: digits } : { json: gtin, isPadded: gtin !== digits }
}

/**
 * Returns the GTIN of a number. Shorter than 8 digits is an article number: GTIN-8 with a leading zero are for company-internal use (GS1
 * General Specifications 1.4).
 */
function gtinOfNumber(shown: string): string | undefined {
  const digits = shown.replace(/[\s-]/g, '')
  const gtin = digits.padStart(14, '0')
  return digits.length >= 8 && isGtin14(gtin) ? gtin : undefined
}

const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/
/** Unambiguous German and English number formats. */
const GERMAN = /^-?(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+),[0-9]+$/
const ENGLISH = /^-?[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+$/
/** Ambiguous: a fraction of three digits, or thousands. */
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
      `is "${text}", which can mean ${whole}${fraction} or ${whole}.${fraction}. Use a decimal point, and no thousands separator.`,
    )
  }
  let plain = text
  if (GERMAN.test(text)) plain = text.replaceAll('.', '').replace(',', '.')
  else if (ENGLISH.test(text)) plain = text.replaceAll(',', '')
  const number = NUMBER.test(plain) ? Number(plain) : Number.NaN
  if (!Number.isFinite(number)) throw new CellFault(`must be a number, not ${quoted(cell)}.`)
  if (!isExactNumber(plain)) throw new CellFault(`is ${quoted(cell)}, a number with too many digits.`)
  return number
}
