import { encode } from 'base58-universal'
import type { IssuerKey } from './issuer.ts'

const CONTEXT = [
  'https://www.w3.org/ns/did/v1',
  'https://w3id.org/security/multikey/v1',
  'https://w3id.org/security/jwk/v1',
  'https://w3id.org/security/suites/jws-2020/v1',
]

/**
 * The DID document of an issuer. Every key is there in three forms, because verifiers differ in what they read: Data
 * Integrity asks for `Multikey`, JOSE for `JsonWebKey`, older stacks for `JsonWebKey2020`. Retired keys stay, so that
 * what they have signed can be verified. Every member is one that its contexts define; the name of the issuer is in what
 * it issues.
 */
export function didDocument(did: string, keys: readonly IssuerKey[]): object {
  const verificationMethod = keys.flatMap(({ number, publicJwk }) => {
    const id = `${did}#key-${number}`
    const { kty, crv, x, y } = publicJwk
    const jwk = (kid: string) => ({ kty, crv, x, y, alg: 'ES256', use: 'sig', kid })
    return [
      { id, type: 'Multikey', controller: did, publicKeyMultibase: multikey(publicJwk) },
      { id: `${id}-jwk`, type: 'JsonWebKey', controller: did, publicKeyJwk: jwk(`${id}-jwk`) },
      { id: `${id}-jwk2020`, type: 'JsonWebKey2020', controller: did, publicKeyJwk: jwk(`${id}-jwk2020`) },
    ]
  })
  const ids = verificationMethod.map(({ id }) => id)
  return { '@context': CONTEXT, id: did, verificationMethod, assertionMethod: ids, authentication: ids }
}

/**
 * A P-256 public key as Multikey (Controlled Identifiers 1.0, section 2.2.2): the multicodec prefix 0x1200 as varint and
 * the compressed point, in base58btc.
 */
export function multikey({ x, y }: IssuerKey['publicJwk']): string {
  const [abscissa, ordinate] = [Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]
  const sign = ((ordinate.at(-1) ?? 0) & 1) === 0 ? 2 : 3
  return `z${encode(Buffer.concat([Buffer.from([0x80, 0x24, sign]), abscissa]))}`
}
