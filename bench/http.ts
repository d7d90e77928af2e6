import { Agent, type IncomingMessage, request as openRequest } from 'node:http'

const RESPONDS_WITHIN_MS = 30_000

/** Placeholder in headers and body for a number that no other request of the run has; as long as the number. */
export const COUNTER = '#########'

export interface BenchRequest {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty if the request has none. */
  readonly body: string
}

export interface Answer {
  readonly status: number
  /** By lower-case name, without headers that Node adds; request ids are replaced by their length. */
  readonly headers: Readonly<Record<string, string>>
  /** Alternating names and values as received, without headers that Node adds. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

const ADDED_BY_NODE = ['date', 'connection', 'keep-alive']

export const makeRequest = (
  method: BenchRequest['method'],
  path: string,
  headers: BenchRequest['headers'] = {},
  body = '',
): BenchRequest => ({ method, path, headers, body })

export const hasCounter = ({ headers, body }: BenchRequest): boolean =>
  [body, ...Object.values(headers)].some((text) => text.includes(COUNTER))

/** Copies the request with this number in place of the counter. */
export function numbered({ method, path, headers, body }: BenchRequest, number: number): BenchRequest {
  const fill = (text: string) => text.replaceAll(COUNTER, String(number).padStart(COUNTER.length, '0'))
  const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)])
  return { method, path, headers: Object.fromEntries(filled), body: fill(body) }
}

/** Removes the headers with these lower-case names. */
export function without(rawHeaders: readonly string[], ...names: readonly string[]): string[] {
  const rest: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!names.includes(name.toLowerCase())) rest.push(name, value)
  }
  return rest
}

/**
 * Opens keep-alive connections to a server on loopback.
 * @param maxSockets connections at the same time
 */
export const openAgent = (maxSockets = 1): Agent => new Agent({ keepAlive: true, maxSockets })

/**
 * Sends one request to a server on loopback.
 * @throws Error if the connection fails or no byte arrives for 30 s
 */
export function ask(port: number, { method, path, headers, body }: BenchRequest, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = openRequest({ host: '127.0.0.1', port, method, path, headers, agent, timeout: RESPONDS_WITHIN_MS })
    sent.on('timeout', () => sent.destroy(new Error(`No response from port ${port} for ${RESPONDS_WITHIN_MS} ms.`)))
    sent.on('error', reject)
    sent.on('response', (received) => {
      const chunks: Buffer[] = []
      received.on('data', (chunk) => chunks.push(chunk))
      received.on('error', reject)
      received.on('end', () => resolve(answerOf(received, Buffer.concat(chunks))))
    })
    sent.end(body)
  })
}

/** Sends requests sequentially over one connection. */
export async function exchange(port: number, requests: readonly BenchRequest[]): Promise<Answer[]> {
  const agent = openAgent()
  try {
    const answers: Answer[] = []
    for (const request of requests) answers.push(await ask(port, request, agent))
    return answers
  } finally {
    agent.destroy()
  }
}

function answerOf({ statusCode = 0, rawHeaders }: IncomingMessage, body: Buffer): Answer {
  const own = without(rawHeaders, ...ADDED_BY_NODE)
  const headers: Record<string, string> = {}
  for (let index = 0; index < own.length; index += 2) {
    const [name = '', value = ''] = own.slice(index, index + 2)
    headers[name.toLowerCase()] = name.toLowerCase() === 'x-request-id' ? `${value.length} characters` : value
  }
  return { status: statusCode, headers, rawHeaders: own, body }
}
