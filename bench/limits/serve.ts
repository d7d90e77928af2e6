import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs a baseline: receives its options in a message, replies with its port, and ends with its parent. */
export function serve<Options>(makeListener: (options: Options) => RequestListener | Promise<RequestListener>): void {
  process.once('message', async (options: Options) => {
    const server = createServer(await makeListener(options))
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  })
  process.on('disconnect', () => process.exit(0))
  process.on('SIGTERM', () => process.exit(0))
}

/** Passes the complete body to `use`; responds with 500 if that fails. */
export function withBody(req: IncomingMessage, res: ServerResponse, use: (body: Buffer) => Promise<void> | void): void {
  const chunks: Buffer[] = []
  req.on('data', (chunk) => chunks.push(chunk))
  req.on('end', async () => {
    try {
      await use(Buffer.concat(chunks))
    } catch (error) {
      fail(res)(error as Error)
    }
  })
}

/** @param headers alternating names and values, without `Content-Length` */
export function answer(res: ServerResponse, status: number, headers: readonly string[], body: string | Buffer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  res.writeHead(status, [...headers, 'Content-Length', String(bytes.length)])
  res.end(bytes)
}

/** Responds with 500, which fails the case. */
export const fail = (res: ServerResponse) => (error: Error) => answer(res, 500, [], error.message)

export const JSON_HEADERS = ['Content-Type', 'application/json; charset=utf-8']
