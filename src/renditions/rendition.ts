import { createHash } from 'node:crypto'
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

/** Returns undefined if no rendition is stored. */
export function wire(row: { readonly [K in keyof StoredRow]: StoredRow[K] | null }): WireRendition | undefined {
  const { body, bytes, etag, content_type: contentType } = row
  if (etag === null || contentType === null) return undefined
  return { body: body === null ? (bytes as Buffer) : Buffer.from(body), etag, contentType, isBinary: body === null }
}

export const stored = ({ body, etag, contentType, isBinary }: WireRendition): StoredRow => ({
  body: isBinary ? null : body.toString(),
  bytes: isBinary ? body : null,
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
