import type { IncomingMessage, ServerResponse } from 'node:http'
import { audienceOf, type Reader, tierOf } from '../domain/audience.ts'
import { isPage, type WireRendition } from '../renditions/rendition.ts'
import { CORS_HEADERS, DEFAULT_HEADERS } from './default-headers.ts'

/** How shared caches store a public rendition. */
interface Shared {
  /** Seconds in shared caches; browsers revalidate. */
  readonly maxAge: number
  /** Names by which a shared cache is purged: the value in the address, and ids. */
  readonly tags: readonly string[]
  /** True if the format has languages. */
  readonly isLocalised: boolean
}

/** Policy of a page (CSP Level 3, 3.3), which precedes foreign content. */
const STATED = '<meta http-equiv="Content-Security-Policy" content="'
const MAX_CHARACTERS_AHEAD = 2048
const NO_POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'"

/** Pages contain their policy for saved copies; `frame-ancestors` works only in a header (CSP Level 3, 6.4.2). */
export function pageHeaders(body: string | Uint8Array): Readonly<Record<string, string>> {
  const beginning = body.slice(0, MAX_CHARACTERS_AHEAD)
  const head = typeof beginning === 'string' ? beginning : Buffer.from(beginning).toString('latin1')
  const [, stated = ''] = head.split(STATED, 2)
  const end = stated.indexOf('"')
  const policy = end === -1 ? NO_POLICY : stated.slice(0, end).replaceAll('&#39;', "'")
  return { 'Content-Security-Policy': `${policy}; frame-ancestors 'none'`, 'Referrer-Policy': 'no-referrer' }
}

/** @param headers its {@link renditionHeaders}, reused for other requests: Node reads the list synchronously */
export function sendRendition(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  { etag, encoding, body }: WireRendition,
  headers: string[],
): void {
  headers[1] = requestId
  // A 304 omits content headers (RFC 9110, 15.4.5).
  if (matches(req.headers['if-none-match'], etag))
    res.writeHead(304, headers.slice(0, encoding === undefined ? -4 : -6)).end()
  else res.writeHead(200, headers).end(body)
}

/** Alternating names and values: the request id first, the content last. Unless the rendition is shared, it must not be cached. */
export function renditionHeaders(
  { body, etag, contentType, links, encoding, beginning }: WireRendition,
  reader: Reader | undefined,
  shared: Shared | undefined,
): string[] {
  return [
    'X-Request-Id',
    '',
    'ETag',
    etag,
    ...(reader === undefined ? [] : accessHeaders(reader)),
    ...(shared === undefined ? [] : sharedHeaders(shared, isPage({ contentType }))),
    ...(isPage({ contentType }) ? flat(pageHeaders(beginning ?? body)) : shared === undefined ? FOR_ONE : []),
    ...(links === undefined ? [] : ['Link', links]),
    // Content, omitted by a 304.
    ...(encoding === undefined ? [] : ['Content-Encoding', encoding]),
    'Content-Type',
    contentType,
    'Content-Length',
    String(body.length),
  ]
}

function accessHeaders(reader: Reader): readonly string[] {
  const tier = tierOf(reader)
  return ['X-Access-Tier', tier, ...(tier === 'restricted' ? ['X-Access-Audience', audienceOf(reader)] : [])]
}

const flat = (headers: Readonly<Record<string, string>>): readonly string[] => Object.entries(headers).flat()
const { Vary: _, 'Cache-Control': __, ...ALWAYS } = { ...DEFAULT_HEADERS, ...CORS_HEADERS }
const ALWAYS_SENT = flat(ALWAYS)
/** Seconds in which a shared cache answers while it revalidates (RFC 5861), so that a change shows in time. */
const REVALIDATED_WITHIN = 1
/** Seconds in which a shared cache may answer if the gateway does not. */
const IF_ERROR = 3600

function sharedHeaders({ maxAge, tags, isLocalised }: Shared, isCompressible: boolean): readonly string[] {
  const names = ['dpp', ...new Set(tags)]
  return [
    ...ALWAYS_SENT,
    // A token may show more (specification 5.10).
    'Vary',
    `Accept${isCompressible ? ', Accept-Encoding' : ''}${isLocalised ? ', Accept-Language' : ''}, Authorization`,
    'Cache-Control',
    `public, max-age=0, s-maxage=${maxAge}, stale-while-revalidate=${REVALIDATED_WITHIN}, stale-if-error=${IF_ERROR}`,
    'Surrogate-Key',
    names.join(' '),
    'Cache-Tag',
    names.join(),
  ]
}

// The address may contain a token.
const FOR_ONE = ['Referrer-Policy', 'no-referrer']

/** Compares entity tags weakly; `*` matches any (RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.length <= 4096 && header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
