import { isUuid } from '../domain/identifiers.ts'
import type { Session, Statement } from './statement.ts'

/** Whether a workspace may act for an operator, as a condition; both are SQL of our own and never input. */
export const boundTo = (operator: string, tenant: string): string =>
  `exists (select 1 from operator_binding b where b.operator_id = ${operator} and b.tenant_id = ${tenant})`

/** `$1` an operator, `$2` a workspace. */
export const IS_BOUND: Statement = { name: 'is-bound', text: `select ${boundTo('$1', '$2')} as "isBound"` }

/** Whether the workspace may act for the operator; false for what is not a UUID. */
export async function isBound(session: Session, tenantId: string, operatorId: string): Promise<boolean> {
  if (!isUuid(operatorId)) return false
  const [row] = await session.run<{ isBound: boolean }>(IS_BOUND, [operatorId, tenantId])
  return row?.isBound === true
}
