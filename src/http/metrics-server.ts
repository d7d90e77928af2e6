import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Config, ConfigError } from '../start/config.ts'

const MAX_CONNECTIONS = 16
const ANSWERED_WITHIN_MS = 5000

interface Exposition {
  readonly contentType: string
  render(): Promise<string>
}

export interface MetricsServer {
  readonly origin: string
  close(): Promise<void>
}

export async function startMetricsServer(
  { host, port }: NonNullable<Config['metrics']>,
  { contentType, render }: Exposition,
): Promise<MetricsServer> {
  let rendering: Promise<string> | undefined
  // Concurrent requests share a response.
  const shared = () => {
    rendering ??= render().finally(() => {
      rendering = undefined
    })
    return rendering
  }
  const server = createServer({ maxHeaderSize: 8192, requestTimeout: ANSWERED_WITHIN_MS }, (req, res) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    if (req.url?.split('?', 1)[0] !== '/metrics' || !isRead) {
      const isThere = req.url === '/metrics'
      res.writeHead(isThere ? 405 : 404, { 'Content-Type': 'text/plain', ...(isThere && { Allow: 'GET, HEAD' }) })
      res.end(isThere ? 'Use GET to read metrics.\n' : 'Not found. Use /metrics.\n')
      return
    }
    shared().then(
      (text) => res.writeHead(200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' }).end(text),
      () => res.writeHead(500).end(),
    )
  })
  server.timeout = ANSWERED_WITHIN_MS
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, host, port)
  const { port: chosen } = server.address() as AddressInfo
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new ConfigError(`METRICS_PORT: ${port} on ${host} is in use.`) : error)
    })
    server.listen({ port, host, exclusive: true }, resolve)
  })
}
