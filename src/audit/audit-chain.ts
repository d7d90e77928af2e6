import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Schema } from '../domain/schema.ts'

export type AuditEntry = Schema<'AuditEntry'>

export interface ChainPlace {
  readonly sequence: number
  readonly hash: string
}

export const START: ChainPlace = { sequence: 0, hash: '0'.repeat(64) }

export interface ChainFault {
  readonly sequence: number
  readonly fault: string
}

/** SHA-256 (hexadecimal) of the entry without its `hash` in RFC 8785 form; includes the previous hash. */
const hashOfEntry = ({ hash: _, ...content }: AuditEntry): string =>
  hash('sha256', canonicalize(content) as string, 'hex')

/** @param noted earlier positions that the chain must still contain */
export function createChainValidator(noted: readonly ChainPlace[]) {
  let last = START
  const unseen = new Map(noted.map((place) => [place.sequence, place]))

  return { check, end }

  /** @returns faults at this entry, each reported once */
  function check(entry: AuditEntry): ChainFault[] {
    const faults: ChainFault[] = []
    const { sequence } = entry
    if (sequence < 1) return [{ sequence, fault: `Entry ${sequence} precedes the first entry.` }]
    if (sequence !== last.sequence + 1) faults.push(missing(last.sequence + 1, sequence - 1))
    // The content cannot be checked without the previous entry.
    else if (hashOfEntry({ ...entry, previousHash: last.hash }) !== entry.hash) {
      faults.push({ sequence, fault: `Entry ${sequence} differs from the recorded entry.` })
    }
    last = entry
    return [...faults, ...recognised()]
  }

  /**
   * @param head stored apart from the entries
   * @param beyond highest existing sequence number
   */
  function end(head: ChainPlace, beyond: number): ChainFault[] {
    const faults: ChainFault[] = []
    if (last.sequence < head.sequence) faults.push(missing(last.sequence + 1, head.sequence))
    else if (last.hash !== head.hash) {
      faults.push({ sequence: last.sequence, fault: `Entry ${last.sequence} does not match the head.` })
    }
    if (beyond > head.sequence) {
      const sequence = head.sequence + 1
      faults.push({ sequence, fault: `Entry ${sequence} follows the head: it was inserted.` })
    }
    if (last === START) faults.push(...recognised())
    for (const { sequence } of unseen.values()) {
      faults.push({ sequence, fault: `Entry ${sequence} of the given head is not in the chain.` })
    }
    return faults
  }

  function recognised(): ChainFault[] {
    const { sequence, hash } = last
    const place = unseen.get(sequence)
    unseen.delete(sequence)
    if (place === undefined || place.hash === hash) return []
    return [{ sequence, fault: `Entry ${sequence} differs from the given head.` }]
  }
}

const missing = (first: number, last: number): ChainFault => ({
  sequence: first,
  fault: first === last ? `Entry ${first} is missing.` : `Entries ${first} to ${last} are missing.`,
})
