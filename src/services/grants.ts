import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Cradle } from '../cradle.ts'
import { type AccessRequest, parseExpiry, requestExpiry } from '../domain/grants.ts'
import { isUuid } from '../domain/identifiers.ts'
import { type PageQuery, pageOf } from '../domain/paging.ts'
import { assertOperatorScope, assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound, Problem } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { Candidate } from '../publication/renditions.ts'
import { recordAudit } from '../storage/audit.ts'

/** The form of every capability token, whoever minted it. */
const GRANT_TOKEN = /^dpp_(?:li|auth)_[A-Za-z0-9]{20,64}$/

const COLUMNS = `id, status, kind, grantee_name as "granteeName", grantee_email as "granteeEmail", organization, purpose,
  scope_type as "scopeType", passport_id as "passportId", battery_unit_id as "batteryUnitId",
  issuer_type as "issuerType", issuer_email as "issuerEmail", decided_at as "decidedAt", decided_by as "decidedBy",
  expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt", use_count::int as "useCount",
  created_at as "createdAt", kind <> 'AUTHORITY' as revocable`
/** Requests under one address that wait for one passport. */
const MOST_REQUESTS = 10
/** Requests that wait in one workspace: strangers write them. */
export const MOST_WAITING_REQUESTS = 1000
/** Uses are counted in memory and written this often. */
const COUNT_AFTER_MS = 1000

declare module '../cradle.ts' {
  interface Cradle {
    grants: ReturnType<typeof grants>
  }
}

/** Access grants: issued, requested, decided, revoked, and looked up by their token (specification 4.5 and 5.10). */
export default function grants({ database, log }: Cradle) {
  let uses = new Map<string, { count: number; last: Date }>()
  let timer: NodeJS.Timeout | undefined

  return { list, issue, approve, deny, revoke, issueAuthority, request, unlocks, flush }

  /** One page, by status and then newest first. A key that is limited to an operator sees grants of its passports. */
  async function list(principal: Principal, query: PageQuery): Promise<Content<'GrantPage'>> {
    const { page, limit } = pageOf(query, { usual: 100, most: 200 })
    const em = database.forTenant(principal.tenantId)
    const { where, params } = visible(principal)
    const [rows, [counted]] = await em.transactional(async (tx) => [
      await tx.execute<Row[]>(
        `select ${COLUMNS} from access_grant where ${where} order by status, created_at desc, id limit ? offset ?`,
        [...params, limit, (page - 1) * limit],
      ),
      await tx.execute<{ total: number }[]>(`select count(*)::int as total from access_grant where ${where}`, params),
    ])
    const total = counted?.total ?? 0
    return { count: rows.length, page, limit, total, totalPages: Math.ceil(total / limit), grants: rows.map(toGrant) }
  }

  /**
   * Issues a legitimate-interest grant.
   * @throws Problem 400 for what is missing or wrong, 404 for a target that is not a published one of the workspace
   */
  async function issue(principal: Principal, input: Schema<'NewGrant'>): Promise<Content<'IssuedGrant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    const { token, hash } = newToken('li')
    const grant = await database.forTenant(principal.tenantId).transactional(async (tx) => {
      const passportId = await target(tx, principal, input)
      const [row] = await tx.execute<Row[]>(
        `insert into access_grant (id, tenant_id, status, kind, grantee_name, grantee_email, organization, purpose,
           scope_type, passport_id, issuer_type, issuer_email, expires_at, token_hash)
         values (?, ?, 'ACTIVE', 'LEGITIMATE_INTEREST', ?, ?, ?, ?, ?, ?, 'TENANT', ?, ?, decode(?, 'hex')) returning ${COLUMNS}`,
        [
          randomUUID(),
          principal.tenantId,
          input.granteeName,
          input.granteeEmail ?? null,
          input.organization ?? null,
          input.purpose ?? null,
          input.scopeType,
          passportId,
          principal.kind === 'session' ? principal.actor : null,
          expiresAt.toISOString(),
          hash,
        ],
      )
      const grant = toGrant(row as Row)
      await recordAudit(tx, principal, 'grant.issued', grant.id, { scopeType: grant.scopeType })
      return grant
    })
    return { grant, token }
  }

  /**
   * Approves a request and mints its token.
   * @throws Problem 400 about `expiresAt`, 404, 409 when it is decided already
   */
  async function approve(
    principal: Principal,
    id: string,
    input: Schema<'GrantApproval'>,
  ): Promise<Content<'IssuedGrant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    const { token, hash } = newToken('li')
    const grant = await decide(principal, id, 'grant.approved', (tx) =>
      tx.execute<Row[]>(
        `update access_grant set status = 'ACTIVE', decided_at = now(), decided_by = ?, expires_at = ?,
           token_hash = decode(?, 'hex') where id = ? and tenant_id = ? returning ${COLUMNS}`,
        [decider(principal), expiresAt.toISOString(), hash, id, principal.tenantId],
      ),
    )
    return { grant, token }
  }

  /** @throws Problem 404, 409 when it is decided already */
  function deny(principal: Principal, id: string): Promise<Schema<'Grant'>> {
    return decide(principal, id, 'grant.denied', (tx) =>
      tx.execute<Row[]>(
        `update access_grant set status = 'DENIED', decided_at = now(), decided_by = ?
         where id = ? and tenant_id = ? returning ${COLUMNS}`,
        [decider(principal), id, principal.tenantId],
      ),
    )
  }

  /**
   * Ends a grant or a request; the row stays. What has ended already is answered as it is.
   * @throws Problem 404, 403 for what an authority holds
   */
  async function revoke(principal: Principal, id: string): Promise<Schema<'Grant'>> {
    return database.forTenant(principal.tenantId).transactional(async (tx) => {
      const grant = await lock(tx, principal, id)
      if (!grant.revocable) throw heldByAuthority()
      if (grant.status === 'REVOKED' || grant.status === 'DENIED') return grant
      const [row] = await tx.execute<Row[]>(
        `update access_grant set status = 'REVOKED', revoked_at = now() where id = ? and tenant_id = ? returning ${COLUMNS}`,
        [id, principal.tenantId],
      )
      await recordAudit(tx, principal, 'grant.revoked', id)
      return toGrant(row as Row)
    })
  }

  /**
   * Mints a token for an authority, which the workspace sees and cannot revoke.
   * @throws Problem 400 and 404 naming the option
   */
  async function issueAuthority(input: { scope: string; target: string; expires: string; name?: string }) {
    const scopeType = SCOPES.find((scope) => scope === input.scope)
    if (scopeType === undefined) throw badRequest('scope must be UNIT, PASSPORT or TENANT.')
    const expiresAt = parseExpiry(input.expires, new Date())
    const tenantId = await tenantOf(scopeType, input.target)
    if (tenantId === undefined) throw notFound(`There is no published ${NOUNS[scopeType]} ${input.target}.`)
    const id = randomUUID()
    const { token, hash } = newToken('auth')
    await database.forTenant(tenantId).transactional(async (tx) => {
      await tx.execute(
        `insert into access_grant (id, tenant_id, status, kind, grantee_name, scope_type, passport_id, issuer_type,
           expires_at, token_hash) values (?, ?, 'ACTIVE', 'AUTHORITY', ?, ?, ?, 'PLATFORM', ?, decode(?, 'hex'))`,
        [
          id,
          tenantId,
          input.name?.trim() || 'Authority',
          scopeType,
          scopeType === 'PASSPORT' ? input.target : null,
          expiresAt.toISOString(),
          hash,
        ],
      )
      await recordAudit(tx, { tenantId, actor: 'platform' }, 'grant.issued', id, { scopeType, kind: 'AUTHORITY' })
    })
    return { id, token }
  }

  /**
   * Keeps a request of the public form. The same request is kept once, and again when it has expired; another one under the
   * same address is kept beside it, since nobody has shown whose address it is. Of one address and passport
   * {@link MOST_REQUESTS} wait at most, and in one workspace {@link MOST_WAITING_REQUESTS}.
   */
  async function request(candidate: Candidate, { values }: AccessRequest): Promise<void> {
    await database.forTenant(candidate.tenantId).transactional(async (tx) => {
      const id = randomUUID()
      // Counted one after the other; whoever asks is told the same in every case.
      const subject = [candidate.id, values.granteeEmail]
      await tx.execute(`select pg_advisory_xact_lock(hashtextextended(?, 0))`, [candidate.tenantId])
      const added = await tx.execute<unknown[]>(
        `insert into access_grant (id, tenant_id, status, kind, grantee_name, grantee_email, organization, purpose,
           scope_type, passport_id, issuer_type, expires_at)
         select ?, ?, 'PENDING', 'LEGITIMATE_INTEREST', ?, ?, ?, ?, 'PASSPORT', ?, 'REQUEST', ?
         where (select count(*) from access_grant where passport_id = ? and lower(grantee_email) = lower(?)
           and status = 'PENDING' and issuer_type = 'REQUEST' and expires_at > now()) < ${MOST_REQUESTS}
           and (select count(*) from (
             select 1 from access_grant where tenant_id = ? and status = 'PENDING' and issuer_type = 'REQUEST'
               and expires_at > now() order by created_at desc limit ${MOST_WAITING_REQUESTS}
           ) as waiting) < ${MOST_WAITING_REQUESTS}
         on conflict (passport_id, lower(grantee_email),
           md5(grantee_name || chr(31) || coalesce(organization, '') || chr(31) || coalesce(purpose, '')))
           where status = 'PENDING' and issuer_type = 'REQUEST'
         do update set expires_at = excluded.expires_at where access_grant.expires_at <= now() returning 1`,
        [
          id,
          candidate.tenantId,
          values.granteeName,
          values.granteeEmail,
          values.organization,
          values.purpose,
          candidate.id,
          requestExpiry(new Date()).toISOString(),
          ...subject,
          candidate.tenantId,
        ],
      )
      if (added.length > 0) {
        await recordAudit(tx, { tenantId: candidate.tenantId, actor: 'public' }, 'grant.requested', id)
      }
    })
  }

  /**
   * Whether this token opens this passport now. The database is asked each time, so that a revocation holds at once in
   * every process.
   */
  async function unlocks(token: string, candidate: Candidate): Promise<boolean> {
    if (!GRANT_TOKEN.test(token)) return false
    const { rows } = await database.lookup.query<{ id: string }>({
      name: 'find-grant',
      text: `select id from access_grant where token_hash = $1 and status = 'ACTIVE' and expires_at > now()
        and (passport_id = $2 and scope_type = 'PASSPORT' or tenant_id = $3 and scope_type = 'TENANT')`,
      values: [hashOf(token), candidate.id, candidate.tenantId],
    })
    const [row] = rows
    if (row === undefined) return false
    const use = uses.get(row.id)
    uses.set(row.id, { count: (use?.count ?? 0) + 1, last: new Date() })
    timer ??= setTimeout(() => void flush(), COUNT_AFTER_MS)
    return true
  }

  /** Writes the uses that are counted so far. Never throws; they are counted best effort. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const counted = [...uses]
    uses = new Map()
    if (counted.length === 0) return
    try {
      await database.lookup.query({
        name: 'count-grant-uses',
        text: `update access_grant g set use_count = g.use_count + u.count, last_used_at = greatest(g.last_used_at, u.last)
          from unnest($1::uuid[], $2::int[], $3::timestamptz[]) as u (id, count, last) where g.id = u.id`,
        values: [
          counted.map(([id]) => id),
          counted.map(([, { count }]) => count),
          counted.map(([, { last }]) => last.toISOString()),
        ],
      })
    } catch (error) {
      log.warn({ err: error, grants: counted.length }, 'uses of grants are not counted')
    }
  }

  async function decide(
    principal: Principal,
    id: string,
    action: 'grant.approved' | 'grant.denied',
    change: (tx: EntityManager) => Promise<Row[]>,
  ): Promise<Schema<'Grant'>> {
    return database.forTenant(principal.tenantId).transactional(async (tx) => {
      const { status } = await lock(tx, principal, id)
      if (status !== 'PENDING') throw conflict(`Only a pending request can be decided; this one is ${status}.`)
      const [row] = await change(tx)
      await recordAudit(tx, principal, action, id)
      return toGrant(row as Row)
    })
  }

  async function lock(tx: EntityManager, principal: Principal, id: string): Promise<Schema<'Grant'>> {
    const [row] = isUuid(id)
      ? await tx.execute<(Row & { operatorId: string | null })[]>(
          `select ${COLUMNS}, (select operator_id from passport p where p.id = passport_id) as "operatorId"
           from access_grant where id = ? and tenant_id = ? for update`,
          [id, principal.tenantId],
        )
      : []
    if (row === undefined) throw notFound('Grant not found')
    assertOperatorScope(principal, row.operatorId)
    return toGrant(row)
  }

  /** The passport of a new grant, or null for the whole workspace. */
  async function target(
    tx: EntityManager,
    principal: Principal,
    { scopeType, passportId: given }: Schema<'NewGrant'>,
  ): Promise<string | null> {
    if (scopeType === 'TENANT') {
      assertWholeWorkspace(principal)
      return null
    }
    if (scopeType === 'UNIT') throw notFound('Battery unit not found')
    const passportId = given?.toLowerCase()
    const [row] =
      passportId === undefined || !isUuid(passportId)
        ? []
        : await tx.execute<{ operator_id: string }[]>(
            `select operator_id from passport where id = ? and tenant_id = ? and status <> 'DRAFT'`,
            [passportId, principal.tenantId],
          )
    if (passportId === undefined || row === undefined) throw notFound('Passport not found')
    assertOperatorScope(principal, row.operator_id)
    return passportId
  }

  async function tenantOf(scopeType: Schema<'GrantScope'>, target: string): Promise<string | undefined> {
    if (scopeType === 'UNIT' || !isUuid(target)) return undefined
    const { rows } = await database.lookup.query<{ id: string }>(
      scopeType === 'TENANT'
        ? 'select id from workspace where id = $1'
        : `select tenant_id as id from passport where id = $1 and status <> 'DRAFT'`,
      [target],
    )
    return rows[0]?.id
  }
}

// Bare, as everything that grants themselves refuse; the same status for a missing permission is not.
const heldByAuthority = () =>
  new Problem(403, 'A grant of an authority cannot be revoked by the workspace.', { title: 'Forbidden', isBare: true })

const NOUNS: Readonly<Record<Schema<'GrantScope'>, string>> = {
  UNIT: 'battery unit',
  PASSPORT: 'passport',
  TENANT: 'workspace',
}
const SCOPES = Object.keys(NOUNS) as Schema<'GrantScope'>[]

interface Row extends Omit<Schema<'Grant'>, 'decidedAt' | 'expiresAt' | 'revokedAt' | 'lastUsedAt' | 'createdAt'> {
  readonly decidedAt: Date | string | null
  readonly expiresAt: Date | string
  readonly revokedAt: Date | string | null
  readonly lastUsedAt: Date | string | null
  readonly createdAt: Date | string
}

function toGrant(row: Row): Schema<'Grant'> {
  const { operatorId: _, ...fields } = row as Row & { operatorId?: unknown }
  return {
    ...fields,
    decidedAt: iso(row.decidedAt),
    expiresAt: iso(row.expiresAt) as string,
    revokedAt: iso(row.revokedAt),
    lastUsedAt: iso(row.lastUsedAt),
    createdAt: iso(row.createdAt) as string,
  }
}

const iso = (value: Date | string | null) => (value === null ? null : new Date(value).toISOString())

/** Which grants a caller may list. */
function visible({ tenantId, operatorId }: Principal) {
  return operatorId === null
    ? { where: 'tenant_id = ?', params: [tenantId] }
    : {
        where: 'tenant_id = ? and passport_id in (select p.id from passport p where p.operator_id = ?)',
        params: [tenantId, operatorId],
      }
}

/** A user's identity, or the key that decided. */
const decider = ({ kind, actor, credentialId }: Principal) =>
  kind === 'key' ? `API_KEY_${credentialId}` : actor || 'unknown'

/** 128 random bits; only their hash is stored. */
function newToken(kind: 'li' | 'auth'): { token: string; hash: string } {
  const token = `dpp_${kind}_${randomBytes(16).toString('hex')}`
  return { token, hash: hashOf(token).toString('hex') }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
