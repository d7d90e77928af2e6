import { connect } from 'node:net'

/** A request as the bytes that go over the wire. `COUNTER` in it is replaced by a number of the same length. */
export type WireRequest = string

/** Stands for a number that no other request of the run has; as long as the number, so that lengths hold. */
export const COUNTER = '#########'

/** The head of an answer in a buffer: where its body begins, and how long that is. */
export interface AnswerHead {
  readonly status: number
  readonly bodyStart: number
  readonly bodyLength: number
  /** Nothing more may be asked on this connection (RFC 9112, 9.6). */
  readonly isLast: boolean
}

/** A complete answer. */
export interface Answer {
  readonly status: number
  /** By lower-case name; what differs from answer to answer by its nature is left out. */
  readonly headers: Readonly<Record<string, string>>
  /** Names and values in turn as they came, without those that Node adds. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

const ADDED_BY_NODE = new Set(['date', 'connection', 'keep-alive'])

/** A request in HTTP/1.1 for a loopback server. */
export function wireRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): WireRequest {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** The request with its counter filled in. */
export function numbered(request: WireRequest, counter: number): string {
  return request.replaceAll(COUNTER, String(counter).padStart(COUNTER.length, '0'))
}

/**
 * Reads the head of the answer that begins at `start`; undefined while it is incomplete.
 * @throws Error when the length of the body is not stated, because then two answers cannot be told apart
 */
export function readHead(bytes: Buffer, start: number): AnswerHead | undefined {
  const end = bytes.indexOf('\r\n\r\n', start, 'latin1')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', start, end)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const hasBody = status !== 204 && status !== 304
  if (hasBody && length === undefined) throw new Error(`An answer without Content-Length:\n${head}`)
  const isLast = /\r\nconnection: *close/i.test(head)
  return { status, bodyStart: end + 4, bodyLength: hasBody ? Number(length) : 0, isLast }
}

/** Raw headers without those of these lower-case names. */
export function without(rawHeaders: readonly string[], ...names: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!names.includes(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

/** Sends requests one after the other over one connection and gives the answers in their order. */
export function exchange(port: number, requests: readonly string[]): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const answers: Answer[] = []
    let received = Buffer.alloc(0)
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.setTimeout(20_000, () => socket.destroy(new Error(`No answer from port ${port} for 20 seconds.`)))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`Port ${port} closed the connection after ${answers.length} answers.`)))
    const next = () => {
      const request = requests[answers.length]
      if (request !== undefined) return socket.write(request)
      resolve(answers)
      return socket.destroy()
    }
    socket.on('connect', next)
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      try {
        const head = readHead(received, 0)
        if (head === undefined || received.length < head.bodyStart + head.bodyLength) return
        answers.push(answerOf(received, head))
        received = Buffer.from(received.subarray(head.bodyStart + head.bodyLength))
        next()
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
  })
}

function answerOf(bytes: Buffer, { status, bodyStart, bodyLength }: AnswerHead): Answer {
  const headers: Record<string, string> = {}
  const rawHeaders: string[] = []
  for (const line of bytes
    .toString('latin1', 0, bodyStart - 4)
    .split('\r\n')
    .slice(1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    const value = line.slice(colon + 1).trim()
    if (ADDED_BY_NODE.has(name.toLowerCase())) continue
    rawHeaders.push(name, value)
    // Every answer has an id of its own; that there is one of the same length is equal work.
    headers[name.toLowerCase()] = name.toLowerCase() === 'x-request-id' ? `${value.length} characters` : value
  }
  return { status, headers, rawHeaders, body: Buffer.from(bytes.subarray(bodyStart, bodyStart + bodyLength)) }
}
