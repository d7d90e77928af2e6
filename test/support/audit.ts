import type { TestGateway } from './gateway.ts'
import { IS_NO_READING } from './table-digests.ts'

export interface TrailEntry {
  readonly action: string
  readonly actor: string
  readonly detail: unknown
}

/** Audit entries of a subject in order, without reads. */
export async function auditOf(gateway: TestGateway, tenantId: string, subject: string): Promise<TrailEntry[]> {
  await gateway.sqlAs(tenantId, 'select audit_chain_own()')
  return gateway.sqlAs<TrailEntry & Record<string, unknown>>(
    tenantId,
    `select action, actor, detail from audit_entry where subject_id = $1 and ${IS_NO_READING} order by sequence`,
    [subject],
  )
}
