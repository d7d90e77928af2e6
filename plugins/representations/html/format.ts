/** Localized formats. Dates are in UTC, so that every reader sees the same day. */
export interface Formats {
  number(value: number): string
  unit(value: number, unit: string): string
  unitParts(value: number, unit: string): { readonly number: string; readonly unit: string }
  percent(value: number): string
  date(iso: string): string | undefined
  dateTime(iso: string): string | undefined
  month(iso: string): string | undefined
  country(code: string): string | undefined
}

const cache = new Map<string, Formats>()

/** Cached per locale: Intl objects are costly. */
export function formatsOf(locale: string): Formats {
  let formats = cache.get(locale)
  if (formats === undefined) {
    formats = make(locale)
    cache.set(locale, formats)
  }
  return formats
}

function make(locale: string): Formats {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6, signDisplay: 'negative' })
  const units = new Map<string, Intl.NumberFormat>()
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })
  const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })

  const unitFormat = (unit: string) => {
    let format = units.get(unit)
    if (format === undefined) {
      const unitDisplay = LONG_UNITS.has(unit) ? 'long' : 'short'
      format = new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay,
        maximumFractionDigits: 6,
        signDisplay: 'negative',
      })
      units.set(unit, format)
    }
    return format
  }
  const withUnit = (value: number, unit: string) => withMinus(unitFormat(unit).format(value))

  return {
    number: (value) => withMinus(number.format(value)),
    unit: withUnit,
    unitParts: (value, unit) => {
      const name = unitFormat(unit)
        .formatToParts(value)
        .find(({ type }) => type === 'unit' || type === 'percentSign')
      return { number: withMinus(number.format(value)), unit: name?.value ?? unit }
    },
    percent: (value) => withUnit(value, 'percent'),
    date: (iso) => parsed(iso, /^\d{4}-\d{2}-\d{2}(T|$)/, (date) => day.format(date)),
    dateTime: (iso) => parsed(iso, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/, (date) => `${time.format(date)} UTC`),
    month: (iso) => parsed(iso, /^\d{4}-(0[1-9]|1[0-2])$/, (date) => month.format(date)),
    country: (code) => (/^[A-Z]{2}$/.test(code) ? countries.of(code) : undefined),
  }
}

const withMinus = (number: string): string => number.replace(/-(?=\d)/, '\u2212')

const LONG_UNITS: ReadonlySet<string> = new Set(['day', 'hour', 'minute', 'month', 'week', 'year'])

export const isIntlUnit = (unit: string): boolean => INTL_UNITS.has(unit)

const INTL_UNITS: ReadonlySet<string> = new Set(Intl.supportedValuesOf('unit'))

function parsed(iso: string, shape: RegExp, format: (date: Date) => string): string | undefined {
  if (!shape.test(iso)) return undefined
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? undefined : format(date)
}
