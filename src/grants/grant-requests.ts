import { randomBytes, randomUUID } from 'node:crypto'
import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import {
  type AccessRequest,
  grantUrl,
  hashOfToken,
  newGrantToken,
  parseExpiry,
  requestExpiry,
} from '../domain/grants.ts'
import type { Principal } from '../domain/principal.ts'
import { conflict } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { Candidate } from '../resolution/candidates.ts'
import { AccessGrant } from './entities.ts'
import { grantForm, lockGrant, requestGrant } from './grant-statements.ts'

const REFERENCE = /^[A-Za-z0-9_-]{22}$/

/** Per address and passport, including its units. */
const MAX_REQUESTS = 10
/** Per workspace; anonymous callers write them. */
export const MAX_WAITING_REQUESTS = 1000

type Decision = { status: 'ACTIVE' | 'DENIED' } & Partial<Pick<AccessGrant, 'expiresAt' | 'tokenHash'>>

declare module '../cradle.ts' {
  interface Cradle {
    grantRequests: ReturnType<typeof grantRequests>
  }
}

/** Specification 5.10. */
export default function grantRequests({ config, database, moduleHooks, outbox }: Cradle) {
  return { request, follow, approve, deny }

  /**
   * Stores an identical request only after the first expires. Stores other requests under the same address separately, since the address is
   * unverified.
   * @returns a reference in every case, to hide if the request was stored
   */
  async function request(candidate: Candidate, { values }: AccessRequest, language: string): Promise<string> {
    const { tenantId, id: passportId, operatorId, unit } = candidate
    const batteryUnitId = unit?.id ?? null
    const expiresAt = requestExpiry(new Date())
    const reference = randomBytes(16).toString('base64url')
    const requested = {
      ...values,
      passportId,
      batteryUnitId,
      expiresAt,
      language,
      referenceHash: hashOfToken(reference),
    }
    await database.transaction(tenantId, async (tx) => {
      const limits = { ofAddress: MAX_REQUESTS, ofWorkspace: MAX_WAITING_REQUESTS }
      const id = await requestGrant(tx, randomUUID(), requested, limits)
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
          ...{ passportId, batteryUnitId },
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
    const referenceHash = hashOfToken(reference)
    return database.entities(database.lookup).findOne(AccessGrant, { referenceHash }, { fields })
  }

  /** @throws Problem 400, 404; 409 if already decided */
  async function approve(by: Principal, id: string, input: Schema<'GrantApproval'>): Promise<Content<'ApprovedGrant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    const { token, tokenHash } = newGrantToken('li')
    const grant = await decide(by, id, { status: 'ACTIVE', expiresAt, tokenHash }, token)
    return { grant, token, url: grantUrl(config.baseUrl, grant, token) }
  }

  /** @throws Problem 404; 409 if already decided */
  function deny(by: Principal, id: string): Promise<Schema<'Grant'>> {
    return decide(by, id, { status: 'DENIED' })
  }

  /** @param token for modules that inform the requester */
  async function decide(by: Principal, id: string, decision: Decision, token?: string): Promise<Schema<'Grant'>> {
    const { tenantId } = by
    return database.transaction(tenantId, async (tx) => {
      const grant = await lockGrant(tx, by, id)
      if (grant.status !== 'PENDING') {
        throw conflict(`Only a pending request can be approved or denied; this one is ${grant.status}.`)
      }
      Object.assign(grant, decision, { decidedAt: new Date(), decidedBy: deciderOf(by) })
      const verdict = decision.status === 'ACTIVE' ? 'approved' : 'denied'
      await moduleHooks.accessRequested(tx, { kind: verdict, grantId: grant.id, secret: token })
      recordAudit(tx, by, `grant.${verdict}`, grant.id)
      moduleHooks.notify(tx, {
        type: 'access.decided',
        operatorId: grant.operatorId ?? null,
        subjectId: grant.id,
        message: `A request for access was ${verdict} by ${grant.decidedBy}.`,
      })
      const decided = grantForm(grant)
      const { scopeType, passportId, batteryUnitId, expiresAt } = decided
      const facts = { grantId: grant.id, status: decision.status, scopeType, passportId, batteryUnitId, expiresAt }
      await outbox.publish(tx, { event: 'access.decided', tenantId, facts })
      return decided
    })
  }
}

const deciderOf = ({ kind, actor, credentialId }: Principal) =>
  kind === 'key' ? `API_KEY_${credentialId}` : actor || 'unknown'
