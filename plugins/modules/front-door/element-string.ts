import { dictionary } from '../../../src/plugin/index.ts'

export type Elements = ReadonlyMap<string, string>

/** Length of AIs by their first two digits (GS1 General Specifications, 3.2). */
const AI_DIGITS = lengthsOf({
  2: '00 01 02 03 10 11 12 13 15 16 17 20 21 22 30 37 90 91 92 93 94 95 96 97 98 99',
  3: '23 24 25 40 41 42 71',
  4: '31 32 33 34 35 36 39 43 70 72 80 81 82',
})

/** Length of elements without separator, AI included (figure 7.8.5-2). */
const FIXED = lengthsOf({
  4: '20',
  8: '11 12 13 14 15 16 17 18 19',
  10: '31 32 33 34 35 36',
  16: '01 02 03 41',
  18: '04',
  20: '00',
})

function lengthsOf(prefixes: Readonly<Record<number, string>>): Readonly<Record<string, number>> {
  const entries = Object.entries(prefixes).flatMap(([length, list]) =>
    list.split(' ').map((prefix): [string, number] => [prefix, Number(length)]),
  )
  return dictionary(Object.fromEntries(entries))
}

/** FNC1. */
const SEPARATOR = '\u001d'
const withoutSeparator = (text: string) => (text.startsWith(SEPARATOR) ? text.slice(1) : text)

export const digitsOfAi = (prefix: string): number | undefined => AI_DIGITS[prefix]

/**
 * Parses a GS1 element string, bracketed (GS1 General Specifications, 4.14) or raw (7.8).
 * @returns undefined if invalid
 */
export function readElements(text: string): Elements | undefined {
  return text.startsWith('(') ? inBrackets(text) : raw(withoutSeparator(text))
}

function inBrackets(text: string): Elements | undefined {
  const [before, ...parts] = text.split(/\((\d{2,4})\)/)
  const elements = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) {
    const [ai = '', given = ''] = parts.slice(at, at + 2)
    const value = given.trim()
    if (AI_DIGITS[ai.slice(0, 2)] !== ai.length || value === '' || elements.has(ai)) return undefined
    elements.set(ai, value)
  }
  return before?.trim() === '' ? elements : undefined
}

function raw(text: string): Elements | undefined {
  const elements = new Map<string, string>()
  for (let rest = text; rest !== ''; ) {
    const prefix = rest.slice(0, 2)
    const digits = AI_DIGITS[prefix]
    if (digits === undefined) return undefined
    const end = FIXED[prefix] ?? (rest.includes(SEPARATOR) ? rest.indexOf(SEPARATOR) : rest.length)
    const [ai, value] = [rest.slice(0, digits), rest.slice(digits, end)]
    const isWhole = /^\d+$/.test(ai) && value !== '' && rest.length >= end && !value.includes(SEPARATOR)
    if (!isWhole || elements.has(ai)) return undefined
    elements.set(ai, value)
    rest = withoutSeparator(rest.slice(end))
  }
  return elements.size === 0 ? undefined : elements
}
