import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { dictionary } from '../domain/record.ts'
import { type PublicLaneDependencies, publicLane } from './public-lane.ts'

/** The HTTP server: the public lane, and the pipeline behind it. */
export function createGatewayServer(app: Express, dependencies: PublicLaneDependencies): Server {
  const handler = publicLane(dependencies, addressOf(app), app)
  // Bounds on what a slow or greedy client can hold open.
  const server = createServer(
    {
      maxHeaderSize: 16_384,
      headersTimeout: 20_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      // The parser's answer to a missing Host would have no request id.
      requireHostHeader: false,
    },
    (req, res) => {
      // Exactly one host (RFC 9112, 3.2): with two, a proxy and we might not mean the same. HTTP/1.0 may have none.
      const hosts = countOfHosts(req.rawHeaders)
      if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1')) refuseConnection(400, req.socket)
      else handler(req, res)
    },
  )
  return server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else refuseConnection(UNREADABLE[error.code ?? ''] ?? 400, socket as Socket)
  })
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** What the HTTP parser could not read, by its error codes; anything else is 400. */
const UNREADABLE = dictionary<number>({
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
})

/** Answers what never became a request, in the framework form, and closes the connection. */
function refuseConnection(status: number, socket: Socket): void {
  // An answer that has begun must not be continued with another.
  const current = (socket as Socket & { _httpMessage?: { headersSent: boolean } })._httpMessage
  if (!socket.writable || current?.headersSent) return void socket.destroy()
  const error = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ statusCode: status, error, message: 'The request cannot be read as HTTP.' })
  socket.end(
    [
      `HTTP/1.1 ${status} ${error}`,
      `X-Request-Id: ${randomUUID()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** The caller's address by Express's own `trust proxy` rule, so that both lanes agree. */
function addressOf(app: Express): (req: IncomingMessage) => string {
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn')
  return (req) => {
    const forwarded = req.headers['x-forwarded-for']
    const direct = req.socket.remoteAddress ?? ''
    if (forwarded === undefined) return direct
    const chain = [
      direct,
      ...String(forwarded)
        .split(',')
        .map((address) => address.trim())
        .reverse(),
    ]
    return chain.find((address, hop) => !isTrusted(address, hop)) ?? chain[chain.length - 1] ?? direct
  }
}
