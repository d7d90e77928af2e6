import { conflict } from './problem.ts'
import type { Schema } from './schema.ts'
import type { PassportStatus } from './view.ts'

/** The statuses that a caller may set (specification 3.1). */
type SettableStatus = Schema<'StatusChange'>['status']

/**
 * The status that a passport moves to. Any of the three may follow any of the three; a draft is published by an update
 * and not by a status (specification 3.1).
 * @throws Problem 409 for a draft
 */
export function transition(current: PassportStatus, requested: SettableStatus): SettableStatus {
  if (current === 'DRAFT')
    throw conflict('A draft has no status to change. Publish it by updating it.', 'PASSPORT_IS_DRAFT')
  return requested
}

/** `from` plus whole years, in UTC. 29 February becomes 28 February where the year has none. */
export function yearsAfter(from: Date, years: number): Date {
  const result = new Date(from)
  result.setUTCFullYear(from.getUTCFullYear() + years)
  if (result.getUTCMonth() !== from.getUTCMonth()) result.setUTCDate(0)
  return result
}
