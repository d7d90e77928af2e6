import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { shown } from '../finding.ts'
import { URI } from './en18223.ts'

// Verifiable credentials (VC Data Model 2.0, VC-JOSE-COSE, SD-JWT VC) and UNTP digital product passports. The rules are ours.

const V2 = 'https://www.w3.org/ns/credentials/v2'
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
const UNTP = /^https:\/\/(?:vocabulary\.uncefact\.org\/untp|test\.uncefact\.org\/vocabulary\/untp)\//
const COUNTRY = /^[A-Z]{2}$/
const SHARE_TOLERANCE = 0.001

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])
const records = (value: unknown): JsonRecord[] => listOf(value).filter(isRecord)

export const subjectOf = ({ credentialSubject }: JsonRecord): JsonRecord => records(credentialSubject)[0] ?? {}

export const CREDENTIAL_RULES = {
  context: ({ '@context': context }: JsonRecord) =>
    listOf(context)[0] === V2 ? [] : [`the first @context is ${shown(listOf(context)[0])}, expected ${V2}`],
  type: ({ type }: JsonRecord) =>
    listOf(type).includes('VerifiableCredential') ? [] : [`type ${shown(type)} has no VerifiableCredential`],
  id: ({ id }: JsonRecord) => (id === undefined || URI.test(String(id)) ? [] : [`id ${shown(id)} is not a URI`]),
  issuer: ({ issuer }: JsonRecord) => {
    const id = isRecord(issuer) ? issuer.id : issuer
    return typeof id === 'string' && URI.test(id) ? [] : [`issuer ${shown(issuer)} has no URI`]
  },
  validity: ({ validFrom, validUntil }: JsonRecord) => [
    ...(validFrom === undefined || TIME.test(String(validFrom)) ? [] : [`validFrom is ${shown(validFrom)}`]),
    ...(validUntil === undefined || TIME.test(String(validUntil)) ? [] : [`validUntil is ${shown(validUntil)}`]),
    ...(Date.parse(String(validFrom)) > Date.parse(String(validUntil)) ? ['validFrom is after validUntil'] : []),
  ],
  subject: (credential: JsonRecord) => {
    const { id } = subjectOf(credential)
    return typeof id === 'string' && URI.test(id) ? [] : [`credentialSubject.id is ${shown(id)}`]
  },
  schema: ({ credentialSchema }: JsonRecord) =>
    records(credentialSchema).flatMap(({ id, type }) =>
      URI.test(String(id)) && typeof type === 'string'
        ? []
        : [`credentialSchema has the id ${shown(id)}, type ${shown(type)}`],
    ),
  status: ({ credentialStatus, '@context': context }: JsonRecord) =>
    records(credentialStatus).flatMap(({ type, statusPurpose, statusListIndex: index, statusListCredential: list }) => {
      if (type !== 'BitstringStatusListEntry') return []
      // The schema of UNTP 0.7 has a number; the W3C text has a string.
      const isNumber = listOf(context).some((one) => /\/untp\/0\.7/.test(String(one))) && Number.isInteger(index)
      const isText = typeof index === 'string' && /^\d+$/.test(index)
      return [
        ...(typeof statusPurpose === 'string' ? [] : [`statusPurpose is ${shown(statusPurpose)}`]),
        ...(isText || isNumber ? [] : [`statusListIndex ${shown(index)} is not a number as text`]),
        ...(URI.test(String(list)) ? [] : [`statusListCredential is ${shown(list)}`]),
      ]
    }),
  untpContext: ({ '@context': context }: JsonRecord) =>
    listOf(context).some((one) => UNTP.test(String(one))) ? [] : ['no @context of UNTP'],
  untpType: ({ type }: JsonRecord) =>
    listOf(type).includes('DigitalProductPassport') ? [] : [`type ${shown(type)} has no DigitalProductPassport`],
  issuerName: ({ issuer }: JsonRecord) =>
    isRecord(issuer) && typeof issuer.name === 'string' && issuer.name !== '' ? [] : ['issuer.name is missing'],
  product: (credential: JsonRecord) => {
    const { name, product } = subjectOf(credential)
    const found = name ?? (isRecord(product) ? product.name : undefined)
    return typeof found === 'string' && found !== '' ? [] : [`the name of the product is ${shown(found)}`]
  },
  granularity: (credential: JsonRecord) => {
    const { idGranularity, granularityLevel } = subjectOf(credential)
    const level = idGranularity ?? granularityLevel
    return level === undefined || ['model', 'batch', 'item'].includes(String(level))
      ? []
      : [`idGranularity is ${shown(level)}`]
  },
  countries: (credential: JsonRecord) =>
    codesIn(subjectOf(credential)).flatMap((code) =>
      COUNTRY.test(String(code)) ? [] : [`countryCode is ${shown(code)}`],
    ),
  shares: (credential: JsonRecord) => {
    const shares = records(subjectOf(credential).materialProvenance).flatMap(({ massFraction }) =>
      massFraction === undefined ? [] : [Number(massFraction)],
    )
    const wrong = shares.filter((share) => !(share >= 0 && share <= 1)).map((share) => `massFraction is ${share}`)
    const sum = shares.reduce((total, share) => total + share, 0)
    return sum > 1 + SHARE_TOLERANCE ? [...wrong, `mass fractions add up to ${sum}`] : wrong
  },
} as const

const MAX_DEPTH = 32

function codesIn(value: unknown, depth = 0): unknown[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'countryCode' ? [member] : codesIn(member, depth + 1),
  )
}

export interface DecodedToken {
  readonly header: JsonRecord
  readonly payload: JsonRecord
  readonly signature: string
}

/** Undefined if the text is not a JWS in compact form. */
export function decodeToken(text: string): DecodedToken | undefined {
  const parts = text.trim().split('.')
  const [header, payload] = parts.slice(0, 2).map(decoded)
  const isWhole = parts.length === 3 && isRecord(header) && isRecord(payload)
  return isWhole ? { header, payload, signature: parts[2] ?? '' } : undefined
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Disclosures of an SD-JWT: the text, and the decoded list. */
export const disclosuresOf = (text: string) =>
  text
    .trim()
    .split('~')
    .slice(1, -1)
    .map((disclosure) => ({ disclosure, content: decoded(disclosure) }))

/** Digests in `_sd` at every depth, also of disclosed values. */
export function digestsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === '_sd' && Array.isArray(member)) return member.filter((digest) => typeof digest === 'string')
    if (key === '...' && typeof member === 'string') return [member]
    return digestsIn(member, depth + 1)
  })
}
