import { hash, type KeyObject, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { contentFindings, issuerOf, isTime, listOf, validityCheck } from './credential-content.ts'
import type { VerifyOptions } from './documents.ts'
import { didOf } from './keys.ts'
import { fromBase58 } from './multibase.ts'
import { failed, passed, shown } from './outcome.ts'
import type { ParsedCredential } from './parsed-credential.ts'
import { findingsCheck, keyCheck } from './vc-jwt.ts'
import type { Check, Finding } from './verification.ts'

/** Parses and checks an `ecdsa-jcs-2019` credential (W3C Data Integrity ECDSA Cryptosuites, section 3.3). */
export async function examineDataIntegrity(document: JsonRecord, options: VerifyOptions): Promise<ParsedCredential> {
  const { proof: secured, ...credential } = document
  const [proof, ...others] = listOf(secured)
  const form = formOf(proof, others.length)
  if (form.ok !== true || !isRecord(proof)) return { form: 'data-integrity', checks: [form] }
  return {
    form: 'data-integrity',
    credential,
    checks: [
      form,
      ...findingsCheck([...contentFindings(credential), ...proofFindings(proof)]),
      ...(await securedBy(credential, proof, issuerOf(credential), options)),
      validityCheck({ ...credential, expires: proof.expires }, options.now),
    ],
  }
}

function formOf(proof: unknown, others: number): Check {
  if (proof === undefined) return failed('form', 'proof is missing.')
  if (others > 0) return failed('form', 'Only a single proof is supported.')
  if (!isRecord(proof)) return failed('form', 'proof is not an object.')
  if (proof.type !== 'DataIntegrityProof') return failed('form', `proof.type is ${shown(proof.type)}.`)
  if (proof.cryptosuite !== 'ecdsa-jcs-2019') {
    return failed('form', `proof.cryptosuite is ${shown(proof.cryptosuite)}, must be ecdsa-jcs-2019.`)
  }
  if (proof.previousProof !== undefined) return failed('form', 'proof.previousProof refers to a missing proof.')
  return passed('form', 'A credential with an embedded ecdsa-jcs-2019 proof.')
}

/** Data Integrity 1.0, section 2.1. */
const proofFindings = (proof: JsonRecord): Finding[] =>
  ['created', 'expires'].flatMap((member) =>
    proof[member] === undefined || isTime(proof[member])
      ? []
      : [{ path: `proof.${member}`, message: 'must be a date and time with a time zone' }],
  )

async function securedBy(
  credential: JsonRecord,
  proof: JsonRecord,
  issuer: string | undefined,
  options: VerifyOptions,
): Promise<Check[]> {
  const { verificationMethod } = proof
  if (typeof verificationMethod !== 'string') return [failed('key', 'proof.verificationMethod is missing.')]
  if (issuer === undefined || didOf(verificationMethod) !== issuer) {
    const keyName = `proof.verificationMethod (${shown(verificationMethod)})`
    return [failed('issuer', `${keyName} is not a key of the issuer (${shown(issuer ?? 'none')}).`)]
  }
  return [passed('issuer', issuer), ...(await proofChecks(credential, { ...proof, verificationMethod }, options))]
}

/**
 * Checks key and signature, but not that the key is the issuer's.
 * @param credential without its proof
 */
export async function proofChecks(
  credential: JsonRecord,
  proof: JsonRecord & { readonly verificationMethod: string },
  options: VerifyOptions,
): Promise<Check[]> {
  if (proof.proofPurpose !== 'assertionMethod') {
    return [failed('signature', `proof.proofPurpose is ${shown(proof.proofPurpose)}, must be assertionMethod.`)]
  }
  const key = await keyCheck(proof.verificationMethod, options)
  return Array.isArray(key) ? key : [passed('key', key.id), signatureCheck(credential, proof, key.publicKey)]
}

/**
 * Verifies by section 3.3, but rejects more contexts than in the proof: the algorithm drops them, so readers would take them for signed.
 */
function signatureCheck(credential: JsonRecord, { proofValue, ...proofConfig }: JsonRecord, key: KeyObject): Check {
  const signature = typeof proofValue === 'string' ? fromBase58(proofValue, 64) : undefined
  if (signature === undefined) return failed('signature', 'proof.proofValue is not a signature in base58btc.')
  const contexts = canonicalize(credential['@context'])
  if (proofConfig['@context'] !== undefined && canonicalize(proofConfig['@context']) !== contexts) {
    return failed('signature', '@context differs from the signed proof.@context.')
  }
  const signed = Buffer.concat([digest(proofConfig), digest(credential)])
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)
    ? passed('signature', 'ecdsa-jcs-2019 over proof and document.')
    : failed('signature', 'The signature is invalid: the content was changed, or another key signed it.')
}

const digest = (value: object) => hash('sha256', canonicalize(value) ?? '', 'buffer')
