import { isRecord, type JsonRecord } from '../domain/record.ts'
import { digestFindings } from './digests.ts'
import { failed, passed } from './outcome.ts'
import type { Check, Finding } from './verification.ts'

const V2 = 'https://www.w3.org/ns/credentials/v2'
// XML Schema 1.1 dateTimeStamp, section 3.4.28, limited to years that ECMAScript can compare.
const DATE_TIME_STAMP =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?|24:00:00(\.0{1,9})?)(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))$/

/** Members that require `type`, and `id` if true (data model 2.0, sections 4.9 to 5.6). */
const TYPED: Readonly<Record<string, boolean>> = {
  credentialStatus: false,
  credentialSchema: true,
  refreshService: false,
  termsOfUse: false,
  evidence: false,
  renderMethod: false,
  confidenceMethod: false,
}

/** Validates by W3C Verifiable Credentials Data Model 2.0, without expansion. */
function credentialFindings(credential: unknown): Finding[] {
  if (!isRecord(credential)) return [{ path: '', message: 'is not a JSON object' }]
  return [
    ...contextFindings(credential['@context']),
    ...typeFindings(credential.type, 'VerifiableCredential'),
    ...optional(credential.id, 'id', isUrl, 'must be one URL'),
    ...issuerFindings(credential.issuer),
    ...validityFindings(credential),
    ...subjectFindings(credential.credentialSubject),
    ...Object.entries(TYPED).flatMap(([member, needsId]) => typedFindings(credential, member, needsId)),
    ...['name', 'description'].flatMap((member) => textFindings(credential[member], member)),
    ...relatedResourceFindings(credential.relatedResource),
  ]
}

/** Returns findings without JSON-LD expansion. */
export const contentFindings = (credential: unknown): Finding[] => [
  ...credentialFindings(credential),
  ...(isRecord(credential) ? listOf(credential.relatedResource).flatMap(digestFindings) : []),
]

const MAX_FINDINGS = 10

export function textOf(findings: readonly Finding[]): string {
  const more = findings.length - MAX_FINDINGS
  return [
    ...findings.slice(0, MAX_FINDINGS).map(({ path, message }) => `${path} ${message}`.trim()),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('; ')
}

/** Tolerated clock difference. */
const CLOCK_SKEW_MS = 300_000

/**
 * Checks credential `validFrom`, `validUntil` (section 4.9), token `nbf`, `exp` (RFC 7519, section 4.1), proof `expires` (Data Integrity
 * 1.0, section 2.1).
 */
export function validityCheck(claims: JsonRecord, now: Date): Check {
  const [from] = times(claims, ['validFrom', 'nbf']).sort((a, b) => b.at - a.at)
  const [until] = times(claims, ['validUntil', 'exp', 'expires']).sort((a, b) => a.at - b.at)
  if (until !== undefined && until.at < now.getTime() - CLOCK_SKEW_MS) {
    return failed('validity', `The credential has expired: ${until.name} is ${until.shown}.`, 'expired')
  }
  if (from !== undefined && from.at > now.getTime() + CLOCK_SKEW_MS) {
    return failed('validity', `The credential is not valid yet: ${from.name} is ${from.shown}.`, 'notYetValid')
  }
  return passed(
    'validity',
    until === undefined ? 'The credential does not expire.' : `The credential is valid until ${until.shown}.`,
  )
}

interface Time {
  readonly name: string
  readonly at: number
  readonly shown: string
}

const times = (claims: JsonRecord, names: readonly string[]): Time[] =>
  names.flatMap((name) => {
    const at = instantOf(claims[name])
    return Number.isNaN(new Date(at).getTime()) ? [] : [{ name, at, shown: new Date(at).toISOString() }]
  })

function instantOf(value: unknown): number {
  if (typeof value === 'number') return value * 1000
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

export const issuerOf = ({ issuer }: JsonRecord): string | undefined => {
  const id = isRecord(issuer) ? issuer.id : issuer
  return typeof id === 'string' ? id : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

export function contextFindings(context: unknown): Finding[] {
  const [first, ...rest] = listOf(context)
  if (!Array.isArray(context) && context !== V2)
    return [{ path: '@context', message: `must be a list that begins with ${V2}` }]
  if (first !== V2) return [{ path: '@context', message: `must begin with ${V2}` }]
  return rest.flatMap((entry, index) =>
    isUrl(entry) || isRecord(entry) ? [] : [{ path: `@context[${index + 1}]`, message: 'must be a URL or an object' }],
  )
}

export function typeFindings(type: unknown, needed: string): Finding[] {
  const types = listOf(type)
  if (types.some((name) => typeof name !== 'string' || name === ''))
    return [{ path: 'type', message: 'must be strings' }]
  return types.includes(needed) ? [] : [{ path: 'type', message: `must include ${needed}` }]
}

function issuerFindings(issuer: unknown): Finding[] {
  const id = isRecord(issuer) ? issuer.id : issuer
  if (!isUrl(id)) return [{ path: 'issuer', message: 'must be a URL, or an object with a URL as its id' }]
  return isRecord(issuer)
    ? ['name', 'description'].flatMap((member) => textFindings(issuer[member], `issuer.${member}`))
    : []
}

function validityFindings({ validFrom, validUntil }: JsonRecord): Finding[] {
  const findings = Object.entries({ validFrom, validUntil }).flatMap(([member, value]) =>
    optional(value, member, isTime, 'must be a date and time with a time zone'),
  )
  if (findings.length > 0 || validFrom === undefined || validUntil === undefined) return findings
  return Date.parse(String(validFrom)) > Date.parse(String(validUntil))
    ? [{ path: 'validUntil', message: 'must not be before validFrom' }]
    : []
}

function subjectFindings(subject: unknown): Finding[] {
  const subjects = listOf(subject)
  if (subjects.length === 0) return [{ path: 'credentialSubject', message: 'is missing' }]
  return subjects.flatMap((entry, index) => {
    const path = Array.isArray(subject) ? `credentialSubject[${index}]` : 'credentialSubject'
    if (!isRecord(entry) || Object.keys(entry).length === 0) return [{ path, message: 'must be a non-empty object' }]
    return optional(entry.id, `${path}.id`, isUrl, 'must be a URL')
  })
}

function typedFindings(credential: JsonRecord, member: string, needsId: boolean): Finding[] {
  return listOf(credential[member]).flatMap((entry, index) => {
    const path = Array.isArray(credential[member]) ? `${member}[${index}]` : member
    if (!isRecord(entry)) return [{ path, message: 'must be an object' }]
    const types = listOf(entry.type)
    const isTyped = types.length > 0 && types.every((type) => typeof type === 'string' && type !== '')
    return [
      ...(isTyped ? [] : [{ path: `${path}.type`, message: 'is missing' }]),
      ...(needsId && entry.id === undefined ? [{ path: `${path}.id`, message: 'is missing' }] : []),
      ...optional(entry.id, `${path}.id`, isUrl, 'must be a URL'),
    ]
  })
}

// Section 11.1.
function textFindings(value: unknown, path: string): Finding[] {
  const isText = (entry: unknown) =>
    typeof entry === 'string' ||
    (isRecord(entry) &&
      typeof entry['@value'] === 'string' &&
      Object.entries(entry).every(
        ([key, text]) => ['@value', '@language', '@direction'].includes(key) && typeof text === 'string',
      ))
  return listOf(value).every(isText)
    ? []
    : [{ path, message: 'must be a string, or objects with @value and @language' }]
}

// Section 5.3: each resource once, with at least one digest.
function relatedResourceFindings(resources: unknown): Finding[] {
  const seen = new Set<unknown>()
  if (resources !== undefined && !Array.isArray(resources) && !isRecord(resources)) {
    return [{ path: 'relatedResource', message: 'must be objects' }]
  }
  return listOf(resources).flatMap((entry, index) => {
    const path = `relatedResource[${index}]`
    if (!isRecord(entry) || !isUrl(entry.id)) return [{ path: `${path}.id`, message: 'must be a URL' }]
    const isAgain = seen.has(entry.id)
    seen.add(entry.id)
    const digests = [entry.digestSRI, entry.digestMultibase].filter((digest) => digest !== undefined)
    return [
      ...(isAgain ? [{ path: `${path}.id`, message: 'lists a resource twice' }] : []),
      ...(digests.length > 0 && digests.every((digest) => typeof digest === 'string' && digest !== '')
        ? []
        : [{ path, message: 'needs digestSRI or digestMultibase' }]),
    ]
  })
}

/** Requires a time zone. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && DATE_TIME_STAMP.test(value) && !Number.isNaN(Date.parse(value))

const optional = (value: unknown, path: string, isFine: (value: unknown) => boolean, message: string): Finding[] =>
  value === undefined || isFine(value) ? [] : [{ path, message }]

export const isUrl = (value: unknown) => typeof value === 'string' && URL.canParse(value) && !/\s/.test(value)
