import { createPublicKey, type KeyObject } from 'node:crypto'
import { memoize } from '../domain/memoize.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { listOf } from './credential-content.ts'
import { type Documents, NotRead } from './documents.ts'
import { readJson } from './json.ts'
import { fromBase58 } from './multibase.ts'
import { shown } from './outcome.ts'

export interface VerificationKey {
  /** Absolute DID URL. */
  readonly id: string
  readonly publicKey: KeyObject
}

/** Cached: parsing costs half a signature. */
const KEYS = { entries: 1000, characters: 200 }

const MAX_METHODS = 3000

// did:web method specification, section 2.1, and DID Core 1.0, section 3.1. No percent-encoding, which could decode to another path. No IP
// addresses or parent paths.
const DID_WEB =
  /^did:web:(?<host>localhost|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*)(?:%3A(?<port>[1-9]\d{0,4}))?(?<path>(?::[A-Za-z0-9_-][A-Za-z0-9._-]*)*)$/i

const MAX_DID_CHARACTERS = 1024

/**
 * Returns the address (did:web method specification, section 3.4); undefined for other text. The caller decides on fetching. `localhost`
 * uses HTTP although the method requires HTTPS.
 */
export function didWebUrl(did: string): string | undefined {
  const { host, port, path } = (did.length > MAX_DID_CHARACTERS ? undefined : DID_WEB.exec(did)?.groups) ?? {}
  if (host === undefined || path === undefined) return undefined
  const authority = port === undefined ? host : `${host}:${port}`
  const scheme = host.toLowerCase() === 'localhost' ? 'http' : 'https'
  const url = `${scheme}://${authority}${path === '' ? '/.well-known' : path.replaceAll(':', '/')}/did.json`
  return URL.canParse(url) ? url : undefined
}

/**
 * Resolves `did:key` locally, fetches `did:web`.
 * @throws NotRead if unavailable; Error if invalid
 */
export async function resolveDid(did: string, documents: Documents): Promise<JsonRecord & { readonly id: string }> {
  if (did.startsWith('did:key:')) return didKeyDocument(did)
  if (!did.startsWith('did:web:')) {
    throw new NotRead(`${shown(did)} cannot be resolved: only did:web and did:key are supported.`)
  }
  const url = didWebUrl(did)
  if (url === undefined)
    throw new Error(`${shown(did)} is not a supported did:web: a host name and a plain path are required.`)
  const document = readJson(await documents.read(url, 'application/did+ld+json, application/json'), url)
  if (!isRecord(document) || document.id !== did) throw new Error(`The document at ${url} does not belong to ${did}.`)
  return { ...document, id: did }
}

/**
 * Returns a key that its controller uses for assertions.
 * @throws NotRead if the DID document is unavailable; Error if invalid
 */
export async function resolveKey(verificationMethod: string, documents: Documents): Promise<VerificationKey> {
  const did = didOf(verificationMethod)
  const controller = await resolveDid(did, documents)
  const absolute = (id: unknown) => (typeof id === 'string' && id.startsWith('#') ? `${did}${id}` : id)
  const isListed = listOf(controller.assertionMethod)
    .slice(0, MAX_METHODS)
    .some((id) => absolute(id) === verificationMethod)
  const method = listOf(controller.verificationMethod)
    .slice(0, MAX_METHODS)
    .find((entry): entry is JsonRecord => isRecord(entry) && absolute(entry.id) === verificationMethod)
  if (method === undefined) throw new Error(`${did} has no key ${shown(verificationMethod)}.`)
  if (method.controller !== did) throw new Error(`${verificationMethod} is not controlled by ${did}.`)
  if (!isListed) throw new Error(`${verificationMethod} is not among the keys for assertionMethod.`)
  return { id: verificationMethod, publicKey: publicKeyOf(method) }
}

export const didOf = (didUrl: string) => didUrl.split('#', 1)[0] as string

/**
 * Parses a P-256 Multikey.
 * @throws Error if invalid
 */
export const multikeyPublicKey = memoize((multikey: string): KeyObject => {
  const bytes = fromBase58(multikey, 35)
  if (bytes?.[0] !== 0x80 || bytes[1] !== 0x24)
    throw new Error(`${shown(multikey)} is not a P-256 key in Multikey format.`)
  // SubjectPublicKeyInfo of a compressed P-256 point (RFC 5480, section 2).
  const der = Buffer.concat([
    Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
    bytes.subarray(2),
  ])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}, KEYS)

/**
 * Parses a P-256 JWK; other members are ignored.
 * @throws Error if invalid
 */
export function jwkPublicKey(jwk: unknown): KeyObject {
  if (isRecord(jwk) && jwk.kty === 'EC' && jwk.crv === 'P-256' && isText(jwk.x) && isText(jwk.y)) {
    return keyOfPoint(JSON.stringify({ kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y }))
  }
  throw new Error('The JWK is not a P-256 key.')
}

const keyOfPoint = memoize((jwk: string) => createPublicKey({ key: JSON.parse(jwk), format: 'jwk' }), KEYS)

function publicKeyOf(method: JsonRecord): KeyObject {
  if (method.type === 'Multikey' && isText(method.publicKeyMultibase))
    return multikeyPublicKey(method.publicKeyMultibase)
  if (method.type === 'JsonWebKey' || method.type === 'JsonWebKey2020') return jwkPublicKey(method.publicKeyJwk)
  throw new Error(`${shown(method.id)} is not a P-256 key in a supported format.`)
}

function didKeyDocument(did: string) {
  const multikey = did.slice('did:key:'.length)
  multikeyPublicKey(multikey)
  const id = `${did}#${multikey}`
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: [{ id, type: 'Multikey', controller: did, publicKeyMultibase: multikey }],
    assertionMethod: [id],
    authentication: [id],
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
