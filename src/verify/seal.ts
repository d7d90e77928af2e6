import type { X509Certificate } from 'node:crypto'
import { type JsonLimits, parseGuardedJson } from '../domain/json-guard.ts'
import { verifyTree } from '../domain/merkle.ts'
import { verifySealSignature } from '../domain/seal.ts'
import type { SealSubject } from '../domain/view.ts'
import {
  type CheckedCertificate,
  certificatesOf,
  checkSealCertificate,
  type ReadCertificate,
  readNames,
} from './certificate.ts'
import { conclude, failed, open, passed } from './outcome.ts'
import type { Revocations } from './revocation.ts'
import {
  assertRepeated,
  assertSubject,
  CLOCKS_DIFFER_MS,
  maskedKeys,
  readSealedDocument,
  type SealedDocument,
} from './seal-form.ts'
import { checkTimestampToken, timeOfToken, timestampAuthoritiesOf } from './timestamp.ts'
import type { Check, Verification } from './verification.ts'

/** Whom a verifier trusts. */
export interface SealTrust {
  /** PEM of the seal CAs, `/.well-known/opendpp-seal-ca.pem`: one to eight. Absent: nobody says whose the key is. */
  readonly sealCa?: string
  /** PEM of the timestamp authority's trust anchors, which the seal CA never is. Absent: the time is not checked. */
  readonly timestampCa?: string
  /** What is known of revoked certificates. Absent: nobody has asked. */
  readonly revocations?: Revocations
  /** The verifier's clock; a seal holds at its own time, which must not be ahead of it. */
  readonly now?: Date
}

/** Everything that was found out about a sealed document. */
export interface SealFindings {
  readonly checks: readonly Check[]
  /** What the seal is about, proven or not; present where the document has the form of a sealed one. */
  readonly subject?: SealSubject
  /** Keys whose values are masked, so that only their leaves were taken. */
  readonly masked?: readonly string[]
  /** What the certificate says; present where there is a readable one, trusted or not. */
  readonly certificate?: ReadCertificate
  /** ISO 8601 in UTC; the time of the token, trusted or not. */
  readonly genTime?: string
}

/** Bytes of a document that any verifier of seals takes. */
const MAX_DOCUMENT_BYTES = 3 * 1024 * 1024
/** A document repeats its metadata, and stands in another object where it is sent to be verified. */
export const DOCUMENT_LIMITS: JsonLimits = { depth: 66, keys: 100_000, exact: 'all' }

/** Without these no seal is valid; the certificate says whose it is. */
const OF_A_SEAL: readonly Check['name'][] = ['form', 'subject', 'content', 'signature', 'certificate']

const NOT_SEALED = 'Not sealed: status, archive and its times, names and role of the operator, facility.'

/**
 * Verifies the text of a passport document (JSON-LD) with a seal, redacted or not, from the document and the given
 * anchors alone: by the seal rule (docs/seal-rule.md), the certificate in `x5c`, and the timestamp in `rfc3161`. It never
 * throws and never reaches out. Without the seal CA the verdict is `undecided`: a seal that holds may be anybody's.
 */
export async function verifySealedPassport(text: string, trust: SealTrust = {}): Promise<Verification> {
  const { checks } = await examineText(text, trust)
  return concludeSeal(checks)
}

function examineText(text: string, trust: SealTrust): Promise<SealFindings> | SealFindings {
  try {
    const bytes = Buffer.from(text)
    if (bytes.length > MAX_DOCUMENT_BYTES) throw new Error(`The document has more than ${MAX_DOCUMENT_BYTES} bytes.`)
    return examineSeal(parseGuardedJson(bytes, DOCUMENT_LIMITS), trust)
  } catch (error) {
    return { checks: [failed('form', (error as Error).message)] }
  }
}

/** What the checks come to, for a caller that has made some of its own. Where revocation was asked for it must be known. */
export function concludeSeal(checks: readonly Check[]): Verification {
  const isAsked = checks.some(({ name }) => name === 'revocation')
  return conclude('sealed passport', checks, isAsked ? [...OF_A_SEAL, 'revocation'] : OF_A_SEAL)
}

/**
 * The same for a document that was parsed by `parseGuardedJson` with `DOCUMENT_LIMITS`, with what subject, certificate and
 * timestamp say.
 */
export async function examineSeal(document: unknown, trust: SealTrust): Promise<SealFindings> {
  let sealed: SealedDocument
  try {
    sealed = readSealedDocument(document)
  } catch (error) {
    return { checks: [failed('form', (error as Error).message)] }
  }
  const checks: Check[] = [passed('form', 'A passport with a MerkleTreeAttestationProof.')]
  checks.push(attempt('subject', () => checkSubject(sealed, trust.now ?? new Date())))
  checks.push(attempt('content', () => checkContent(sealed)))
  checks.push(attempt('signature', () => checkSignature(sealed)))
  const holds = checks.every(({ ok }) => ok === true)
  const certificate = checkCertificate(sealed, trust)
  const timestamp = checkTimestamp(sealed, trust, holds)
  checks.push(certificate.check, ...checkRevocation(sealed, trust, certificate.checked, timestamp), timestamp.check)
  return {
    checks,
    subject: sealed.subject,
    masked: Object.keys(sealed.redactedLeaves),
    certificate: certificate.shown,
    genTime: timestamp.shown?.toISOString(),
  }
}

function checkSubject(sealed: SealedDocument, now: Date): string {
  assertSubject(sealed, now)
  const { id, productId, operator, created } = sealed.subject
  return `Passport ${id} of product ${productId}, for the economic operator ${operator.regId}, sealed ${created}. ${NOT_SEALED}`
}

function checkContent(sealed: SealedDocument): string {
  const masked = maskedKeys(sealed)
  if (verifyTree(sealed) !== sealed.root) throw new Error('The values do not give proof.merkleRoot.')
  assertRepeated(sealed)
  const visible = Object.keys(sealed.metadata).length - masked.length
  return `${count(visible, 'value')} recomputed${masked.length === 0 ? '' : `, ${count(masked.length, 'masked value')} taken by hash`}; the root is that of the proof.`
}

function checkSignature({ root, signature, publicKeyPem }: SealedDocument): string {
  if (!verifySealSignature(root, signature, publicKeyPem)) {
    throw new Error('The signature is not one of proof.merkleRoot by proof.publicKeyPem.')
  }
  return 'The key of the proof has signed the root.'
}

function checkCertificate(
  { x5c, publicKeyPem, created }: SealedDocument,
  { sealCa }: SealTrust,
): { check: Check; shown?: ReadCertificate; checked?: CheckedCertificate } {
  const [leaf] = x5c ?? []
  if (sealCa === undefined) {
    const read = leaf && readNames(leaf)
    const whose = read === undefined ? 'whose the key is' : `that the key is of ${read.shown.subject}`
    const detail = `Nobody vouches ${whose}: give the certificate of the seal CA, which the gateway has at /.well-known/opendpp-seal-ca.pem.`
    return { check: open('certificate', detail), shown: read }
  }
  if (x5c === undefined) {
    return { check: failed('certificate', 'The proof has no certificate, so the key may be anybody’s.') }
  }
  try {
    const checked = checkSealCertificate(x5c, publicKeyPem, sealCa, new Date(created))
    const { read } = checked
    const whose =
      read === undefined ? 'somebody whose name cannot be read' : `${read.shown.subject}, says ${read.shown.issuer}`
    return { check: passed('certificate', `The key is of ${whose}.`), shown: read, checked }
  } catch (error) {
    return { check: failed('certificate', (error as Error).message), shown: leaf && readNames(leaf) }
  }
}

/**
 * What a revoked certificate still proves (ETSI EN 319 102-1 §5.5): a seal that a trusted timestamp shows to have existed before
 * the revocation holds. The date in a seal is the word of whoever had the key: by it a seal can be refused, and never saved.
 */
function checkRevocation(
  { created }: SealedDocument,
  { revocations }: SealTrust,
  certificate: CheckedCertificate | undefined,
  timestamp: { readonly check: Check; readonly shown?: Date },
): Check[] {
  // Whose certificate does not hold has been said.
  if (revocations === undefined || certificate === undefined) return []
  const found = revocations(certificate)
  if (found.state === 'good') return [passed('revocation', 'The certificate is not revoked.')]
  if (found.state === 'unknown') {
    return [open('revocation', `Nobody knows whether the certificate is revoked: ${found.why}.`, 'statusUnknown')]
  }
  const revoked = `The certificate is revoked from ${found.at.toISOString()}`
  const proven = timestamp.check.ok === true ? timestamp.shown : undefined
  if (proven !== undefined && proven < found.at) {
    return [passed('revocation', `${revoked}, and the timestamp shows that the seal was there before.`)]
  }
  if (Date.parse(created) >= found.at.getTime())
    return [failed('revocation', `${revoked}, before the seal.`, 'revoked')]
  return [open('revocation', `${revoked}, and no trusted timestamp shows that the seal was there before.`, 'revoked')]
}

/** @param holds whether the seal itself does; a token is opened for no other */
function checkTimestamp(
  { created, timestamp, root }: SealedDocument,
  { sealCa, timestampCa }: SealTrust,
  holds: boolean,
): { check: Check; shown?: Date } {
  if (timestamp === undefined) {
    return { check: open('timestamp', 'There is no timestamp: the date is the word of who sealed.') }
  }
  if (timestampCa === undefined || !holds) {
    const detail = holds ? 'give the trust anchor of the timestamp authority' : 'the seal itself does not hold'
    return { check: open('timestamp', `The timestamp was not checked: ${detail}.`) }
  }
  let shown: Date | undefined
  try {
    const authorities = timestampAuthoritiesOf(timestampCa)
    assertSeparate(authorities.anchors, sealCa)
    shown = timeOfToken(timestamp.token)
    if (timestamp.genTime !== null && timestamp.genTime !== shown.toISOString()) {
      throw new Error(`proof.rfc3161.genTime is not ${shown.toISOString()}, the time of the token.`)
    }
    const trusted = checkTimestampToken(timestamp.token, root, authorities)
    if (Math.abs(Date.parse(created) - trusted.getTime()) > CLOCKS_DIFFER_MS) {
      throw new Error(`proof.created is not the time of the timestamp, ${trusted.toISOString()}.`)
    }
    return { check: passed('timestamp', `The seal existed at ${trusted.toISOString()}.`), shown }
  } catch (error) {
    return { check: failed('timestamp', (error as Error).message), shown }
  }
}

// Who certifies seal keys could otherwise date seals as it likes.
function assertSeparate(anchors: readonly X509Certificate[], sealCa: string | undefined): void {
  const others = sealCa === undefined ? [] : certificatesOf(sealCa)
  if (anchors.some((anchor) => others.some(({ publicKey }) => anchor.publicKey.equals(publicKey)))) {
    throw new Error('The seal CA is no timestamp authority.')
  }
}

function attempt(name: Check['name'], check: () => string): Check {
  try {
    return passed(name, check())
  } catch (error) {
    return failed(name, (error as Error).message)
  }
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
