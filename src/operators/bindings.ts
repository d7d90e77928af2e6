import { isUuid } from '../domain/identifiers.ts'
import type { Session, Statement } from '../storage/statement.ts'

/** SQL condition; both arguments are trusted SQL, never input. */
export const boundTo = (operator: string, tenant: string): string =>
  `exists (select 1 from operator_binding b where b.operator_id = ${operator} and b.tenant_id = ${tenant})`

/** `$1` operator, `$2` workspace. */
export const IS_BOUND: Statement = { name: 'is-bound', text: `select ${boundTo('$1', '$2')} as "isBound"` }

/** False for a non-UUID id. */
export async function isBound(session: Session, tenantId: string, operatorId: string): Promise<boolean> {
  if (!isUuid(operatorId)) return false
  const [row] = await session.run<{ isBound: boolean }>(IS_BOUND, [operatorId, tenantId])
  return row?.isBound === true
}
