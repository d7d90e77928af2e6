import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { WireRendition } from './rendition.ts'

declare module '../cradle.ts' {
  interface Cradle {
    compressedPages: ReturnType<typeof compressedPages>
  }
}

/** Compressed bytes that are cached, the oldest evicted first. A page has some 14 KB. */
const MAX_BYTES = 8 * 1024 * 1024
/** Beginning of a page, which states its policy. */
const BEGINNING_BYTES = 2048
const compress = promisify(brotliCompress)
// A page of 60 KB takes 2 ms, in a thread of the pool.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * Public pages in Brotli, each compressed once while it is cached. Pages of a token or of an owner must not enter: compressed
 * next to what a stranger can put into them, their length would disclose what they hold.
 */
export default function compressedPages() {
  const cached = new Map<string, Promise<WireRendition>>()
  let bytes = 0

  return { of }

  /** The page in Brotli, as a representation with its own entity tag (RFC 9110, 8.8.3.3). */
  function of(page: WireRendition): Promise<WireRendition> {
    const known = cached.get(page.etag)
    if (known !== undefined) return known
    const made = make(page)
    cached.set(page.etag, made)
    made.then(
      ({ body }) => {
        bytes += body.length
        evict()
      },
      () => cached.delete(page.etag),
    )
    return made
  }

  async function make({ body, etag, contentType }: WireRendition): Promise<WireRendition> {
    return {
      body: await compress(body, COMPRESSION),
      etag: etag.replace(/"$/, '-br"'),
      contentType,
      encoding: 'br',
      // A copy: a part would keep the whole page in memory.
      beginning: Buffer.from(body.subarray(0, BEGINNING_BYTES)),
    }
  }

  function evict(): void {
    for (const [etag, page] of cached) {
      if (bytes <= MAX_BYTES) return
      cached.delete(etag)
      page.then(
        ({ body }) => {
          bytes -= body.length
        },
        () => {},
      )
    }
  }
}
