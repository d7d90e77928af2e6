import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Schema } from './schema.ts'

/** An entry of the audit trail, as the log and the export show it. */
export type AuditEntry = Schema<'AuditEntry'>

/** A place in a chain: the number of an entry, and its hash in hexadecimal. */
export interface ChainPlace {
  readonly sequence: number
  readonly hash: string
}

/** Before the first entry. */
export const START: ChainPlace = { sequence: 0, hash: '0'.repeat(64) }

/** What is wrong with a chain, and at which entry. */
export interface ChainFault {
  readonly sequence: number
  readonly fault: string
}

/** SHA-256 (hexadecimal) of an entry as RFC 8785 writes it without its `hash`; the hash before it is part of that. */
const hashOfEntry = ({ hash: _, ...content }: AuditEntry): string =>
  hash('sha256', canonicalize(content) as string, 'hex')

/**
 * Judges the entries of a chain, which are given in their order and from the first.
 * @param noted places that were noted earlier and must still be part of it
 */
export function chainJudge(noted: readonly ChainPlace[]) {
  let last = START
  const unseen = new Map(noted.map((place) => [place.sequence, place]))

  return { judge, end }

  /** @returns what is wrong up to this entry; each fault is told at its own place, and not again at all that follow */
  function judge(entry: AuditEntry): ChainFault[] {
    const faults: ChainFault[] = []
    const { sequence } = entry
    if (sequence < 1) return [{ sequence, fault: `Entry ${sequence} is before the first.` }]
    if (sequence !== last.sequence + 1) faults.push(missing(last.sequence + 1, sequence - 1))
    // Without the entry before it nothing can be said of its content.
    else if (hashOfEntry({ ...entry, previousHash: last.hash }) !== entry.hash) {
      faults.push({ sequence, fault: `Entry ${sequence} is not what was recorded in this place.` })
    }
    last = entry
    return [...faults, ...recognised()]
  }

  /** @returns what is wrong at the end of the chain: `head` is kept beside it, `beyond` the highest number that there is */
  function end(head: ChainPlace, beyond: number): ChainFault[] {
    const faults: ChainFault[] = []
    if (last.sequence < head.sequence) faults.push(missing(last.sequence + 1, head.sequence))
    else if (last.hash !== head.hash) {
      faults.push({ sequence: last.sequence, fault: `Entry ${last.sequence} is not the one that the head names.` })
    }
    if (beyond > head.sequence) {
      const sequence = head.sequence + 1
      faults.push({ sequence, fault: `Entry ${sequence} is after the head, which nothing that was recorded is.` })
    }
    if (last === START) faults.push(...recognised())
    for (const { sequence } of unseen.values()) {
      faults.push({ sequence, fault: `Entry ${sequence} was noted, and the chain does not have it.` })
    }
    return faults
  }

  function recognised(): ChainFault[] {
    const { sequence, hash } = last
    const place = unseen.get(sequence)
    unseen.delete(sequence)
    if (place === undefined || place.hash === hash) return []
    return [{ sequence, fault: `Entry ${sequence} is another one than was noted.` }]
  }
}

const missing = (first: number, last: number): ChainFault => ({
  sequence: first,
  fault: first === last ? `Entry ${first} is missing.` : `Entries ${first} to ${last} are missing.`,
})
