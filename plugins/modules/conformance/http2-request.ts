import { type ClientHttp2Session, connect } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { MAX_BYTES, WITHIN_MS } from './bounds.ts'
import { flat } from './flat.ts'
import { Reply, type SentRequest } from './reply.ts'

/** Speaks HTTP/2 over a connection of the gateway's outbound client. */
export function openHttp2(origin: string, socket: TLSSocket) {
  const session = connect(origin, { createConnection: () => socket })
  session.on('error', () => socket.destroy())
  return {
    send: (request: SentRequest) => send(session, request),
    isOpen: () => !session.closed && !session.destroyed,
    close: () => session.destroy(),
  }
}

function send(session: ClientHttp2Session, request: SentRequest): Promise<Reply> {
  const { method, url, headers, body } = request
  const { pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const stream = session.request({ ...headers, ':method': method, ':path': pathname + search }, { endStream: false })
    const fail = (reason: string) => stream.destroy(new Error(reason))
    const late = setTimeout(() => fail(`No complete response within ${WITHIN_MS} ms.`), WITHIN_MS)
    const chunks: Buffer[] = []
    let length = 0
    let head: Record<string, string> = {}
    let status = 0
    stream.on('response', ({ ':status': given, ...rest }) => {
      status = given ?? 0
      head = flat(rest as Record<string, string | string[] | undefined>)
    })
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MAX_BYTES) fail(`The response has more than ${MAX_BYTES} bytes.`)
      else chunks.push(chunk)
    })
    stream.on('error', reject)
    stream.on('close', () => {
      clearTimeout(late)
      if (status === 0) reject(new Error('The connection closed without a response.'))
      else resolve(new Reply(request, status, head, Buffer.concat(chunks)))
    })
    stream.end(body)
  })
}
