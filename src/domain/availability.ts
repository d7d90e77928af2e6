import type { Issue } from './issue.ts'
import { type Metadata, textIn } from './metadata.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { yearsAfter } from './transitions.ts'

export const AVAILABILITY = 'x-availability'

/** Retention period of a category (Regulation (EU) 2024/1781, Article 9(2)(i)). */
export interface Availability {
  readonly act: string
  /** Start of the passport requirement; absent if unknown. */
  readonly from?: string
  /** Years after the last placing on the market; absent: until the last unit has been recycled. */
  readonly years?: number
  /** Key of the passports that the act covers; absent: all. */
  readonly where?: string
}

export interface Retention {
  readonly act: string
  /** Last day; null: until the end of the last unit. */
  readonly until: string | null
}

const DAY = /^\d{4}-\d\d-\d\d$/
const MAX_YEARS = 100

/** Drafts may contain other values. */
function dayIn(metadata: Metadata, key: string): string | undefined {
  const text = textIn(metadata, key)
  if (text === undefined || !DAY.test(text)) return undefined
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

function lastPlaced(metadata: Metadata): string | undefined {
  return [dayIn(metadata, 'placedOnMarketAt'), dayIn(metadata, 'lastPlacedAt')].reduce((a, b) =>
    a === undefined || (b !== undefined && b > a) ? b : a,
  )
}

const isUnder = ({ where }: Availability, metadata: Metadata): boolean =>
  where === undefined || Object.hasOwn(metadata, where)

/** Last day of the retention period; undefined if it cannot be computed. */
export function availableUntil(metadata: Metadata, availability: Availability | undefined): string | undefined {
  const last = lastPlaced(metadata)
  if (last === undefined || availability?.years === undefined || !isUnder(availability, metadata)) return undefined
  const end = yearsAfter(new Date(`${last}T00:00:00Z`), availability.years)
  return end.getUTCFullYear() > 9999 ? '9999-12-31' : end.toISOString().slice(0, 10)
}

/**
 * Returns the current retention of a published passport, if any.
 * @param evenBefore true: also before the start of the passport requirement
 */
export function computeRetention(
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

export function availabilityFault(schema: JsonRecord): string | undefined {
  const value = schema[AVAILABILITY]
  if (value === undefined) return undefined
  const { act, from, years, where, ...others } = isRecord(value) ? value : {}
  if (typeof act !== 'string' || act.trim() === '' || Object.keys(others).length > 0) {
    return `${AVAILABILITY} must be an object with act, and optionally from, years and where.`
  }
  if (from !== undefined && dayIn({ from } as Metadata, 'from') === undefined) {
    return `${AVAILABILITY}: from must be a date such as 2027-02-18.`
  }
  if (years !== undefined && !(Number.isInteger(years) && Number(years) >= 1 && Number(years) <= MAX_YEARS)) {
    return `${AVAILABILITY}: years must be a whole number from 1 to ${MAX_YEARS}.`
  }
  return where === undefined || typeof where === 'string' ? undefined : `${AVAILABILITY}: where must be a metadata key.`
}

export const availabilityOf = (schema: JsonRecord | undefined): Availability | undefined =>
  schema?.[AVAILABILITY] as Availability | undefined

/** Day or month; the second and third are aliases. */
const MANUFACTURED = ['manufacturingDate', 'dateOfManufacture', 'manufacturedAt'] as const

export function* dateOrder(metadata: Metadata): Iterable<Issue> {
  const placed = dayIn(metadata, 'placedOnMarketAt')
  const last = dayIn(metadata, 'lastPlacedAt')
  if (placed !== undefined && last !== undefined && last < placed) {
    yield { path: 'lastPlacedAt', code: 'lastPlacedOrder', params: { earliest: placed, clause: CLAUSE } }
  }
  if (placed === undefined) return
  for (const key of MANUFACTURED) {
    // A month (YYYY-MM) is compared with the month of placing only.
    const made = textIn(metadata, key)
    if (made === undefined || !/^\d{4}-\d\d(-\d\d)?$/.test(made) || made <= placed.slice(0, made.length)) continue
    yield { path: key, code: 'manufacturedOrder', params: { latest: placed, clause: CLAUSE } }
  }
}

const CLAUSE = 'Regulation (EU) 2024/1781, Article 9(2)(i)'
