import { hash } from 'node:crypto'
import type { Rendered, RepresentationPlugin } from '../plugin/contracts.ts'
import type { StoredRow } from '../storage/renditions.ts'

/** A document as it goes over the wire. */
export interface WireRendition {
  readonly body: Buffer
  readonly etag: string
  readonly contentType: string
  /** True for formats that are not text, such as AASX. */
  readonly isBinary?: boolean
  /** The `Link` header that goes with it (RFC 8288). */
  readonly links?: string
  /** Content coding of `body`; absent if it is as it was rendered. */
  readonly encoding?: 'br'
  /** How the body began before it was encoded. */
  readonly beginning?: Buffer
}

/** An answer that names another address. */
export interface Redirect<Status extends number = number> {
  readonly status: Status
  readonly headers: { readonly Location: string; readonly [name: string]: string }
}

/** True for what a browser shows. */
export const isPage = ({ contentType }: Pick<WireRendition, 'contentType'>): boolean =>
  contentType.startsWith('text/html')

/** The rendition as it goes over the wire; undefined where none is stored. */
export function wire(row: { readonly [K in keyof StoredRow]: StoredRow[K] | null }): WireRendition | undefined {
  const { body, bytes, etag, content_type: contentType } = row
  if (etag === null || contentType === null) return undefined
  return { body: body === null ? (bytes as Buffer) : Buffer.from(body), etag, contentType, isBinary: body === null }
}

/** The rendition as it is stored. */
export const stored = ({ body, etag, contentType, isBinary }: WireRendition): StoredRow => ({
  body: isBinary ? null : body.toString(),
  bytes: isBinary ? body : null,
  etag,
  content_type: contentType,
})

/** What a representation made, as it goes over the wire. */
export function toWire(
  plugin: Pick<RepresentationPlugin, 'mediaTypes'>,
  { body: content, contentType }: Rendered,
): WireRendition {
  const body = Buffer.from(content as string)
  const isBinary = typeof content !== 'string'
  return { body, etag: etagOf(body), contentType: contentType ?? plugin.mediaTypes[0], isBinary }
}

/** A strong entity tag of the content: 160 bits of the digest, so that no two contents share one. */
export const etagOf = (body: Buffer) => `"${hash('sha256', body, 'buffer').toString('base64url', 0, 20)}"`
