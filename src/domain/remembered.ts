import { LRUCache } from 'lru-cache'

/** How much is remembered: the texts take two bytes for each of `entries` times `characters` at most. */
interface Remembering {
  /** Results that are kept. */
  readonly entries: number
  /** UTF-16 code units of the longest text whose result is kept; for a longer one it is computed anew each time. */
  readonly characters: number
}

/**
 * A pure function of one text that remembers its results by the exact text. The least recently used result goes first. A result is
 * handed out many times, so nobody may change it.
 *
 * What may be given to it depends on the text and on nothing else: no clock, nothing that is trusted today, and of the database
 * only what never changes, such as a version of a passport that the text names.
 * Whether a certificate is well-formed and who signed it may be remembered; whether it is valid now is asked each time.
 *
 * Neither an error is kept nor `undefined`, nor a promise that is rejected: what is refused is refused by a new look. So a
 * stranger who makes up texts can do no more than make others go as slowly as without memory: what is kept is bounded, the
 * text is compared in full, and to push out one result that is in use takes as many new ones as there is room for, each
 * computed at the stranger's own cost, before it is asked for again.
 */
export function remembered<Result>(
  compute: (text: string) => Result,
  { entries, characters }: Remembering,
): (text: string) => Result {
  const kept = new LRUCache<string, NonNullable<Result>>({ max: entries })
  return (text) => {
    if (text.length > characters) return compute(text)
    const known = kept.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (result === undefined) return result
    const key = ownCopy(text)
    kept.set(key, result as NonNullable<Result>)
    if (result instanceof Promise) {
      result.catch(() => {
        if (kept.get(key) === result) kept.delete(key)
      })
    }
    return result
  }
}

/** The same text in memory of its own: one that was cut out of a request would keep all of the request. */
const ownCopy = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
