/** A finding in a credential: where, and what is wrong. */
export interface Finding {
  readonly path: string
  readonly message: string
}

type Json = Readonly<Record<string, unknown>>

const V2 = 'https://www.w3.org/ns/credentials/v2'
// XML Schema 1.1 dateTimeStamp, section 3.4.28: a time zone is required.
const DATE_TIME_STAMP =
  /^-?([1-9]\d{3,}|0\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?|24:00:00(\.0+)?)(Z|[+-]((0\d|1[0-3]):[0-5]\d|14:00))$/

/** Members whose objects must have a `type`, and an `id` where true (data model 2.0, sections 4.9 to 5.6). */
const TYPED: Readonly<Record<string, boolean>> = {
  credentialStatus: false,
  credentialSchema: true,
  refreshService: false,
  termsOfUse: false,
  evidence: false,
  renderMethod: false,
  confidenceMethod: false,
}

/**
 * Whether a document is a well-formed credential of the W3C Verifiable Credentials Data Model 2.0, as far as its JSON
 * tells; what its terms mean is asked by expanding it.
 */
export function credentialFindings(credential: unknown): Finding[] {
  if (!isObject(credential)) return [{ path: '', message: 'is not a JSON object' }]
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

/** The same for a presentation. */
export function presentationFindings(presentation: unknown): Finding[] {
  if (!isObject(presentation)) return [{ path: '', message: 'is not a JSON object' }]
  const holder = isObject(presentation.holder) ? presentation.holder.id : presentation.holder
  return [
    ...contextFindings(presentation['@context']),
    ...typeFindings(presentation.type, 'VerifiablePresentation'),
    ...optional(presentation.id, 'id', isUrl, 'must be one URL'),
    ...optional(holder, 'holder', isUrl, 'must be a URL'),
    ...listOf(presentation.verifiableCredential).flatMap((entry, index) =>
      isObject(entry) ? [] : [{ path: `verifiableCredential[${index}]`, message: 'must be an object' }],
    ),
  ]
}

/** Clocks of issuer and verifier may differ by this much. */
export const CLOCK_SKEW_MS = 300_000

/** Whether it holds at this time (section 4.9). */
export function validityAt({ validFrom, validUntil }: Json, now: Date): Finding[] {
  const from = typeof validFrom === 'string' ? Date.parse(validFrom) : Number.NaN
  const until = typeof validUntil === 'string' ? Date.parse(validUntil) : Number.NaN
  return [
    ...(from > now.getTime() + CLOCK_SKEW_MS
      ? [{ path: 'validFrom', message: `is in the future (${validFrom})` }]
      : []),
    ...(until < now.getTime() - CLOCK_SKEW_MS ? [{ path: 'validUntil', message: `has passed (${validUntil})` }] : []),
  ]
}

/** The identifier of the issuer, or undefined. */
export const issuerOf = ({ issuer }: Json): string | undefined => {
  const id = isObject(issuer) ? issuer.id : issuer
  return typeof id === 'string' ? id : undefined
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One value or several, as a list. */
export const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

function contextFindings(context: unknown): Finding[] {
  const [first, ...rest] = listOf(context)
  if (!Array.isArray(context) && context !== V2)
    return [{ path: '@context', message: `must be a list that begins with ${V2}` }]
  if (first !== V2) return [{ path: '@context', message: `must begin with ${V2}` }]
  return rest.flatMap((entry, index) =>
    isUrl(entry) || isObject(entry) ? [] : [{ path: `@context[${index + 1}]`, message: 'must be a URL or an object' }],
  )
}

function typeFindings(type: unknown, needed: string): Finding[] {
  const types = listOf(type)
  if (types.some((name) => typeof name !== 'string' || name === '')) return [{ path: 'type', message: 'must be names' }]
  return types.includes(needed) ? [] : [{ path: 'type', message: `must include ${needed}` }]
}

function issuerFindings(issuer: unknown): Finding[] {
  const id = isObject(issuer) ? issuer.id : issuer
  if (!isUrl(id)) return [{ path: 'issuer', message: 'must be a URL, or an object with a URL as its id' }]
  return isObject(issuer)
    ? ['name', 'description'].flatMap((member) => textFindings(issuer[member], `issuer.${member}`))
    : []
}

function validityFindings({ validFrom, validUntil }: Json): Finding[] {
  const isTime = (value: unknown) => typeof value === 'string' && DATE_TIME_STAMP.test(value)
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
    if (!isObject(entry) || Object.keys(entry).length === 0)
      return [{ path, message: 'must be an object that says something' }]
    return optional(entry.id, `${path}.id`, isUrl, 'must be a URL')
  })
}

function typedFindings(credential: Json, member: string, needsId: boolean): Finding[] {
  return listOf(credential[member]).flatMap((entry, index) => {
    const path = Array.isArray(credential[member]) ? `${member}[${index}]` : member
    if (!isObject(entry)) return [{ path, message: 'must be an object' }]
    const types = listOf(entry.type)
    const isTyped = types.length > 0 && types.every((type) => typeof type === 'string' && type !== '')
    return [
      ...(isTyped ? [] : [{ path: `${path}.type`, message: 'is missing' }]),
      ...(needsId && entry.id === undefined ? [{ path: `${path}.id`, message: 'is missing' }] : []),
      ...optional(entry.id, `${path}.id`, isUrl, 'must be a URL'),
    ]
  })
}

// Section 11.1: a text, or language value objects of JSON-LD.
function textFindings(value: unknown, path: string): Finding[] {
  const isText = (entry: unknown) =>
    typeof entry === 'string' ||
    (isObject(entry) &&
      typeof entry['@value'] === 'string' &&
      Object.entries(entry).every(
        ([key, text]) => ['@value', '@language', '@direction'].includes(key) && typeof text === 'string',
      ))
  return listOf(value).every(isText) ? [] : [{ path, message: 'must be a text, or objects with @value and @language' }]
}

// Section 5.3: each resource once, with at least one digest.
function relatedResourceFindings(resources: unknown): Finding[] {
  const seen = new Set<unknown>()
  if (resources !== undefined && !Array.isArray(resources) && !isObject(resources)) {
    return [{ path: 'relatedResource', message: 'must be objects' }]
  }
  return listOf(resources).flatMap((entry, index) => {
    const path = `relatedResource[${index}]`
    if (!isObject(entry) || !isUrl(entry.id)) return [{ path: `${path}.id`, message: 'must be a URL' }]
    const isAgain = seen.has(entry.id)
    seen.add(entry.id)
    const digests = [entry.digestSRI, entry.digestMultibase].filter((digest) => digest !== undefined)
    return [
      ...(isAgain ? [{ path: `${path}.id`, message: 'names a resource for the second time' }] : []),
      ...(digests.length > 0 && digests.every((digest) => typeof digest === 'string' && digest !== '')
        ? []
        : [{ path, message: 'needs digestSRI or digestMultibase' }]),
    ]
  })
}

const optional = (value: unknown, path: string, isFine: (value: unknown) => boolean, message: string): Finding[] =>
  value === undefined || isFine(value) ? [] : [{ path, message }]

const isUrl = (value: unknown) => typeof value === 'string' && URL.canParse(value) && !/\s/.test(value)
