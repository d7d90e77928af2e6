import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import type { Cradle } from '../cradle.ts'
import { dictionary } from '../domain/record.ts'
import { type Bounds, MAX_HEADERS, tooMuch } from '../start/bounds.ts'
import { DEFAULT_HEADERS } from './default-headers.ts'
import { type Forwarding, hostName, network } from './forwarding.ts'
import { publicLane } from './public-lane.ts'
import { requestId } from './request.ts'

export function createGatewayServer(app: Express, cradle: Cradle, forwarding: Forwarding): Server {
  const { bounds } = cradle.config
  const handler = publicLane(cradle, (req) => forwarding.addressOf(req), app)
  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: bounds.headersTimeout,
      requestTimeout: bounds.requestTimeout,
      keepAliveTimeout: bounds.keepAliveTimeout,
      connectionsCheckingInterval: bounds.checkInterval,
      // The parser's response to a missing Host has no request id.
      requireHostHeader: false,
      // Saves stream events for requests without a body.
      optimizeEmptyRequests: true,
    },
    (req, res) => {
      const earlier = lastExchanges.get(req.socket)
      lastExchanges.set(req.socket, { res, isFirstPending: earlier === undefined || earlier.res.writableFinished })
      const refusal = refusalOf(req)
      if (refusal === undefined && req.url !== '*') return handler(req, res)
      if (refusal !== undefined) refuse(req, res, refusal.status, refusal.message)
      else answerForServer(req, res)
      cradle.counters.requestsOf().observe(res.statusCode, 0)
    },
  )
  server.timeout = bounds.idleTimeout
  server.maxConnections = bounds.connections
  server.maxRequestsPerSocket = bounds.requestsPerConnection
  // One above the limit, so that excess headers are rejected instead of dropped.
  server.maxHeadersCount = MAX_HEADERS + 1
  boundConnectionsPerAddress(server, bounds, forwarding)
  server.on('checkExpectation', (req, res) =>
    refuse(req, res, 417, 'Unsupported Expect header. Only 100-continue is supported.'),
  )
  server.on('connect', (_, socket) => refuseConnection(400, socket as Socket, bounds.lingerTimeout))
  return server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else refuseConnection(UNREADABLE[error.code ?? ''] ?? 400, socket as Socket, bounds.lingerTimeout)
  })
}

interface Refusal {
  readonly status: number
  readonly message: string
}

function refusalOf(req: IncomingMessage): Refusal | undefined {
  const refusal = tooMuch(req.url ?? '', req.rawHeaders)
  if (refusal !== undefined) return refusal
  // Exactly one host (RFC 9112, 3.2): with two, a proxy might use the other. HTTP/1.0 may omit it.
  const hosts = countOfHosts(req.rawHeaders)
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) return NO_HOST
  if (req.url?.startsWith('/') !== true && !readTarget(req)) {
    return { status: 400, message: 'The request target must be a path, or an http or https address.' }
  }
  return hostName(req.headers.host ?? '') === undefined ? NO_HOST : undefined
}

const NO_HOST: Refusal = {
  status: 400,
  message: 'The request must have exactly one Host header with a valid host name.',
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Parses an absolute address, whose host applies (RFC 9112, 3.2.2), or `*` of OPTIONS. */
function readTarget(req: IncomingMessage): boolean {
  if (req.url === '*') return req.method === 'OPTIONS'
  const [, host, rest] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(req.url ?? '') ?? []
  if (host === undefined || rest === undefined) return false
  req.headers.host = host
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  return true
}

/** Responds to OPTIONS of the whole server (RFC 9110, 9.3.7). */
function answerForServer(req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(204, {
    ...DEFAULT_HEADERS,
    'X-Request-Id': requestId(req.headers['x-request-id']),
    Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  })
  res.end()
}

function refuse(req: IncomingMessage, res: ServerResponse, status: number, message: string): void {
  const body = refusalBody(status, message)
  res.writeHead(status, {
    ...DEFAULT_HEADERS,
    'X-Request-Id': requestId(req.headers['x-request-id']),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  })
  res.end(body)
}

const refusalBody = (status: number, message: string) =>
  JSON.stringify({ statusCode: status, error: STATUS_CODES[status] ?? 'Error', message })

const UNREADABLE = dictionary<number>({
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
})

const MESSAGES: Readonly<Record<number, string>> = {
  408: 'The request did not arrive in time.',
  413: 'The chunked body has too many chunk extensions.',
  431: 'Request target and headers exceed 16 KiB in total.',
}

const refused = new WeakSet<Socket>()

interface Exchange {
  readonly res: ServerResponse
  /** True if no earlier response of the connection was unfinished when the request arrived. */
  readonly isFirstPending: boolean
}

const lastExchanges = new WeakMap<Socket, Exchange>()

/** True if a response may have been sent in part. Anything written now would be read as its rest. */
function isAnswering(socket: Socket): boolean {
  const last = lastExchanges.get(socket)
  return last !== undefined && !last.res.writableFinished && (!last.isFirstPending || last.res.headersSent)
}

/** Rejects a malformed or incomplete request. The client has a short time to read the response. */
function refuseConnection(status: number, socket: Socket, lingerTimeout: number): void {
  if (refused.has(socket)) return
  if (!socket.writable || isAnswering(socket)) return void socket.destroy()
  refused.add(socket)
  const body = refusalBody(status, MESSAGES[status] ?? 'The request cannot be read as HTTP.')
  const linger = setTimeout(() => socket.destroy(), lingerTimeout)
  socket.once('close', () => clearTimeout(linger))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
      `X-Request-Id: ${randomUUID()}`,
      ...Object.entries(DEFAULT_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

function boundConnectionsPerAddress(server: Server, { connectionsPerAddress }: Bounds, forwarding: Forwarding): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined) return void socket.destroy()
    if (forwarding.isProxy(address)) return
    const key = network(address)
    const count = (open.get(key) ?? 0) + 1
    if (count > connectionsPerAddress) return void socket.destroy()
    open.set(key, count)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left === 0) open.delete(key)
      else open.set(key, left)
    })
  })
}
