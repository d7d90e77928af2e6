import { createPublicKey, type X509Certificate } from 'node:crypto'
import canonicalize from 'canonicalize'
import { verifyTree } from '../domain/merkle.ts'
import type { Metadata } from '../domain/metadata.ts'
import { isOwnMember } from '../domain/passport-document.ts'
import { verifySealSignature } from '../domain/seal.ts'
import { REDACTED } from '../domain/view.ts'
import { certificatesOf, checkSealCertificate, describe, leafOf, type SealCertificate } from './certificate.ts'
import { conclude, failed, open, passed } from './outcome.ts'
import { checkTimestampToken, readTimestampToken } from './timestamp.ts'
import type { Check, Verification } from './verification.ts'

/** Whom a verifier trusts, and what it asks for. */
export interface SealTrust {
  /** PEM of the seal CA, `/.well-known/opendpp-seal-ca.pem`. Absent: nobody says whose the key is. */
  readonly sealCa?: string
  /** PEM of the timestamp authority's trust anchors, which the seal CA never is. Absent: the time is not checked. */
  readonly timestampCa?: string
  /** Refuse masked values, so that every leaf is recomputed from its value. */
  readonly complete?: boolean
}

/** Everything that was found out about a sealed document. */
export interface SealFindings {
  readonly checks: readonly Check[]
  /** What the certificate says; present where there is a readable one, trusted or not. */
  readonly certificate?: SealCertificate
  /** ISO 8601 in UTC; the time of the token, trusted or not. */
  readonly genTime?: string
}

/** A seal gets its timestamp as it is made; this much may lie between two clocks. */
export const CLOCKS_DIFFER_MS = 5 * 60_000

/** Without these no seal is valid; the certificate says whose it is. */
const OF_A_SEAL: readonly Check['name'][] = ['form', 'content', 'signature', 'certificate']

type Entries = Readonly<Record<string, unknown>>

/**
 * Verifies a passport document (JSON-LD) with a seal, redacted or not, from the document and the given anchors alone: by
 * the README's seal rule, the certificate in `x5c`, and the timestamp in `rfc3161`. It never throws and never reaches
 * out. Without the seal CA, the certificate cannot be told, and a seal that holds may be anybody's.
 */
export async function verifySealedPassport(document: unknown, trust: SealTrust = {}): Promise<Verification> {
  const { checks } = await examineSeal(document, trust)
  return conclude('sealed passport', checks, OF_A_SEAL)
}

/** The same with what certificate and timestamp say. */
export async function examineSeal(document: unknown, trust: SealTrust): Promise<SealFindings> {
  let sealed: Sealed
  try {
    sealed = readForm(document)
  } catch (error) {
    return { checks: [failed('form', (error as Error).message)] }
  }
  const checks: Check[] = [passed('form', 'A passport with a MerkleTreeAttestationProof.')]
  checks.push(attempt('content', () => checkContent(sealed, trust.complete === true)))
  checks.push(attempt('signature', () => checkSignature(sealed)))
  const timestamp = await checkTimestamp(sealed, trust)
  const certificate = checkCertificate(sealed, trust, timestamp.trusted ?? sealed.created)
  checks.push(certificate.check, timestamp.check)
  return { checks, certificate: certificate.shown, genTime: timestamp.shown?.toISOString() }
}

interface Sealed {
  readonly members: Entries
  readonly metadata: Metadata
  readonly salts: Readonly<Record<string, string>>
  readonly redactedLeaves: Readonly<Record<string, string>>
  readonly root: string
  readonly signature: string
  readonly publicKeyPem: string
  readonly created: Date
  readonly x5c: unknown
  readonly rfc3161: unknown
}

/** The members that a seal needs, each in its one spelling. Throws naming the place. */
function readForm(document: unknown): Sealed {
  const members = entries(document, 'The document')
  const metadata = entries(members.metadata, 'metadata') as Metadata
  if (members.proof === null || members.proof === undefined)
    throw new Error('The document has no proof: it is not sealed.')
  const proof = entries(members.proof, 'proof')
  expectEqual(proof.type, 'MerkleTreeAttestationProof', 'proof.type')
  expectEqual(canonicalize(proof['@type']), '["MerkleTreeAttestationProof"]', 'proof.@type')
  expectEqual(proof.signatureAlgorithm, 'ECDSA-P256-SHA256-over-MerkleRoot', 'proof.signatureAlgorithm')
  expectEqual(proof.proofPurpose, 'assertionMethod', 'proof.proofPurpose')
  const root = text(proof.merkleRoot, 'proof.merkleRoot', /^[0-9a-f]{64}$/)
  const signature = text(proof.signatureValue, 'proof.signatureValue', /^[A-Za-z0-9+/]+={0,2}$/)
  const publicKeyPem = text(proof.publicKeyPem, 'proof.publicKeyPem', /^/)
  if (canonicalPem(publicKeyPem) !== publicKeyPem) throw new Error('proof.publicKeyPem is not one public key in PEM.')
  const created = text(proof.created, 'proof.created', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  if (Number.isNaN(Date.parse(created))) throw new Error('proof.created is no time.')
  const salts = entries(proof.salts, 'proof.salts') as Record<string, string>
  const redactedLeaves = entries(proof.redactedLeaves ?? {}, 'proof.redactedLeaves') as Record<string, string>
  for (const [key, salt] of Object.entries(salts)) {
    const bytes = Buffer.from(text(salt, `proof.salts.${key}`, /^/), 'base64url')
    // Node skips characters outside the alphabet and drops superfluous bits; one salt must have one spelling.
    if (bytes.length !== 16 || bytes.toString('base64url') !== salt) throw new Error(`proof.salts.${key} is no salt.`)
    if (!Object.hasOwn(metadata, key)) throw new Error(`proof.salts.${key} is of a value that is not there.`)
  }
  for (const [key, leaf] of Object.entries(redactedLeaves)) {
    text(leaf, `proof.redactedLeaves.${key}`, /^[0-9a-f]{64}$/)
    if (!Object.hasOwn(metadata, key) || metadata[key] !== REDACTED || Object.hasOwn(salts, key)) {
      throw new Error(`proof.redactedLeaves.${key} is of a value that is not masked.`)
    }
  }
  for (const [member, value] of [
    ['digitalSeal', signature],
    ['signingPublicKey', publicKeyPem],
  ] as const) {
    if (Object.hasOwn(members, member)) expectEqual(members[member], value, member)
  }
  const { x5c, rfc3161 } = proof
  return {
    members,
    metadata,
    salts,
    redactedLeaves,
    root,
    signature,
    publicKeyPem,
    created: new Date(created),
    x5c,
    rfc3161,
  }
}

function checkContent({ members, metadata, salts, redactedLeaves, root }: Sealed, complete: boolean): string {
  const masked = Object.keys(redactedLeaves)
  const unsealed = Object.keys(metadata).filter(
    (key) => !Object.hasOwn(salts, key) && !Object.hasOwn(redactedLeaves, key),
  )
  if (complete && masked.length + unsealed.length > 0) {
    throw new Error(`metadata.${[...masked, ...unsealed][0]} is masked; here every value must be shown.`)
  }
  if (verifyTree(metadata, salts, redactedLeaves) !== root) throw new Error('The values do not give proof.merkleRoot.')
  for (const [name, value] of Object.entries(members)) {
    if (isOwnMember(name)) continue
    if (!Object.hasOwn(metadata, name)) throw new Error(`${name} is not part of the sealed content.`)
    if (canonicalize(value) !== canonicalize(metadata[name])) throw new Error(`${name} differs from metadata.${name}.`)
  }
  const visible = Object.keys(salts).length
  return `${count(visible, 'value')} recomputed${masked.length === 0 ? '' : `, ${count(masked.length, 'masked value')} taken by hash`}; the root is that of the proof.`
}

function checkSignature({ root, signature, publicKeyPem }: Sealed): string {
  if (!verifySealSignature(root, signature, publicKeyPem)) {
    throw new Error('The signature is not one of proof.merkleRoot by proof.publicKeyPem.')
  }
  return 'The key of the proof has signed the root.'
}

function checkCertificate(
  { x5c, publicKeyPem }: Sealed,
  { sealCa }: SealTrust,
  at: Date,
): { check: Check; shown?: SealCertificate } {
  if (x5c === undefined)
    return { check: open('certificate', 'The proof has no certificate: whose the key is stays open.') }
  let shown: SealCertificate | undefined
  try {
    shown = describe(leafOf(x5c))
    if (sealCa === undefined) {
      const detail = `No seal CA was given, so nobody vouches that the key is of ${shown.subject}.`
      return { check: open('certificate', detail), shown }
    }
    checkSealCertificate(x5c, publicKeyPem, certificatesOf(sealCa), at)
    return { check: passed('certificate', `The key is of ${shown.subject}, says ${shown.issuer}.`), shown }
  } catch (error) {
    return { check: failed('certificate', (error as Error).message), ...(shown === undefined ? {} : { shown }) }
  }
}

async function checkTimestamp(
  { created, rfc3161, root }: Sealed,
  { sealCa, timestampCa }: SealTrust,
): Promise<{ check: Check; shown?: Date; trusted?: Date }> {
  if (rfc3161 === undefined)
    return { check: open('timestamp', 'The proof has no timestamp: its date is the signer’s.') }
  let shown: Date | undefined
  try {
    const { genTime, token: encoded } = entries(rfc3161, 'proof.rfc3161')
    const token = Buffer.from(text(encoded, 'proof.rfc3161.token', /^[A-Za-z0-9+/]+={0,2}$/), 'base64')
    if (token.toString('base64') !== encoded) throw new Error('proof.rfc3161.token is not Base64.')
    shown = readTimestampToken(token).info.genTime
    if (genTime !== null) expectEqual(genTime, shown.toISOString(), 'proof.rfc3161.genTime')
    if (timestampCa === undefined) {
      const detail = `No trust anchor of a timestamp authority was given for ${shown.toISOString()}.`
      return { check: open('timestamp', detail), shown }
    }
    assertSeparate(certificatesOf(timestampCa), sealCa)
    const trusted = await checkTimestampToken(token, root, certificatesOf(timestampCa))
    if (Math.abs(created.getTime() - trusted.getTime()) > CLOCKS_DIFFER_MS) {
      throw new Error(`proof.created is not the time of the timestamp, ${trusted.toISOString()}.`)
    }
    return { check: passed('timestamp', `The seal existed at ${trusted.toISOString()}.`), shown, trusted }
  } catch (error) {
    return { check: failed('timestamp', (error as Error).message), ...(shown === undefined ? {} : { shown }) }
  }
}

// Who certifies seal keys could otherwise date seals as it likes.
function assertSeparate(anchors: readonly X509Certificate[], sealCa: string | undefined): void {
  const others = sealCa === undefined ? [] : certificatesOf(sealCa)
  if (anchors.some((anchor) => others.some(({ publicKey }) => anchor.publicKey.equals(publicKey)))) {
    throw new Error('The seal CA is no timestamp authority.')
  }
}

function canonicalPem(pem: string): string | undefined {
  try {
    return createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString().trim()
  } catch {
    return undefined
  }
}

function entries(value: unknown, place: string): Entries {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${place} is not an object.`)
  return value as Entries
}

function text(value: unknown, place: string, form: RegExp): string {
  if (typeof value !== 'string' || !form.test(value)) throw new Error(`${place} is missing or malformed.`)
  return value
}

function expectEqual(value: unknown, expected: string, place: string): void {
  if (value !== expected) throw new Error(`${place} is not ${JSON.stringify(expected)}.`)
}

function attempt(name: Check['name'], check: () => string): Check {
  try {
    return passed(name, check())
  } catch (error) {
    return failed(name, (error as Error).message)
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
