import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Document, type Documents, documentsAt, elementOf, GRANT, GTIN, KEY, UPDATED } from './clean-documents.ts'

// A small correct service of EN 18222 with a GS1 resolver and credentials. Faults change its responses one at a time.

export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A change of one response. */
export type Change = (response: Response, request: Request, documents: Documents) => Response | Promise<Response>

export interface RunningService {
  readonly base: string
  readonly documents: Documents
  /** Replaces the planted fault. */
  plant(change: Change | undefined): void
  close(): Promise<void>
}

export async function startService(): Promise<RunningService> {
  let planted: Change | undefined
  let documents: Documents
  const server = createServer(async (incoming, outgoing) => {
    const request = await requestOf(incoming)
    const { status, headers, body } = await finished(await answer(request, documents), request, documents, planted)
    outgoing.writeHead(status, headers).end(request.method === 'HEAD' && !headers['x-with-body'] ? undefined : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://localhost:${(server.address() as AddressInfo).port}`
  documents = documentsAt(base)
  return {
    base,
    documents,
    plant(change) {
      planted = change
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  let body = ''
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk
  const [path = '', query = ''] = (incoming.url ?? '').split('?', 2)
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  return { method: incoming.method ?? '', path, query: new URLSearchParams(query), headers, body }
}

/** Applies the fault, then the conditional request, so that a fault also has its entity tag. */
async function finished(clean: Response, request: Request, documents: Documents, planted?: Change): Promise<Response> {
  const tagged = withTag(clean)
  const changed = planted === undefined ? tagged : await planted(tagged, request, documents)
  return changed.headers.etag === undefined || changed.status !== 200 ? changed : unlessKnown(changed, request)
}

const withTag = (response: Response): Response =>
  response.status !== 200
    ? response
    : {
        ...response,
        headers: {
          etag: `"${createHash('sha256').update(`${response.headers['content-type']}${response.body}`).digest('hex').slice(0, 16)}"`,
          ...response.headers,
        },
      }

function unlessKnown(response: Response, { headers }: Request): Response {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  const known = (headers['if-none-match'] ?? '').split(',').map(bare)
  if (!known.includes(bare(response.headers.etag ?? '')) || response.headers['x-unconditional']) return response
  return { status: 304, headers: { etag: response.headers.etag ?? '', ...COMMON }, body: '' }
}

const COMMON = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Link, Location',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Accept, Authorization',
} as const

const CACHED = { 'cache-control': 'public, no-cache' }
const PRIVATE = { 'cache-control': 'private, no-store' }

const respond = (type: string, body: string, more: Readonly<Record<string, string>> = CACHED): Response => ({
  status: 200,
  headers: { ...COMMON, 'content-type': type, ...more },
  body,
})

const json = (document: unknown, more?: Readonly<Record<string, string>>) =>
  respond('application/json', JSON.stringify(document), more)

const CODES = new Map([
  [400, 'ClientErrorBadRequest'],
  [401, 'ClientNotAuthorized'],
  [404, 'ClientErrorResourceNotFound'],
  [405, 'ClientMethodNotAllowed'],
  [501, 'ServerNotImplemented'],
])

const problem = (status: number, text: string): Response => {
  const message = [{ messageType: 'Error', text, timestamp: UPDATED }]
  const body = JSON.stringify({ statusCode: CODES.get(status), message })
  return { status, headers: { ...COMMON, 'content-type': 'application/json', 'cache-control': 'no-store' }, body }
}

async function answer(request: Request, documents: Documents): Promise<Response> {
  const { method, path } = request
  if (!['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'].includes(method))
    return problem(405, 'Unknown method.')
  if (method === 'OPTIONS')
    return { status: 204, headers: { ...COMMON, allow: 'GET, HEAD, OPTIONS', link: linkHeader(documents) }, body: '' }
  if (path.startsWith('/v1/')) return apiAnswer(request, documents)
  if (method !== 'GET' && method !== 'HEAD') return problem(405, 'Only reads.')
  if (path.startsWith('/01')) return linkAnswer(request, documents)
  const known = await documentAt(path, documents)
  if (known !== undefined) return known
  return path === '/passports/1' ? negotiated(request, documents) : problem(404, 'Unknown address.')
}

async function documentAt(path: string, documents: Documents): Promise<Response | undefined> {
  switch (path) {
    case '/':
      return respond(
        'text/html; charset=utf-8',
        `<!doctype html><html lang="en"><a href="/01/${GTIN}">Passport</a></html>`,
      )
    case '/.well-known/gs1resolver':
      return json(documents.description)
    case '/.well-known/did.json':
      return json(documents.didDocument)
    case '/.well-known/jwt-vc-issuer':
      return json(documents.jwtIssuer)
    case '/status':
      return respond('application/vc+jwt', documents.statusList())
    case '/vct':
      return json(documents.vct)
    case '/manual.pdf':
      return respond('application/pdf', '%PDF-1.7')
    default:
      return undefined
  }
}

const linkHeader = ({ link }: Documents) => `<${link}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`

function linkAnswer(request: Request, documents: Documents): Promise<Response> | Response {
  const { path, query, headers } = request
  const [, , gtin = '', ...qualifiers] = path.split('/')
  if (!/^\d{14}$/.test(gtin) || !hasCheckDigit(gtin)) return problem(400, 'The GTIN is not valid.')
  if (qualifiers.length % 2 === 1 || isMisordered(path)) return problem(400, 'The qualifiers are not valid.')
  if (gtin !== GTIN) return problem(404, 'Unknown GTIN.')
  const linkType = query.get('linkType')
  if (linkType === 'linkset' || linkType === 'all' || headers.accept === 'application/linkset+json')
    return respond('application/linkset+json', JSON.stringify(documents.linkset))
  if (linkType === null) return negotiated(request, documents)
  const isKnown = ['gs1:dpp', 'gs1:pip', 'gs1:defaultLink'].includes(linkType)
  if (!isKnown) return problem(404, 'Unknown link type.')
  return { status: 307, headers: { ...COMMON, location: `${documents.dppId}?${query}` }, body: '' }
}

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return sum % 10 === 0
}

const isOpenTo = ({ headers }: Request) => [`Bearer ${GRANT}`, `Bearer ${KEY}`].includes(headers.authorization ?? '')

/** A passport in the requested format; JSON by default. */
async function negotiated(request: Request, documents: Documents): Promise<Response> {
  const isOpen = isOpenTo(request)
  const more = { ...(isOpen ? PRIVATE : CACHED), link: linkHeader(documents) }
  switch (typeFor(request.headers.accept ?? '*/*')) {
    case 'text/html':
      return respond('text/html; charset=utf-8', documents.page, more)
    case 'application/ld+json':
      return respond('application/ld+json', JSON.stringify({ '@context': {}, ...documents.compressed(isOpen) }), more)
    case 'application/aas+json':
      return respond('application/aas+json', JSON.stringify(documents.environment), more)
    case 'application/vc+jwt':
      return respond('application/vc+jwt', documents.vcJwt(), more)
    case 'application/vc+ld+json':
      return respond('application/vc+ld+json', JSON.stringify(await documents.dataIntegrity()), more)
    case 'application/dc+sd-jwt':
      return respond('application/dc+sd-jwt', documents.sdJwt(), more)
    default:
      return json(documents.compressed(isOpen), more)
  }
}

const TYPES = [
  ...['application/json', 'text/html', 'application/ld+json', 'application/aas+json'],
  ...['application/vc+jwt', 'application/vc+ld+json', 'application/dc+sd-jwt'],
]

/** The type with the highest quality; JSON if none is accepted. */
function typeFor(accept: string): string | undefined {
  const ranges = accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1)
    return { type, quality: Number.isNaN(quality) ? 0 : quality }
  })
  const accepted = ranges.filter(({ type, quality }) => quality > 0 && TYPES.includes(type))
  return accepted.sort((one, other) => other.quality - one.quality)[0]?.type
}

function apiAnswer(request: Request, documents: Documents): Response {
  const [, , operation = '', ...segments] = request.path.split('/')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (operation === 'dppsByProductIds') return isRead ? problem(405, 'Use POST.') : searchAnswer(request, documents)
  if (!isRead) return writeAnswer(request, operation, segments)
  const decoded = segments.map(decodedSegment)
  if (decoded.includes(undefined)) return problem(400, 'The address is malformed.')
  const [id = '', kind, path] = decoded as string[]
  const form = request.query.get('representation') ?? 'compressed'
  if (!['compressed', 'full'].includes(form)) return problem(400, 'Unknown representation.')
  const isKnown = id === (operation === 'dppsByProductId' ? documents.link : documents.dppId)
  if (!isKnown) return problem(404, 'Unknown identifier.')
  if (operation === 'dppsByIdAndDate') return versionAnswer(request, documents, form)
  if (kind === 'elements' && path !== undefined) return elementAnswer(request, documents, path, form)
  if (kind !== undefined) return problem(404, 'Unknown address.')
  return passport(request, documents, form)
}

function passport(request: Request, documents: Documents, form: string): Response {
  const isOpen = isOpenTo(request)
  return json(form === 'full' ? documents.full(isOpen) : documents.compressed(isOpen), isOpen ? PRIVATE : CACHED)
}

function decodedSegment(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}

function searchAnswer({ body, query }: Request, { link, dppId }: Documents): Response {
  const limit = query.get('limit')
  if (limit !== null && !/^[1-9]\d*$/.test(limit)) return problem(400, 'The limit is not valid.')
  if (query.get('cursor') === '') return problem(400, 'The cursor is empty.')
  let given: unknown
  try {
    given = JSON.parse(body)
  } catch {
    return problem(400, 'The body is not JSON.')
  }
  const { productIds, productId } = (given ?? {}) as { productIds?: unknown; productId?: unknown }
  const ids = Array.isArray(given) ? given : (productIds ?? productId)
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string'))
    return problem(400, 'Product identifiers are missing.')
  return json({ dppIds: ids.includes(link) ? [dppId] : [] })
}

function versionAnswer(request: Request, documents: Documents, form: string): Response {
  const date = request.query.get('date') ?? ''
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(date)
  if (!isTime || Number.isNaN(Date.parse(date))) return problem(400, 'The date is not valid.')
  return Date.parse(date) < Date.parse(UPDATED) ? problem(404, 'No version.') : passport(request, documents, form)
}

const NAME = /^\$(?:\.([A-Za-z_]\w*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\])$/

function elementAnswer(request: Request, documents: Documents, path: string, form: string): Response {
  const [, dotted, single, double] = NAME.exec(path) ?? []
  const name = dotted ?? single ?? double
  if (name === undefined) return problem(400, 'The path does not lead to one element.')
  const key = name.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  const document: Document = documents.compressed(isOpenTo(request))
  if (!Object.hasOwn(document, key)) return problem(404, 'Unknown element.')
  return json(form === 'full' ? elementOf(key, document[key]) : document[key])
}

/** Writes are not offered, even to the operator. */
function writeAnswer({ headers }: Request, operation: string, segments: readonly string[]): Response {
  if (operation === 'dppsByProductId' || segments.includes('elements')) return problem(405, 'Not allowed.')
  return headers.authorization === `Bearer ${KEY}` ? problem(501, 'Not offered.') : problem(401, 'A key is required.')
}

/** A batch belongs before the serial number (GS1 Digital Link, 4.4). */
const isMisordered = (path: string) => path.includes('/21/') && path.lastIndexOf('/10/') > path.indexOf('/21/')
