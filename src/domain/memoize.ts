import { LRUCache } from 'lru-cache'

/** Limits of the cache. Its keys take at most `entries` × `characters` × 2 bytes. */
interface CacheLimits {
  readonly entries: number
  /** UTF-16 code units; results for longer texts are not cached. */
  readonly characters: number
}

/**
 * Memoizes a pure function of one string, with LRU eviction. Results are shared: do not mutate them.
 *
 * The result may depend on the text only: not on the time, on what is trusted today, or on rows of the database that change. If a
 * certificate is well-formed and who signed it may be memoized; if it is valid now may not.
 *
 * Errors, `undefined` and rejected promises are not cached. Texts are compared in full and the cache is bounded, so that an anonymous
 * caller can at most evict entries, at the cost of computing as many results.
 */
export function memoize<Result>(
  compute: (text: string) => Result,
  { entries, characters }: CacheLimits,
): (text: string) => Result {
  const cache = new LRUCache<string, NonNullable<Result>>({ max: entries })
  return (text) => {
    if (text.length > characters) return compute(text)
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

/** A copy of the text: a slice of a request would keep the whole request in memory. */
const ownCopy = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
