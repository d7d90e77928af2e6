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

export interface SealTrust {
  /** Seal CAs (PEM, one to eight) of `/.well-known/opendpp-seal-ca.pem`; key owner unknown if undefined. */
  readonly sealCa?: string
  /** Trust anchors (PEM), never a seal CA. Timestamps are not checked if undefined. */
  readonly timestampCa?: string
  readonly revocations?: Revocations
  /** Verifier's clock; seals must not be later. */
  readonly now?: Date
}

export interface SealFindings {
  readonly checks: readonly Check[]
  /** Stated subject, not necessarily proven; undefined if the form is invalid. */
  readonly subject?: SealSubject
  /** Masked keys, verified only by their leaves. */
  readonly masked?: readonly string[]
  /** Parsed certificate, not necessarily trusted. */
  readonly certificate?: ReadCertificate
  /** Token time (ISO 8601, UTC), not necessarily trusted. */
  readonly genTime?: string
}

const MAX_DOCUMENT_BYTES = 3 * 1024 * 1024
/** A document repeats its metadata, nested in a request body. */
export const DOCUMENT_LIMITS: JsonLimits = { depth: 66, keys: 100_000, exact: 'all' }

/** Required for `valid`; the certificate identifies the owner. */
const OF_A_SEAL: readonly Check['name'][] = ['form', 'subject', 'content', 'signature', 'certificate']

const NOT_SEALED = 'Not sealed: status, archive and its times, names and role of the operator, facility.'

/**
 * Verifies a sealed passport document by the seal rule (docs/reference/seal-rule.md). Never throws, makes no requests. Without a seal CA
 * the verdict is `undecided`, since anyone could have sealed.
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

/** Revocation must be known if checked. */
export function concludeSeal(checks: readonly Check[]): Verification {
  const isRevocationChecked = checks.some(({ name }) => name === 'revocation')
  return conclude('sealed passport', checks, isRevocationChecked ? [...OF_A_SEAL, 'revocation'] : OF_A_SEAL)
}

/**
 * Verifies a sealed document.
 * @param document parsed by `parseGuardedJson` with `DOCUMENT_LIMITS`
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
  return `${count(visible, 'value')} recomputed${masked.length === 0 ? '' : `, ${count(masked.length, 'masked value')} included by hash`}; the root matches the proof.`
}

function checkSignature({ root, signature, publicKeyPem }: SealedDocument): string {
  if (!verifySealSignature(root, signature, publicKeyPem)) {
    throw new Error('The signature is invalid: proof.publicKeyPem did not sign proof.merkleRoot.')
  }
  return 'The key of the proof signed the root.'
}

function checkCertificate(
  { x5c, publicKeyPem, created }: SealedDocument,
  { sealCa }: SealTrust,
): { check: Check; shown?: ReadCertificate; checked?: CheckedCertificate } {
  const [leaf] = x5c ?? []
  if (sealCa === undefined) {
    const read = leaf && readNames(leaf)
    const owner = read === undefined ? 'of the key' : `${read.shown.subject} of the key`
    const detail = `The owner ${owner} is not verified: pass the seal CA certificate of the gateway (/.well-known/opendpp-seal-ca.pem).`
    return { check: open('certificate', detail), shown: read }
  }
  if (x5c === undefined) {
    return { check: failed('certificate', 'The proof has no certificate, so the owner of its key is not certified.') }
  }
  try {
    const checked = checkSealCertificate(x5c, publicKeyPem, sealCa, new Date(created))
    const { read } = checked
    const owner =
      read === undefined
        ? 'an owner with an unreadable name'
        : `${read.shown.subject}, certified by ${read.shown.issuer}`
    return { check: passed('certificate', `The key belongs to ${owner}.`), shown: read, checked }
  } catch (error) {
    return { check: failed('certificate', (error as Error).message), shown: leaf && readNames(leaf) }
  }
}

/**
 * ETSI EN 319 102-1 §5.5: a revoked certificate is valid only for seals with an older trusted timestamp. The key holder chooses the seal's
 * own date, so that date can only invalidate.
 */
function checkRevocation(
  { created }: SealedDocument,
  { revocations }: SealTrust,
  certificate: CheckedCertificate | undefined,
  timestamp: { readonly check: Check; readonly shown?: Date },
): Check[] {
  if (revocations === undefined || certificate === undefined) return []
  const found = revocations(certificate)
  if (found.state === 'good') return [passed('revocation', 'The certificate is not revoked.')]
  if (found.state === 'unknown') {
    return [open('revocation', `The revocation status of the certificate is unknown: ${found.why}.`, 'statusUnknown')]
  }
  const revoked = `The certificate is revoked from ${found.at.toISOString()}`
  const proven = timestamp.check.ok === true ? timestamp.shown : undefined
  if (proven !== undefined && proven < found.at) {
    return [passed('revocation', `${revoked}, and the trusted timestamp proves that the seal is older.`)]
  }
  if (Date.parse(created) >= found.at.getTime())
    return [failed('revocation', `${revoked}, before the seal.`, 'revoked')]
  return [open('revocation', `${revoked}, and no trusted timestamp proves that the seal is older.`, 'revoked')]
}

/** @param holds seal is valid; otherwise the token is not parsed */
function checkTimestamp(
  { created, timestamp, root }: SealedDocument,
  { sealCa, timestampCa }: SealTrust,
  holds: boolean,
): { check: Check; shown?: Date } {
  if (timestamp === undefined) {
    return { check: open('timestamp', 'The seal has no timestamp: only its signer states the date.') }
  }
  if (timestampCa === undefined || !holds) {
    const detail = holds ? 'pass the trust anchor of the timestamp authority' : 'the seal is invalid'
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
      throw new Error(`proof.created differs from the time of the timestamp, ${trusted.toISOString()}.`)
    }
    return { check: passed('timestamp', `The seal existed at ${trusted.toISOString()}.`), shown }
  } catch (error) {
    return { check: failed('timestamp', (error as Error).message), shown }
  }
}

// Otherwise the seal CA could backdate seals.
function assertSeparate(anchors: readonly X509Certificate[], sealCa: string | undefined): void {
  const others = sealCa === undefined ? [] : certificatesOf(sealCa)
  if (anchors.some((anchor) => others.some(({ publicKey }) => anchor.publicKey.equals(publicKey)))) {
    throw new Error('The seal CA must not be used as timestamp authority.')
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
