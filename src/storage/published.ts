import type { Session, Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

const LOCK: Statement = {
  name: 'lock-plan',
  text: 'select 1 from workspace where id = app_tenant() for no key update',
}

/**
 * Makes whoever else would publish in the workspace wait until the transaction ends. Whoever only refers to the workspace, as
 * every audit entry does, need not wait.
 */
export function lockPlan(tx: Transaction): void {
  tx.write(LOCK)
}

const COUNT: Statement = {
  name: 'count-published',
  text: 'select coalesce(sum(published), 0)::int as count from passport_count where tenant_id = app_tenant()',
}

/** Published passports of the workspace that are not archived, as the database has counted them. */
export async function countPublished(session: Session): Promise<number> {
  const [row] = await session.run<{ count: number }>(COUNT)
  return row?.count ?? 0
}
