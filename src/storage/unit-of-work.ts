import type { EntityManager } from '@mikro-orm/postgresql'
import type { Database } from './database.ts'

/** Where a write works: in a transaction of its own, or joined to a larger one. */
export interface WriteScope {
  /** Runs `work` in a transaction; inside a larger one, all of `work` is undone alone when it throws. */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>
}

/** What each open transaction wants done after its commit. */
const pending = new WeakMap<EntityManager, (() => void)[]>()

/** A write of its own. */
export const ownScope = (database: Database, tenantId: string): WriteScope => ({
  transaction: (work) =>
    within(database.forTenant(tenantId), work, (actions) => {
      for (const action of actions) action()
    }),
})

/** A write that is a part of `outer`, and is committed with it. */
export const joinedScope = (outer: EntityManager): WriteScope => ({
  transaction: (work) => within(outer, work, (actions) => actionsOf(outer).push(...actions)),
})

/** Runs `action` once the transaction has been committed, and not at all without a commit. */
export function afterCommit(tx: EntityManager, action: () => void): void {
  actionsOf(tx).push(action)
}

async function within<T>(
  em: EntityManager,
  work: (tx: EntityManager) => Promise<T>,
  finish: (actions: readonly (() => void)[]) => void,
): Promise<T> {
  const actions: (() => void)[] = []
  const result = await em.transactional((tx) => {
    pending.set(tx, actions)
    return work(tx)
  })
  finish(actions)
  return result
}

function actionsOf(tx: EntityManager): (() => void)[] {
  const actions = pending.get(tx)
  if (actions === undefined) throw new Error('This belongs in a unit of work.')
  return actions
}

/**
 * What another may do between a look and the write that relies on it, with the SQLSTATE (PostgreSQL, appendix A) in which
 * the write then fails: what it refers to is `gone` or no longer the workspace's, or what it adds is `taken`.
 */
const RACES = {
  gone: new Set(['23503', '42501']),
  taken: new Set(['23505']),
} as const satisfies Record<string, ReadonlySet<string>>
type Race = keyof typeof RACES

/** How often a write is begun. */
const ATTEMPTS = 3

/** Whether a write failed for what another has done since it looked. */
export const isLost = (error: unknown, race: Race): boolean =>
  RACES[race].has((error as { code?: string } | null)?.code ?? '')

/** Begins `work` again when it loses a race: its first look then meets what the other has done, and answers that by name. */
export async function inAttempts<T>(race: Race, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLost(error, race) || attempt === ATTEMPTS) throw error
    }
  }
}
