import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants } from 'node:zlib'
import type { Rendered, RepresentationPlugin } from '../plugin/contracts.ts'
import type { StoredRow } from './rendition-statements.ts'

export interface WireRendition {
  readonly body: Buffer
  readonly etag: string
  readonly contentType: string
  /** True for formats such as AASX. */
  readonly isBinary?: boolean
  /** The same page in Brotli. */
  readonly compressed?: WireRendition
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
// A page of 60 KB takes 2 ms in a pool thread.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
export const brotli = (body: Buffer): Promise<Buffer> => promisify(brotliCompress)(body, COMPRESSION)

/** Returns a page with its Brotli form, which has its own entity tag (RFC 9110, 8.8.3.3). */
export function withCompressed(page: WireRendition, body: Buffer) {
  const { etag, contentType } = page
  // A slice would keep the whole page in memory.
  const beginning = Buffer.from(page.body.subarray(0, BEGINNING_BYTES))
  return {
    ...page,
    compressed: { body, etag: etag.replace(/"$/, '-br"'), contentType, encoding: 'br', beginning },
  } as const
}

/** Returns undefined if no rendition is stored. */
export function wire(row: { readonly [K in keyof StoredRow]: StoredRow[K] | null }): WireRendition | undefined {
  const { body, bytes, etag, content_type: contentType } = row
  if (etag === null || contentType === null) return undefined
  if (bytes === null) return { body: Buffer.from(body ?? ''), etag, contentType }
  const rendition = { body: brotliDecompressSync(bytes), etag, contentType }
  return isPage(rendition) ? withCompressed(rendition, bytes) : rendition
}

/** @param bytes its Brotli form, stored in place of the text */
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
