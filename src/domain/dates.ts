const MAX_CHARACTERS = 64
/** A day of ISO 8601, perhaps with a time, perhaps with a time zone. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * The moment that a text names, as ISO 8601 in UTC, or undefined where it names none. Any form that JavaScript's `Date` reads
 * will do; a day of ISO 8601 must be one that there is. A text without a time zone is UTC, on every machine.
 */
export function momentOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined
  const text = value.trim()
  const [, day, zone] = ISO.exec(text) ?? []
  if (day !== undefined && !isDay(day)) return undefined
  const date =
    day === undefined ? otherwise(text) : new Date(zone === undefined && text.length > day.length ? `${text}Z` : text)
  const year = date.getUTCFullYear()
  // Beyond these years a timestamp is written in other forms.
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined
}

/** Time zones that `Date` knows by name, and offsets behind a time. */
const ZONED = /\b(?:UTC?|GMT|[ECMP][SD]T)\b|\dZ$|:\d\d(?:\.\d{1,9})? ?[+-]\d\d:?\d\d$/i

/** Another form than ISO 8601, such as `1 Mar 2026`. */
const otherwise = (text: string): Date => new Date(ZONED.test(text) ? text : `${text} UTC`)

/** Whether the calendar has the day; `Date` takes 30 February for a day of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
