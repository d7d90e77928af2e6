import type { Principal } from '../domain/principal.ts'
import type { Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** Internal audit records: those of specification section 6, and of access grants. */
type AuditAction =
  | 'facility.created'
  | 'facility.updated'
  | 'facility.deleted'
  | 'operator.created'
  | 'operator.updated'
  | 'operator.archived'
  | 'operator.deleted'
  | 'operator.restored'
  | 'grant.requested'
  | 'grant.issued'
  | 'grant.approved'
  | 'grant.denied'
  | 'grant.revoked'

const RECORD: Statement = {
  name: 'record-audit',
  text: `insert into audit_entry (tenant_id, action, subject_id, actor, detail, created_at)
    values (app_tenant(), $1, $2, $3, $4, now())`,
}

/** Records who did what, in the transaction of the act. */
export function recordAudit(
  tx: Transaction,
  { actor }: Pick<Principal, 'actor'>,
  action: AuditAction,
  subjectId: string,
  detail?: object,
): void {
  tx.write(RECORD, [action, subjectId, actor, detail === undefined ? null : JSON.stringify(detail)])
}
