const MAX_CHARACTERS = 64
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/i

/** Parses a date to ISO 8601 in UTC; undefined if invalid. Accepts all formats of `Date`, with UTC as the default zone. */
export function momentOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined
  const text = value.trim()
  const [, day, zone] = ISO.exec(text) ?? []
  if (day !== undefined && !isDay(day)) return undefined
  const date =
    day === undefined ? otherwise(text) : new Date(zone === undefined && text.length > day.length ? `${text}Z` : text)
  const year = date.getUTCFullYear()
  // Other years have another ISO format.
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined
}

const ZONED = /\b(?:UTC?|GMT|[ECMP][SD]T)\b|\dZ$|:\d\d(?:\.\d{1,9})? ?[+-]\d\d:?\d\d$/i

const otherwise = (text: string): Date => new Date(ZONED.test(text) ? text : `${text} UTC`)

/** True for a day that exists, as `YYYY-MM-DD`: `Date` reads 30 February as a day of March. */
export function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
