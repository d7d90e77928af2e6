import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { LockMode, type RequiredEntityData } from '@mikro-orm/core'
import { PLATFORM, recordAudit, recordAudits } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { actorIn } from '../domain/actors.ts'
import type { Reader } from '../domain/audience.ts'
import { type AccessRequest, audienceOfGrant, grantUrl, parseExpiry, requestExpiry } from '../domain/grants.ts'
import { isUuid } from '../domain/identifiers.ts'
import { type PageQuery, pageOf } from '../domain/paging.ts'
import { assertOperatorScope, assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound, Problem } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { Candidate } from '../resolution/candidates.ts'
import type { Transaction } from '../storage/transaction.ts'
import { allWorkspaces, findWorkspace } from '../workspaces/credential-statements.ts'
import { AccessGrant } from './entities.ts'
import {
  countGrants,
  countGrantUses,
  findGrantTarget,
  findOpenGrant,
  type GrantTarget,
  grantForm,
  listGrants,
  requestGrant,
  revokeGrants,
} from './grant-statements.ts'

interface GrantedReader {
  readonly reader: Reader
  readonly grantId: string
}

interface GrantsOf {
  readonly workspace?: string | undefined
  readonly passport?: string | undefined
  readonly grantee?: string | undefined
}

const GRANT_TOKEN = /^dpp_(?:li|auth)_[A-Za-z0-9]{20,64}$/

const REFERENCE = /^[A-Za-z0-9_-]{22}$/

/** Per address and passport, including its units. */
const MAX_REQUESTS = 10
/** Per workspace; anonymous callers write them. */
export const MAX_WAITING_REQUESTS = 1000
const COUNT_AFTER_MS = 1000

declare module '../cradle.ts' {
  interface Cradle {
    grants: ReturnType<typeof grants>
  }
}

/** Specification 4.5 and 5.10. */
export default function grants({ config, database, log, moduleHooks, outbox }: Cradle) {
  let uses = new Map<string, { count: number; last: Date }>()
  let timer: NodeJS.Timeout | undefined

  return {
    list,
    issue,
    approve,
    deny,
    revoke,
    revokeAll,
    renew,
    issueAuthority,
    request,
    follow,
    readerBy,
    flush,
  }

  /** Operator-scoped keys see grants of their passports. */
  async function list(principal: Principal, query: PageQuery): Promise<Content<'GrantPage'>> {
    const { page, limit } = pageOf(query, { usual: 100, max: 200 })
    const session = database.forTenant(principal.tenantId)
    const [grants, total] = await Promise.all([
      listGrants(session, principal.operatorId, { page, limit }),
      countGrants(session, principal.operatorId),
    ])
    return { count: grants.length, page, limit, total, totalPages: Math.ceil(total / limit), grants }
  }

  /** @throws Problem 400, 404 */
  async function issue(principal: Principal, input: Schema<'NewGrant'>): Promise<Content<'IssuedGrant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    const actor = actorIn(input, audienceOfGrant('LEGITIMATE_INTEREST'))
    const { token, tokenHash } = newToken('li')
    const grant = await database.transaction(principal.tenantId, async (tx) => {
      const { passportId, batteryUnitId } = await targetOf(tx, principal, input)
      const { granteeName, granteeEmail, organization, purpose, scopeType } = input
      const grant = addGrant(tx, {
        kind: 'LEGITIMATE_INTEREST',
        ...{ granteeName, granteeEmail, organization, purpose, ...actor },
        ...{ scopeType, passportId, batteryUnitId },
        issuerType: 'TENANT',
        issuerEmail: principal.kind === 'session' ? principal.actor : null,
        ...{ expiresAt, tokenHash },
      })
      recordAudit(tx, principal, 'grant.issued', grant.id, { scopeType })
      return grantForm(grant)
    })
    return { grant, token }
  }

  /** @throws Problem 400, 404; 409 if already decided */
  async function approve(by: Principal, id: string, input: Schema<'GrantApproval'>): Promise<Content<'ApprovedGrant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    const { token, tokenHash } = newToken('li')
    const grant = await decide(by, id, { status: 'ACTIVE', expiresAt, tokenHash }, token)
    return { grant, token, url: grantUrl(config.baseUrl, grant, token) }
  }

  /** @throws Problem 404; 409 if already decided */
  function deny(by: Principal, id: string): Promise<Schema<'Grant'>> {
    return decide(by, id, { status: 'DENIED' })
  }

  /** Revokes a grant or request; the row remains. Idempotent. @throws Problem 404; 403 for a grant of an authority */
  async function revoke(principal: Principal, id: string): Promise<Schema<'Grant'>> {
    return database.transaction(principal.tenantId, async (tx) => {
      const grant = await lock(tx, principal, id)
      if (grant.kind === 'AUTHORITY') throw heldByAuthority()
      if (grant.status === 'REVOKED' || grant.status === 'DENIED') return grantForm(grant)
      Object.assign(grant, { status: 'REVOKED', revokedAt: new Date() })
      recordAudit(tx, principal, 'grant.revoked', grant.id)
      return grantForm(grant)
    })
  }

  /**
   * Changes the expiry, but not the token; reactivates an expired grant.
   * @throws Problem 400, 404; 403 for a grant of an authority; 409 if revoked, denied or pending
   */
  async function renew(principal: Principal, id: string, input: Schema<'GrantRenewal'>): Promise<Schema<'Grant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    return database.transaction(principal.tenantId, async (tx) => {
      const grant = await lock(tx, principal, id)
      if (grant.kind === 'AUTHORITY') throw heldByAuthority('renewed')
      if (grant.status !== 'ACTIVE') {
        throw conflict(`Only an active grant can be renewed; this one is ${grant.status}.`)
      }
      recordAudit(tx, principal, 'grant.renewed', grant.id, { from: grant.expiresAt, to: expiresAt })
      grant.expiresAt = expiresAt
      return grantForm(grant)
    })
  }

  /**
   * Revokes all matching grants, including those of authorities.
   * @param of a passport includes its units; the grantee is an e-mail address or identifier
   * @throws Problem 400, 404
   */
  async function revokeAll(of: GrantsOf): Promise<{ revoked: number }> {
    if (Object.values(of).every((named) => named === undefined)) {
      throw badRequest('Specify the workspace, passport or grantee whose grants to revoke.')
    }
    let revoked = 0
    for (const tenantId of await workspacesOf(of)) {
      revoked += await database.transaction(tenantId, async (tx) => {
        const ended = await revokeGrants(tx, of.passport, of.grantee)
        const subjects = ended.map((id) => ({ id, detail: undefined }))
        recordAudits(tx, PLATFORM, 'grant.revoked', subjects)
        return ended.length
      })
    }
    return { revoked }
  }

  async function workspacesOf({ workspace, passport }: GrantsOf): Promise<string[]> {
    const target = passport === undefined ? undefined : await findGrantTarget(database.lookup, 'PASSPORT', passport)
    if (passport !== undefined && target === undefined) throw notFound(`Published passport ${passport} not found.`)
    const of = workspace ?? target?.tenantId
    if (of === undefined) return (await allWorkspaces(database)).map(({ id }) => id)
    if ((await findWorkspace(database, of)) === undefined) throw notFound(`Workspace ${of} not found.`)
    return [of]
  }

  /** Mints a token for an authority, which the workspace sees but cannot revoke. @throws Problem 400, 404 */
  async function issueAuthority(input: {
    scope: string
    target: string
    expires: string
    name?: string
    actorKind?: string
    identifierScheme?: string
    identifier?: string
  }) {
    const scopeType = SCOPES.find((scope) => scope === input.scope)
    if (scopeType === undefined) throw badRequest('scope must be UNIT, PASSPORT or TENANT.')
    const expiresAt = parseExpiry(input.expires, new Date())
    const actor = actorIn(input, audienceOfGrant('AUTHORITY'))
    const target = await findGrantTarget(database.lookup, scopeType, input.target)
    if (target === undefined) throw notFound(`Published ${NOUNS[scopeType]} ${input.target} not found.`)
    const { token, tokenHash } = newToken('auth')
    const { tenantId, passportId, batteryUnitId } = target
    return database.transaction(tenantId, async (tx) => {
      const { id } = addGrant(tx, {
        kind: 'AUTHORITY',
        granteeName: input.name?.trim() || 'Authority',
        ...actor,
        ...{ scopeType, passportId, batteryUnitId },
        issuerType: 'PLATFORM',
        ...{ expiresAt, tokenHash },
      })
      recordAudit(tx, PLATFORM, 'grant.issued', id, { scopeType, kind: 'AUTHORITY' })
      return { id, token }
    })
  }

  /**
   * Stores an identical request only after the first expires. Stores other requests under the same address separately, since the address is
   * unverified.
   * @returns a reference in every case, to hide if the request was stored
   */
  async function request(candidate: Candidate, { values }: AccessRequest, language: string): Promise<string> {
    const { tenantId, id: passportId, operatorId, unit } = candidate
    const expiresAt = requestExpiry(new Date())
    const reference = randomBytes(16).toString('base64url')
    await database.transaction(tenantId, async (tx) => {
      const id = await requestGrant(
        tx,
        randomUUID(),
        {
          ...values,
          passportId,
          batteryUnitId: unit?.id ?? null,
          expiresAt,
          language,
          referenceHash: hashOf(reference),
        },
        { ofAddress: MAX_REQUESTS, ofWorkspace: MAX_WAITING_REQUESTS },
      )
      if (id === undefined) return
      recordAudit(tx, { actor: 'public' }, 'grant.requested', id)
      const subject = unit === undefined ? `passport ${passportId}` : `battery unit ${unit.id}`
      const message = `New request for access to ${subject}.`
      moduleHooks.notify(tx, { type: 'access.requested', operatorId, subjectId: id, message })
      await outbox.publish(tx, {
        event: 'access.requested',
        tenantId,
        facts: {
          grantId: id,
          status: 'PENDING',
          scopeType: unit === undefined ? 'PASSPORT' : 'UNIT',
          passportId,
          batteryUnitId: unit?.id ?? null,
          expiresAt: expiresAt.toISOString(),
        },
      })
      await moduleHooks.accessRequested(tx, { kind: 'requested', grantId: id, secret: reference })
    })
    return reference
  }

  async function follow(reference: string) {
    if (!REFERENCE.test(reference)) return null
    const fields = ['tenantId', 'status', 'expiresAt', 'passportId', 'batteryUnitId'] as const
    return database.entities(database.lookup).findOne(AccessGrant, { referenceHash: hashOf(reference) }, { fields })
  }

  /**
   * Returns the reader that a token authorises. Queries the database each time, so that revocations apply immediately in every process.
   * @param isModel true if every unit shows the content, so that a token for one unit is valid
   */
  async function readerBy(
    token: string,
    candidate: Candidate,
    { isModel = false }: { readonly isModel?: boolean } = {},
  ): Promise<GrantedReader | undefined> {
    if (!GRANT_TOKEN.test(token)) return undefined
    const grant = await findOpenGrant(database, hashOf(token), candidate, isModel)
    if (grant === undefined) return undefined
    const { id, kind, isStrict } = grant
    const use = uses.get(id)
    uses.set(id, { count: (use?.count ?? 0) + 1, last: new Date() })
    timer ??= setTimeout(() => void flush(), COUNT_AFTER_MS)
    const audience = audienceOfGrant(kind)
    return { reader: audience === 'authority' && isStrict ? 'strictAuthority' : audience, grantId: id }
  }

  /** Writes pending use counts. Never throws. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const counted = uses
    uses = new Map()
    try {
      await countGrantUses(database, counted)
    } catch (error) {
      log.warn({ err: error, grants: counted.size }, 'grant uses could not be counted')
    }
  }

  /** @param token for modules that inform the requester */
  async function decide(
    by: Principal,
    id: string,
    decision: { status: 'ACTIVE' | 'DENIED' } & Partial<Pick<AccessGrant, 'expiresAt' | 'tokenHash'>>,
    token?: string,
  ): Promise<Schema<'Grant'>> {
    const { tenantId } = by
    return database.transaction(tenantId, async (tx) => {
      const grant = await lock(tx, by, id)
      if (grant.status !== 'PENDING') {
        throw conflict(`Only a pending request can be approved or denied; this one is ${grant.status}.`)
      }
      Object.assign(grant, decision, { decidedAt: new Date(), decidedBy: nameOf(by) })
      const verdict = decision.status === 'ACTIVE' ? 'approved' : 'denied'
      await moduleHooks.accessRequested(tx, { kind: verdict, grantId: grant.id, secret: token })
      recordAudit(tx, by, `grant.${verdict}`, grant.id)
      const message = `A request for access was ${verdict} by ${grant.decidedBy}.`
      moduleHooks.notify(tx, {
        type: 'access.decided',
        operatorId: grant.operatorId ?? null,
        subjectId: grant.id,
        message,
      })
      const decided = grantForm(grant)
      const { scopeType, passportId, batteryUnitId, expiresAt } = decided
      const facts = { grantId: grant.id, status: decision.status, scopeType, passportId, batteryUnitId, expiresAt }
      await outbox.publish(tx, { event: 'access.decided', tenantId, facts })
      return decided
    })
  }

  async function lock(tx: Transaction, by: Principal, id: string): Promise<AccessGrant> {
    const key = { id, tenantId: by.tenantId }
    const options = { lockMode: LockMode.PESSIMISTIC_WRITE }
    const grant = isUuid(id) ? await tx.entities.findOne(AccessGrant, key, options) : null
    if (grant === null) throw notFound('Grant not found')
    assertOperatorScope(by, grant.operatorId ?? null)
    return grant
  }

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
    // Includes targets of operators bound to the workspace.
    if (target?.tenantId !== principal.tenantId) {
      throw notFound(scopeType === 'UNIT' ? 'Battery unit not found' : 'Passport not found')
    }
    assertOperatorScope(principal, target.operatorId)
    return target
  }
}

type NewGrant = Omit<RequiredEntityData<AccessGrant>, 'id' | 'tenantId' | 'status' | 'useCount' | 'createdAt'>

function addGrant(tx: Transaction, grant: NewGrant): AccessGrant {
  const begun = {
    id: randomUUID(),
    tenantId: tx.tenantId,
    status: 'ACTIVE',
    useCount: 0,
    createdAt: new Date(),
  } as const
  return tx.entities.create(AccessGrant, { ...begun, ...grant })
}

// Without the standard members, as all rejections here except the 403 for a missing permission.
const heldByAuthority = (what: 'revoked' | 'renewed' = 'revoked') =>
  new Problem(403, `A grant of an authority cannot be ${what} by the workspace.`, { title: 'Forbidden', isBare: true })

const NOUNS: Readonly<Record<Schema<'GrantScope'>, string>> = {
  UNIT: 'battery unit',
  PASSPORT: 'passport',
  TENANT: 'workspace',
}
const SCOPES = Object.keys(NOUNS) as Schema<'GrantScope'>[]

const nameOf = ({ kind, actor, credentialId }: Principal) =>
  kind === 'key' ? `API_KEY_${credentialId}` : actor || 'unknown'

/** 128 random bits; only their hash is stored. */
function newToken(kind: 'li' | 'auth'): { token: string; tokenHash: Buffer } {
  const token = `dpp_${kind}_${randomBytes(16).toString('hex')}`
  return { token, tokenHash: hashOf(token) }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()
