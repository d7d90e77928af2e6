import { createHash } from 'node:crypto'
import type { Rendered, RepresentationPlugin } from '../plugin/contracts.ts'

/** A document as it goes over the wire. */
export interface WireRendition {
  readonly body: Buffer
  readonly etag: string
  readonly contentType: string
  /** True for formats that are not text, such as AASX. */
  readonly isBinary?: boolean
}

/** A rendition as it is stored: `body` of a text, `bytes` of anything else. */
export interface StoredRow {
  readonly body: string | null
  readonly bytes: Buffer | null
  readonly etag: string
  readonly content_type: string
}

/** The stored rendition as it goes over the wire. */
export const wire = ({ body, bytes, etag, content_type: contentType }: StoredRow): WireRendition => ({
  body: body === null ? (bytes as Buffer) : Buffer.from(body),
  etag,
  contentType,
  isBinary: body === null,
})

/** What a representation made, as it goes over the wire. */
export function toWire(plugin: RepresentationPlugin, { body: content, contentType }: Rendered): WireRendition {
  const body = Buffer.from(content as string)
  const isBinary = typeof content !== 'string'
  return { body, etag: etagOf(body), contentType: contentType ?? plugin.mediaTypes[0], isBinary }
}

/** A strong entity tag of the content: 160 bits of the digest, so that no two contents share one. */
export const etagOf = (body: Buffer) =>
  `"${createHash('sha256').update(body).digest().subarray(0, 20).toString('base64url')}"`
