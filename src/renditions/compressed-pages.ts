import { LRUCache } from 'lru-cache'
import { compressed, type WireRendition } from './rendition.ts'

declare module '../cradle.ts' {
  interface Cradle {
    compressedPages: ReturnType<typeof compressedPages>
  }
}

/** A page has some 11 KB. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Caches public pages in Brotli. Pages of a token or owner must not enter: compressed with foreign input, their
 * length would disclose content.
 */
export default function compressedPages() {
  const cached = new LRUCache<string, WireRendition, WireRendition>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.length,
    fetchMethod: (_etag, _stale, { context: page }) => compressed(page),
  })

  return { of }

  async function of(page: WireRendition): Promise<WireRendition> {
    return cached.get(page.etag) ?? cached.forceFetch(page.etag, { context: page })
  }
}
