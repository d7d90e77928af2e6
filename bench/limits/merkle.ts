import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

// Separate from the gateway's tree: a baseline must not change with the code that it measures.

/** Entries in the order of the seal rule, including the subject. */
export const entriesOf = (metadata: object, subject: object): [string, unknown][] =>
  [...Object.entries(metadata), ['@passport', subject] as [string, unknown]].sort(([a], [b]) => (a < b ? -1 : 1))

export const leafHash = (salt: Buffer, key: string, value: unknown): Buffer =>
  hash('sha256', Buffer.concat([LEAF, salt, Buffer.from(canonicalize([key, value]) ?? '')]), 'buffer')

/** Root in hex (RFC 9162, 2.1.1). */
export const rootOf = (leaves: readonly Buffer[]): string => subtree(leaves, 0, leaves.length).toString('hex')

const LEAF = Buffer.of(0)
const NODE = Buffer.of(1)

function subtree(leaves: readonly Buffer[], start: number, end: number): Buffer {
  if (end - start === 1) return leaves[start] as Buffer
  const middle = start + 2 ** (31 - Math.clz32(end - start - 1))
  const children = [NODE, subtree(leaves, start, middle), subtree(leaves, middle, end)]
  return hash('sha256', Buffer.concat(children), 'buffer')
}
