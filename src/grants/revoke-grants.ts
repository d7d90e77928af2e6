import { PLATFORM, recordAudit, recordAudits } from '../audit/audit-statements.ts'
import type { Principal } from '../domain/principal.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import type { Schema } from '../domain/schema.ts'
import type { Database } from '../storage/database.ts'
import { allWorkspaces, assertWorkspace } from '../workspaces/credential-statements.ts'
import { findGrantTarget, grantForm, lockOwnGrant, revokeGrants } from './grant-statements.ts'

export interface GrantsOf {
  readonly workspace?: string | undefined
  readonly passport?: string | undefined
  readonly grantee?: string | undefined
}

/** Revokes a grant or request; the row remains. Idempotent. @throws Problem 404; 403 for a grant of an authority */
export async function revokeGrant(database: Database, principal: Principal, id: string): Promise<Schema<'Grant'>> {
  return database.transaction(principal.tenantId, async (tx) => {
    const grant = await lockOwnGrant(tx, principal, id, 'revoked')
    if (grant.status === 'REVOKED' || grant.status === 'DENIED') return grantForm(grant)
    Object.assign(grant, { status: 'REVOKED', revokedAt: new Date() })
    recordAudit(tx, principal, 'grant.revoked', grant.id)
    return grantForm(grant)
  })
}

/**
 * Revokes all matching grants, including those of authorities.
 * @param of a passport includes its units; the grantee is an e-mail address or identifier
 * @throws Problem 400, 404
 */
export async function revokeAllGrants(database: Database, of: GrantsOf): Promise<{ revoked: number }> {
  if (Object.values(of).every((named) => named === undefined)) {
    throw badRequest('Specify the workspace, passport or grantee whose grants to revoke.')
  }
  let revoked = 0
  for (const tenantId of await workspacesOf(database, of)) {
    revoked += await database.transaction(tenantId, async (tx) => {
      const ended = await revokeGrants(tx, of.passport, of.grantee)
      const subjects = ended.map((id) => ({ id, detail: undefined }))
      recordAudits(tx, PLATFORM, 'grant.revoked', subjects)
      return ended.length
    })
  }
  return { revoked }
}

async function workspacesOf(database: Database, { workspace, passport }: GrantsOf): Promise<string[]> {
  const target = passport === undefined ? undefined : await findGrantTarget(database.lookup, 'PASSPORT', passport)
  if (passport !== undefined && target === undefined) throw notFound(`Published passport ${passport} not found.`)
  const of = workspace ?? target?.tenantId
  if (of === undefined) return (await allWorkspaces(database)).map(({ id }) => id)
  await assertWorkspace(database, of)
  return [of]
}
