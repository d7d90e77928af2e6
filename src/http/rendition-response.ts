import type { IncomingMessage, ServerResponse } from 'node:http'
import { audienceOf, type Reader, tierOf } from '../domain/audience.ts'
import { isPage, type WireRendition } from '../renditions/rendition.ts'
import { CORS_HEADERS, DEFAULT_HEADERS } from './default-headers.ts'

/** Authorization is included because tokens show more (specification 5.10). */
const PUBLIC_VARY = 'Accept, Accept-Language, Authorization'
const PAGE_VARY = 'Accept, Accept-Encoding, Accept-Language, Authorization'

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

/** Sends a rendition. With `forAll` it must be revalidated, because a recall must show immediately; otherwise it must not be cached. */
export function sendRendition(
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  rendition: WireRendition,
  reader: Reader | undefined,
  forAll: boolean,
): void {
  const isKnown = matches(req.headers['if-none-match'], rendition.etag)
  const headers = reader === 'public' && forAll ? publicHeaders(rendition) : headersFor(rendition, reader, forAll)
  // Node reads the list synchronously.
  headers[1] = requestId
  // A 304 omits content headers (RFC 9110, 15.4.5).
  if (isKnown) res.writeHead(304, headers.slice(0, rendition.encoding === undefined ? -4 : -6)).end()
  else res.writeHead(200, headers).end(rendition.body)
}

const PUBLIC_HEADERS = new WeakMap<WireRendition, string[]>()

function publicHeaders(rendition: WireRendition): string[] {
  let headers = PUBLIC_HEADERS.get(rendition)
  if (headers === undefined) {
    headers = headersFor(rendition, 'public', true)
    PUBLIC_HEADERS.set(rendition, headers)
  }
  return headers
}

/** Alternating names and values: the request id first, the content last. */
function headersFor(
  { body, etag, contentType, links, encoding, beginning }: WireRendition,
  reader: Reader | undefined,
  forAll: boolean,
): string[] {
  return [
    'X-Request-Id',
    '',
    'ETag',
    etag,
    ...(reader === undefined ? [] : accessHeaders(reader)),
    ...(forAll ? (isPage({ contentType }) ? PAGE_FOR_ALL : FOR_ALL) : []),
    ...(isPage({ contentType }) ? flat(pageHeaders(beginning ?? body)) : forAll ? [] : FOR_ONE),
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
const forAllWith = (vary: string) =>
  flat({ ...DEFAULT_HEADERS, ...CORS_HEADERS, Vary: vary, 'Cache-Control': 'public, no-cache' })
const FOR_ALL = forAllWith(PUBLIC_VARY)
const PAGE_FOR_ALL = forAllWith(PAGE_VARY)
// The address may contain a token.
const FOR_ONE = ['Referrer-Policy', 'no-referrer']

/** Compares entity tags weakly; `*` matches any (RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.length <= 4096 && header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
