import type { JsonWebKey } from 'node:crypto'

/** The workspace in whose name a document is signed, with its current key. The private half is with the signer. */
export interface Issuer {
  /** `did:web:…`; its document is at {@link Issuer.url} followed by `/did.json`. */
  readonly did: string
  /** Legal name of the workspace. */
  readonly name: string
  /** `{BASE_URL}/tenants/{tenantId}`, the issuer as SD-JWT VC names it. */
  readonly url: string
  /** Absolute DID URL of the current key, in its Multikey form; the `kid` of everything that is signed. */
  readonly verificationMethod: string
  /** Numbers of keys begin with 1 and are never reused. */
  readonly keyNumber: number
  /** Certificate chain of the key, leaf first, Base64 DER, without the trust anchor. */
  readonly x5c?: readonly string[]
  /** ES256 over `data`, as r‖s (IEEE P1363, 64 bytes). */
  sign(data: Uint8Array): Promise<Uint8Array>
}

/** A public key of an issuer, current or retired. */
export interface IssuerKey {
  readonly number: number
  /** P-256: `kty`, `crv`, `x`, `y`. */
  readonly publicJwk: JsonWebKey
  /** The same as Multikey (Controlled Identifiers 1.0, section 2.2.2). */
  readonly publicKeyMultibase: string
}

/**
 * The did:web identifier of the address `url` (did:web method specification, section 3.2): the path's slashes become
 * colons, and the colon before a port is percent-encoded.
 */
export function didWeb(url: string): string {
  const { host, pathname } = new URL(url)
  const path = pathname.split('/').filter((part) => part !== '')
  return ['did:web', host.replace(':', '%3A'), ...path].join(':')
}
