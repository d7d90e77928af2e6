import type { JsonWebKey } from 'node:crypto'
import { fromJwk } from '@digitalbazaar/ecdsa-multikey'
import type { IssuerKey } from '../domain/issuer.ts'

const CONTEXT = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/multikey/v1',
  'https://w3id.org/security/jwk/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
]

/**
 * Returns the DID document. Data Integrity reads `Multikey`, JOSE `JsonWebKey`, older stacks `JsonWebKey2020`. Retired keys stay, to verify
 * earlier signatures.
 */
export function didDocument(did: string, keys: readonly IssuerKey[]): object {
  const verificationMethod = keys.flatMap(({ number, publicJwk, publicKeyMultibase }) => {
    const id = `${did}#key-${number}`
    const { kty, crv, x, y } = publicJwk
    const jwk = (kid: string) => ({ kty, crv, x, y, alg: 'ES256', use: 'sig', kid })
    return [
      { id, type: 'Multikey', controller: did, publicKeyMultibase },
      { id: `${id}-jwk`, type: 'JsonWebKey', controller: did, publicKeyJwk: jwk(`${id}-jwk`) },
      { id: `${id}-jwk2020`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk(`${id}-jwk2020`) },
    ]
  })
  const ids = verificationMethod.map(({ id }) => id)
  return { '@context': CONTEXT, id: did, verificationMethod, assertionMethod: ids, authentication: ids }
}

/** Multikey: Controlled Identifiers 1.0, section 2.2.2. */
export async function multikey(jwk: JsonWebKey): Promise<string> {
  return (await fromJwk({ jwk })).publicKeyMultibase
}
