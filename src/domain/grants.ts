import { type Actor, type ActorFault, readActor } from './actors.ts'
import type { GrantedAudience } from './audience.ts'
import { mailAddress } from './mail.ts'
import { badRequest } from './problem.ts'
import type { Schema } from './schema.ts'

/** Longest life of a grant, in days. */
const MAX_GRANT_DAYS = 366
/** Provisional life of a request, until somebody decides. */
const REQUEST_DAYS = 90
const DAY_MS = 86_400_000

/** The audience that a grant makes its holder one of: the kind of its token decides. */
export const audienceOfGrant = (kind: Schema<'Grant'>['kind']): GrantedAudience =>
  kind === 'AUTHORITY' ? 'authority' : 'legitimateInterest'

/** Who asks, or is given access. */
interface Grantee extends Actor {
  readonly granteeName: string
  readonly granteeEmail: string | null
  readonly organization: string | null
  readonly purpose: string | null
}

/**
 * The end of a grant, which is to be in the future and at most 366 days ahead.
 * @throws Problem 400
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

/** Whether the text is a date of ISO 8601, or a timestamp with its time zone, and names a day that there is. */
export const isIsoDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text) && !Number.isNaN(Date.parse(text))

/** A request for access as the form sends it. */
export interface AccessRequest {
  readonly values: Grantee
  /** Names of the texts that say what is wrong; empty when nothing is. */
  readonly errors: readonly ('nameMissing' | 'emailInvalid' | `${ActorFault['part']}Invalid`)[]
}

/**
 * A request needs a name, and an address that the answer can be sent to. What opens to authorities alone nobody can ask for
 * here, so that no authority is one of those who ask.
 */
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

/** The provisional end of a request that is made now. */
export const requestExpiry = (now: Date): Date => new Date(now.getTime() + REQUEST_DAYS * DAY_MS)

/** Where a request for access can stand, for whoever has asked. */
export const REQUEST_STATES = ['waiting', 'approved', 'denied', 'ended'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

/** What has become of a request by now. */
export function requestState(
  { status, expiresAt }: Pick<Schema<'Grant'>, 'status' | 'expiresAt'>,
  now: Date,
): RequestState {
  if (status === 'DENIED') return 'denied'
  if (status === 'REVOKED' || new Date(expiresAt) <= now) return 'ended'
  return status === 'PENDING' ? 'waiting' : 'approved'
}

/** Where the unit is that access is asked for, or else the passport. */
export const subjectUrl = (
  baseUrl: string,
  { passportId, batteryUnitId }: Pick<Schema<'Grant'>, 'passportId' | 'batteryUnitId'>,
): string => (batteryUnitId === null ? `${baseUrl}/passport/${passportId}` : `${baseUrl}/unit/${batteryUnitId}`)

/** The same with the token that shows the restricted values there. */
export const grantUrl = (
  baseUrl: string,
  grant: Pick<Schema<'Grant'>, 'passportId' | 'batteryUnitId'>,
  token: string,
): string => `${subjectUrl(baseUrl, grant)}?grant=${token}`

/** Address of the page on which a request for access is followed. */
export const followUrl = (baseUrl: string, reference: string, lang: string): string =>
  `${baseUrl}/request-access/${reference}?lang=${lang}`
