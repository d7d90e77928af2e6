import {
  format,
  getFormatDateInfo,
  getFormatFromId,
  getFormatInfo,
  isValidFormat,
  TOKEN_BREAK,
  TOKEN_CHAR,
  TOKEN_CONDITION,
  TOKEN_DIGIT,
  TOKEN_ESCAPED,
  TOKEN_EXP,
  TOKEN_GENERAL,
  TOKEN_HASH,
  TOKEN_PERCENT,
  TOKEN_POINT,
  TOKEN_QMARK,
  TOKEN_SCALE,
  TOKEN_STRING,
  TOKEN_TEXT,
  TOKEN_ZERO,
  type Token,
  tokenize,
} from 'numfmt'
import { beginningOf } from '../../../../src/plugin/index.ts'
import { withoutNoise } from './cell-values.ts'
import type { CellNote } from './table.ts'

/** Limit of spreadsheet programs. */
const MAX_CODE_CHARACTERS = 255
const MAX_SHOWN_CODE_CHARACTERS = 40
/** Tokens per section; every number is formatted from them. */
const MAX_TOKENS = 64

interface ReadNumber extends CellNote {
  readonly cell: number | string
}

export type NumberReader = (number: number) => ReadNumber

/** Returns the format of a style; built-in formats by ID (ISO/IEC 29500-1, 18.8.30). */
export function formatCode(id: number, codes: ReadonlyMap<number, string>): string {
  const own = codes.get(id)
  if (own !== undefined) return own
  // Locale-dependent IDs, mostly dates.
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'yyyy-mm-dd'
  return id <= 49 ? getFormatFromId(id) : 'General'
}

/**
 * Returns a reader for a format (ISO/IEC 29500-1, 18.8.31); undefined if numbers are shown unchanged.
 * @param is1904 if days are counted from 1 January 1904
 */
export function numberReader(code: string, is1904: boolean): NumberReader | undefined {
  if (code.length > MAX_CODE_CHARACTERS || !isValidFormat(code)) return (number) => unreadable(code, number)
  const sections = sectionsOf(code)
  if (code === '' || sections.every(({ kind }) => kind === 'plain' || kind === 'text')) return undefined
  const sectionOf = chooser(sections)
  return (number) => {
    const section = sectionOf(number)
    switch (section?.kind) {
      case 'date':
        return dateOf(number, is1904)
      case 'time':
        return { cell: shownText(code, number) }
      case 'percent':
        return { cell: withoutNoise(number * 100), shown: shownText(code, number) }
      case 'unknown':
        return unreadable(code, number)
      case 'scaled':
        return {
          cell: number,
          fault: `has the number format ${quoted(code)}, which scales the number to thousands or millions. Set the format General and enter the intended number.`,
        }
      case 'worded':
        return {
          cell: number,
          shown: shownText(code, number),
          misleads: section.misleads ? misleading(code) : undefined,
        }
      default:
        return { cell: number }
    }
  }
}

const quoted = (code: string) => JSON.stringify(beginningOf(code, MAX_SHOWN_CODE_CHARACTERS))
const unreadable = (code: string, number: number): ReadNumber => ({
  cell: number,
  fault: `has the unsupported number format ${quoted(code)}. Set another, such as General or 0.00.`,
})
const misleading = (code: string) =>
  `has the number format ${quoted(code)}, which shows digits that are not part of the number. Set the format General and enter the intended number.`

const shownText = (code: string, number: number): string => format(code, number).replace(/\s+/g, ' ').trim()

/** One of up to four sections; the number selects it. */
interface Section {
  readonly kind: 'plain' | 'percent' | 'scaled' | 'date' | 'time' | 'worded' | 'text' | 'unknown'
  /** Such as `[<1]`. */
  readonly conditions: string
  /** True if it adds digits to the number. */
  readonly misleads: boolean
}

function sectionsOf(code: string): Section[] {
  const sections: Token[][] = [[]]
  for (const token of tokenize(code)) {
    if (token.type === TOKEN_BREAK) sections.push([])
    else sections.at(-1)?.push(token)
  }
  return sections.map((tokens, index) => (index === 3 ? TEXT_SECTION : sectionOf(tokens)))
}

const TEXT_SECTION: Section = { kind: 'text', conditions: '', misleads: false }
const LITERALS = new Set<string>([TOKEN_STRING, TOKEN_ESCAPED, TOKEN_CHAR, TOKEN_DIGIT])
const PLACEHOLDERS = new Set<string>([TOKEN_HASH, TOKEN_ZERO, TOKEN_QMARK, TOKEN_GENERAL])

function sectionOf(tokens: readonly Token[]): Section {
  const textOf = (isIncluded: (token: Token) => boolean) =>
    tokens
      .filter(isIncluded)
      .map(({ raw }) => raw)
      .join('')
  const conditions = textOf(({ type }) => type === TOKEN_CONDITION)
  const code = textOf(({ type }) => type !== TOKEN_CONDITION)
  return { conditions, ...kindOf(tokens, code) }
}

function kindOf(tokens: readonly Token[], code: string): Omit<Section, 'conditions'> {
  const countOf = (tokenType: string) => tokens.filter(({ type }) => type === tokenType).length
  const kind = (kind: Section['kind'], misleads = false) => ({ kind, misleads })
  if (tokens.length > MAX_TOKENS) return kind('unknown')
  if (countOf(TOKEN_TEXT) > 0) return kind('text')
  // An empty section shows nothing; the library reads it as General.
  if (code === '') return kind('worded')
  const { type, isDate } = getFormatInfo(code)
  const { year, month, day } = getFormatDateInfo(code)
  // The library classifies durations as dates and minutes before seconds as months.
  if (isDate) return kind(type !== 'time' && (year || month || day) ? 'date' : 'time')
  if (countOf(TOKEN_SCALE) > 0) return kind('scaled')
  const percents = countOf(TOKEN_PERCENT)
  // Each sign multiplies by 100; the library applies only one.
  if (percents > 0) return kind(percents === 1 ? 'percent' : 'unknown')
  const from = tokens.findIndex((token) => PLACEHOLDERS.has(token.type))
  const to = tokens.findLastIndex((token) => PLACEHOLDERS.has(token.type))
  if (type === 'fraction' || from === -1) return kind('worded')
  const literals = [...tokens.entries()].filter(([, token]) => LITERALS.has(token.type))
  const isInside = (at: number) => at > from && at < to
  const isWorded = literals.some(([at, { value }]) => isInside(at) || !/^[\s()+\-\p{Sc}]*$/u.test(value))
  const isPadded = type !== 'scientific' && requiredDigits(tokens) > 1
  if (!isWorded && !isPadded) return kind('plain')
  const misleads = literals.some(
    ([at, { value }]) =>
      (isInside(at) && /\d/.test(value)) ||
      (at === from - 1 && /\d[.,]?$/.test(value)) ||
      (at === to + 1 && /^[.,]?\d/.test(value)),
  )
  return kind('worded', misleads)
}

/** Returns the minimum number of integer digits. */
function requiredDigits(tokens: readonly Token[]): number {
  const point = tokens.findIndex(({ type }) => type === TOKEN_POINT || type === TOKEN_EXP)
  const whole = point === -1 ? tokens : tokens.slice(0, point)
  return whole.filter(({ type }) => type === TOKEN_ZERO).length
}

function chooser(sections: readonly Section[]): (number: number) => Section | undefined {
  const [first] = sections
  if (sections.every(({ kind, misleads }) => kind === first?.kind && misleads === first.misleads)) return () => first
  const code = sections
    .map(({ kind, conditions }, index) => (kind === 'text' ? '@' : `${conditions}"${index}"`))
    .join(';')
  return (number) => sections[Number(format(code, number).replace('-', ''))]
}

const DAY_MS = 86_400_000
const SECOND_MS = 1000
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59)

/**
 * Converts a day count from the end of 1899 (with a fictitious 29 February 1900, day 60) or from 1 January 1904 (ISO/IEC 29500-1,
 * 18.17.4.1).
 */
function dateOf(days: number, is1904: boolean): ReadNumber {
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const at = Math.round((epoch + days * DAY_MS) / SECOND_MS) * SECOND_MS
  const isDay = is1904 ? days >= 0 : days >= 1 && Math.floor(days) !== 60
  if (!isDay || at > LAST_SECOND) return { cell: days, fault: 'shows a date that does not exist.' }
  const moment = new Date(at).toISOString()
  return { cell: Number.isInteger(days) ? moment.slice(0, 10) : moment.slice(0, 19) }
}
