/** Outcome of reading a typed value. `code` is a key below `editor.fault` of the locale files. */
export type Reading<T> =
  | { readonly value: T }
  | { readonly code: string; readonly params?: Readonly<Record<string, string>> }

/** Numbers, dates, countries and languages in the notation of one reader. */
export interface Notation {
  showNumber(value: number): string
  readNumber(text: string, isWhole: boolean): Reading<number>
  readDate(text: string): Reading<string>
  readMonth(text: string): Reading<string>
  showCountry(code: string): string
  readCountry(text: string): Reading<string>
  showLanguage(tag: string): string
  readLanguage(text: string): Reading<string>
  readonly countries: readonly string[]
  readonly languages: readonly string[]
}

const made = new Map<string, Notation>()

/** Cached per language: Intl objects are costly. */
export function notationOf(lang: string, countries: readonly string[], languages: readonly string[]): Notation {
  let notation = made.get(lang)
  if (notation === undefined) {
    notation = make(lang, countries, languages)
    made.set(lang, notation)
  }
  return notation
}

function make(lang: string, countryCodes: readonly string[], languageTags: readonly string[]): Notation {
  const decimal = new Intl.NumberFormat(lang).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  const dayFirst = orderOf(lang)
  const country = namesFor(countryCodes, new Intl.DisplayNames(lang, { type: 'region', fallback: 'none' }))
  const language = namesFor(languageTags, new Intl.DisplayNames(lang, { type: 'language', fallback: 'none' }))
  return {
    showNumber: (value) => plainNumber(value).replace('.', decimal),
    readNumber: (text, isWhole) => readNumber(text, decimal, isWhole),
    readDate: (text) => readDate(text, dayFirst),
    readMonth: (text) => readMonth(text, dayFirst),
    showCountry: country.show,
    readCountry: (text) => country.read(text, /^[a-z]{2}$/i, (code) => code.toUpperCase(), 'country'),
    showLanguage: language.show,
    readLanguage: (text) => language.read(text, /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, caseOfTag, 'language'),
    countries: country.names,
    languages: language.names,
  }
}

function namesFor(codes: readonly string[], names: Intl.DisplayNames) {
  const byCode = new Map(codes.map((code) => [code, names.of(code) ?? code]))
  const byName = new Map([...byCode].map(([code, name]) => [folded(name), code]))
  // Two codes with one name keep their codes.
  const show = (code: string) => {
    const name = byCode.get(code)
    return name !== undefined && byName.get(folded(name)) === code ? name : code
  }
  return {
    show,
    names: [...byCode.keys()].map(show).toSorted((a, b) => a.localeCompare(b)),
    read(text: string, shape: RegExp, toCode: (code: string) => string, what: string): Reading<string> {
      const known = byName.get(folded(text))
      if (known !== undefined) return { value: known }
      return shape.test(text) ? { value: toCode(text) } : { code: what }
    },
  }
}

const folded = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase()

const caseOfTag = (tag: string): string => {
  const [language = '', ...rest] = tag.split('-')
  return [language.toLowerCase(), ...rest].join('-')
}

/** Without exponent and groups. */
function plainNumber(value: number): string {
  const text = String(value)
  if (!/e/i.test(text)) return text
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  const digits = whole + fraction
  const point = whole.length + Number(power)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, '0')}`
}

const SPACES = /[\s\u00a0\u202f\u2009'’_]/gu

/**
 * Reads a number with a point or a comma. One point or comma before three digits has two meanings; that of the reader's language is used,
 * if it separates decimals there.
 */
function readNumber(text: string, decimal: string, isWhole: boolean): Reading<number> {
  const typed = text.trim().replace(/[\u2212\u2013]/g, '-')
  const compact = typed.replace(SPACES, '')
  if (!(/^[+-]?[\d.,]+$/.test(compact) && /\d/.test(compact)))
    return { code: 'number', params: { example: `12${decimal}5` } }
  if (compact !== typed && !/^[+-]?\d{1,3}([\s\u00a0\u202f\u2009'’_]\d{3})*([.,]\d*)?$/u.test(typed)) {
    return { code: 'numberGroups', params: { example: compact } }
  }
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','))
  const mark = last < 0 ? '' : (compact[last] as string)
  const other = mark === '.' ? ',' : '.'
  const times = mark === '' ? 0 : compact.split(mark).length - 1
  let normal = compact
  if (mark !== '' && compact.includes(other)) {
    if (times > 1 || !groupsBefore(compact.slice(0, last), other))
      return { code: 'number', params: { example: `1234${decimal}5` } }
    normal = compact.replaceAll(other, '').replace(mark, '.')
  } else if (times > 1) {
    if (!groupsBefore(compact, mark)) return { code: 'number', params: { example: `1234${decimal}5` } }
    normal = compact.replaceAll(mark, '')
  } else if (mark !== '') {
    const isGroup = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(compact)
    if (isGroup && mark !== decimal) {
      const plain = compact.replace(mark, '')
      return { code: 'numberAmbiguous', params: { whole: plain, fraction: compact.replace(mark, decimal) } }
    }
    normal = compact.replace(mark, '.')
  }
  const value = Number(normal)
  if (!Number.isFinite(value) || significant(normal) > 17) return { code: 'numberExact' }
  if (isWhole && !Number.isSafeInteger(value)) return { code: 'whole' }
  return { value: Object.is(value, -0) ? 0 : value }
}

const groupsBefore = (text: string, mark: string): boolean =>
  /^[+-]?\d{1,3}(?:x\d{3})+$/.test(text.replaceAll(mark, 'x'))

const significant = (text: string): number => text.replace(/[+.-]/g, '').replace(/^0+|0+$/g, '').length

type Order = 'dmy' | 'mdy' | 'ymd'

function orderOf(lang: string): Order {
  const parts = new Intl.DateTimeFormat(lang, { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' })
    .formatToParts(0)
    .map(({ type }) => type[0] as string)
    .filter((type) => 'dmy'.includes(type))
  // English without a region is international here.
  return lang === 'en' ? 'dmy' : (parts.join('') as Order)
}

const exampleOf = (order: Order): string => ({ dmy: '31.12.2027', mdy: '12/31/2027', ymd: '2027-12-31' })[order]

function readDate(text: string, order: Order): Reading<string> {
  const fault = { code: 'date', params: { example: exampleOf(order) } }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  if (iso !== null) return dateOf(iso[1], iso[2], iso[3]) ?? fault
  const local = /^(\d{1,4})[./\s-]+(\d{1,2})[./\s-]+(\d{1,4})\.?$/.exec(text.trim())
  if (local === null) return fault
  const [, one, two, three] = local
  const found = { dmy: [three, two, one], mdy: [three, one, two], ymd: [one, two, three] }[order] ?? []
  return dateOf(found[0], found[1], found[2]) ?? fault
}

function dateOf(year = '', month = '', day = ''): { value: string } | undefined {
  if (year.length !== 4) return undefined
  const value = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? { value } : undefined
}

function readMonth(text: string, order: Order): Reading<string> {
  const month = /^(\d{4})-(\d{1,2})$/.exec(text) ?? undefined
  const local = /^(\d{1,2})[./\s-]+(\d{4})$/.exec(text) ?? undefined
  const [year, number] = month === undefined ? [local?.[2], local?.[1]] : [month[1], month[2]]
  if (year !== undefined && number !== undefined && Number(number) >= 1 && Number(number) <= 12) {
    return { value: `${year}-${number.padStart(2, '0')}` }
  }
  const date = readDate(text, order)
  return 'value' in date ? date : { code: 'month', params: { example: '2027-12', date: exampleOf(order) } }
}
