import { beginningOf, type Json } from '../../../src/plugin/index.ts'

type Read = { readonly value: Json } | { readonly wrong: string; readonly type?: string }

const INTEGER = /^[+-]?[0-9]+$/
const DECIMAL = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$/
const DOUBLE = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([Ee][+-]?[0-9]+)?$/
const ZONE = '(Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?'
const DATE = '-?([1-9][0-9]{3,}|0[0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const TIME = '(([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?|24:00:00(\\.0+)?)'
const anchored = (pattern: string) => new RegExp(`^${pattern}$`)

const whole = (min: bigint | undefined, max: bigint | undefined) => ({ min, max })

/** XML Schema 1.1 part 2, section 3.4. */
const INTEGERS: Readonly<Record<string, { min: bigint | undefined; max: bigint | undefined }>> = {
  integer: whole(undefined, undefined),
  long: whole(-(2n ** 63n), 2n ** 63n - 1n),
  int: whole(-(2n ** 31n), 2n ** 31n - 1n),
  short: whole(-32768n, 32767n),
  byte: whole(-128n, 127n),
  nonNegativeInteger: whole(0n, undefined),
  positiveInteger: whole(1n, undefined),
  nonPositiveInteger: whole(undefined, 0n),
  negativeInteger: whole(undefined, -1n),
  unsignedLong: whole(0n, 2n ** 64n - 1n),
  unsignedInt: whole(0n, 2n ** 32n - 1n),
  unsignedShort: whole(0n, 65535n),
  unsignedByte: whole(0n, 255n),
}

/** Types that stay text in JSON (XML Schema 1.1 part 2, section 3.3). */
const TEXTS: Readonly<Record<string, RegExp>> = {
  anyURI: /^\S*$/,
  base64Binary: /^([A-Za-z0-9+/]\s*)*(=\s*){0,2}$/,
  hexBinary: /^([0-9A-Fa-f]{2})*$/,
  date: anchored(DATE + ZONE),
  dateTime: anchored(`${DATE}T${TIME}${ZONE}`),
  time: anchored(TIME + ZONE),
  duration: /^-?P(?=.)([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T(?=.)([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?$/,
  gDay: anchored(`---(0[1-9]|[12][0-9]|3[01])${ZONE}`),
  gMonth: anchored(`--(0[1-9]|1[0-2])${ZONE}`),
  gMonthDay: anchored(`--(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])${ZONE}`),
  gYear: anchored(`-?[0-9]{4,}${ZONE}`),
  gYearMonth: anchored(`-?[0-9]{4,}-(0[1-9]|1[0-2])${ZONE}`),
}

/**
 * Parses a value by its valueType (IDTA-01001, DataTypeDefXsd). Rejects invalid lexical forms and values that JSON cannot represent
 * exactly.
 */
export function valueOfType(valueType: string, text: string): Read {
  const type = valueType.replace(/^xsd?:/, '')
  if (type === 'string') return { value: text }
  const trimmed = text.trim()
  const wrong = (json?: string): Read => ({
    wrong: `is not a valid ${shown(valueType)}: ${JSON.stringify(shown(text))}`,
    type: json,
  })
  if (type === 'boolean') {
    if (trimmed === 'true' || trimmed === '1') return { value: true }
    return trimmed === 'false' || trimmed === '0' ? { value: false } : wrong('boolean')
  }
  if (type === 'double' || type === 'float' || type === 'decimal') {
    const number = (type === 'decimal' ? DECIMAL : DOUBLE).test(trimmed) ? Number(trimmed) : Number.NaN
    return Number.isFinite(number) ? { value: number === 0 ? 0 : number } : wrong('number')
  }
  if (Object.hasOwn(INTEGERS, type)) {
    const range = INTEGERS[type] as { min: bigint | undefined; max: bigint | undefined }
    if (!INTEGER.test(trimmed) || trimmed.length > 24) return wrong('integer')
    const number = BigInt(trimmed.replace(/^\+/, ''))
    const isInside = (range.min ?? number) <= number && number <= (range.max ?? number)
    return isInside && Number.isSafeInteger(Number(number)) ? { value: Number(number) } : wrong('integer')
  }
  if (!Object.hasOwn(TEXTS, type)) return { wrong: `has the unknown valueType ${JSON.stringify(shown(valueType))}` }
  return TEXTS[type]?.test(trimmed) ? { value: trimmed } : wrong()
}

const shown = (text: string) => (text.length > 64 ? `${beginningOf(text, 64)}…` : text)
