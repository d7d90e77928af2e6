import type { EntityManager } from '@mikro-orm/postgresql'
import type { Principal } from '../domain/principal.ts'

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

/** Records who did what, in the transaction of the act. */
export async function recordAudit(
  tx: EntityManager,
  principal: Pick<Principal, 'tenantId' | 'actor'>,
  action: AuditAction,
  subjectId: string,
  detail?: object,
): Promise<void> {
  await tx.execute(
    'insert into audit_entry (tenant_id, action, subject_id, actor, detail, created_at) values (?, ?, ?, ?, ?, now())',
    [principal.tenantId, action, subjectId, principal.actor, detail === undefined ? null : JSON.stringify(detail)],
  )
}
