import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Cradle } from '../cradle.ts'
import { type AccessRequest, parseExpiry, requestExpiry } from '../domain/grants.ts'
import { isUuid } from '../domain/identifiers.ts'
import { type PageQuery, pageOf } from '../domain/paging.ts'
import { assertOperatorScope, assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound, Problem } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import {
  addGrant,
  approveGrant,
  countGrants,
  countGrantUses,
  denyGrant,
  findGrantTarget,
  findOpenGrant,
  type GrantTarget,
  listGrants,
  lockGrant,
  requestGrant,
  revokeGrant,
} from '../storage/access-grants.ts'
import { PLATFORM, recordAudit } from '../storage/audit.ts'
import type { Candidate } from '../storage/candidates.ts'
import type { Transaction } from '../storage/transaction.ts'

/** The form of every capability token, whoever minted it. */
const GRANT_TOKEN = /^dpp_(?:li|auth)_[A-Za-z0-9]{20,64}$/

/** Requests under one address that wait for one passport and its units. */
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
export default function grants({ database, log, outbox }: Cradle) {
  let uses = new Map<string, { count: number; last: Date }>()
  let timer: NodeJS.Timeout | undefined

  return { list, issue, approve, deny, revoke, issueAuthority, request, unlocks, flush }

  /** One page, by status and then newest first. A key that is limited to an operator sees grants of its passports. */
  async function list(principal: Principal, query: PageQuery): Promise<Content<'GrantPage'>> {
    const { page, limit } = pageOf(query, { usual: 100, most: 200 })
    const session = database.forTenant(principal.tenantId)
    const [grants, total] = await Promise.all([
      listGrants(session, principal.operatorId, { page, limit }),
      countGrants(session, principal.operatorId),
    ])
    return { count: grants.length, page, limit, total, totalPages: Math.ceil(total / limit), grants }
  }

  /**
   * Issues a legitimate-interest grant.
   * @throws Problem 400 for what is missing or wrong, 404 for a target that is not a published one of the workspace
   */
  async function issue(principal: Principal, input: Schema<'NewGrant'>): Promise<Content<'IssuedGrant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    const { token, tokenHash } = newToken('li')
    const grant = await database.transaction(principal.tenantId, async (tx) => {
      const target = await targetOf(tx, principal, input)
      const grant = await addGrant(tx, {
        kind: 'LEGITIMATE_INTEREST',
        granteeName: input.granteeName,
        granteeEmail: input.granteeEmail ?? null,
        organization: input.organization ?? null,
        purpose: input.purpose ?? null,
        scopeType: input.scopeType,
        target,
        issuerType: 'TENANT',
        issuerEmail: principal.kind === 'session' ? principal.actor : null,
        expiresAt,
        tokenHash,
      })
      recordAudit(tx, principal, 'grant.issued', grant.id, { scopeType: grant.scopeType })
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
    const { token, tokenHash } = newToken('li')
    const grant = await decide(principal, id, 'grant.approved', (tx) =>
      approveGrant(tx, id, decider(principal), { expiresAt, tokenHash }),
    )
    return { grant, token }
  }

  /** @throws Problem 404, 409 when it is decided already */
  function deny(principal: Principal, id: string): Promise<Schema<'Grant'>> {
    return decide(principal, id, 'grant.denied', (tx) => denyGrant(tx, id, decider(principal)))
  }

  /**
   * Ends a grant or a request; the row stays. What has ended already is answered as it is.
   * @throws Problem 404, 403 for what an authority holds
   */
  async function revoke(principal: Principal, id: string): Promise<Schema<'Grant'>> {
    return database.transaction(principal.tenantId, async (tx) => {
      const grant = await lock(tx, principal, id)
      if (!grant.revocable) throw heldByAuthority()
      if (grant.status === 'REVOKED' || grant.status === 'DENIED') return grant
      const revoked = await revokeGrant(tx, id)
      recordAudit(tx, principal, 'grant.revoked', id)
      return revoked
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
    const target = await findGrantTarget(database.lookup, scopeType, input.target)
    if (target === undefined) throw notFound(`There is no published ${NOUNS[scopeType]} ${input.target}.`)
    const { token, tokenHash } = newToken('auth')
    return database.transaction(target.tenantId, async (tx) => {
      const { id } = await addGrant(tx, {
        kind: 'AUTHORITY',
        granteeName: input.name?.trim() || 'Authority',
        granteeEmail: null,
        organization: null,
        purpose: null,
        scopeType,
        target,
        issuerType: 'PLATFORM',
        issuerEmail: null,
        expiresAt,
        tokenHash,
      })
      recordAudit(tx, PLATFORM, 'grant.issued', id, { scopeType, kind: 'AUTHORITY' })
      return { id, token }
    })
  }

  /**
   * Keeps a request of the public form. The same request is kept once, and again when it has expired; another one under the
   * same address is kept beside it, since nobody has shown whose address it is. Of one address and passport, its
   * units included, {@link MOST_REQUESTS} wait at most, and in one workspace {@link MOST_WAITING_REQUESTS}.
   */
  async function request(candidate: Candidate, { values }: AccessRequest): Promise<void> {
    const until = requestExpiry(new Date())
    const expiresAt = until.toISOString()
    await database.transaction(candidate.tenantId, async (tx) => {
      // Whoever asks is told the same in every case.
      const id = await requestGrant(
        tx,
        randomUUID(),
        {
          ...values,
          passportId: candidate.id,
          batteryUnitId: candidate.unit?.id ?? null,
          expiresAt: until,
        },
        { ofAddress: MOST_REQUESTS, ofWorkspace: MOST_WAITING_REQUESTS },
      )
      if (id === undefined) return
      recordAudit(tx, { actor: 'public' }, 'grant.requested', id)
      await outbox.publish(tx, {
        event: 'access.requested',
        tenantId: candidate.tenantId,
        facts: {
          grantId: id,
          status: 'PENDING',
          scopeType: candidate.unit === undefined ? 'PASSPORT' : 'UNIT',
          passportId: candidate.id,
          batteryUnitId: candidate.unit?.id ?? null,
          expiresAt,
        },
      })
    })
  }

  /**
   * Whether this token opens this passport, or this unit, now. The database is asked each time, so that a revocation holds at once in
   * every process.
   */
  async function unlocks(token: string, candidate: Candidate): Promise<boolean> {
    if (!GRANT_TOKEN.test(token)) return false
    const id = await findOpenGrant(database, hashOf(token), candidate)
    if (id === undefined) return false
    const use = uses.get(id)
    uses.set(id, { count: (use?.count ?? 0) + 1, last: new Date() })
    timer ??= setTimeout(() => void flush(), COUNT_AFTER_MS)
    return true
  }

  /** Writes the uses that are counted so far. Never throws; they are counted best effort. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const counted = uses
    uses = new Map()
    try {
      await countGrantUses(database, counted)
    } catch (error) {
      log.warn({ err: error, grants: counted.size }, 'uses of grants are not counted')
    }
  }

  async function decide(
    principal: Principal,
    id: string,
    action: 'grant.approved' | 'grant.denied',
    change: (tx: Transaction) => Promise<Schema<'Grant'>>,
  ): Promise<Schema<'Grant'>> {
    return database.transaction(principal.tenantId, async (tx) => {
      const { status } = await lock(tx, principal, id)
      if (status !== 'PENDING') throw conflict(`Only a pending request can be decided; this one is ${status}.`)
      const decided = await change(tx)
      recordAudit(tx, principal, action, id)
      await outbox.publish(tx, {
        event: 'access.decided',
        tenantId: principal.tenantId,
        facts: {
          grantId: decided.id,
          status: action === 'grant.approved' ? 'ACTIVE' : 'DENIED',
          scopeType: decided.scopeType,
          passportId: decided.passportId,
          batteryUnitId: decided.batteryUnitId,
          expiresAt: decided.expiresAt,
        },
      })
      return decided
    })
  }

  async function lock(tx: Transaction, principal: Principal, id: string): Promise<Schema<'Grant'>> {
    const locked = isUuid(id) ? await lockGrant(tx, id) : undefined
    if (locked === undefined) throw notFound('Grant not found')
    assertOperatorScope(principal, locked.operatorId)
    return locked.grant
  }

  /** What a new grant is for: a unit, a passport, or the whole workspace. */
  async function targetOf(
    tx: Transaction,
    principal: Principal,
    { scopeType, passportId, batteryUnitId }: Schema<'NewGrant'>,
  ): Promise<Pick<GrantTarget, 'passportId' | 'batteryUnitId'>> {
    if (scopeType === 'TENANT') {
      assertWholeWorkspace(principal)
      return { passportId: null, batteryUnitId: null }
    }
    const id = scopeType === 'UNIT' ? batteryUnitId : passportId
    const target = await findGrantTarget(tx, scopeType, id ?? '')
    // A workspace sees those of operators that are bound to it, too.
    if (target?.tenantId !== principal.tenantId) {
      throw notFound(scopeType === 'UNIT' ? 'Battery unit not found' : 'Passport not found')
    }
    assertOperatorScope(principal, target.operatorId)
    return target
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

/** A user's identity, or the key that decided. */
const decider = ({ kind, actor, credentialId }: Principal) =>
  kind === 'key' ? `API_KEY_${credentialId}` : actor || 'unknown'

/** 128 random bits; only their hash is stored. */
function newToken(kind: 'li' | 'auth'): { token: string; tokenHash: Buffer } {
  const token = `dpp_${kind}_${randomBytes(16).toString('hex')}`
  return { token, tokenHash: hashOf(token) }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
