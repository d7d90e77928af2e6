import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json, Metadata } from './metadata.ts'
import { REDACTED } from './view.ts'

/** Stored leaf: hash (hex) and salt (base64url). */
export interface SealedLeaf {
  readonly hash: string
  readonly salt: string
}

/** Leaf key of the subject. Metadata keys never begin with `@`. */
export const SUBJECT_KEY = '@passport'

export interface SealedTree {
  readonly root: string
  readonly leaves: Readonly<Record<string, SealedLeaf>>
}

/** Fixed, so that the boundary of salt and text is unambiguous. */
export const SALT_BYTES = 16

/** Random part of a salt. 96 bits prevent guessing a masked value from its hash. */
export const SALT_RANDOM_BYTES = 12

const MAX_LEAVES = 0xffff

// RFC 9162 §2.1.1: separates leaf and node input. Their hashes look alike, so salts carry the position.
const LEAF = 0x00
const NODE = 0x01

const LEAF_HASH = /^[0-9a-f]{64}$/

/**
 * Computes `SHA-256(0x00 ‖ salt ‖ JCS([key, value]))` in hex (JCS: RFC 8785).
 * @throws for another salt length, or a value that JSON cannot hold
 */
export function leafHash(salt: Uint8Array, key: string, value: Json): string {
  if (salt.length !== SALT_BYTES) throw new RangeError(`The salt of ${JSON.stringify(key)} must have 16 bytes.`)
  // JSON omits absent values, so the leaf could not be recomputed.
  if (value === undefined) throw new TypeError(`${JSON.stringify(key)} has no value.`)
  const text = canonicalize([key, value]) as string
  const input = Buffer.allocUnsafe(1 + SALT_BYTES + Buffer.byteLength(text))
  input[0] = LEAF
  input.set(salt, 1)
  input.write(text, 1 + SALT_BYTES)
  return hash('sha256', input, 'hex')
}

/**
 * Computes the Merkle tree hash (RFC 9162 §2.1.1). Never duplicates the last leaf (CVE-2012-2459). Node writes hex digests four times as
 * fast as Buffers.
 * @throws RangeError for an empty list
 */
export function rootOf(leafHashes: readonly string[]): string {
  if (leafHashes.length === 0) throw new RangeError('A Merkle tree needs at least one leaf.')
  const input = Buffer.allocUnsafe(65)
  input[0] = NODE

  const subtree = (start: number, end: number): string => {
    const count = end - start
    if (count === 1) return leafHashes[start] as string
    const middle = start + 2 ** (31 - Math.clz32(count - 1))
    const left = subtree(start, middle)
    const right = subtree(middle, end)
    input.write(left, 1, 'hex')
    input.write(right, 33, 'hex')
    return hash('sha256', input, 'hex')
  }
  return subtree(0, leafHashes.length)
}

/**
 * Seals metadata and subject as salted leaves in key order. A salt is `uint16be(index) ‖ uint16be(count) ‖ 12 random bytes`. The signed
 * root does not state the tree size (RFC 9162 §2.1.3.2): without the position, an inner node could pass as a masked leaf and hide the
 * entries below it.
 * @param randomBytes called once; must return new bytes
 * @throws RangeError for empty metadata and for more than 65,534 keys
 */
export function sealTree(metadata: Metadata, subject: Json, randomBytes: (count: number) => Uint8Array): SealedTree {
  if (Object.keys(metadata).length === 0) throw new RangeError('There is no metadata to seal.')
  const entries = sealedEntries(metadata, subject)
  if (entries.length > MAX_LEAVES)
    throw new RangeError(`Metadata of more than ${MAX_LEAVES - 1} keys cannot be sealed.`)
  const random = randomBytes(entries.length * SALT_RANDOM_BYTES)
  if (random.length !== entries.length * SALT_RANDOM_BYTES) {
    throw new RangeError(`A salt needs ${SALT_RANDOM_BYTES} random bytes.`)
  }
  const hashes: string[] = []
  const leaves: [string, SealedLeaf][] = []
  for (const [index, [key, value]] of entries.entries()) {
    const salt = composeSalt(index, entries.length, random.subarray(index * SALT_RANDOM_BYTES))
    const leaf = leafHash(salt, key, value)
    hashes.push(leaf)
    leaves.push([key, { hash: leaf, salt: salt.toString('base64url') }])
  }
  // fromEntries defines properties; assignment would call the `__proto__` setter.
  return { root: rootOf(hashes), leaves: Object.fromEntries(leaves) }
}

function composeSalt(index: number, count: number, random: Uint8Array): Buffer {
  const salt = Buffer.allocUnsafe(SALT_BYTES)
  salt.writeUInt16BE(index, 0)
  salt.writeUInt16BE(count, 2)
  salt.set(random.subarray(0, SALT_RANDOM_BYTES), 4)
  return salt
}

interface ShownTree {
  /** Masked keys hold `REDACTED`. */
  readonly metadata: Metadata
  readonly subject: Json
  /** Base64url, for visible keys and `SUBJECT_KEY`. */
  readonly salts: Readonly<Record<string, string>>
  /** Hex, for masked keys. */
  readonly redactedLeaves?: Readonly<Record<string, string>>
}

/**
 * Recomputes the root (hex) from a possibly redacted document. If it is the signed root, each hash in `redactedLeaves` belongs to exactly
 * one sealed entry and none is missing. Masked names are not verified: compare them with `maskable` of the subject.
 * @throws if a salt or hash is missing, malformed or superfluous, or a salt states another position or count
 */
export function verifyTree(shown: ShownTree): string {
  return rootOf(shownLeaves(shown).map(({ hash: leaf }) => leaf))
}

/** @throws as {@link verifyTree}, and for masked entries */
export function rebuildTree(shown: Omit<ShownTree, 'redactedLeaves'>): SealedTree {
  const leaves = shownLeaves(shown)
  return {
    root: rootOf(leaves.map(({ hash: leaf }) => leaf)),
    leaves: Object.fromEntries(
      leaves.map(({ key, hash: leaf }) => [key, { hash: leaf, salt: shown.salts[key] as string }]),
    ),
  }
}

function shownLeaves({ metadata, subject, salts, redactedLeaves = {} }: ShownTree): { key: string; hash: string }[] {
  const leaves: { key: string; hash: string }[] = []
  const visible: { key: string; salt: Buffer; index: number }[] = []
  for (const [key, value] of sealedEntries(metadata, subject)) {
    const isVisible = Object.hasOwn(salts, key)
    const isMasked = value === REDACTED && Object.hasOwn(redactedLeaves, key)
    if (isVisible === isMasked) {
      throw new TypeError(
        isVisible ? `${name(key)} has both a salt and the hash of a leaf.` : `${name(key)} has no salt.`,
      )
    }
    if (isMasked) {
      leaves.push({ key, hash: leafHashOf(redactedLeaves[key], key) })
    } else {
      const salt = saltOf(salts[key], key)
      visible.push({ key, salt, index: leaves.length })
      leaves.push({ key, hash: leafHash(salt, key, value) })
    }
  }
  const more = Object.keys(redactedLeaves).length + Object.keys(salts).length - leaves.length
  if (more !== 0) throw new RangeError(`The proof has ${more} salts or hashes of missing values.`)
  for (const { key, salt, index } of visible) assertPlace(key, salt, index, leaves.length)
  return leaves
}

function saltOf(encoded: unknown, key: string): Buffer {
  const salt = typeof encoded === 'string' ? Buffer.from(encoded, 'base64url') : Buffer.alloc(0)
  // Node ignores invalid characters and superfluous bits; only one spelling is valid.
  if (salt.length !== SALT_BYTES || salt.toString('base64url') !== encoded)
    throw new TypeError(`${name(key)} has no salt.`)
  return salt
}

function leafHashOf(encoded: unknown, key: string): string {
  if (typeof encoded !== 'string' || !LEAF_HASH.test(encoded)) {
    throw new TypeError(`The leaf hash of ${name(key)} is not a hexadecimal SHA-256.`)
  }
  return encoded
}

function assertPlace(key: string, salt: Buffer, index: number, count: number): void {
  const sealedIndex = salt.readUInt16BE(0)
  const sealedCount = salt.readUInt16BE(2)
  if (sealedCount !== count) {
    throw new RangeError(`${name(key)} was sealed as one of ${sealedCount} entries; this document has ${count}.`)
  }
  if (sealedIndex !== index) {
    throw new RangeError(`${name(key)} was sealed at position ${sealedIndex}; here it is at ${index}.`)
  }
}

function sealedEntries(metadata: Metadata, subject: Json): [string, Json][] {
  return [...Object.entries(metadata), [SUBJECT_KEY, subject] as [string, Json]].sort(([a], [b]) => byCodeUnit(a, b))
}

/** Compares by UTF-16 code unit (RFC 8785 §3.2.3). */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const name = (key: string) => (key === SUBJECT_KEY ? 'The subject' : JSON.stringify(key))
