import { PLATFORM, recordAudit } from '../audit/audit-statements.ts'
import { isUuid } from '../domain/identifiers.ts'
import { notFound } from '../domain/problem.ts'
import { isBound } from '../operators/bindings.ts'
import { OperatorBinding } from '../operators/entities.ts'
import type { Database } from '../storage/database.ts'
import { isLost } from '../storage/unit-of-work.ts'
import { assertWorkspace } from './credential-statements.ts'

/** Lets a workspace act for another workspace's operator. */
export async function bindOperator(database: Database, operatorId: string, workspaceId: string) {
  await assertWorkspace(database, workspaceId)
  if (!isUuid(operatorId)) throw notFound(`Operator ${operatorId} not found.`)
  if (!(await isBound(database.forTenant(workspaceId), workspaceId, operatorId))) {
    await database
      .transaction(workspaceId, async (tx) => {
        tx.entities.create(OperatorBinding, { tenantId: workspaceId, operatorId })
        recordAudit(tx, PLATFORM, 'operator.bound', operatorId)
      })
      .catch((error) => {
        if (isLost(error, 'gone')) throw notFound(`Operator ${operatorId} not found.`)
        throw error
      })
  }
  return { operatorId, workspaceId, bound: true }
}
