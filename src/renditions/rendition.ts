import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, zstdCompress, zstdDecompressSync } from 'node:zlib'
import type { Rendered, RepresentationPlugin } from '../plugin/contracts.ts'
import type { StoredRow } from './rendition-statements.ts'

export interface WireRendition {
  readonly body: Buffer
  readonly etag: string
  readonly contentType: string
  /** True for formats such as AASX. */
  readonly isBinary?: boolean
  /** `Link` header (RFC 8288). */
  readonly links?: string
  /** Absent if uncoded. */
  readonly encoding?: 'br'
  /** Beginning of the body before encoding. */
  readonly beginning?: Buffer
}

export interface Redirect<Status extends number = number> {
  readonly status: Status
  readonly headers: { readonly Location: string; readonly [name: string]: string }
}

export const isPage = ({ contentType }: Pick<WireRendition, 'contentType'>): boolean =>
  contentType.startsWith('text/html')

const BEGINNING_BYTES = 2048
// A page of 40 KB takes 1 ms in a pool thread, each.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const ZSTANDARD = { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 }

/** Compresses with Zstandard (RFC 8878). */
export const packed = (body: Buffer, dictionary: Buffer | undefined): Promise<Buffer> =>
  promisify(zstdCompress)(body, { params: ZSTANDARD, ...(dictionary && { dictionary }) })

/** Undefined if the dictionary is another one. */
function unpacked(bytes: Buffer, dictionary: Buffer | undefined): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, dictionary && { dictionary })
  } catch {
    return undefined
  }
}

/** Returns the Brotli form of a page, which has its own entity tag (RFC 9110, 8.8.3.3). */
export async function compressed({ body: page, etag, contentType }: WireRendition): Promise<WireRendition> {
  const body = await promisify(brotliCompress)(page, BROTLI)
  // A slice would keep the whole page in memory.
  const beginning = Buffer.from(page.subarray(0, BEGINNING_BYTES))
  return { body, etag: etag.replace(/"$/, '-br"'), contentType, encoding: 'br', beginning }
}

/** Returns undefined if no readable rendition is stored. */
export function wire(
  row: { readonly [K in keyof StoredRow]: StoredRow[K] | null },
  dictionary?: Buffer,
): WireRendition | undefined {
  const { body, bytes, etag, content_type: contentType } = row
  if (etag === null || contentType === null) return undefined
  const content = bytes === null ? Buffer.from(body ?? '') : unpacked(bytes, dictionary)
  return content && { body: content, etag, contentType }
}

/** @param bytes its packed form, stored in place of the text */
export const stored = ({ body, etag, contentType }: WireRendition, bytes: Buffer | null): StoredRow => ({
  body: bytes === null ? body.toString() : null,
  bytes,
  etag,
  content_type: contentType,
})

export function toWire(
  plugin: Pick<RepresentationPlugin, 'mediaTypes'>,
  { body: content, contentType }: Rendered,
): WireRendition {
  const body = Buffer.from(content as string)
  const isBinary = typeof content !== 'string'
  const type = contentType ?? plugin.mediaTypes[0]
  return { body, etag: etagOf(body, type), contentType: type, isBinary }
}

/**
 * Returns a strong entity tag of 160 bits.
 * @param contentType if the same bytes are served as several types (RFC 9110, 8.8.1)
 */
export function etagOf(body: Buffer, contentType = ''): string {
  const digest = createHash('sha256').update(contentType).update(body).digest()
  return `"${digest.toString('base64url', 0, 20)}"`
}
