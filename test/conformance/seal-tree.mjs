// The Merkle tree of the seal rule (docs/reference/seal-rule.md) without code of the gateway: makes the vectors and rebuilds
// roots.
import { createHash } from 'node:crypto'

export const REDACTED = '[REDACTED - Privileged Access Required]'
export const SUBJECT_KEY = '@passport'
export const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const SHORT_ESCAPES = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' }

function canonicalString(text) {
  let out = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    out += SHORT_ESCAPES[code] ?? (code < 32 ? `\\u${code.toString(16).padStart(4, '0')}` : text[at])
  }
  return `"${out}"`
}

/** RFC 8785 §3.2.3: compares UTF-16 code units. */
export function byCodeUnit(a, b) {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return a.charCodeAt(at) - b.charCodeAt(at)
  }
  return a.length - b.length
}

export function canonical(value) {
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number') return value === 0 ? '0' : `${value}`
  if (value === null || typeof value === 'boolean') return `${value}`
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.keys(value).sort(byCodeUnit)
  return `{${members.map((key) => `${canonicalString(key)}:${canonical(value[key])}`).join(',')}}`
}

export const sha256 = (...parts) => parts.reduce((digest, part) => digest.update(part), createHash('sha256')).digest()

export const leafHash = (salt, key, value) => sha256(Buffer.from([0]), salt, Buffer.from(canonical([key, value])))

// Joins neighbours level by level; a node without neighbour moves up unchanged. RFC 9162 §2.1.1 defines the same tree
// from the top down, by splitting at powers of two.
export function merkleRoot(leaves) {
  let level = leaves
  while (level.length > 1) {
    const next = []
    for (let at = 0; at < level.length; at += 2) {
      next.push(at + 1 < level.length ? sha256(Buffer.from([1]), level[at], level[at + 1]) : level[at])
    }
    level = next
  }
  return level[0]
}

/** Every leaf of a document in order: metadata keys and the reserved one. */
const sealedEntries = ({ metadata, proof }) =>
  [...Object.entries(metadata), [SUBJECT_KEY, proof.subject]].sort(([a], [b]) => byCodeUnit(a, b))

/**
 * Rebuilds the root (hex) from a passport document: subject and visible values with their salts, masked ones by their
 * hash. Does not check masks and places. Throws if an entry has no leaf.
 */
export function rebuildRoot({ metadata, proof }) {
  const { salts, redactedLeaves = {}, subject } = proof
  if (subject === undefined) throw new Error('There is no proof.subject.')
  const leaves = sealedEntries({ metadata, proof }).map(([key, value]) => {
    if (Object.hasOwn(redactedLeaves, key)) return Buffer.from(redactedLeaves[key], 'hex')
    if (!Object.hasOwn(salts, key)) throw new Error(`${key} has neither salt nor leaf.`)
    return leafHash(Buffer.from(salts[key], 'base64url'), key, value)
  })
  return merkleRoot(leaves).toString('hex')
}
