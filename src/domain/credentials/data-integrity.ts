import type { Credential } from './credential.ts'
import type { Issuer } from './issuer.ts'

/**
 * A credential with an embedded Data Integrity proof, cryptosuite `ecdsa-jcs-2019` (W3C Data Integrity ECDSA
 * Cryptosuites 1.0, section 3.3).
 * @param credential its `@context` must be URLs alone: verifiers compare inline contexts by identity
 * @param created ISO 8601; when the proof was made
 */
export async function signDataIntegrity(
  credential: Credential,
  issuer: Issuer,
  created = String(credential.validFrom),
): Promise<object> {
  const { jsigs, DataIntegrityProof, createSignCryptosuite } = await dataIntegrityLibraries()
  const suite = new DataIntegrityProof({
    signer: {
      id: issuer.verificationMethod,
      algorithm: 'P-256',
      sign: ({ data }: { data: Uint8Array }) => issuer.sign(data),
    },
    date: created,
    cryptosuite: createSignCryptosuite(),
  })
  return jsigs.sign(structuredClone(credential), {
    suite,
    purpose: new jsigs.purposes.AssertionProofPurpose(),
    documentLoader: refuse,
  })
}

let libraries: ReturnType<typeof loadLibraries> | undefined

/** Digital Bazaar's libraries, loaded on first use: 30 MB that a gateway without this form need not hold. */
function dataIntegrityLibraries(): ReturnType<typeof loadLibraries> {
  libraries ??= loadLibraries()
  return libraries
}

async function loadLibraries() {
  const [{ default: jsigs }, { DataIntegrityProof }, { createSignCryptosuite, createVerifyCryptosuite }] =
    await Promise.all([
      import('jsonld-signatures'),
      import('@digitalbazaar/data-integrity'),
      import('@digitalbazaar/ecdsa-jcs-2019-cryptosuite'),
    ])
  return { jsigs, DataIntegrityProof, createSignCryptosuite, createVerifyCryptosuite }
}

// JCS signs the JSON as it stands and needs no context.
async function refuse(url: string): Promise<never> {
  throw new Error(`${url} is not loaded while signing.`)
}
