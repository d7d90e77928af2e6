import { dataIntegrityLibraries } from '../domain/credentials/data-integrity.ts'
import { dictionary } from '../domain/record.ts'
import { contentChecks } from './content.ts'
import { isObject, issuerOf, listOf } from './credential-content.ts'
import type { VerifyOptions } from './documents.ts'
import { resolveKey, type VerificationKey } from './keys.ts'
import { conclude, failed, open, passed } from './outcome.ts'
import { statusCheck } from './status.ts'
import type { Check, Verification } from './verification.ts'

/** Verifies a credential with an embedded `ecdsa-jcs-2019` proof (W3C Data Integrity ECDSA Cryptosuites, section 3.3). */
export async function verifyDataIntegrity(text: string, options: VerifyOptions): Promise<Verification> {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return conclude('data-integrity', [failed('form', 'This is not JSON.')])
  }
  if (!isObject(document)) return conclude('data-integrity', [failed('form', 'This is no JSON object.')])
  const { proof, ...credential } = document
  const form = formOf(proof)
  const checks = [form, ...(await contentChecks(credential, options))]
  if (form.ok !== true || !isObject(proof)) return conclude('data-integrity', checks)
  const secured = await proofChecks(document, String(proof.verificationMethod), issuerOf(credential), options)
  const isList = isObject(credential.credentialSubject) && credential.credentialSubject.type === 'BitstringStatusList'
  return conclude('data-integrity', [
    ...checks,
    ...secured,
    ...(isList ? [] : [await statusCheck(credential, options)]),
  ])
}

function formOf(proof: unknown): Check {
  if (proof === undefined) return failed('form', 'proof is missing.')
  if (listOf(proof).length !== 1 || !isObject(proof)) return failed('form', 'One proof is verified, not several.')
  if (proof.type !== 'DataIntegrityProof') return failed('form', `proof.type is ${String(proof.type)}.`)
  if (proof.cryptosuite !== 'ecdsa-jcs-2019')
    return failed('form', `proof.cryptosuite is ${String(proof.cryptosuite)}.`)
  return passed('form', 'A credential with an embedded ecdsa-jcs-2019 proof.')
}

async function proofChecks(
  document: object,
  verificationMethod: string,
  issuer: string | undefined,
  options: VerifyOptions,
): Promise<Check[]> {
  let key: VerificationKey
  try {
    key = await resolveKey(verificationMethod, options.documents)
  } catch (error) {
    return [failed('key', (error as Error).message), open('signature', 'No key.')]
  }
  const issuerCheck =
    key.controller.id === issuer
      ? passed('issuer', issuer)
      : failed(
          'issuer',
          `proof.verificationMethod is of ${key.controller.id}, not of the issuer (${issuer ?? 'none'}).`,
        )
  const { jsigs, DataIntegrityProof, createVerifyCryptosuite } = await dataIntegrityLibraries()
  const { verified, error } = await jsigs.verify(structuredClone(document), {
    suite: new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() }),
    purpose: new jsigs.purposes.AssertionProofPurpose(),
    documentLoader: loaderOf(key),
  })
  const signature = verified
    ? passed('signature', 'ecdsa-jcs-2019 over proof and document.')
    : failed('signature', [error, ...(error?.errors ?? [])].map((cause) => cause?.message).join(' '))
  return [issuerCheck, passed('key', key.id), signature]
}

/** The key and its controller, and nothing else: JCS needs no context. */
const loaderOf =
  ({ id, method, controller }: VerificationKey): DocumentLoader =>
  async (url) => {
    const documents = dictionary<object>({
      [id]: { '@context': 'https://w3id.org/security/multikey/v1', ...method },
      [controller.id]: controller,
    })
    if (documents[url] === undefined) throw new Error(`${url} is not loaded while verifying.`)
    return { documentUrl: url, document: documents[url] }
  }
