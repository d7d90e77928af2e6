import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { integerBytes, readDerSequence, SEQUENCE } from './der.ts'
import { memoize } from './memoize.ts'
import { byCodeUnit, type SealedLeaf, SUBJECT_KEY } from './merkle.ts'
import type { Metadata } from './metadata.ts'
import type { Proof, SealSubject } from './view.ts'

/** The subject of a seal that is made now. `maskable` may be in any order. */
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

/** What is kept of a seal; frozen when it is made, so that a later key rotation does not change it. */
export interface StoredSeal {
  /** Hex SHA-256. */
  readonly merkleRoot: string
  /** Base64 DER. */
  readonly signature: string
  readonly publicKeyPem: string
  /** Every sealed metadata key, the masked ones included, and the subject's. */
  readonly leaves: Readonly<Record<string, SealedLeaf>>
  /** Absent on seals of earlier versions, which no longer verify. */
  readonly subject?: SealSubject | null
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
  // Without a prototype any key is a member of its own. There may be thousands.
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

/** Order of the group of P-256 (SEC 2, 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * An ECDSA P-256 signature as r‖s (IEEE P1363, what signers return) in DER (RFC 3279 §2.2.3, what openssl reads). For every
 * signature (r, s) there is (r, n − s); of the two this is the one with the smaller s, so that nobody else can turn a
 * seal into another one that verifies. Throws for anything but 64 bytes.
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

// X.690 §8.3: no superfluous leading zero byte, and one where the number would read as negative.
function derInteger(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1
  const digits = bytes.subarray(start)
  const sign = (digits[0] as number) >= 0x80 ? [0] : []
  return Buffer.concat([Buffer.from([0x02, sign.length + digits.length, ...sign]), digits])
}

/**
 * Whether the signature (Base64 DER, ECDSA P-256 with SHA-256, the smaller s) covers the 64 ASCII characters of the hex
 * root, as `openssl dgst -sha256 -verify` reads them. False also for malformed input, for another spelling of key or
 * signature, and for any other kind of key. Says nothing about whose key it is.
 */
export function verifySealSignature(rootHex: string, signatureBase64: string, publicKeyPem: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(rootHex) || signatureBase64.length > MAX_SIGNATURE_CHARACTERS) return false
  const signature = Buffer.from(signatureBase64, 'base64')
  // Node skips characters outside Base64; one signature must have one spelling.
  if (signature.toString('base64') !== signatureBase64 || !isLowSignature(signature)) return false
  const key = keyOf(publicKeyPem)
  return key !== undefined && verify('sha256', Buffer.from(rootHex, 'ascii'), { key, dsaEncoding: 'der' }, signature)
}

/** The key of a PEM; to import it costs half as much as the signature that it verifies. */
const keyOf = memoize((pem: string) => p256Key(p256Spki(pem)), { entries: 2000, characters: 200 })

/** Characters of Base64; a DER signature of P-256 has 72 bytes at most. */
const MAX_SIGNATURE_CHARACTERS = 96

function isLowSignature(der: Buffer): boolean {
  try {
    const { r, s } = readSignature(der)
    return isWithin(r, ORDER - 1n) && isWithin(s, ORDER / 2n)
  } catch {
    return false
  }
}

/** The numbers of an ECDSA signature in strict DER (RFC 3279 §2.2.3); negative ones are 0. Throws for any other bytes. */
export function readSignature(der: Buffer): { r: bigint; s: bigint } {
  const numbers = readDerSequence(der).map(integerBytes)
  if (numbers.length !== 2) throw new Error('This is no signature.')
  const [r, s] = numbers.map((bytes) => ((bytes[0] as number) >= 0x80 ? 0n : numberOf(bytes))) as [bigint, bigint]
  return { r, s }
}

const isWithin = (number: bigint, most: bigint) => number > 0n && number <= most

/** SubjectPublicKeyInfo of P-256 up to the coordinates of an uncompressed point (RFC 5480 §2). */
const P256_SPKI = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')

const SPKI_BYTES = 91

const P256_PEM = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/]{64})\n([A-Za-z0-9+/]{58}==)\n-----END PUBLIC KEY-----$/

/**
 * SubjectPublicKeyInfo (DER, 91 bytes) of a P-256 key in PEM (RFC 7468) in its one spelling: lines of 64 characters that
 * end with a line feed, none at the end; a named curve, an uncompressed point. Undefined for anything else.
 */
export function p256Spki(pem: string): Buffer | undefined {
  const [, first, second] = P256_PEM.exec(pem) ?? []
  const der = Buffer.from(`${first}${second}`, 'base64')
  const isSpelledOnce = first !== undefined && der.toString('base64') === `${first}${second}`
  return isSpelledOnce && der.subarray(0, P256_SPKI.length).equals(P256_SPKI) ? der : undefined
}

/** The key of a SubjectPublicKeyInfo (DER) of P-256; undefined for another one, and for a point that is not on the curve. */
export function p256Key(spki: Buffer | undefined): KeyObject | undefined {
  if (spki?.length !== SPKI_BYTES || !spki.subarray(0, P256_SPKI.length).equals(P256_SPKI)) return undefined
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
