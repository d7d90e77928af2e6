import { dictionary } from '../domain/record.ts'

/**
 * Headers of every answer, of errors and refusals too. Whoever answers something that others may keep or that depends
 * on less says so itself: a stored rendition, or an operation with `x-max-age`.
 */
export const DEFAULT_HEADERS = dictionary<string>({
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-store',
  Vary: 'Accept, Accept-Language, Authorization, Cookie',
})

/** Headers of whatever a page of another origin may read: the public addresses, whose errors it has to understand too. */
export const CORS_HEADERS = dictionary<string>({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, Location, Retry-After, Vary, X-Access-Audience, X-Access-Note, X-Access-Tier, X-Request-Id',
})

/** What such a page may send (Fetch Standard, 3.3). Authorization is there for keys and capability tokens. */
export const PREFLIGHT_HEADERS = dictionary<string>({
  ...CORS_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Accept, Accept-Language, Authorization, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '86400',
})

/** What JSON is sent as. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** What scripts are sent as. */
export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
