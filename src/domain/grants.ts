import { isUuid } from './identifiers.ts'
import { Problem } from './problem.ts'
import { isRecord } from './record.ts'
import { isEmail, usableText } from './text.ts'

/** What a grant opens: one battery unit, one passport, or every passport of the workspace. */
export const GRANT_SCOPES = ['UNIT', 'PASSPORT', 'TENANT'] as const
export type GrantScope = (typeof GRANT_SCOPES)[number]

/** Longest life of a grant, in days. */
const GRANT_MOST_DAYS = 366
/** Provisional life of a request, until somebody decides. */
const REQUEST_DAYS = 90
const DAY_MS = 86_400_000

/** Who asks, or is given access. */
export interface Grantee {
  readonly granteeName: string
  readonly granteeEmail: string | null
  readonly organization: string | null
  readonly purpose: string | null
}

/** A grant as a workspace issues it. */
export interface NewGrant extends Grantee {
  readonly scopeType: GrantScope
  /** Ids as they were given; whether they name anything is for the database to say. */
  readonly passportId: string | undefined
  readonly batteryUnitId: string | undefined
  readonly expiresAt: Date
}

/** An error of a grant operation itself: it is written without `success`. */
export const grantProblem = (status: 400 | 403 | 404 | 409, message: string): Problem =>
  new Problem(status, message, { title: TITLES[status], isPublic: true })

const TITLES = { 400: 'Bad Request', 403: 'Forbidden', 404: 'Not Found', 409: 'Conflict' } as const

/** @throws Problem 400 */
export function parseNewGrant(body: unknown, now: Date): NewGrant {
  const input = isRecord(body) ? body : {}
  const granteeName = textOrNull(input.granteeName, 160)
  if (granteeName === null) throw grantProblem(400, 'granteeName is required')
  const granteeEmail = textOrNull(input.granteeEmail, Number.POSITIVE_INFINITY)
  if (granteeEmail !== null && !isEmail(granteeEmail)) throw grantProblem(400, 'granteeEmail is invalid')
  const scopeType = GRANT_SCOPES.find((scope) => scope === input.scopeType)
  if (scopeType === undefined) throw grantProblem(400, 'scopeType must be UNIT, PASSPORT or TENANT')
  return {
    granteeName,
    granteeEmail,
    organization: textOrNull(input.organization, 200),
    purpose: textOrNull(input.purpose, 2000),
    scopeType,
    passportId: idOf(input.passportId),
    batteryUnitId: idOf(input.batteryUnitId),
    expiresAt: parseExpiry(input.expiresAt, now),
  }
}

/**
 * The end of a grant: an ISO 8601 timestamp in the future, at most 366 days ahead.
 * @throws Problem 400
 */
export function parseExpiry(value: unknown, now: Date): Date {
  if (value === undefined || value === null || value === '') throw grantProblem(400, 'expiresAt is required')
  const isTimestamp =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(value)
  const expiresAt = new Date(isTimestamp ? value : Number.NaN)
  if (Number.isNaN(expiresAt.getTime())) throw grantProblem(400, 'expiresAt must be an ISO 8601 date or timestamp')
  if (expiresAt <= now) throw grantProblem(400, 'expiresAt must be in the future')
  if (expiresAt.getTime() > now.getTime() + GRANT_MOST_DAYS * DAY_MS) {
    throw grantProblem(400, `expiresAt must be at most ${GRANT_MOST_DAYS} days ahead`)
  }
  return expiresAt
}

/** A request for access as the form sends it. */
export interface AccessRequest {
  readonly values: Grantee
  /** Names of the texts that say what is wrong; empty when nothing is. */
  readonly errors: readonly ('nameMissing' | 'emailInvalid')[]
}

/** A request needs a name, and an address that the answer can be sent to. */
export function parseAccessRequest(fields: Readonly<Record<string, unknown>>): AccessRequest {
  const granteeName = textOrNull(fields.granteeName, 160)
  const granteeEmail = textOrNull(fields.granteeEmail, Number.POSITIVE_INFINITY)
  return {
    values: {
      granteeName: granteeName ?? '',
      granteeEmail,
      organization: textOrNull(fields.organization, 200),
      purpose: textOrNull(fields.purpose, 2000),
    },
    errors: [
      ...(granteeName === null ? (['nameMissing'] as const) : []),
      ...(granteeEmail === null || !isEmail(granteeEmail) ? (['emailInvalid'] as const) : []),
    ],
  }
}

/** The provisional end of a request that is made now. */
export const requestExpiry = (now: Date): Date => new Date(now.getTime() + REQUEST_DAYS * DAY_MS)

const idOf = (value: unknown) => (typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined)
const textOrNull = (value: unknown, most: number) => usableText(value, most) ?? null
