import { dictionary } from '../domain/record.ts'

/** Overridden by stored renditions and operations with `x-max-age`. */
export const DEFAULT_HEADERS = dictionary<string>({
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-store',
  Vary: 'Accept, Accept-Language, Authorization, Cookie',
})

/** Includes errors of public addresses. */
export const CORS_HEADERS = dictionary<string>({
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'ETag, Link, Location, Retry-After, Vary, X-Access-Audience, X-Access-Note, X-Access-Tier, X-Request-Id',
})

/** Fetch Standard, 3.3. */
export const PREFLIGHT_HEADERS = dictionary<string>({
  ...CORS_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Accept, Accept-Language, Authorization, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '86400',
})

export const JSON_TYPE = 'application/json; charset=utf-8'
