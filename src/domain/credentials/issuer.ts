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

/** The address of a did:web document (did:web method specification, section 3.4), or undefined for another DID. */
export function didWebUrl(did: string): string | undefined {
  const [scheme, method, host, ...path] = did.split(':')
  if (scheme !== 'did' || method !== 'web' || !host) return undefined
  const place = path.length === 0 ? '.well-known' : path.map(decodeURIComponent).join('/')
  const authority = decodeURIComponent(host)
  // Plain HTTP where the method demands HTTPS, for gateways on the machine itself only.
  const isLocal = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(authority)
  const url = `${isLocal ? 'http' : 'https'}://${authority}/${place}/did.json`
  return URL.canParse(url) ? url : undefined
}
