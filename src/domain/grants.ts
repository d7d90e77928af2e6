import { createHash, randomBytes } from 'node:crypto'
import { type Actor, type ActorFault, readActor } from './actors.ts'
import type { GrantedAudience } from './audience.ts'
import { isDay } from './dates.ts'
import { mailAddress } from './mail.ts'
import { badRequest } from './problem.ts'
import type { Schema } from './schema.ts'

const MAX_GRANT_DAYS = 366
const REQUEST_VALID_DAYS = 90
const DAY_MS = 86_400_000

export const audienceOfGrant = (kind: Schema<'Grant'>['kind']): GrantedAudience =>
  kind === 'AUTHORITY' ? 'authority' : 'legitimateInterest'

/** 128 random bits; only their hash is stored. */
export function newGrantToken(kind: 'li' | 'auth'): { token: string; tokenHash: Buffer } {
  const token = `dpp_${kind}_${randomBytes(16).toString('hex')}`
  return { token, tokenHash: hashOfToken(token) }
}

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

interface Grantee extends Actor {
  readonly granteeName: string
  readonly granteeEmail: string | null
  readonly organization: string | null
  readonly purpose: string | null
}

/**
 * Parses the expiry of a grant.
 * @throws Problem 400 if it is malformed, in the past, or more than 366 days ahead
 */
export function parseExpiry(text: string, now: Date): Date {
  if (!isIsoDate(text)) throw badRequest('expiresAt must be an ISO 8601 date or timestamp')
  const expiresAt = new Date(text)
  if (expiresAt <= now) throw badRequest('expiresAt must be in the future')
  if (expiresAt.getTime() > now.getTime() + MAX_GRANT_DAYS * DAY_MS) {
    throw badRequest(`expiresAt must be at most ${MAX_GRANT_DAYS} days ahead`)
  }
  return expiresAt
}

/** True for an ISO 8601 date, or a timestamp with time zone, of a day that exists. */
export const isIsoDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text) &&
  isDay(text.slice(0, 10)) &&
  !Number.isNaN(Date.parse(text))

export interface AccessRequest {
  readonly values: Grantee
  /** Codes of the error texts; empty if the request is valid. */
  readonly errors: readonly ('nameMissing' | 'emailInvalid' | `${ActorFault['part']}Invalid`)[]
}

/** Authority access cannot be requested. */
export function parseAccessRequest(form: Schema<'AccessRequestForm'>): AccessRequest {
  const { granteeName = '', granteeEmail = null, organization = null, purpose = null } = form
  const { actor, faults } = readActor(form, 'legitimateInterest')
  return {
    values: { granteeName, granteeEmail, organization, purpose, ...actor },
    errors: [
      ...(granteeName === '' ? (['nameMissing'] as const) : []),
      ...(granteeEmail === null || mailAddress(granteeEmail) === undefined ? (['emailInvalid'] as const) : []),
      ...faults.map(({ part }) => `${part}Invalid` as const),
    ],
  }
}

export const requestExpiry = (now: Date): Date => new Date(now.getTime() + REQUEST_VALID_DAYS * DAY_MS)

/** States of an access request on its status page. */
export const REQUEST_STATES = ['waiting', 'approved', 'denied', 'ended'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

interface GrantLifetime extends Pick<Schema<'Grant'>, 'status'> {
  readonly expiresAt: Date
}

export function requestState({ status, expiresAt }: GrantLifetime, now: Date): RequestState {
  if (status === 'DENIED') return 'denied'
  if (status === 'REVOKED' || expiresAt <= now) return 'ended'
  return status === 'PENDING' ? 'waiting' : 'approved'
}

interface GrantSubject {
  readonly passportId?: string | null
  readonly batteryUnitId?: string | null
}

export const subjectUrl = (baseUrl: string, { passportId, batteryUnitId }: GrantSubject): string =>
  batteryUnitId == null ? `${baseUrl}/passport/${passportId}` : `${baseUrl}/unit/${batteryUnitId}`

export const grantUrl = (baseUrl: string, grant: GrantSubject, token: string): string =>
  `${subjectUrl(baseUrl, grant)}?grant=${token}`

/** Returns the URL of the status page. `reference` is the requester's secret. */
export const followUrl = (baseUrl: string, reference: string, lang: string): string =>
  `${baseUrl}/request-access/${reference}?lang=${lang}`
