import type { PrincipalWorkspace } from '../domain/principal.ts'
import { notFound } from '../domain/problem.ts'
import type { Database } from '../storage/database.ts'
import type { Row } from '../storage/row.ts'
import type { Session, Statement } from '../storage/statement.ts'
import type { NodeKey as NodeKeyEntity } from './entities.ts'

interface CredentialRow {
  id: string
  tenant_id: string
  secret_hash: Buffer
  role: string
  permissions: string[] | null
  operator_id: string | null
}

export interface WorkspaceRow {
  tenant_id: string
  tenant_name: string
  subdomain: string | null
  plan: string
  subscription: PrincipalWorkspace['subscription']
  passport_limit: number | null
  require_mfa: boolean
  is_suspended: boolean
  suspension_reason: string | null
}

const WORKSPACE_COLUMNS = `w.id as tenant_id, w.name as tenant_name, w.subdomain, w.plan, w.subscription, w.passport_limit, w.require_mfa,
  w.suspended_at is not null as is_suspended, w.suspension_reason`

const KEY: Statement = {
  name: 'find-key',
  text: `select k.id, k.secret_hash, k.role, k.permissions, k.operator_id, ${WORKSPACE_COLUMNS}
    from api_key k join workspace w on w.id = k.tenant_id
    where k.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
}

/** Leaves the comparison of the secret to the caller. */
export async function findApiKey(database: Database, id: string): Promise<(CredentialRow & WorkspaceRow) | undefined> {
  const [row] = await database.batchedLookup.run<CredentialRow & WorkspaceRow>(KEY, [id])
  return row
}

const WORKSPACE: Statement = {
  name: 'find-workspace',
  text: `select ${WORKSPACE_COLUMNS} from workspace w where w.id::text = $1`,
}

export async function findWorkspace(database: Database, id: string): Promise<WorkspaceRow | undefined> {
  const [row] = await database.batchedLookup.run<WorkspaceRow>(WORKSPACE, [id])
  return row
}

/** @throws Problem 404 */
export async function assertWorkspace(database: Database, id: string): Promise<void> {
  if ((await findWorkspace(database, id)) === undefined) throw notFound(`Workspace ${id} not found.`)
}

const WORKSPACES: Statement = {
  name: 'list-workspaces',
  text: `select id, name, subdomain, plan, subscription, suspended_at is not null as "isSuspended"
    from workspace order by name, id`,
}

export interface ListedWorkspace {
  readonly id: string
  readonly name: string
  readonly subdomain: string | null
  readonly plan: string
  readonly subscription: string
  readonly isSuspended: boolean
}

export const allWorkspaces = ({ lookup }: Database): Promise<ListedWorkspace[]> => lookup.run(WORKSPACES)

const KEYS: Statement = {
  name: 'list-api-keys',
  text: `select k.id, k.tenant_id as "workspaceId", w.name as workspace, k.role, k.permissions, k.operator_id as "operatorId",
      k.name, k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.created_at as "createdAt"
    from api_key k join workspace w on w.id = k.tenant_id order by k.created_at, k.id`,
}

export const listApiKeys = (database: Database): Promise<Record<string, unknown>[]> => database.lookup.run(KEYS)

const OWNER: Statement = { name: 'workspace-of-api-key', text: 'select tenant_id from api_key where id = $1' }

/** Includes revoked keys. */
export async function workspaceOfApiKey(database: Database, id: string): Promise<string | undefined> {
  const [row] = await database.lookup.run<{ tenant_id: string }>(OWNER, [id])
  return row?.tenant_id
}

const REVOKE: Statement = {
  name: 'revoke-api-key',
  text: 'update api_key set revoked_at = now() where id = $1 and revoked_at is null returning 1',
}

/** False if already revoked. */
export async function revokeApiKey(session: Session, id: string): Promise<boolean> {
  return (await session.run(REVOKE, [id])).length > 0
}

type NodeKey = Row<NodeKeyEntity, 'signerKey' | 'publicJwk' | 'certificate'>

const NODE_KEY: Statement = {
  name: 'find-node-key',
  text: 'select signer_key as "signerKey", public_jwk as "publicJwk", certificate from node_key where purpose = $1',
}

export async function findNodeKey(database: Database, purpose: string): Promise<NodeKey | undefined> {
  const [row] = await database.lookup.run<NodeKey>(NODE_KEY, [purpose])
  return row
}

const SEAL_AUTHORITIES: Statement = {
  name: 'find-seal-authorities',
  text: `select n.purpose, n.signer_key as "signerKey", n.certificate, coalesce(case when $1 then (
      select json_agg(json_build_object('serial', r.serial, 'reason', r.reason,
        'revokedAt', extract(epoch from r.revoked_at) * 1000, 'addedAt', extract(epoch from r.created_at) * 1000) order by r.serial)
      from seal_revocation r where r.authority = n.purpose) end, '[]') as revoked
    from node_key n where n.purpose = 'seal-ca' or n.purpose like 'seal-ca-%' order by length(n.purpose) desc, n.purpose desc`,
}

/** Seal CA key of purpose `seal-ca`, `seal-ca-2` and so on. */
interface SealAuthority extends Pick<NodeKey, 'signerKey' | 'certificate'> {
  readonly purpose: string
  /** Loaded only if requested; times in milliseconds. */
  readonly revoked: readonly {
    readonly serial: string
    readonly reason: string
    readonly revokedAt: number
    readonly addedAt: number
  }[]
}

export const findSealAuthorities = (
  { lookup }: Database,
  { withRevoked }: { readonly withRevoked: boolean },
): Promise<SealAuthority[]> => lookup.run(SEAL_AUTHORITIES, [withRevoked])

const DELETE_WORKSPACE: Statement = { name: 'delete-workspace', text: 'delete from workspace where id = app_tenant()' }

export async function deleteWorkspace(session: Session): Promise<void> {
  await session.run(DELETE_WORKSPACE)
}
