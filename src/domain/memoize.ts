import { LRUCache } from 'lru-cache'
import { once } from './once.ts'

/** Keys take at most `entries` × `characters` × 2 bytes. */
interface CacheLimits {
  readonly entries: number
  /** UTF-16 code units; longer texts are not cached. */
  readonly characters: number
}

/**
 * Memoizes a pure function with LRU eviction. Results are shared: do not mutate them. They must not depend on time, current trust or
 * database rows. Texts are compared in full: an anonymous caller can only evict entries.
 */
export function memoize<Result>(
  compute: (text: string) => Result,
  { entries, characters }: CacheLimits,
): (text: string) => Result {
  // Allocates memory for all entries.
  const cacheOf = once(() => new LRUCache<string, NonNullable<Result>>({ max: entries }))
  return (text) => {
    if (text.length > characters) return compute(text)
    const cache = cacheOf()
    const known = cache.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (result === undefined) return result
    const key = ownCopy(text)
    cache.set(key, result as NonNullable<Result>)
    if (result instanceof Promise) {
      result.catch(() => {
        if (cache.get(key) === result) cache.delete(key)
      })
    }
    return result
  }
}

/** Copies the text: a slice retains the whole request in memory. */
const ownCopy = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
