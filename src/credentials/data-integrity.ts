import type { Issuer } from '../domain/issuer.ts'
import type { Credential } from './credential.ts'

/**
 * Signs with `ecdsa-jcs-2019` (W3C Data Integrity ECDSA Cryptosuites 1.0, section 3.3).
 * @param credential its `@context` must contain only URLs: verifiers compare inline contexts by identity
 * @param created ISO 8601
 */
export async function signDataIntegrity(
  credential: Credential,
  issuer: Issuer,
  created = String(credential.validFrom),
): Promise<object> {
  libraries ??= loadLibraries()
  const { issue, DataIntegrityProof, createSignCryptosuite } = await libraries
  const suite = new DataIntegrityProof({
    signer: {
      id: issuer.verificationMethod,
      algorithm: 'P-256',
      sign: ({ data }: { data: Uint8Array }) => issuer.sign(data),
    },
    date: created,
    cryptosuite: createSignCryptosuite(),
  })
  // The library adds the proof to this object.
  return issue({ credential: { ...credential }, suite, documentLoader: refuse })
}

// Loaded on first use (30 MB). Cached: repeated imports cost 70 of 240 µs.
let libraries: ReturnType<typeof loadLibraries> | undefined

async function loadLibraries() {
  const [{ issue }, { DataIntegrityProof }, { createSignCryptosuite }] = await Promise.all([
    import('@digitalbazaar/vc'),
    import('@digitalbazaar/data-integrity'),
    import('@digitalbazaar/ecdsa-jcs-2019-cryptosuite'),
  ])
  return { issue, DataIntegrityProof, createSignCryptosuite }
}

// JCS needs no context.
async function refuse(url: string): Promise<never> {
  throw new Error(`Unknown context ${url}: contexts are not loaded while signing.`)
}
