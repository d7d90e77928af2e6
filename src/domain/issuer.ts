import type { JsonWebKey } from 'node:crypto'

/** Signing workspace. The signer holds the private key. */
export interface Issuer {
  /** The document is at {@link Issuer.url} + `/did.json`. */
  readonly did: string
  /** Legal name of the workspace. */
  readonly name: string
  /** `{BASE_URL}/tenants/{tenantId}`, the issuer of SD-JWT VCs. */
  readonly url: string
  /** Absolute DID URL of the current key; the `kid` of all signatures. */
  readonly verificationMethod: string
  /** Begins with 1, never reused. */
  readonly keyNumber: number
  /** Leaf first, Base64 DER, without the trust anchor. */
  readonly x5c?: readonly string[]
  /** ES256, as r‖s (IEEE P1363, 64 bytes). */
  sign(data: Uint8Array): Promise<Uint8Array>
}

export interface IssuerKey {
  readonly number: number
  readonly publicJwk: JsonWebKey
  readonly publicKeyMultibase: string
}

/** Returns a did:web identifier (did:web method specification, section 3.2). */
export function didWeb(url: string): string {
  const { host, pathname } = new URL(url)
  const path = pathname.split('/').filter((part) => part !== '')
  return ['did:web', host.replace(':', '%3A'), ...path].join(':')
}
