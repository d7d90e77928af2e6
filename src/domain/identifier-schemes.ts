import { mod97Valid } from './check-digits.ts'
import { isGln13 } from './identifiers.ts'
import { isVatNumber } from './vat-numbers.ts'

interface Scheme {
  readonly maxCharacters: number
  readonly isValid: (value: string) => boolean
  readonly form: string
}

/** Identifier schemes (Regulation (EU) 2024/1781, Article 12). Only the format is validated, not the assignment. */
const SCHEMES = {
  /** Regulation (EU) 2015/2446, Article 1(18) and Annex B; no check digit. */
  EORI: {
    maxCharacters: 17,
    isValid: (value) => /^[A-Z]{2}[A-Za-z0-9]{1,15}$/.test(value),
    form: 'an EORI number is a country code of two capital letters and 1 to 15 letters or digits',
  },
  /** Directive 2006/112/EC, Article 215, and the check digit rules of the member states. */
  VAT: {
    maxCharacters: 17,
    isValid: isVatNumber,
    form: 'a VAT number begins with the prefix of its state, has no spaces, and has valid check digits',
  },
  /** ISO 17442-1; check digits by ISO/IEC 7064 MOD 97-10. */
  LEI: {
    maxCharacters: 20,
    isValid: (value) => /^[A-Z0-9]{18}[0-9]{2}$/.test(value) && mod97Valid(value),
    form: 'a LEI has 18 capital letters or digits and two valid check digits',
  },
  /** GS1 General Specifications, section 7.9.1. */
  GLN: { maxCharacters: 13, isValid: isGln13, form: 'a GLN has 13 digits, the last of them a valid check digit' },
  /** DID Core 1.0, section 3.1. */
  DID: {
    maxCharacters: 500,
    isValid: (value) => /^did:[a-z0-9]+:(?:[A-Za-z0-9._:-]|%[0-9A-Fa-f]{2})+$/.test(value) && !value.endsWith(':'),
    form: 'a DID is "did:", a method of lower-case letters or digits, ":" and a method-specific id, with at most 500 characters',
  },
  /** Dun & Bradstreet; no check digit since 2006. */
  DUNS: { maxCharacters: 9, isValid: (value) => /^[0-9]{9}$/.test(value), form: 'a D-U-N-S number has nine digits' },
} as const satisfies Record<string, Scheme>

export type IdentifierScheme = keyof typeof SCHEMES

export const IDENTIFIER_SCHEMES = Object.keys(SCHEMES) as readonly IdentifierScheme[]

export const isIdentifierScheme = (word: unknown): word is IdentifierScheme =>
  typeof word === 'string' && Object.hasOwn(SCHEMES, word)

/** Returns the error, to follow a field name and a colon. */
export function checkIdentifier(scheme: IdentifierScheme, value: string): string | undefined {
  const { maxCharacters, isValid, form }: Scheme = SCHEMES[scheme]
  return value.length <= maxCharacters && isValid(value) ? undefined : `${form}.`
}
