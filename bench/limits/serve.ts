import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Runs a baseline: its options come in one message, its port goes back in another, and it ends with its parent. */
export function serve<Options>(makeListener: (options: Options) => RequestListener | Promise<RequestListener>): void {
  process.once('message', async (options: Options) => {
    const server = createServer(await makeListener(options))
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  })
  process.on('disconnect', () => process.exit(0))
  process.on('SIGTERM', () => process.exit(0))
}

/** Gives the body of a request, once it is there, to `use`, and answers 500 where that fails. */
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

/** Answers with these headers, names and values in turn, and the length of the body. */
export function answer(res: ServerResponse, status: number, headers: readonly string[], body: string | Buffer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  res.writeHead(status, [...headers, 'Content-Length', String(bytes.length)])
  res.end(bytes)
}

/** Answers that something is wrong, which fails the case. */
export const fail = (res: ServerResponse) => (error: Error) => answer(res, 500, [], error.message)

export const JSON_HEADERS = ['Content-Type', 'application/json; charset=utf-8']
