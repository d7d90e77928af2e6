import type { Issue } from './issue.ts'
import { type Metadata, textIn } from './metadata.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { yearsAfter } from './transitions.ts'

/** The keyword at the top of a category's schema that says how long its passports stay. */
export const AVAILABILITY = 'x-availability'

/** How long passports of a category must be there (Regulation (EU) 2024/1781, Article 9(2)(i)). */
export interface Availability {
  /** The act and its article, as refusals name them. */
  readonly act: string
  /** Since when the act asks for passports; absent: that is not known yet. */
  readonly from?: string
  /** Years after the last day on which the product was placed on the market; absent: until the last unit has been recycled. */
  readonly years?: number
  /** The key that a passport has where its product comes under the act; absent: all do. */
  readonly where?: string
}

/** Until when a passport must stay, and by which act. */
export interface Retention {
  readonly act: string
  /** The last day; null where it is the end of the last unit. */
  readonly until: string | null
}

const DAY = /^\d{4}-\d\d-\d\d$/
const MAX_YEARS = 100

/** A day of ISO 8601 that there is; a draft may hold anything. */
function dayIn(metadata: Metadata, key: string): string | undefined {
  const text = textIn(metadata, key)
  if (text === undefined || !DAY.test(text)) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

/** The last day on which the product was placed on the market, as far as it is said; days are compared as text. */
function lastPlaced(metadata: Metadata): string | undefined {
  return [dayIn(metadata, 'placedOnMarketAt'), dayIn(metadata, 'lastPlacedAt')].reduce((a, b) =>
    a === undefined || (b !== undefined && b > a) ? b : a,
  )
}

const isUnder = ({ where }: Availability, metadata: Metadata): boolean =>
  where === undefined || Object.hasOwn(metadata, where)

/** The last day on which the passport must be there, or undefined where none can be told. */
export function availableUntil(metadata: Metadata, availability: Availability | undefined): string | undefined {
  const last = lastPlaced(metadata)
  if (last === undefined || availability?.years === undefined || !isUnder(availability, metadata)) return undefined
  const end = yearsAfter(new Date(`${last}T00:00:00Z`), availability.years)
  return end.getUTCFullYear() > 9999 ? '9999-12-31' : end.toISOString().slice(0, 10)
}

/**
 * What keeps a published passport where it is, or undefined: it says when its product was placed on the market, and the period
 * of its act is not over.
 * @param evenBefore the day from which the act asks for passports
 */
export function keptBy(
  metadata: Metadata,
  availability: Availability | undefined,
  { now, evenBefore }: { readonly now: Date; readonly evenBefore: boolean },
): Retention | undefined {
  if (availability === undefined || !isUnder(availability, metadata)) return undefined
  if (dayIn(metadata, 'placedOnMarketAt') === undefined) return undefined
  const { act, from, years } = availability
  const today = now.toISOString().slice(0, 10)
  if (!evenBefore && (from === undefined || from > today)) return undefined
  const until = availableUntil(metadata, availability)
  if (years === undefined) return { act, until: null }
  return until === undefined || until < today ? undefined : { act, until }
}

/** What is wrong with the keyword of a schema, as the end of a sentence; undefined where it is absent or right. */
export function availabilityFault(schema: JsonRecord): string | undefined {
  const value = schema[AVAILABILITY]
  if (value === undefined) return undefined
  const { act, from, years, where, ...others } = isRecord(value) ? value : {}
  if (typeof act !== 'string' || act.trim() === '' || Object.keys(others).length > 0) {
    return `${AVAILABILITY} must be an object with an act, and perhaps from, years and where.`
  }
  if (from !== undefined && dayIn({ from } as Metadata, 'from') === undefined) {
    return `${AVAILABILITY}: from must be a date such as 2027-02-18.`
  }
  if (years !== undefined && !(Number.isInteger(years) && Number(years) >= 1 && Number(years) <= MAX_YEARS)) {
    return `${AVAILABILITY}: years must be a whole number from 1 to ${MAX_YEARS}.`
  }
  return where === undefined || typeof where === 'string' ? undefined : `${AVAILABILITY}: where must be a metadata key.`
}

/** What the schema of a category says, which {@link availabilityFault} has judged. */
export const availabilityOf = (schema: JsonRecord | undefined): Availability | undefined =>
  schema?.[AVAILABILITY] as Availability | undefined

/** Keys of a day, or a month, of manufacture; the later ones are other names. */
const MANUFACTURED = ['manufacturingDate', 'dateOfManufacture', 'manufacturedAt'] as const

/**
 * Dates stand in the order in which things happen: made, placed on the market, placed there for the last time. What is no date
 * is the schema's business.
 */
export function* dateOrder(metadata: Metadata): Iterable<Issue> {
  const placed = dayIn(metadata, 'placedOnMarketAt')
  const last = dayIn(metadata, 'lastPlacedAt')
  if (placed !== undefined && last !== undefined && last < placed) {
    yield { path: 'lastPlacedAt', code: 'lastPlacedOrder', params: { earliest: placed, clause: CLAUSE } }
  }
  if (placed === undefined) return
  for (const key of MANUFACTURED) {
    // Of a month (YYYY-MM) its text is before those of its days, and is compared as far as it goes.
    const made = textIn(metadata, key)
    if (made === undefined || !/^\d{4}-\d\d(-\d\d)?$/.test(made) || made <= placed.slice(0, made.length)) continue
    yield { path: key, code: 'manufacturedOrder', params: { latest: placed, clause: CLAUSE } }
  }
}

/** The period begins when a product is placed on the market. */
const CLAUSE = 'Regulation (EU) 2024/1781, Article 9(2)(i)'
