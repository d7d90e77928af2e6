import canonicalize from 'canonicalize'
import { encodeSegment, uniqueProductIdentifier } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { isOwnMember, OWN_MEMBERS } from '../domain/passport-document.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { p256Spki } from '../domain/seal.ts'
import { REDACTED, type SealSubject } from '../domain/view.ts'

/** Sealed document with valid form, not yet verified. */
export interface SealedDocument {
  readonly members: JsonRecord
  readonly metadata: Metadata
  readonly subject: SealSubject
  readonly salts: Readonly<Record<string, string>>
  readonly redactedLeaves: Readonly<Record<string, string>>
  readonly root: string
  readonly signature: string
  readonly publicKeyPem: string
  readonly created: string
  /** One or two certificates (DER). */
  readonly x5c: readonly Buffer[] | undefined
  readonly timestamp: { readonly genTime: string | null; readonly token: Buffer } | undefined
}

const MAX_CERTIFICATES = 2
const MAX_CERTIFICATE_BYTES = 8 * 1024
const MAX_TOKEN_BYTES = 16 * 1024

const PROOF = [
  ...['type', '@type', 'signatureAlgorithm', 'created', 'proofPurpose', 'verificationMethod', 'signatureValue'],
  ...['publicKeyPem', 'x5c', 'rfc3161', 'merkleRoot', 'redactedLeaves', 'salts', 'subject'],
]
const OPERATOR = ['@type', 'id', 'name', 'regId', 'role', 'contact']
const CONTACT = ['address', 'email', 'phone', 'website']
const ADDED_LISTS = new Map([
  ['media', ['id', 'kind', 'mediaType', 'title', 'url', 'sizes', 'documentType', 'language', 'sha256']],
  ['links', ['rel', 'target', 'identifier', 'since']],
])
const ADDED_OBJECTS = new Map([
  ['recall', ['reason', 'at', 'contact', 'url']],
  ['registration', ['registry', 'identifier', 'registeredAt', 'version', 'hash', 'proof']],
])
const ADDED_TEXTS = new Set(['granularity', 'availableUntil'])
const FACILITY = ['@type', 'id', 'gln', 'name', 'activity', 'country', 'streetAddress', 'city', 'postalCode']
const SUBJECT = ['id', 'productId', 'operator', 'created', 'maskable']
const STATUSES: readonly unknown[] = ['DRAFT', 'ACTIVE', 'RECALLED', 'DECOMMISSIONED', undefined]
const TIMES = ['archivedAt', 'retentionUntil', 'createdAt', 'updatedAt']

/**
 * Validates the form; rejects unknown members, so that nothing unsealed passes for sealed. Sizes are checked before decoding.
 * @throws Error that identifies the place
 */
export function readSealedDocument(document: unknown): SealedDocument {
  const members = entries(document, 'The document')
  expectEqual(members['@type'], 'DigitalProductPassport', '@type')
  const metadata = entries(members.metadata, 'metadata') as Metadata
  if (Object.keys(metadata).length === 0) throw new Error('metadata is empty: nothing was sealed.')
  if (members.proof === null || members.proof === undefined)
    throw new Error('The document has no proof: it is not sealed.')
  const proof = entries(members.proof, 'proof', PROOF)
  readUnsealed(members)
  assertNoKeywords(metadata, 'metadata')
  expectEqual(proof.type, 'MerkleTreeAttestationProof', 'proof.type')
  expectEqual(canonicalize(proof['@type']), '["MerkleTreeAttestationProof"]', 'proof.@type')
  expectEqual(proof.signatureAlgorithm, 'ECDSA-P256-SHA256-over-MerkleRoot', 'proof.signatureAlgorithm')
  expectEqual(proof.proofPurpose, 'assertionMethod', 'proof.proofPurpose')
  const publicKeyPem = text(proof.publicKeyPem, 'proof.publicKeyPem')
  if (p256Spki(publicKeyPem) === undefined) throw new Error('proof.publicKeyPem is not one P-256 key in PEM.')
  const subject = readSubject(proof.subject)
  const sealed = {
    members,
    metadata,
    subject,
    salts: entries(proof.salts, 'proof.salts') as Record<string, string>,
    redactedLeaves: entries(
      proof.redactedLeaves === undefined ? {} : proof.redactedLeaves,
      'proof.redactedLeaves',
    ) as Record<string, string>,
    root: text(proof.merkleRoot, 'proof.merkleRoot', /^[0-9a-f]{64}$/),
    signature: bytesOf(proof.signatureValue, 'proof.signatureValue', 72).toString('base64'),
    publicKeyPem,
    created: timeOf(proof.created, 'proof.created'),
    x5c: proof.x5c === undefined ? undefined : readCertificates(proof.x5c),
    timestamp: proof.rfc3161 === undefined ? undefined : readTimestamp(proof.rfc3161),
  }
  for (const [member, value] of [
    ['digitalSeal', sealed.signature],
    ['signingPublicKey', publicKeyPem],
  ] as const) {
    if (Object.hasOwn(members, member)) expectEqual(members[member], value, member)
  }
  assertAddresses(members, text(proof.verificationMethod, 'proof.verificationMethod'), subject)
  return sealed
}

/** @throws Error that identifies the place */
export function readSubject(value: unknown): SealSubject {
  if (value === undefined) {
    throw new Error('proof.subject is missing: the seal does not identify its passport.')
  }
  const { id, productId, operator, created, maskable } = entries(value, 'proof.subject', SUBJECT)
  const { id: operatorId, regId } = entries(operator, 'proof.subject.operator', ['id', 'regId'])
  const keys = Array.isArray(maskable) ? maskable : [undefined]
  if (keys.some((key, index) => typeof key !== 'string' || (index > 0 && !(keys[index - 1] < key)))) {
    throw new Error('proof.subject.maskable is not a sorted list of keys.')
  }
  return {
    id: text(id, 'proof.subject.id'),
    productId: text(productId, 'proof.subject.productId'),
    operator: { id: text(operatorId, 'proof.subject.operator.id'), regId: text(regId, 'proof.subject.operator.regId') },
    created: text(created, 'proof.subject.created'),
    maskable: keys,
  }
}

function readUnsealed(members: JsonRecord): void {
  for (const name of Object.keys(members)) {
    if (name.startsWith('@') && !OWN_MEMBERS.has(name)) throw new Error(`${name} is not allowed in a sealed passport.`)
  }
  if (!STATUSES.includes(members.status)) throw new Error('status is not a valid status.')
  for (const name of TIMES) textOrNull(members[name] ?? null, name)
  const { contact, ...operator } = entries(members.economicOperator, 'economicOperator', OPERATOR)
  for (const [name, value] of Object.entries(operator)) text(value, `economicOperator.${name}`)
  if (Object.hasOwn(operator, '@type')) expectEqual(operator['@type'], 'EconomicOperator', 'economicOperator.@type')
  if (contact !== undefined) {
    const ways = Object.entries(entries(contact, 'economicOperator.contact', CONTACT))
    for (const [name, value] of ways) text(value, `economicOperator.contact.${name}`)
  }
  if ((members.manufacturingFacility ?? null) === null) return
  const facility = entries(members.manufacturingFacility, 'manufacturingFacility', FACILITY)
  for (const [name, value] of Object.entries(facility)) textOrNull(value, `manufacturingFacility.${name}`)
  if (Object.hasOwn(facility, '@type')) expectEqual(facility['@type'], 'Facility', 'manufacturingFacility.@type')
}

/** JSON-LD keywords change the meaning of names. */
function assertNoKeywords(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('@')) throw new Error(`${place} has the key ${name}, which is a JSON-LD keyword.`)
    assertNoKeywords(inner, place)
  }
}

/** Printable ASCII without `#` and `?`. */
const ADDRESS = /^https?:\/\/[!"$->@-~]+$/

/** All addresses must belong to one gateway, passport and product. */
function assertAddresses(members: JsonRecord, verificationMethod: string, { id, productId }: SealSubject): void {
  const end = `/passport/${id}#key-1`
  const base = verificationMethod.slice(0, -end.length)
  if (!verificationMethod.endsWith(end) || !ADDRESS.test(base)) {
    throw new Error('proof.verificationMethod does not belong to the sealed passport.')
  }
  const links = ['01', '8003'].map((identifier) => `${base}/${identifier}/${encodeSegment(productId)}`)
  const identifiers = links.map((link) => uniqueProductIdentifier(productId, link))
  const allowed = { '@id': links, digitalLinkUri: links, uniqueProductIdentifier: identifiers }
  for (const [member, values] of Object.entries(allowed)) {
    if (Object.hasOwn(members, member) && !values.includes(members[member] as string)) {
      throw new Error(`${member} does not belong to the sealed product.`)
    }
  }
  if (Object.hasOwn(members, '@context')) assertContext(members, base)
}

function assertContext({ '@context': context, metadata }: JsonRecord, base: string): void {
  const [address, terms, ...rest] = Array.isArray(context) ? context : []
  const meanings = (term: string): unknown[] => [
    `${base}/ns/dpp#${term}`,
    `${base}/context/v1#${encodeURIComponent(term)}`,
  ]
  // A keyword would change the meaning of other terms.
  const isOurs = ([term, meaning]: [string, unknown]) =>
    !term.startsWith('@') &&
    (meanings(term).includes(meaning) ||
      (isOfTexts(meaning) && meanings(term)[1] === meaning['@id'] && isByLanguage(entries(metadata, 'metadata')[term])))
  const isWhole = address === `${base}/context/v1` && rest.length === 0
  if (!isWhole || !Object.entries(entries(terms, '@context[1]')).every(isOurs)) {
    throw new Error('@context is not the context of the gateway that made the seal.')
  }
}

/** Language map (JSON-LD 1.1, 4.6.3). */
const isOfTexts = (meaning: unknown): meaning is JsonRecord =>
  isRecord(meaning) && Object.keys(meaning).length === 2 && meaning['@container'] === '@language'

const isByLanguage = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).every(
    ([language, text]) => typeof text === 'string' && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language),
  )

/** Decodes one or two certificates (DER); sizes are checked first. Throws an Error. */
export function readCertificates(x5c: unknown): Buffer[] {
  if (!Array.isArray(x5c) || x5c.length === 0 || x5c.length > MAX_CERTIFICATES) {
    throw new Error(`proof.x5c is not a list of 1 to ${MAX_CERTIFICATES} certificates.`)
  }
  return x5c.map((entry, index) => bytesOf(entry, `proof.x5c[${index}]`, MAX_CERTIFICATE_BYTES))
}

function readTimestamp(value: unknown): SealedDocument['timestamp'] {
  const { genTime = null, token } = entries(value, 'proof.rfc3161', ['genTime', 'token'])
  return {
    genTime: textOrNull(genTime, 'proof.rfc3161.genTime'),
    token: bytesOf(token, 'proof.rfc3161.token', MAX_TOKEN_BYTES),
  }
}

/** Node ignores invalid Base64 characters (RFC 4648 §3.3). */
function bytesOf(value: unknown, place: string, maxBytes: number): Buffer {
  const encoded = text(value, place)
  if (encoded.length > Math.ceil(maxBytes / 3) * 4) throw new Error(`${place} has more than ${maxBytes} bytes.`)
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length === 0 || bytes.length > maxBytes || bytes.toString('base64') !== encoded) {
    throw new Error(`${place} is not Base64 of 1 to ${maxBytes} bytes.`)
  }
  return bytes
}

function timeOf(value: unknown, place: string): string {
  const written = text(value, place, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const time = new Date(written)
  if (Number.isNaN(time.getTime()) || time.toISOString() !== written)
    throw new Error(`${place} is not a timestamp as YYYY-MM-DDThh:mm:ss.sssZ.`)
  return written
}

function entries(value: unknown, place: string, known?: readonly string[]): JsonRecord {
  if (!isRecord(value)) throw new Error(`${place} is not an object.`)
  const unknownMember = known && Object.keys(value).find((name) => !known.includes(name))
  if (unknownMember !== undefined) throw new Error(`${place} has the unknown member ${unknownMember}.`)
  return value as JsonRecord
}

function text(value: unknown, place: string, form = /^/): string {
  if (typeof value !== 'string' || !form.test(value)) throw new Error(`${place} is missing or malformed.`)
  return value
}

const textOrNull = (value: unknown, place: string): string | null => (value === null ? null : text(value, place))

function expectEqual(value: unknown, expected: string, place: string): void {
  if (value !== expected) throw new Error(`${place} is not ${JSON.stringify(expected)}.`)
}

export function maskedKeys({ metadata, subject, salts, redactedLeaves }: SealedDocument): string[] {
  const masked = Object.keys(redactedLeaves)
  const wrong = masked.find((key) => !subject.maskable.includes(key) || !isPlaceholder(metadata, key))
  if (wrong !== undefined) throw new Error(`proof.redactedLeaves.${wrong} belongs to a value that must not be masked.`)
  const shown = Object.keys(salts).find((key) => isPlaceholder(metadata, key))
  if (shown !== undefined) throw new Error(`metadata.${shown} is the placeholder of a masked value, but has a salt.`)
  const missing = subject.maskable.find((key) => !Object.hasOwn(metadata, key))
  if (missing !== undefined) throw new Error(`metadata.${missing} was sealed, but is missing.`)
  return masked
}

const isPlaceholder = (metadata: Metadata, key: string) => Object.hasOwn(metadata, key) && metadata[key] === REDACTED

/** Throws if a repeated member differs from its sealed value. */
export function assertRepeated({ members, metadata }: SealedDocument): void {
  for (const [name, value] of Object.entries(members)) {
    if (isOwnMember(name)) continue
    if (!Object.hasOwn(metadata, name)) assertAddition(name, value)
    else if (!isSame(value, metadata[name])) throw new Error(`${name} differs from metadata.${name}.`)
  }
}

/** Throws if neither sealed nor permitted. */
function assertAddition(name: string, value: unknown): void {
  const ofItem = ADDED_LISTS.get(name)
  if (ADDED_TEXTS.has(name)) text(value, name)
  else if (ADDED_OBJECTS.has(name)) entries(value, name, ADDED_OBJECTS.get(name))
  else if (ofItem !== undefined && Array.isArray(value)) for (const item of value) entries(item, name, ofItem)
  else throw new Error(`${name} is not part of the sealed content.`)
  assertNoKeywords(value, name)
}

/** Canonicalization costs more than comparing text. */
const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a) === JSON.stringify(b) || canonicalize(a) === canonicalize(b)

/** Throws if passport, product, company or date differ. */
export function assertSubject({ members, subject, created }: SealedDocument, now: Date): void {
  const operator = entries(members.economicOperator, 'economicOperator')
  const statements: readonly [string, unknown, string][] = [
    ['id', members.id, subject.id],
    ['productId', members.productId, subject.productId],
    ['economicOperator.id', operator.id, subject.operator.id],
    ['economicOperator.regId', operator.regId, subject.operator.regId],
    ['proof.created', created, subject.created],
  ]
  const wrong = statements.find(([, value, sealed]) => value !== sealed)
  if (wrong !== undefined) throw new Error(`${wrong[0]} differs from the sealed value ${JSON.stringify(wrong[2])}.`)
  if (Date.parse(created) > now.getTime() + CLOCKS_DIFFER_MS) {
    throw new Error(`The seal is dated in the future: ${created}.`)
  }
}

/** Tolerated clock difference. */
export const CLOCKS_DIFFER_MS = 5 * 60_000
