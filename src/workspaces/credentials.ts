import { type Actor, PLATFORM, recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { PERMISSIONS, permissionsOf, ROLES } from '../domain/permissions.ts'
import type { Principal } from '../domain/principal.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import { isBound } from '../operators/bindings.ts'
import type { Database } from '../storage/database.ts'
import { assertWorkspace, revokeApiKey, workspaceOfApiKey } from './credential-statements.ts'
import { ApiKey } from './entities.ts'
import { type NewSession, newApiKey } from './identity.ts'

const MAX_USER_CHARACTERS = 200

export interface NewKey {
  readonly workspaceId: string
  readonly role: string
  readonly permissions?: readonly string[]
  readonly operatorId?: string
  readonly expiresAt?: string
  readonly name?: string
}

export interface NewUserSession {
  readonly workspaceId: string
  readonly user: string
  readonly role: string
  readonly mfa: boolean
}

/** @returns the key, disclosed only here */
export async function createKey(database: Database, input: NewKey, by: Actor = PLATFORM) {
  await assertWorkspace(database, input.workspaceId)
  assertRole(input.role)
  const unknown = input.permissions?.find((permission) => !(PERMISSIONS as readonly string[]).includes(permission))
  if (unknown !== undefined) throw badRequest(`permissions: unknown permission "${unknown}".`)
  const beyond = input.permissions?.filter((permission) => !permissionsOf(input.role, null).has(permission)) ?? []
  if (beyond.length > 0) {
    throw badRequest(
      `permissions: the role ${input.role} does not have ${beyond.join(', ')}. Choose another role, or remove them.`,
    )
  }
  const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt)
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
    throw badRequest(`expires: "${input.expiresAt}" is not a date.`)
  const session = database.forTenant(input.workspaceId)
  if (input.operatorId !== undefined && !(await isBound(session, input.workspaceId, input.operatorId))) {
    throw badRequest(`operator: ${input.operatorId} is not bound to this workspace. Run: dpp operator bind`)
  }
  const { id, key, secretHash } = newApiKey()
  const { workspaceId: tenantId, role, operatorId = null, name = null } = input
  const permissions = input.permissions === undefined ? null : [...input.permissions]
  await database.transaction(tenantId, async (tx) => {
    tx.entities.create(ApiKey, { id, tenantId, secretHash, role, permissions, operatorId, name, expiresAt })
    const detail = { role, permissions, operatorId, name, expiresAt: expiresAt?.toISOString() ?? null }
    recordAudit(tx, by, 'key.created', id, detail)
  })
  return { id, key }
}

/** @param by its workspace must have the key @throws Problem 404 */
export async function revokeKey(database: Database, id: string, by?: Principal) {
  const tenantId = await workspaceOfApiKey(database, id)
  if (tenantId === undefined || (by?.tenantId ?? tenantId) !== tenantId) throw notFound(`Key ${id} not found.`)
  await database.transaction(tenantId, async (tx) => {
    if (await revokeApiKey(tx, id)) recordAudit(tx, by ?? PLATFORM, 'key.revoked', id)
  })
  return { id, revoked: true }
}

export async function createSession(
  { database, identity }: Pick<Cradle, 'database' | 'identity'>,
  { workspaceId: tenantId, role, mfa, ...input }: NewUserSession,
): Promise<NewSession> {
  await assertWorkspace(database, tenantId)
  assertRole(role)
  const user = input.user.trim()
  if (user === '' || user.length > MAX_USER_CHARACTERS)
    throw badRequest(`user must have 1 to ${MAX_USER_CHARACTERS} characters.`)
  return identity.createSession({ tenantId, user, role, mfa })
}

function assertRole(role: string): void {
  if (ROLES[role] === undefined) throw badRequest(`role must be one of ${Object.keys(ROLES).join(', ')}.`)
}
