import { randomUUID } from 'node:crypto'
import { LockMode, type RequiredEntityData } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { audienceOfGrant } from '../domain/grants.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { notFound, Problem } from '../domain/problem.ts'
import type { Schema } from '../domain/schema.ts'
import type { Candidate } from '../resolution/candidates.ts'
import type { Database } from '../storage/database.ts'
import type { Row } from '../storage/row.ts'
import type { Session, Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { AccessGrant } from './entities.ts'

type Grant = Schema<'Grant'>

type Grantee =
  | 'granteeName'
  | 'granteeEmail'
  | 'organization'
  | 'purpose'
  | 'actorKind'
  | 'identifierScheme'
  | 'identifier'

interface Requested extends Row<AccessGrant, Grantee | 'batteryUnitId' | 'expiresAt'> {
  readonly passportId: string
  readonly language: string
  /** SHA-256 of the follow-up reference. */
  readonly referenceHash: Buffer
}

/** Max pending requests: per e-mail address and passport (including its units), and per workspace. */
interface Limits {
  readonly ofAddress: number
  readonly ofWorkspace: number
}

const OWN = 'tenant_id = app_tenant()'
const ofOperator = (operator: string) => `${OWN} and operator_id = ${operator}`

type Shown = Exclude<keyof AccessGrant, 'tenantId' | 'operatorId' | 'language' | 'tokenHash' | 'referenceHash'>

const COLUMNS = `id, status, kind, grantee_name as "granteeName", grantee_email as "granteeEmail", organization, purpose,
  scope_type as "scopeType", passport_id as "passportId", battery_unit_id as "batteryUnitId", issuer_type as "issuerType",
  issuer_email as "issuerEmail", decided_at as "decidedAt", decided_by as "decidedBy", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt", use_count::int as "useCount", created_at as "createdAt",
  actor_kind as "actorKind", identifier_scheme as "identifierScheme", identifier`

const pageOf = (name: string, where: string): Statement => ({
  name,
  text: `select ${COLUMNS} from access_grant where ${where} order by status, created_at desc, id limit $1 offset $2`,
})
const totalOf = (name: string, where: string): Statement => ({
  name,
  text: `select coalesce(sum(total), 0)::int as total from grant_count where ${where}`,
})
const PAGE = pageOf('list-grants', OWN)
const PAGE_OF_OPERATOR = pageOf('list-grants-of-operator', ofOperator('$3'))
const TOTAL = totalOf('count-grants', OWN)
const TOTAL_OF_OPERATOR = totalOf('count-grants-of-operator', ofOperator('$1'))

/** Shares a round trip with {@link countGrants}. */
export async function listGrants(
  session: Session,
  operatorId: string | null,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<Grant[]> {
  const place = [limit, (page - 1) * limit]
  const rows = await (operatorId === null
    ? session.run<Row<AccessGrant, Shown>>(PAGE, place)
    : session.run<Row<AccessGrant, Shown>>(PAGE_OF_OPERATOR, [...place, operatorId]))
  return rows.map(grantForm)
}

export function grantForm(grant: Pick<AccessGrant, Shown>): Grant {
  return {
    id: grant.id,
    status: grant.status,
    kind: grant.kind,
    granteeName: grant.granteeName,
    granteeEmail: grant.granteeEmail ?? null,
    organization: grant.organization ?? null,
    purpose: grant.purpose ?? null,
    scopeType: grant.scopeType,
    passportId: grant.passportId ?? null,
    batteryUnitId: grant.batteryUnitId ?? null,
    issuerType: grant.issuerType,
    issuerEmail: grant.issuerEmail ?? null,
    decidedAt: grant.decidedAt?.toISOString() ?? null,
    decidedBy: grant.decidedBy ?? null,
    expiresAt: grant.expiresAt.toISOString(),
    revokedAt: grant.revokedAt?.toISOString() ?? null,
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    useCount: grant.useCount,
    createdAt: grant.createdAt.toISOString(),
    revocable: grant.kind !== 'AUTHORITY',
    audience: audienceOfGrant(grant.kind),
    actorKind: grant.actorKind ?? null,
    identifierScheme: grant.identifierScheme ?? null,
    identifier: grant.identifier ?? null,
  }
}

export async function countGrants(session: Session, operatorId: string | null): Promise<number> {
  const [counted] =
    operatorId === null
      ? await session.run<{ total: number }>(TOTAL)
      : await session.run<{ total: number }>(TOTAL_OF_OPERATOR, [operatorId])
  return counted?.total ?? 0
}

type NewGrant = Omit<RequiredEntityData<AccessGrant>, 'id' | 'tenantId' | 'status' | 'useCount' | 'createdAt'>

export function addGrant(tx: Transaction, grant: NewGrant): AccessGrant {
  const begun = {
    id: randomUUID(),
    tenantId: tx.tenantId,
    status: 'ACTIVE',
    useCount: 0,
    createdAt: new Date(),
  } as const
  return tx.entities.create(AccessGrant, { ...begun, ...grant })
}

/** @throws Problem 404; 403 for another operator's */
export async function findGrant(
  entities: EntityManager,
  by: Principal,
  id: string,
  options: { readonly lockMode?: LockMode } = {},
): Promise<AccessGrant> {
  const grant = isUuid(id) ? await entities.findOne(AccessGrant, { id, tenantId: by.tenantId }, options) : null
  if (grant === null) throw notFound('Grant not found')
  assertOperatorScope(by, grant.operatorId ?? null)
  return grant
}

/** @throws Problem 404; 403 for another operator's */
export const lockGrant = (tx: Transaction, by: Principal, id: string): Promise<AccessGrant> =>
  findGrant(tx.entities, by, id, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** @throws Problem 404; 403 also for a grant of an authority */
export async function lockOwnGrant(
  tx: Transaction,
  by: Principal,
  id: string,
  change: 'revoked' | 'renewed',
): Promise<AccessGrant> {
  const grant = await lockGrant(tx, by, id)
  if (grant.kind !== 'AUTHORITY') return grant
  const detail = `A grant of an authority cannot be ${change} by the workspace.`
  // Without the standard members, as all rejections here except the 403 for a missing permission.
  throw new Problem(403, detail, { title: 'Forbidden', isBare: true })
}

export interface GrantTarget extends Pick<Grant, 'passportId' | 'batteryUnitId'> {
  readonly tenantId: string
  readonly operatorId: string | null
}

const OF_PASSPORT = `p.tenant_id as "tenantId", p.operator_id as "operatorId", p.id as "passportId"`
const TARGET: Readonly<Record<Grant['scopeType'], Statement>> = {
  UNIT: {
    name: 'grantable-unit',
    text: `select ${OF_PASSPORT}, u.id as "batteryUnitId" from battery_unit u join passport p on p.id = u.passport_id
      where u.id = $1 and p.status <> 'DRAFT'`,
  },
  PASSPORT: {
    name: 'grantable-passport',
    text: `select ${OF_PASSPORT}, null as "batteryUnitId" from passport p where p.id = $1 and p.status <> 'DRAFT'`,
  },
  TENANT: {
    name: 'grantable-workspace',
    text: `select id as "tenantId", null as "operatorId", null as "passportId", null as "batteryUnitId"
      from workspace where id = $1`,
  },
}

export async function findGrantTarget(
  session: Session,
  scopeType: Grant['scopeType'],
  id: string,
): Promise<GrantTarget | undefined> {
  if (!isUuid(id)) return undefined
  const [found] = await session.run<GrantTarget>(TARGET[scopeType], [id])
  return found
}

const REVOKE_ALL: Statement = {
  name: 'revoke-all-grants',
  text: `update access_grant set status = 'REVOKED', revoked_at = now()
    where ${OWN} and status = 'ACTIVE' and ($1::uuid is null or passport_id = $1)
      and ($2::text is null or lower(grantee_email) = lower($2) or identifier = $2)
    returning id`,
}

/**
 * Includes grants of authorities.
 * @param passportId includes its units
 * @param grantee e-mail address or identifier
 * @returns grant ids
 */
export async function revokeGrants(
  tx: Transaction,
  passportId: string | undefined,
  grantee: string | undefined,
): Promise<string[]> {
  const ended = await tx.run<Pick<Grant, 'id'>>(REVOKE_ALL, [passportId ?? null, grantee ?? null])
  return ended.map(({ id }) => id)
}

const LOCK_REQUESTS: Statement = {
  name: 'lock-grant-requests',
  text: 'select pg_advisory_xact_lock(hashtextextended(app_tenant()::text, 0))',
}
const REQUEST: Statement = {
  name: 'request-grant',
  text: `insert into access_grant (id, tenant_id, status, kind, grantee_name, grantee_email, organization, purpose,
      scope_type, passport_id, battery_unit_id, issuer_type, expires_at, language, reference_hash, actor_kind,
      identifier_scheme, identifier)
    select $1, app_tenant(), 'PENDING', 'LEGITIMATE_INTEREST', $2, $3, $4, $5,
      case when $10::uuid is null then 'PASSPORT' else 'UNIT' end, $6, $10, 'REQUEST', $7, $11, $12::bytea, $13, $14, $15
    where (select count(*) from access_grant where passport_id = $6 and lower(grantee_email) = lower($3)
        and status = 'PENDING' and issuer_type = 'REQUEST' and expires_at > now()) < $8
      and (select count(*) from (
        select 1 from access_grant where ${OWN} and status = 'PENDING' and issuer_type = 'REQUEST'
          and expires_at > now() order by created_at desc limit $9
      ) as waiting) < $9
    on conflict (coalesce(battery_unit_id, passport_id), lower(grantee_email),
      md5(grantee_name || chr(31) || coalesce(organization, '') || chr(31) || coalesce(purpose, '')))
      where status = 'PENDING' and issuer_type = 'REQUEST'
    do update set expires_at = excluded.expires_at, language = excluded.language, reference_hash = excluded.reference_hash,
      actor_kind = excluded.actor_kind, identifier_scheme = excluded.identifier_scheme, identifier = excluded.identifier
      where access_grant.expires_at <= now() returning id`,
}

/**
 * Stores a request within the limits; a lock serializes the count. A duplicate is stored again only after expiry.
 * @returns grant id; undefined if not stored
 */
export async function requestGrant(
  tx: Transaction,
  id: string,
  requested: Requested,
  { ofAddress, ofWorkspace }: Limits,
): Promise<string | undefined> {
  tx.write(LOCK_REQUESTS)
  const [stored] = await tx.run<Pick<Grant, 'id'>>(REQUEST, [
    id,
    requested.granteeName,
    requested.granteeEmail,
    requested.organization,
    requested.purpose,
    requested.passportId,
    requested.expiresAt.toISOString(),
    ofAddress,
    ofWorkspace,
    requested.batteryUnitId,
    requested.language,
    requested.referenceHash,
    requested.actorKind,
    requested.identifierScheme,
    requested.identifier,
  ])
  return stored?.id
}

const FIND_OPEN: Statement = {
  name: 'find-grant',
  text: `select g.id, g.kind, w.strict_audiences as "isStrict"
    from access_grant g join workspace w on w.id = g.tenant_id
    where g.token_hash = $1 and g.status = 'ACTIVE' and g.expires_at > now() and w.suspended_at is null
      and (g.battery_unit_id = $2 and g.scope_type = 'UNIT' or g.passport_id = $3 and (g.scope_type = 'PASSPORT' or $5 and g.scope_type = 'UNIT')
        or g.tenant_id = $4 and g.scope_type = 'TENANT')`,
}

interface OpenGrant extends Pick<Grant, 'id' | 'kind'> {
  readonly isStrict: boolean
}

/** @param isModel also accepts grants for units of the passport */
export async function findOpenGrant(
  database: Database,
  tokenHash: Buffer,
  { id, tenantId, unit }: Candidate,
  isModel: boolean,
): Promise<OpenGrant | undefined> {
  const [grant] = await database.batchedLookup.run<OpenGrant>(FIND_OPEN, [
    tokenHash,
    unit?.id ?? null,
    id,
    tenantId,
    isModel,
  ])
  return grant
}

const COUNT_USES: Statement = {
  name: 'count-grant-uses',
  text: `update access_grant g set use_count = g.use_count + u.count, last_used_at = greatest(g.last_used_at, u.last)
    from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as u (id, count, last) where g.id = u.id`,
}

export async function countGrantUses(
  database: Database,
  uses: ReadonlyMap<string, { readonly count: number; readonly last: Date }>,
): Promise<void> {
  const counted = [...uses.values()]
  const values = [[...uses.keys()], counted.map(({ count }) => count), counted.map(({ last }) => last.toISOString())]
  await database.lookup.run(COUNT_USES, values)
}
