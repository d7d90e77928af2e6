import { createPublicKey, type KeyObject } from 'node:crypto'
import { decode } from 'base58-universal'
import { didWebUrl } from '../domain/credentials/issuer.ts'
import { isObject, listOf } from './credential-content.ts'
import type { Documents } from './documents.ts'

type Json = Readonly<Record<string, unknown>>

/** A key that an issuer uses for assertions. */
export interface VerificationKey {
  /** Absolute DID URL. */
  readonly id: string
  /** The DID document in which it is. */
  readonly controller: Json & { readonly id: string }
  /** Its entry there. */
  readonly method: Json
  readonly publicKey: KeyObject
}

/** DID methods that are resolved. */
const METHODS = 'did:web and did:key'

/**
 * The DID document of an issuer. A `did:key` is its own document; a `did:web` is read.
 * @throws Error that says why there is none
 */
export async function resolveDid(did: string, documents: Documents): Promise<Json & { readonly id: string }> {
  if (did.startsWith('did:key:')) return didKeyDocument(did)
  const url = didWebUrl(did)
  if (url === undefined) throw new Error(`${did} cannot be resolved here, only ${METHODS}.`)
  const document: unknown = parse(await documents.read(url, 'application/did+ld+json, application/json'), url)
  if (!isObject(document) || document.id !== did) throw new Error(`The document at ${url} is not that of ${did}.`)
  return document as Json & { readonly id: string }
}

/**
 * The key that `verificationMethod` names, which its controller must use for this purpose.
 * @throws Error that says what is wrong with it
 */
export async function resolveKey(
  verificationMethod: string,
  documents: Documents,
  purpose: 'assertionMethod' | 'authentication' = 'assertionMethod',
): Promise<VerificationKey> {
  const [did = ''] = verificationMethod.split('#')
  const controller = await resolveDid(did, documents)
  const absolute = (id: unknown) => (typeof id === 'string' && id.startsWith('#') ? `${did}${id}` : id)
  const method = listOf(controller.verificationMethod).find(
    (entry): entry is Json => isObject(entry) && absolute(entry.id) === verificationMethod,
  )
  if (method === undefined) throw new Error(`${did} has no key ${verificationMethod}.`)
  if (method.controller !== did) throw new Error(`${verificationMethod} is controlled by ${String(method.controller)}.`)
  if (!listOf(controller[purpose]).some((id) => absolute(id) === verificationMethod)) {
    throw new Error(`${verificationMethod} is not among the keys for ${purpose}.`)
  }
  return { id: verificationMethod, controller, method, publicKey: publicKeyOf(method) }
}

/** A P-256 public key as Multikey. */
export function multikeyPublicKey(multikey: string): KeyObject {
  const bytes = multikey.startsWith('z') ? decode(multikey.slice(1)) : undefined
  if (bytes?.length !== 35 || bytes[0] !== 0x80 || bytes[1] !== 0x24) {
    throw new Error(`${multikey} is not a P-256 key as Multikey.`)
  }
  // SubjectPublicKeyInfo of a compressed point on P-256 (RFC 5480, section 2).
  const der = Buffer.concat([
    Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
    bytes.subarray(2),
  ])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

function publicKeyOf(method: Json): KeyObject {
  if (method.type === 'Multikey') return multikeyPublicKey(String(method.publicKeyMultibase))
  if ((method.type === 'JsonWebKey' || method.type === 'JsonWebKey2020') && isObject(method.publicKeyJwk)) {
    const { kty, crv, x, y } = method.publicKeyJwk
    if (kty === 'EC' && crv === 'P-256') return createPublicKey({ key: { kty, crv, x, y } as never, format: 'jwk' })
  }
  throw new Error(`${String(method.id)} is no P-256 key in a form that is known.`)
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

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The document at ${url} is not JSON.`)
  }
}
