import { checkDigitOf, encodeSegment, isAllZeros, isAnyGrai, isGtin14, mod10Valid } from './identifiers.ts'
import { Problem } from './problem.ts'
import { dictionary } from './record.ts'

interface AiValue {
  readonly ai: string
  readonly value: string
}

export interface DigitalLink {
  readonly key: AiValue & { readonly ai: '01' | '8003' }
  readonly qualifiers: readonly AiValue[]
  /** GS1's canonical form. */
  readonly path: string
  /**
   * GS1 error with its remedy. Links in the specification have such values (an SKU as GTIN, a UUID as serial), so it counts only if the
   * lookup fails.
   */
  readonly fault: string | undefined
  readonly isKeyFaulty: boolean
}

/** Qualifiers (GS1 Digital Link: URI Syntax 1.7.0, section 4.9) with maximum lengths. */
const QUALIFIERS = dictionary<{ readonly name: string; readonly maxLength: number }>({
  22: { name: 'variant', maxLength: 20 },
  10: { name: 'batch', maxLength: 20 },
  21: { name: 'serial', maxLength: 20 },
  235: { name: 'third-party extension', maxLength: 28 },
})
const ORDER = ['22', '10', '21']
// GS1 General Specifications figure 7.11-1.
const CHARACTER_SET_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]*$/
// Path segment (RFC 3986, 3.3).
const SEGMENT = /^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*$/

/** Keys of GS1 Digital Link, and their names until version 1.1. */
const KEYS = new Set(
  '00 01 253 255 401 402 410 411 412 413 414 415 416 417 8003 8004 8006 8010 8013 8017 8018'.split(' '),
)
const NAMES_OF_KEYS = new Set(
  'gtin itip cpid gmn gln gsrn gsrnp gcn sscc gdti ginc gsin grai giai party payto'.split(' '),
)
/** Keys that cannot be product attributes (GS1 syntax dictionary: `ex=01`). */
const NO_ATTRIBUTES = new Set(['01', '255', '8006'])
// EPC binary strings (GS1-Conformant Resolver 1.2.1).
const EPC_BINARY = /^(?:eh[0-9A-Fa-f]{16,}|ex(?=[^0-9]*[0-9])(?=[^A-Z]*[A-Z])[0-9A-Za-z_-]{16,})$/

/** True if the path is intended as a GS1 Digital Link, valid or not. */
export function meansDigitalLink(path: string): boolean {
  const first = path.split('/', 2)[1] ?? ''
  return KEYS.has(first) || NAMES_OF_KEYS.has(first.toLowerCase()) || EPC_BINARY.test(first)
}

/**
 * Parses a GS1 Digital Link (URI Syntax 1.7.0) from the raw request target: an escaped slash is part of a value.
 * @throws Problem 400 if invalid for any stored data
 */
export function readDigitalLink(target: string): DigitalLink {
  const [path, query] = parted(target, '?')
  const [ai = '', ...rest] = path.replace(/\/$/, '').slice(1).split('/')
  if (EPC_BINARY.test(ai)) throw refused(NO_EPC)
  if (NAMES_OF_KEYS.has(ai.toLowerCase())) throw refused(NO_NAMES)
  if (ai !== '01' && ai !== '8003') throw refused(OTHER_KEY)
  if (rest.length % 2 === 0) throw refused(rest.length === 0 ? NO_VALUE : NO_PAIRS)
  const value = unescaped(rest[0] as string)
  if (value === '') throw refused(NO_VALUE)
  const qualifiers: AiValue[] = []
  for (let at = 1; at < rest.length; at += 2) {
    qualifiers.push({ ai: rest[at] as string, value: unescaped(rest[at + 1] as string) })
  }
  const key = { ai, value } as const
  checkQualifiers(key, qualifiers)
  checkQuery(key, query)
  const faultOfKey = ai === '01' ? faultOfGtin(value) : faultOfGrai(value)
  if (ai === '8003' && faultOfKey !== undefined) throw refused(faultOfKey)
  const fault = faultOfKey ?? faultOfQualifiers(qualifiers)
  return { key, qualifiers, path: pathOf(key, qualifiers), fault, isKeyFaulty: faultOfKey !== undefined }
}

export const qualifier = ({ qualifiers }: DigitalLink, ai: string): string | undefined =>
  qualifiers.find((candidate) => candidate.ai === ai)?.value

export const pathOf = (key: AiValue, qualifiers: readonly AiValue[] = []): string =>
  [key, ...qualifiers].map(({ ai, value }) => `/${ai}/${encodeSegment(value)}`).join('')

function unescaped(segment: string): string {
  if (!SEGMENT.test(segment)) throw refused(NO_SEGMENT)
  try {
    return decodeURIComponent(segment)
  } catch {
    throw refused(NO_SEGMENT)
  }
}

/** @throws Problem 400 for an invalid qualifier or order */
function checkQualifiers(key: DigitalLink['key'], qualifiers: readonly AiValue[]): void {
  const ais = qualifiers.map(({ ai }) => ai)
  const unknownAi = ais.find((ai) => QUALIFIERS[ai] === undefined)
  if (unknownAi !== undefined) throw refused(noQualifier(unknownAi))
  if (qualifiers.some(({ value }) => value === '')) throw refused(NO_VALUE)
  if (key.ai === '8003') {
    // GS1 has no qualifiers for AI 8003; unit links in the specification have AI 21.
    if (ais.some((ai) => ai !== '21') || ais.length > 1) throw refused(NOT_BEHIND_GRAI)
    return
  }
  if (ais.includes('235') && ais.length > 1) throw refused(NOT_SOLE_QUALIFIER)
  if (new Set(ais).size < ais.length) throw refused(TWICE)
  const inOrder = [...qualifiers].sort((a, b) => ORDER.indexOf(a.ai) - ORDER.indexOf(b.ai))
  if (inOrder.some(({ ai }, at) => ai !== ais[at])) {
    throw refused(`The qualifiers of a GTIN are not in the order 22, 10, 21. Write ${pathOf(key, inOrder)}.`)
  }
}

/** @throws Problem 400 for path elements in the query */
function checkQuery(key: DigitalLink['key'], query: string): void {
  for (const pair of query.split('&')) {
    const [ai, value] = parted(pair, '=')
    if (QUALIFIERS[ai] !== undefined)
      throw refused(`AI ${ai} belongs in the path. Write ${pathOf(key)}/${ai}/${value}.`)
    if (NO_ATTRIBUTES.has(ai)) throw refused(`AI ${ai} is not allowed in the query of a product. Remove it.`)
  }
}

function faultOfGtin(value: string): string | undefined {
  if (isGtin14(value)) return undefined
  if (!/^(?:[0-9]{8}|[0-9]{12,14})$/.test(value)) return NO_GTIN
  if (isAllZeros(value)) return ZEROS
  const gtin = value.padStart(14, '0')
  const digit = checkDigitOf(gtin.slice(0, -1))
  const padding =
    value.length === 14 ? '' : ` In a Digital Link a GTIN has 14 digits: write ${gtin.slice(0, -1)}${digit}.`
  if (mod10Valid(gtin)) return padding.trim()
  return `The check digit of ${value} is wrong: the last digit must be ${digit}.${padding}`
}

function faultOfGrai(value: string): string | undefined {
  const asset = value.slice(0, 14)
  if (isAnyGrai(value)) return isAllZeros(asset) ? ZEROS : undefined
  if (!/^[0-9]{14}[0-9A-Za-z]{0,16}$/.test(value)) return NO_GRAI
  const digit = checkDigitOf(asset.slice(0, -1))
  return `The check digit of ${asset} is wrong: the 14th digit must be ${digit}.`
}

function faultOfQualifiers(qualifiers: readonly AiValue[]): string | undefined {
  for (const { ai, value } of qualifiers) {
    const { name, maxLength } = QUALIFIERS[ai] as { name: string; maxLength: number }
    if (value.length > maxLength) return `A ${name} (AI ${ai}) has at most ${maxLength} characters.`
    if (!CHARACTER_SET_82.test(value)) {
      return `A ${name} (AI ${ai}) contains only letters from A to Z, digits and ! " % & ' ( ) * + , - . / : ; < = > ? _.`
    }
  }
  return undefined
}

/** Uses the error format of operations (specification 7.1). */
const refused = (message: string) => new Problem(400, message, { title: 'Bad Request', isBare: true })

function parted(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

const NO_GTIN = 'Invalid GTIN. Write 14 digits, including the GS1 check digit.'
const NO_GRAI = 'Invalid GRAI. Write 14 digits, including the GS1 check digit, then up to 16 letters or digits.'
const ZEROS = 'The number consists of zeros. Write the number that is printed under the code.'
const OTHER_KEY = 'Unsupported GS1 key. Write /01/{gtin} or /8003/{grai}.'
const NO_NAMES = 'GS1 Digital Link no longer allows names instead of numbers. Write /01/{gtin} or /8003/{grai}.'
const NO_EPC = 'EPC binary strings are not supported. Write the GS1 Digital Link, /01/{gtin}/21/{serial}.'
const NO_VALUE = 'A value is missing. Write each application identifier with its value: /01/{gtin}/21/{serial}.'
const NO_PAIRS =
  'The path has an application identifier without a value, or an extra part. Write pairs: /01/{gtin}/21/{serial}.'
const NO_SEGMENT =
  'The path has an invalid character or percent escape. Write the character as % and two hexadecimal digits.'
const TWICE = 'The path contains a qualifier twice. Write each of 22, 10 and 21 once, in this order.'
const NOT_SOLE_QUALIFIER = 'AI 235 must be the only qualifier of the GTIN. Write /01/{gtin}/235/{value}.'
const NOT_BEHIND_GRAI = 'A GRAI has no qualifiers. Write /8003/{grai}.'
const noQualifier = (ai: string) =>
  /^[0-9]{2,4}$/.test(ai)
    ? `AI ${ai} does not belong in the path. The qualifiers of a GTIN are 22, 10 and 21, in this order, or 235; other AIs belong in the query: ?${ai}=…`
    : 'Invalid qualifier. The qualifiers of a GTIN are 22, 10 and 21, in this order, or 235. Write /01/{gtin}/21/{serial}.'
