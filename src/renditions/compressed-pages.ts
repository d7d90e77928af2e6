import { LRUCache } from 'lru-cache'
import { brotli, type WireRendition, withCompressed } from './rendition.ts'

declare module '../cradle.ts' {
  interface Cradle {
    compressedPages: ReturnType<typeof compressedPages>
  }
}

/** A page has some 14 KB. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * Caches public pages in Brotli that are not stored so. Pages of a token or owner must not enter: compressed with foreign input, their
 * length would disclose content.
 */
export default function compressedPages() {
  const cached = new LRUCache<string, WireRendition, WireRendition>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.length,
    fetchMethod: async (_etag, _stale, { context: page }) => withCompressed(page, await brotli(page.body)).compressed,
  })

  return { of }

  async function of(page: WireRendition): Promise<WireRendition> {
    return page.compressed ?? cached.forceFetch(page.etag, { context: page })
  }
}
