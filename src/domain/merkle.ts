import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json, Metadata } from './metadata.ts'
import { REDACTED } from './view.ts'

/** What the seal store keeps of one metadata key: the leaf hash (hex) and the salt (base64url) that went into it. */
export interface SealedLeaf {
  readonly hash: string
  readonly salt: string
}

/** Key of the leaf that says what a seal is about. No metadata key begins with `@`. */
export const SUBJECT_KEY = '@passport'

/** A sealed tree: the root (hex) and every leaf by its key, that of the subject included. */
export interface SealedTree {
  readonly root: string
  readonly leaves: Readonly<Record<string, SealedLeaf>>
}

/** Bytes of a leaf salt. A fixed length keeps the border between salt and text of a leaf unambiguous. */
export const SALT_BYTES = 16

/**
 * Bytes of a salt that are drawn at random; the first four carry the leaf's place (see `sealTree`). 96 bits that nobody
 * knows are enough that a masked value cannot be found by trying values against its leaf hash.
 */
export const SALT_RANDOM_BYTES = 12

/** A place has 16 bits for the number of leaves. */
const MAX_LEAVES = 0xffff

// RFC 9162 §2.1.1: different first bytes, so that the content of an inner node is never the content of a leaf. They do
// not tell the two hashes apart, which is all that a masked leaf shows; that is what the place in the salt is for.
const LEAF = 0x00
const NODE = 0x01

const LEAF_HASH = /^[0-9a-f]{64}$/

/**
 * `SHA-256(0x00 ‖ salt ‖ JCS([key, value]))` in hexadecimal, JCS being RFC 8785. Key and value are one JSON array, so that nothing can
 * move across the border between them. Throws for a salt of another length and for what JSON cannot hold.
 */
export function leafHash(salt: Uint8Array, key: string, value: Json): string {
  if (salt.length !== SALT_BYTES) throw new RangeError(`The salt of ${JSON.stringify(key)} must have 16 bytes.`)
  // A key without a value is dropped when the document is written; its leaf could never be recomputed.
  if (value === undefined) throw new TypeError(`${JSON.stringify(key)} has no value.`)
  const text = canonicalize([key, value]) as string
  const input = Buffer.allocUnsafe(1 + SALT_BYTES + Buffer.byteLength(text))
  input[0] = LEAF
  input.set(salt, 1)
  input.write(text, 1 + SALT_BYTES)
  return hash('sha256', input, 'hex')
}

/**
 * Merkle tree hash of RFC 9162 §2.1.1 over leaf hashes in order, all in hexadecimal: Node writes a digest as text four
 * times as fast as it makes a Buffer of one. The last leaf is never doubled: a tree that does so has the same root for two
 * different lists (CVE-2012-2459). Throws for an empty list, which no seal may cover.
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
 * Seals metadata and what it is about: one salted leaf for each top-level entry and one for the subject, in the order of
 * the keys. A salt is `uint16be(index) ‖ uint16be(count) ‖ 12 random bytes`: the leaf's position from 0 and the number of
 * leaves, then what hides a masked value from whoever guesses it and compares hashes. `randomBytes` is asked once, for the
 * bytes of all salts, and must return new ones.
 *
 * The place is there because the root of RFC 9162 §2.1 says nothing about the size of its tree (§2.1.3.2 verifies only
 * against a known `tree_size`), and the root is all that the signature covers. Without it, a reader could present an inner
 * node as the hash of one masked key, drop the visible entries below that node, and still rebuild the signed root. With
 * it, every visible leaf states the size, and no leaf can be changed without changing the root.
 *
 * Throws a RangeError for empty metadata and for more than 65,534 keys.
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
  // fromEntries defines properties, where assignment would call the setter that `__proto__` is.
  return { root: rootOf(hashes), leaves: Object.fromEntries(leaves) }
}

function composeSalt(index: number, count: number, random: Uint8Array): Buffer {
  const salt = Buffer.allocUnsafe(SALT_BYTES)
  salt.writeUInt16BE(index, 0)
  salt.writeUInt16BE(count, 2)
  salt.set(random.subarray(0, SALT_RANDOM_BYTES), 4)
  return salt
}

/** What a reader holds of a sealed tree. */
interface ShownTree {
  /** Masked keys hold the literal `REDACTED`. */
  readonly metadata: Metadata
  readonly subject: Json
  /** Base64url, of every visible key and of `SUBJECT_KEY`. */
  readonly salts: Readonly<Record<string, string>>
  /** Hex, of every masked key. */
  readonly redactedLeaves?: Readonly<Record<string, string>>
}

/**
 * Rebuilds the root (hex) from what a reader holds, possibly redacted. Every entry is either visible, with a salt, or
 * masked, with the hash of its leaf; the subject is always visible. Throws where an entry is neither or both, where a
 * salt or a hash is malformed, and where there are salts or hashes of something else.
 *
 * Throws also when a salt names another number of leaves, or another position, than the document has: entries were taken
 * out, put in, or hidden behind an inner node of the tree (see `sealTree`). If a document passes and the root is the
 * signed one, every hash in `redactedLeaves` is that of exactly one sealed entry, and none is missing.
 *
 * The result says nothing about the names of masked keys: their hashes are opaque without the salt. That is what
 * `maskable` of the subject is for.
 */
export function verifyTree(shown: ShownTree): string {
  return rootOf(shownLeaves(shown).map(({ hash: leaf }) => leaf))
}

/** The same with every leaf: what a store keeps of a document in which nothing is masked. Throws also where something is. */
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
  if (more !== 0) throw new RangeError(`The proof has ${more} salts or hashes of values that are not there.`)
  for (const { key, salt, index } of visible) assertPlace(key, salt, index, leaves.length)
  return leaves
}

function saltOf(encoded: unknown, key: string): Buffer {
  const salt = typeof encoded === 'string' ? Buffer.from(encoded, 'base64url') : Buffer.alloc(0)
  // Node skips characters outside the alphabet and drops superfluous bits; one salt must have one spelling.
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

/**
 * Entries in the order of the tree: keys by UTF-16 code unit, as RFC 8785 §3.2.3 sorts them. Never the order of the
 * object, which puts integer-like keys first, and never a locale's.
 */
function sealedEntries(metadata: Metadata, subject: Json): [string, Json][] {
  return [...Object.entries(metadata), [SUBJECT_KEY, subject] as [string, Json]].sort(([a], [b]) => byCodeUnit(a, b))
}

/** Order of RFC 8785 §3.2.3, which is that of JavaScript's own comparison of strings. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const name = (key: string) => (key === SUBJECT_KEY ? 'The subject' : JSON.stringify(key))
