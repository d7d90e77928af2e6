import { luhnValid, mod11And10Valid, mod97Valid, sumDoubling, weighted } from './check-digits.ts'
import { dictionary } from './record.ts'

interface State {
  readonly form: RegExp
  /** Absent if the rule is not public. */
  readonly check?: (number: string) => boolean
}

const last = (number: string, count = 1): number => Number(number.slice(-count))

/** Uses the second row of weights if the first leaves 10. */
function twice(number: string, first: readonly number[], second: readonly number[]): boolean {
  const rest = weighted(number, first) % 11
  return (rest < 10 ? rest : (weighted(number, second) % 11) % 10) === last(number)
}

const SPANISH_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Validates persons (8 digits, or X, Y, Z and 7 digits) and companies; accepts K, L and M. */
function isSpanish(number: string): boolean {
  const first = number.charAt(0)
  if (/[KLM]/.test(first)) return true
  if (/[\dXYZ]/.test(first)) {
    const digits = Number(number.slice(0, 8).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))))
    return SPANISH_LETTERS[digits % 23] === number.at(-1)
  }
  const control = (10 - (sumDoubling(number.slice(1, 8), 0) % 10)) % 10
  return number.at(-1) === String(control) || number.at(-1) === 'JABCDEFGHI'[control]
}

const IRISH_LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV'

/** Validates seven digits and one or two letters. Before 2013, the second place could be another character, not counted. */
function isIrish(number: string): boolean {
  const isOld = !/^\d{7}/.test(number)
  const digits = isOld ? `0${number.slice(2, 7)}${number.charAt(0)}` : number.slice(0, 7)
  const second = IRISH_LETTERS.indexOf(number.charAt(8) || 'W')
  return IRISH_LETTERS[(weighted(digits, [8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23] === number.charAt(7)
}

function isCypriot(number: string): boolean {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
  let sum = 0
  for (let index = 0; index < 8; index += 1) {
    const digit = Number(number[index])
    sum += index % 2 === 0 ? (odd[digit] as number) : digit
  }
  return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[sum % 26] === number.charAt(8)
}

/** Validates the SIREN (Luhn) and its key. Keys with letters have no public rule; Monaco has no SIREN. */
function isFrench(number: string): boolean {
  const siren = number.slice(2)
  if (!siren.startsWith('000') && !luhnValid(siren)) return false
  const key = number.slice(0, 2)
  return /[A-Z]/.test(key) || Number(key) === (12 + 3 * (Number(siren) % 97)) % 97
}

/** Directive 2006/112/EC, Article 215, and Northern Ireland. */
const STATES = dictionary<State>({
  AT: {
    form: /^U\d{8}$/,
    check: (number) => (sumDoubling(number.slice(1, 8), 1) + 4 + last(number)) % 10 === 0,
  },
  BE: { form: /^[01]\d{9}$/, check: (number) => 97 - (Number(number.slice(0, 8)) % 97) === last(number, 2) },
  BG: {
    form: /^\d{9,10}$/,
    check: (number) => number.length === 10 || twice(number, [1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10]),
  },
  CY: { form: /^\d{8}[A-Z]$/, check: isCypriot },
  CZ: {
    form: /^\d{8,10}$/,
    check: (number) =>
      number.length > 8 || ((11 - (weighted(number, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 || 1) % 10 === last(number),
  },
  DE: { form: /^[1-9]\d{8}$/, check: mod11And10Valid },
  DK: { form: /^[1-9]\d{7}$/, check: (number) => weighted(number, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0 },
  EE: { form: /^\d{9}$/, check: (number) => weighted(number, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 },
  EL: {
    form: /^\d{9}$/,
    check: (number) => (weighted(number, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === last(number),
  },
  ES: { form: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/, check: isSpanish },
  FI: { form: /^\d{8}$/, check: (number) => weighted(number, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0 },
  FR: { form: /^[\dA-HJ-NP-Z]{2}\d{9}$/, check: isFrench },
  HR: { form: /^\d{11}$/, check: mod11And10Valid },
  HU: { form: /^\d{8}$/, check: (number) => weighted(number, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0 },
  IE: { form: /^(?:\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/, check: isIrish },
  IT: { form: /^\d{11}$/, check: luhnValid },
  LT: {
    form: /^(?:\d{9}|\d{12})$/,
    check: (number) =>
      number.length === 9
        ? twice(number, [1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 1])
        : twice(number, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], [3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4]),
  },
  LU: { form: /^\d{8}$/, check: (number) => Number(number.slice(0, 6)) % 89 === last(number, 2) },
  // Personal numbers (0 to 3) have no public rule.
  LV: {
    form: /^\d{11}$/,
    check: (number) => number < '4' || weighted(number, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3,
  },
  MT: { form: /^\d{8}$/, check: (number) => weighted(number, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0 },
  // Sole traders: check digits over the whole number since 2020.
  NL: {
    form: /^\d{9}B\d{2}$/,
    check: (number) =>
      weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === Number(number.charAt(8)) || mod97Valid(`NL${number}`),
  },
  PL: { form: /^\d{10}$/, check: (number) => weighted(number, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(number) },
  PT: {
    form: /^[1-9]\d{8}$/,
    check: (number) => ((11 - (weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === last(number),
  },
  RO: {
    form: /^[1-9]\d{1,9}$/,
    check: (number) =>
      ((10 * weighted(number.padStart(10, '0'), [7, 5, 3, 2, 1, 7, 5, 3, 2])) % 11) % 10 === last(number),
  },
  SE: { form: /^\d{12}$/, check: (number) => luhnValid(number.slice(0, 10)) },
  SI: {
    form: /^[1-9]\d{7}$/,
    check: (number) => {
      const digit = 11 - (weighted(number, [8, 7, 6, 5, 4, 3, 2]) % 11)
      return (digit === 10 ? 0 : digit) === last(number)
    },
  },
  SK: { form: /^[1-9]\d{9}$/, check: (number) => Number(number) % 11 === 0 },
  XI: { form: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/ },
})

const MAX_CHARACTERS = 17
const ANY = /^[A-Z]{2}[A-Z\d]{2,15}$/

/**
 * True for a VAT number with prefix, without spaces. Validates the format, and the check digits of member states if public; does not check
 * the assignment.
 */
export function isVatNumber(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false
  const state = STATES[text.slice(0, 2)]
  if (state === undefined) return ANY.test(text)
  const number = text.slice(2)
  return state.form.test(number) && state.check?.(number) !== false
}
