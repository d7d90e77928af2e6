import { setTimeout as sleep } from 'node:timers/promises'
import { CHANGED } from '../passports/passport-writes.ts'
import { CLAIMED } from '../workspaces/company-prefix-statements.ts'
import type { Database } from './database.ts'
import type { WriteScope } from './transaction.ts'

export const ownScope = (database: Database, tenantId: string): WriteScope => ({
  session: database.forTenant(tenantId),
  transaction: (work) => database.transaction(tenantId, work),
  share: (work, item) => work.batched(tenantId, item),
})

/**
 * SQLSTATEs (PostgreSQL, appendix A) after a concurrent change: a reference is `gone` or no longer the workspace's, an addition is `taken`
 * or under a `claimed` prefix, a row is `changed`.
 */
const RACES = {
  gone: new Set(['23503', '42501']),
  taken: new Set(['23505']),
  claimed: new Set([CLAIMED]),
  changed: new Set([CHANGED]),
} as const satisfies Record<string, ReadonlySet<string>>
type Race = keyof typeof RACES

const DEADLOCK = '40P01'
const GIVING_WAY_MS = 20

const ATTEMPTS = 3

export const isLost = (error: unknown, race: Race): boolean =>
  RACES[race].has((error as { code?: string } | null)?.code ?? '')

/** Retries after deadlocks and lost races; the reads then see the concurrent change and report it by name. */
export async function inAttempts<T>(races: readonly Race[], work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isWorthwhile = isDeadlock(error) || races.some((race) => isLost(error, race))
      if (!isWorthwhile || attempt === ATTEMPTS) throw error
      // The other may not have noticed yet that the lock is free.
      if (isDeadlock(error)) await sleep(GIVING_WAY_MS * (1 + Math.random()))
    }
  }
}

const isDeadlock = (error: unknown): boolean => (error as { code?: string } | null)?.code === DEADLOCK
