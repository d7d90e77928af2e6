import type { IncomingMessage, ServerResponse } from 'node:http'
import { audienceOf, type Reader, tierOf } from '../domain/audience.ts'
import { isPage, type WireRendition } from '../publication/rendition.ts'
import { CORS_HEADERS, DEFAULT_HEADERS } from './default-headers.ts'

/** What public answers depend on. Authorization is there because tokens show more (specification 5.10). */
const PUBLIC_VARY = 'Accept, Accept-Language, Authorization'
/** Pages are compressed for callers that take it so. */
const PAGE_VARY = 'Accept, Accept-Encoding, Accept-Language, Authorization'

/** How a page states its policy (CSP Level 3, 3.3), ahead of anything that is not the gateway's own. */
const STATED = '<meta http-equiv="Content-Security-Policy" content="'
const MAX_CHARACTERS_AHEAD = 2048
/** A page that states none gets nothing. */
const NO_POLICY = "default-src 'none'; base-uri 'none'; form-action 'self'"

/**
 * Headers of a page that people see. Its policy is the one that it states, so that it holds saved to a disk too; who may
 * frame it only a header can say (CSP Level 3, 6.4.2).
 */
export function pageHeaders(body: string | Uint8Array): Readonly<Record<string, string>> {
  const beginning = body.slice(0, MAX_CHARACTERS_AHEAD)
  const head = typeof beginning === 'string' ? beginning : Buffer.from(beginning).toString('latin1')
  const [, stated = ''] = head.split(STATED, 2)
  const end = stated.indexOf('"')
  const policy = end === -1 ? NO_POLICY : stated.slice(0, end).replaceAll('&#39;', "'")
  return { 'Content-Security-Policy': `${policy}; frame-ancestors 'none'`, 'Referrer-Policy': 'no-referrer' }
}

/**
 * Answers with a rendition; both lanes end here, so that they cannot differ. What is `forAll` may be kept but must be
 * revalidated, because a recall has to show at once; what other readers get, and answers that need a credential, must not be kept.
 */
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
  // Node reads them at once, so that the next answer may have the same list.
  headers[1] = requestId
  // What describes the content goes with the content (RFC 9110, 15.4.5).
  if (isKnown) res.writeHead(304, headers.slice(0, rendition.encoding === undefined ? -4 : -6)).end()
  else res.writeHead(200, headers).end(rendition.body)
}

const PUBLIC_HEADERS = new WeakMap<WireRendition, string[]>()

/** The headers of a public answer; those of the lane's cache are asked for again and again. */
function publicHeaders(rendition: WireRendition): string[] {
  let headers = PUBLIC_HEADERS.get(rendition)
  if (headers === undefined) {
    headers = headersFor(rendition, 'public', true)
    PUBLIC_HEADERS.set(rendition, headers)
  }
  return headers
}

/** Names and values in turn, as Node takes them: first the request's id, which is the request's to say, at last the content. */
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
    // From here on the content, without which a 304 is sent.
    ...(encoding === undefined ? [] : ['Content-Encoding', encoding]),
    'Content-Type',
    contentType,
    'Content-Length',
    String(body.length),
  ]
}

/** The tier of the specification; of what a token opens the audience too. */
function accessHeaders(reader: Reader): readonly string[] {
  const tier = tierOf(reader)
  return ['X-Access-Tier', tier, ...(tier === 'restricted' ? ['X-Access-Audience', audienceOf(reader)] : [])]
}

/** Put together once, since every answer that no cache holds needs them. */
const flat = (headers: Readonly<Record<string, string>>): readonly string[] => Object.entries(headers).flat()
const forAllWith = (vary: string) =>
  flat({ ...DEFAULT_HEADERS, ...CORS_HEADERS, Vary: vary, 'Cache-Control': 'public, no-cache' })
const FOR_ALL = forAllWith(PUBLIC_VARY)
const PAGE_FOR_ALL = forAllWith(PAGE_VARY)
// Only the pipeline answers these, which has said the rest. The address of an answer that a token has opened may hold the token.
const FOR_ONE = ['Referrer-Policy', 'no-referrer']

/** Whether the caller has it (RFC 9110, 13.1.2): the comparison is weak, and `*` matches anything that exists. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header === '*') return true
  return header.length <= 4096 && header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}
