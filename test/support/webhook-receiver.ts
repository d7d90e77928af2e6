import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A received message, verified by the published library if the secret is known. */
interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the body of an event, which tests look into.
  readonly body: any
}

type Answer = (res: ServerResponse) => void

const ANSWERS = {
  ok: (res) => res.writeHead(204).end(),
  'ok with a body': (res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
  'server error': (res) => res.writeHead(500).end('no'),
  unavailable: (res) => res.writeHead(503).end(),
  'too many': (res) => res.writeHead(429, { 'retry-after': '7200' }).end(),
  gone: (res) => res.writeHead(410).end(),
  redirect: (res) => res.writeHead(302, { location: '/elsewhere' }).end(),
  'permanent redirect': (res) => res.writeHead(308, { location: '/elsewhere' }).end(),
  'not modified': (res) => res.writeHead(304).end(),
  reset: (res) => void res.socket?.destroy(),
  hang: () => {},
  'slow drip': (res) => {
    res.writeHead(200)
    const drip = setInterval(() => res.write('.'), 100)
    res.on('close', () => clearInterval(drip))
  },
  'drip of a head': (res) => {
    res.socket?.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    const drip = setInterval(() => res.socket?.write('.'), 100)
    res.socket?.on('close', () => clearInterval(drip))
  },
  'huge body': (res) => {
    res.writeHead(200)
    const chunk = Buffer.alloc(1 << 20)
    const more = () => {
      while (!res.destroyed && res.write(chunk));
    }
    res.on('drain', more)
    more()
  },
  'huge head': (res) => void res.socket?.end(`HTTP/1.1 200 OK\r\nX-Huge: ${'x'.repeat(1 << 20)}\r\n\r\n`),
  garbage: (res) => void res.socket?.end('not HTTP at all\r\n\r\n'),
  'half an answer': (res) => void res.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
} satisfies Record<string, Answer>
export type Mode = keyof typeof ANSWERS

/** A receiver of webhooks with configurable responses. */
export interface WebhookReceiver {
  readonly url: string
  mode: Mode
  /** Messages in order, whatever the response. */
  readonly received: Received[]
  readonly connections: () => number
  /** Responds 400 to messages that are not signed with this secret. */
  verifyWith(secret: string): void
  close(): Promise<void>
}

/** @param tls certificate for HTTPS */
export async function startReceiver(tls?: { readonly key: string; readonly cert: string }): Promise<WebhookReceiver> {
  const state = { mode: 'ok' as Mode, webhook: undefined as Webhook | undefined, connections: 0 }
  const received: Received[] = []
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of req) chunks.push(chunk)
    } catch {
      return
    }
    const text = Buffer.concat(chunks).toString()
    try {
      state.webhook?.verify(text, req.headers as Record<string, string>)
    } catch (error) {
      res.writeHead(400).end(String(error))
      return
    }
    received.push({ id: String(req.headers['webhook-id']), headers: req.headers, text, body: JSON.parse(text) })
    ANSWERS[state.mode](res)
  }
  const server: Server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer)
  server.on('connection', () => {
    state.connections += 1
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    received,
    connections: () => state.connections,
    verifyWith: (secret) => {
      state.webhook = new Webhook(secret)
    },
    get mode() {
      return state.mode
    },
    set mode(mode) {
      state.mode = mode
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
