import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { WireRendition } from './rendition.ts'

declare module '../cradle.ts' {
  interface Cradle {
    compressedPages: ReturnType<typeof compressedPages>
  }
}

/** A page has some 14 KB. */
const MAX_BYTES = 8 * 1024 * 1024
const BEGINNING_BYTES = 2048
const compress = promisify(brotliCompress)
// A page of 60 KB takes 2 ms in a pool thread.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/**
 * Caches public pages in Brotli. Pages of a token or owner must not enter: compressed with foreign input, their length would disclose
 * content.
 */
export default function compressedPages() {
  const cached = new Map<string, Promise<WireRendition>>()
  let bytes = 0

  return { of }

  /** Returns the compressed page with its own entity tag (RFC 9110, 8.8.3.3). */
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
      // A slice would keep the whole page in memory.
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
