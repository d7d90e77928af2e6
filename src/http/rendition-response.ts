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
  const headers = [
    'X-Request-Id',
    requestId,
    'ETag',
    rendition.etag,
    'Vary',
    PUBLIC_VARY,
    'Cache-Control',
    isPublic ? 'public, no-cache' : 'private, no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    'ETag, X-Request-Id',
  ]
  if (rendition.contentType.startsWith('text/html')) {
    for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.push(name, value)
  }
  if (matches(req.headers['if-none-match'], rendition.etag)) {
    res.writeHead(304, headers)
    res.end()
    return
  }
  headers.push('Content-Type', rendition.contentType, 'Content-Length', String(rendition.body.length))
  res.writeHead(200, headers)
  res.end(rendition.body)
}

// RFC 9110, 13.1.2: the comparison is weak, and `*` matches anything that exists.
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.length <= 4096 && header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
