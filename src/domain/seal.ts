import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { integerBytes, readDerSequence, SEQUENCE } from './der.ts'
import { memoize } from './memoize.ts'
import { byCodeUnit, type SealedLeaf, SUBJECT_KEY } from './merkle.ts'
import type { Metadata } from './metadata.ts'
import type { Proof, SealSubject } from './view.ts'

export function sealSubject(
  passport: {
    readonly id: string
    readonly productId: string
    readonly operator: { readonly id: string; readonly regId: string }
  },
  created: string,
  maskable: readonly string[],
): SealSubject {
  const { id, productId, operator } = passport
  return {
    id,
    productId,
    operator: { id: operator.id, regId: operator.regId },
    created,
    maskable: [...maskable].sort(byCodeUnit),
  }
}

/** Immutable, so that key rotation does not change it. */
export interface StoredSeal {
  /** Hex SHA-256. */
  readonly merkleRoot: string
  /** Base64 DER. */
  readonly signature: string
  readonly publicKeyPem: string
  /** Includes masked keys and the subject. */
  readonly leaves: Readonly<Record<string, SealedLeaf>>
  /** Absent on seals of earlier versions, which no longer verify. */
  readonly subject?: SealSubject | null
  /** ISO 8601 in UTC. */
  readonly created: string
  readonly x5c?: readonly string[] | null
  readonly rfc3161?: { readonly genTime: string | null; readonly token: string } | null
}

/**
 * Builds the proof for one reader. A masked value gets its leaf hash, never the salt, which would allow guessing the value. Empty members
 * are absent, not null (specification 2.2).
 */
export function buildProof(
  seal: StoredSeal,
  view: { readonly metadata: Metadata; readonly maskedKeys: readonly string[]; readonly passportUrl: string },
): Proof {
  const masked = new Set(view.maskedKeys)
  const salts: Record<string, string> = Object.create(null)
  const redactedLeaves: Record<string, string> = Object.create(null)
  for (const key of [...Object.keys(view.metadata), SUBJECT_KEY]) {
    if (!Object.hasOwn(seal.leaves, key)) continue
    const leaf = seal.leaves[key] as SealedLeaf
    if (masked.has(key)) redactedLeaves[key] = leaf.hash
    else salts[key] = leaf.salt
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
    ...(Object.keys(redactedLeaves).length > 0 ? { redactedLeaves } : {}),
    salts,
    ...(seal.subject ? { subject: seal.subject } : {}),
  }
}

/** P-256 group order (SEC 2, 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * Converts r‖s (IEEE P1363) to DER (RFC 3279 §2.2.3). Uses the smaller of s and n − s, so that third parties cannot derive another valid
 * seal.
 * @throws RangeError unless 64 bytes
 */
export function derFromP1363(signature: Uint8Array): Buffer {
  if (signature.length !== 64) throw new RangeError('A P-256 signature has 64 bytes.')
  const s = numberOf(signature.subarray(32))
  const low = s > ORDER / 2n ? Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex') : signature.subarray(32)
  const r = derInteger(signature.subarray(0, 32))
  const rest = derInteger(low)
  return Buffer.concat([Buffer.from([SEQUENCE, r.length + rest.length]), r, rest])
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)

// X.690 §8.3: no superfluous leading zero byte, but one if the number would be negative.
function derInteger(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  const digits = bytes.subarray(start)
  const sign = (digits[0] as number) >= 0x80 ? [0] : []
  return Buffer.concat([Buffer.from([0x02, sign.length + digits.length, ...sign]), digits])
}

/**
 * Verifies a Base64 DER signature over the ASCII characters of the hex root, like `openssl dgst -sha256 -verify`. False for the larger s,
 * other spellings and other key types. Does not verify the owner of the key.
 */
export function verifySealSignature(rootHex: string, signatureBase64: string, publicKeyPem: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(rootHex) || signatureBase64.length > MAX_SIGNATURE_CHARACTERS) return false
  const signature = Buffer.from(signatureBase64, 'base64')
  // Node ignores characters outside Base64.
  if (signature.toString('base64') !== signatureBase64 || !isLowSignature(signature)) return false
  const key = keyOf(publicKeyPem)
  return key !== undefined && verify('sha256', Buffer.from(rootHex, 'ascii'), { key, dsaEncoding: 'der' }, signature)
}

/** Memoized: importing costs half as much as verifying. */
const keyOf = memoize((pem: string) => p256Key(p256Spki(pem)), { entries: 2000, characters: 200 })

/** Base64 of at most 72 bytes (DER of P-256). */
const MAX_SIGNATURE_CHARACTERS = 96

function isLowSignature(der: Buffer): boolean {
  try {
    const { r, s } = readSignature(der)
    return isWithin(r, ORDER - 1n) && isWithin(s, ORDER / 2n)
  } catch {
    return false
  }
}

/**
 * Parses strict DER (RFC 3279 §2.2.3); negative numbers become 0.
 * @throws for other bytes
 */
export function readSignature(der: Buffer): { r: bigint; s: bigint } {
  const numbers = readDerSequence(der).map(integerBytes)
  if (numbers.length !== 2) throw new Error('Malformed signature.')
  const [r, s] = numbers.map((bytes) => ((bytes[0] as number) >= 0x80 ? 0n : numberOf(bytes))) as [bigint, bigint]
  return { r, s }
}

const isWithin = (number: bigint, max: bigint) => number > 0n && number <= max

/** Prefix of an uncompressed P-256 point (RFC 5480 §2). */
const P256_SPKI = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')

const SPKI_BYTES = 91

const P256_PEM = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/]{64})\n([A-Za-z0-9+/]{58}==)\n-----END PUBLIC KEY-----$/

/**
 * Parses a P-256 PEM (RFC 7468) to DER. Accepts one spelling: lines of 64 characters, no final line feed, named curve, uncompressed point.
 */
export function p256Spki(pem: string): Buffer | undefined {
  const [, first, second] = P256_PEM.exec(pem) ?? []
  const der = Buffer.from(`${first}${second}`, 'base64')
  const isSpelledOnce = first !== undefined && der.toString('base64') === `${first}${second}`
  return isSpelledOnce && der.subarray(0, P256_SPKI.length).equals(P256_SPKI) ? der : undefined
}

/** Imports a P-256 SubjectPublicKeyInfo; undefined for other keys, and off the curve. */
export function p256Key(spki: Buffer | undefined): KeyObject | undefined {
  if (spki?.length !== SPKI_BYTES || !spki.subarray(0, P256_SPKI.length).equals(P256_SPKI)) return undefined
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
