import { conflict } from './problem.ts'
import type { Schema } from './schema.ts'
import type { PassportStatus } from './view.ts'

/** Specification 3.1. */
type SettableStatus = Schema<'StatusChange'>['status']

/**
 * Any status may follow any (specification 3.1).
 * @throws Problem 409 for a draft
 */
export function transition(current: PassportStatus, requested: SettableStatus): SettableStatus {
  if (current === 'DRAFT')
    throw conflict('A draft has no status to change. Publish it by updating it.', 'PASSPORT_IS_DRAFT')
  return requested
}

/** 29 February may become 28 February. */
export function yearsAfter(from: Date, years: number): Date {
  const result = new Date(from)
  result.setUTCFullYear(from.getUTCFullYear() + years)
  if (result.getUTCMonth() !== from.getUTCMonth()) result.setUTCDate(0)
  return result
}
