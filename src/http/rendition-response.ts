import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WireRendition } from '../services/renditions.ts'

/** What public answers depend on. Authorization is there because tokens show more (specification 5.10). */
export const PUBLIC_VARY = 'Accept, Accept-Language, Authorization'

/** Headers of pages that people see. The page states its own policy for styles; this one holds where a page cannot. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
}

/**
 * Answers with a rendition; both lanes end here, so that they cannot differ. A public answer may be kept but must be
 * revalidated, because a recall has to show at once; other tiers must not be kept at all.
 */
export function sendRendition(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  rendition: WireRendition,
  isPublic: boolean,
): void {
  const isKnown = matches(req.headers['if-none-match'], rendition.etag)
  const fixed = fixedHeaders(rendition, isPublic)
  // What describes the content goes with the content (RFC 9110, 15.4.5).
  const content = isKnown
    ? []
    : ['Content-Type', rendition.contentType, 'Content-Length', String(rendition.body.length)]
  res.writeHead(isKnown ? 304 : 200, ['X-Request-Id', requestId, ...fixed, ...content])
  res.end(isKnown ? undefined : rendition.body)
}

const FIXED = new WeakMap<WireRendition, readonly string[]>()

/** The headers that are the same for every answer of a rendition; a rendition has one tier. */
function fixedHeaders(rendition: WireRendition, isPublic: boolean): readonly string[] {
  let headers = FIXED.get(rendition)
  if (headers === undefined) {
    headers = Object.entries({
      ETag: rendition.etag,
      Vary: PUBLIC_VARY,
      'Cache-Control': isPublic ? 'public, no-cache' : 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
      // The address of an answer that a token has opened may hold the token.
      ...(isPublic ? {} : { 'Referrer-Policy': 'no-referrer' }),
      ...(rendition.contentType.startsWith('text/html') ? PAGE_HEADERS : {}),
    }).flat()
    FIXED.set(rendition, headers)
  }
  return headers
}

// RFC 9110, 13.1.2: the comparison is weak, and `*` matches anything that exists.
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.length <= 4096 && header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
