import { setTimeout as sleep } from 'node:timers/promises'
import { CLAIMED } from './company-prefixes.ts'
import type { Database } from './database.ts'
import { CHANGED } from './passport-writes.ts'
import type { WriteScope } from './transaction.ts'

/** A write of its own. */
export const ownScope = (database: Database, tenantId: string): WriteScope => ({
  session: database.forTenant(tenantId),
  transaction: (work) => database.transaction(tenantId, work),
})

/**
 * What another may do between a look and the write that relies on it, with the SQLSTATE (PostgreSQL, appendix A) in which
 * the write then fails: what it refers to is `gone` or no longer the workspace's, what it adds is `taken` or under a prefix that
 * is `claimed`, or what it changes has been `changed`.
 */
const RACES = {
  gone: new Set(['23503', '42501']),
  taken: new Set(['23505']),
  claimed: new Set([CLAIMED]),
  changed: new Set([CHANGED]),
} as const satisfies Record<string, ReadonlySet<string>>
type Race = keyof typeof RACES

/** deadlock_detected: rolled back, so that another which held what it waited for could go on. */
const DEADLOCK = '40P01'
const GIVING_WAY_MS = 20

/** How often a write is begun. */
const ATTEMPTS = 3

/** Whether a write failed for what another has done since it looked. */
export const isLost = (error: unknown, race: Race): boolean =>
  RACES[race].has((error as { code?: string } | null)?.code ?? '')

/**
 * Begins `work` again when it loses a race: its first look then meets what the other has done, and answers that by name. Who
 * is rolled back for the sake of another has lost nothing, and begins again too.
 */
export async function inAttempts<T>(races: readonly Race[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isWorthwhile = isDeadlock(error) || races.some((race) => isLost(error, race))
      if (!isWorthwhile || attempt === ATTEMPTS) throw error
      // The other goes first: it may not have noticed yet that its way is free.
      if (isDeadlock(error)) await sleep(GIVING_WAY_MS * (1 + Math.random()))
    }
  }
}

const isDeadlock = (error: unknown): boolean => (error as { code?: string } | null)?.code === DEADLOCK
