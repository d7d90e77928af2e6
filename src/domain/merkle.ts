import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Json, Metadata } from './metadata.ts'
import { REDACTED } from './view.ts'

/** What the seal store keeps of one metadata key: the leaf hash (hex) and the salt (base64url) that went into it. */
export interface SealedLeaf {
  readonly hash: string
  readonly salt: string
}

/** A sealed tree: the root (hex) and every leaf by its metadata key. */
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
 * `SHA-256(0x00 ‖ salt ‖ JCS([key, value]))`, JCS being RFC 8785. Key and value are one JSON array, so that nothing can
 * move across the border between them. Throws for a salt of another length and for what JSON cannot hold.
 */
export function leafHash(salt: Uint8Array, key: string, value: Json): Buffer {
  if (salt.length !== SALT_BYTES) throw new RangeError(`The salt of ${JSON.stringify(key)} must have 16 bytes.`)
  // A key without a value is dropped when the document is written; its leaf could never be recomputed.
  if (value === undefined) throw new TypeError(`${JSON.stringify(key)} has no value.`)
  const text = canonicalize([key, value]) as string
  const input = Buffer.allocUnsafe(1 + SALT_BYTES + Buffer.byteLength(text))
  input[0] = LEAF
  input.set(salt, 1)
  input.write(text, 1 + SALT_BYTES)
  return hash('sha256', input, 'buffer')
}

/**
 * Merkle tree hash of RFC 9162 §2.1.1 over leaf hashes in order. The last leaf is never doubled: a tree that does so has
 * the same root for two different lists (CVE-2012-2459). Throws for an empty list, which no seal may cover.
 */
export function rootOf(leafHashes: readonly Uint8Array[]): Buffer {
  if (leafHashes.length === 0) throw new RangeError('A Merkle tree needs at least one leaf.')
  const input = Buffer.allocUnsafe(65)
  input[0] = NODE

  const subtree = (start: number, end: number): Uint8Array => {
    const count = end - start
    if (count === 1) return leafHashes[start] as Uint8Array
    const middle = start + 2 ** (31 - Math.clz32(count - 1))
    const left = subtree(start, middle)
    const right = subtree(middle, end)
    input.set(left, 1)
    input.set(right, 33)
    return hash('sha256', input, 'buffer')
  }
  return Buffer.from(subtree(0, leafHashes.length))
}

/**
 * Seals metadata: one salted leaf for each top-level entry, in the order of the keys. A salt is
 * `uint16be(index) ‖ uint16be(count) ‖ 12 random bytes`: the leaf's position from 0 and the number of leaves, then what
 * hides a masked value from whoever guesses it and compares hashes. `randomBytes12` must return new bytes at every call.
 *
 * The place is there because the root of RFC 9162 §2.1 says nothing about the size of its tree (§2.1.3.2 verifies only
 * against a known `tree_size`), and the root is all that the signature covers. Without it, a reader could present an inner
 * node as the hash of one masked key, drop the visible entries below that node, and still rebuild the signed root. With
 * it, every visible leaf states the size, and no leaf can be changed without changing the root.
 *
 * Throws a RangeError for more than 65,535 keys and for none.
 */
export function sealTree(metadata: Metadata, randomBytes12: () => Uint8Array): SealedTree {
  const entries = sortedEntries(metadata)
  if (entries.length > MAX_LEAVES) throw new RangeError(`Metadata of more than ${MAX_LEAVES} keys cannot be sealed.`)
  const hashes: Buffer[] = []
  const leaves: [string, SealedLeaf][] = []
  for (const [index, [key, value]] of entries.entries()) {
    const salt = composeSalt(index, entries.length, randomBytes12())
    const leaf = leafHash(salt, key, value)
    hashes.push(leaf)
    leaves.push([key, { hash: leaf.toString('hex'), salt: salt.toString('base64url') }])
  }
  // fromEntries defines properties, where assignment would call the setter that `__proto__` is.
  return { root: rootOf(hashes).toString('hex'), leaves: Object.fromEntries(leaves) }
}

function composeSalt(index: number, count: number, random: Uint8Array): Buffer {
  if (random.length !== SALT_RANDOM_BYTES) throw new RangeError(`A salt needs ${SALT_RANDOM_BYTES} random bytes.`)
  const salt = Buffer.allocUnsafe(SALT_BYTES)
  salt.writeUInt16BE(index, 0)
  salt.writeUInt16BE(count, 2)
  salt.set(random, 4)
  return salt
}

/**
 * Rebuilds the root (hex) from what a reader holds, possibly redacted. A placeholder with an entry in `redactedLeaves`
 * is taken by its hash; a placeholder with neither hash nor salt was never sealed and is left out. Throws when a visible
 * value has no usable salt or a hash is malformed: such a document cannot be verified at all.
 *
 * Throws also when a visible salt names another number of leaves, or another position, than the document has: entries
 * were taken out, put in, or hidden behind an inner node of the tree (see `sealTree`). For the same reason at least one
 * value must be visible: of masked leaves alone nobody can tell how many there were. If a document passes and the root is
 * the signed one, every hash in `redactedLeaves` is that of exactly one sealed entry, and none is missing.
 *
 * The result says nothing about the names of masked keys: their hashes are opaque without the salt.
 */
export function verifyTree(
  metadata: Metadata,
  salts: Readonly<Record<string, string>>,
  redactedLeaves: Readonly<Record<string, string>> = {},
): string {
  const hashes: Buffer[] = []
  const visible: { key: string; salt: Buffer; index: number }[] = []
  for (const [key, value] of sortedEntries(metadata)) {
    const encoded = own(salts, key)
    const redacted = own(redactedLeaves, key)
    if (value === REDACTED && redacted !== undefined) {
      if (typeof redacted !== 'string' || !LEAF_HASH.test(redacted)) {
        throw new TypeError(`The leaf hash of ${JSON.stringify(key)} is not a hexadecimal SHA-256.`)
      }
      hashes.push(Buffer.from(redacted, 'hex'))
    } else if (encoded !== undefined) {
      if (typeof encoded !== 'string') throw new TypeError(`The salt of ${JSON.stringify(key)} is not a string.`)
      const salt = Buffer.from(encoded, 'base64url')
      visible.push({ key, salt, index: hashes.length })
      hashes.push(leafHash(salt, key, value))
    } else if (value !== REDACTED) {
      throw new TypeError(`There is no salt for ${JSON.stringify(key)}.`)
    }
  }
  const root = rootOf(hashes).toString('hex')
  if (visible.length === 0) throw new RangeError('No value is visible, so the number of sealed entries is unknown.')
  for (const { key, salt, index } of visible) assertPlace(key, salt, index, hashes.length)
  return root
}

function assertPlace(key: string, salt: Buffer, index: number, count: number): void {
  const sealedIndex = salt.readUInt16BE(0)
  const sealedCount = salt.readUInt16BE(2)
  if (sealedCount !== count) {
    throw new RangeError(
      `${JSON.stringify(key)} was sealed as one of ${sealedCount} entries; this document has ${count}.`,
    )
  }
  if (sealedIndex !== index) {
    throw new RangeError(`${JSON.stringify(key)} was sealed at position ${sealedIndex}; here it is at ${index}.`)
  }
}

/**
 * Entries in the order of the tree: keys by UTF-16 code unit, as RFC 8785 §3.2.3 sorts them. Never the order of the
 * object, which puts integer-like keys first, and never a locale's.
 */
function sortedEntries(metadata: Metadata): [string, Json][] {
  return Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

// `toString` is a possible metadata key, and every object inherits one.
function own(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
