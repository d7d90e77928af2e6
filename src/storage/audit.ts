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
  | 'batteryunit.created'
  | 'batteryunit.deleted'
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

const RECORD_ALL: Statement = {
  name: 'record-audits',
  text: `insert into audit_entry (tenant_id, action, subject_id, actor, detail, created_at)
    select app_tenant(), $1, s.id, $2, s.detail, now() from unnest($3::text[], $4::json[]) as s (id, detail)`,
}

/** Records the same act on many subjects, as {@link recordAudit} does on one. */
export function recordAudits(
  tx: Transaction,
  { actor }: Pick<Principal, 'actor'>,
  action: AuditAction,
  subjects: readonly { readonly id: string; readonly detail: object }[],
): void {
  tx.write(RECORD_ALL, [
    action,
    actor,
    subjects.map(({ id }) => id),
    subjects.map(({ detail }) => JSON.stringify(detail)),
  ])
}
