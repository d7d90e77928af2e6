import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { SealedLeaf } from './merkle.ts'
import type { Metadata } from './metadata.ts'
import type { Proof } from './view.ts'

/** What is kept of a seal; frozen when it is made, so that a later key rotation does not change it. */
export interface StoredSeal {
  /** Hex SHA-256. */
  readonly merkleRoot: string
  /** Base64 DER. */
  readonly signature: string
  readonly publicKeyPem: string
  /** Every sealed metadata key, the masked ones included. */
  readonly leaves: Readonly<Record<string, SealedLeaf>>
  /** ISO 8601 in UTC. */
  readonly created: string
  readonly x5c?: readonly string[] | null
  readonly rfc3161?: { readonly genTime: string | null; readonly token: string } | null
}

/**
 * The proof block for one reader. A visible value gets its salt, so that the reader can recompute the leaf; a masked
 * value gets its leaf hash and never the salt, without which the value cannot be guessed from the hash. Members that
 * have nothing to say (`x5c`, `rfc3161`, `redactedLeaves`) are absent, not null (specification 2.2).
 */
export function buildProof(
  seal: StoredSeal,
  view: { readonly metadata: Metadata; readonly maskedKeys: readonly string[]; readonly passportUrl: string },
): Proof {
  const masked = new Set(view.maskedKeys)
  const salts: [string, string][] = []
  const redactedLeaves: [string, string][] = []
  for (const key of Object.keys(view.metadata)) {
    if (!Object.hasOwn(seal.leaves, key)) continue
    const leaf = seal.leaves[key] as SealedLeaf
    if (masked.has(key)) redactedLeaves.push([key, leaf.hash])
    else salts.push([key, leaf.salt])
  }
  return {
    type: 'MerkleTreeAttestationProof',
    '@type': ['MerkleTreeAttestationProof'],
    signatureAlgorithm: 'ECDSA-P256-SHA256-over-MerkleRoot',
    created: seal.created,
    proofPurpose: 'assertionMethod',
    verificationMethod: `${view.passportUrl}#key-1`,
    signatureValue: seal.signature,
    publicKeyPem: seal.publicKeyPem,
    ...(seal.x5c && seal.x5c.length > 0 ? { x5c: seal.x5c } : {}),
    ...(seal.rfc3161 ? { rfc3161: seal.rfc3161 } : {}),
    merkleRoot: seal.merkleRoot,
    ...(redactedLeaves.length > 0 ? { redactedLeaves: Object.fromEntries(redactedLeaves) } : {}),
    salts: Object.fromEntries(salts),
  }
}

/**
 * An ECDSA P-256 signature as r‖s (IEEE P1363, what signers return) in DER (RFC 3279 §2.2.3, what openssl reads). Throws for
 * anything but 64 bytes.
 */
export function derFromP1363(signature: Uint8Array): Buffer {
  if (signature.length !== 64) throw new RangeError('A P-256 signature has 64 bytes.')
  const r = derInteger(signature.subarray(0, 32))
  const s = derInteger(signature.subarray(32))
  return Buffer.concat([Buffer.from([0x30, r.length + s.length]), r, s])
}

// X.690 §8.3: no superfluous leading zero byte, and one where the number would read as negative.
function derInteger(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  const digits = bytes.subarray(start)
  const sign = (digits[0] as number) >= 0x80 ? [0] : []
  return Buffer.concat([Buffer.from([0x02, sign.length + digits.length, ...sign]), digits])
}

/**
 * Whether the signature (Base64 DER, ECDSA P-256 with SHA-256) covers the 64 ASCII characters of the hex root, as
 * `openssl dgst -sha256 -verify` reads them. False also for malformed input and for any other kind of key. Says nothing
 * about whose key it is.
 */
export function verifySealSignature(rootHex: string, signatureBase64: string, publicKeyPem: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(rootHex)) return false
  const signature = Buffer.from(signatureBase64, 'base64')
  // Node skips characters outside Base64; one signature must have one spelling.
  if (signature.toString('base64') !== signatureBase64) return false
  const key = p256PublicKey(publicKeyPem)
  return key !== null && verify('sha256', Buffer.from(rootHex, 'ascii'), { key, dsaEncoding: 'der' }, signature)
}

function p256PublicKey(pem: string): KeyObject | null {
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    return null
  }
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
}
