import type { Session, Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'

const LOCK: Statement = {
  name: 'lock-plan',
  text: 'select 1 from workspace where id = app_tenant() for no key update',
}

/**
 * Locks publishing in this workspace until the transaction ends. Rows that only reference the workspace, such as audit entries, are not
 * blocked.
 */
export function lockPlan(tx: Transaction): void {
  tx.write(LOCK)
}

const COUNT: Statement = {
  name: 'count-published',
  text: 'select coalesce(sum(published), 0)::int as count from passport_count where tenant_id = app_tenant()',
}

/** Excludes archived passports. */
export async function countPublished(session: Session): Promise<number> {
  const [row] = await session.run<{ count: number }>(COUNT)
  return row?.count ?? 0
}
