import { type LookupAddress, lookup as lookUp, Resolver } from 'node:dns'
import {
  Agent as HttpAgent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { connect, type LookupFunction } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { isMetadataAddress, literalOf } from '../domain/public-address.ts'

interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Includes the DNS lookup and the last byte of the response. */
  readonly withinMs: number
  readonly maxBytes: number
}

interface OutgoingPost extends OutgoingRequest {
  readonly body: string | Uint8Array<ArrayBuffer>
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

interface OutgoingAnswer extends Reply {
  readonly body: Buffer
}

export type NameResolver = (
  hostname: string,
  options: { readonly all: true },
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

interface OutgoingOptions {
  /** Called with the IP address that is connected to. */
  readonly mayConnect: (address: string) => boolean
  readonly resolver?: NameResolver
  /** Keeps connections until {@link Outgoing.close}. */
  readonly keepAlive?: boolean
}

/** Allows addresses from the configuration or command line, except metadata addresses. */
export const ANYWHERE: OutgoingOptions = { mayConnect: () => true }

const DRAINED_WITHIN_MS = 1000
const IDLE_SOCKET_MS = 10_000
const MAX_IDLE_SOCKETS = 16

/**
 * The only outbound HTTP client. Follows no redirects, so that responses cannot choose the next target; decompresses nothing and ignores
 * proxy variables. Resolves a name once per connection and rejects it if one of its addresses is disallowed.
 */
export class Outgoing {
  readonly #mayConnect: OutgoingOptions['mayConnect']
  readonly #lookup: LookupFunction
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent } | undefined

  constructor({ mayConnect, resolver = lookUp, keepAlive = false }: OutgoingOptions) {
    this.#mayConnect = (address) => !isMetadataAddress(address) && mayConnect(address)
    this.#lookup = guarded(resolver, this.#mayConnect)
    const agentOptions = { keepAlive: true, timeout: IDLE_SOCKET_MS, maxFreeSockets: MAX_IDLE_SOCKETS }
    this.#agents = keepAlive
      ? { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }
      : undefined
  }

  /** @throws if the response is late or too large */
  get(request: OutgoingRequest): Promise<OutgoingAnswer> {
    return this.#ask('GET', request, whole(request.maxBytes))
  }

  /** @throws if the response is late or too large */
  post({ body, ...request }: OutgoingPost): Promise<OutgoingAnswer> {
    return this.#ask('POST', request, whole(request.maxBytes), body)
  }

  /** @throws if the response is late or too large */
  send(method: string, request: OutgoingRequest, body?: Uint8Array): Promise<OutgoingAnswer> {
    return this.#ask(method, request, whole(request.maxBytes), body)
  }

  /**
   * Posts and returns the head of the response. Drains up to `maxBytes`, so that the connection can be reused.
   * @throws if there is no response in time
   */
  notify({ body, ...request }: OutgoingPost, signal?: AbortSignal): Promise<Reply> {
    return this.#ask('POST', request, (response) => head(response, request.maxBytes), body, signal)
  }

  /**
   * Opens a TLS connection for protocols other than HTTP/1.1; the caller destroys it.
   * @throws if there is no connection in time
   */
  connectTls(url: string, withinMs: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
    const { hostname, port } = new URL(url)
    const literal = literalOf(hostname)
    if (literal !== undefined && !this.#mayConnect(literal)) return Promise.reject(refused(hostname))
    const place = { host: literal ?? hostname, port: Number(port || 443), lookup: this.#lookup }
    return new Promise((resolve, reject) => {
      const socket = connectTls({ ...(literal === undefined && { servername: hostname }), ...place, ...options })
      const late = setTimeout(() => socket.destroy(new Error(`No connection within ${withinMs} ms.`)), withinMs)
      socket.once('secureConnect', () => resolve(socket)).on('error', reject)
      socket.once('secureConnect', () => clearTimeout(late)).once('close', () => clearTimeout(late))
    })
  }

  async isConnectable(url: string): Promise<boolean> {
    const { hostname } = new URL(url)
    const literal = literalOf(hostname)
    if (literal !== undefined) return this.#mayConnect(literal)
    return new Promise((resolve) => {
      this.#lookup(hostname, { all: true }, (error) => resolve(error === null))
    })
  }

  close(): void {
    for (const agent of Object.values(this.#agents ?? {})) agent.destroy()
  }

  async #ask<T>(
    method: string,
    { url, headers, withinMs }: OutgoingRequest,
    read: (response: IncomingMessage) => Promise<T>,
    body?: string | Uint8Array,
    given?: AbortSignal,
  ): Promise<T> {
    const { protocol, hostname } = new URL(url)
    if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`${url} is not an http or https URL.`)
    const literal = literalOf(hostname)
    // Sockets validate only names.
    if (literal !== undefined && !this.#mayConnect(literal)) throw refused(hostname)
    const timeout = AbortSignal.timeout(withinMs)
    const signal = given === undefined ? timeout : AbortSignal.any([timeout, given])
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const options: RequestOptions = { lookup: this.#lookup, method, signal, headers: { ...length, ...headers } }
    const attempt = (agent: HttpAgent | HttpsAgent | false) =>
      new Promise<T>((resolve, reject) => {
        const request = (protocol === 'http:' ? requestHttp : requestHttps)(url, { ...options, agent }, (response) => {
          read(response)
            .then(resolve, reject)
            .finally(() => {
              if (agent === false) request.destroy()
            })
        })
        request.on('error', (error: Error) => reject(request.reusedSocket ? new ClosedMeanwhile(error) : error))
        request.end(body)
      })
    try {
      return await attempt(this.#agents?.[protocol] ?? false).catch((error) => {
        // The peer may close an idle connection at any time (RFC 9112, 9.3.1).
        if (error instanceof ClosedMeanwhile && !signal.aborted) return attempt(false)
        throw error
      })
    } catch (error) {
      if (timeout.aborted) throw new Error(`No complete response within ${withinMs} ms.`)
      throw error instanceof ClosedMeanwhile ? error.cause : error
    }
  }
}

class ClosedMeanwhile extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/** Queries DNS directly. The system resolver takes one of few threads, so a slow name server would delay all names. */
export function dnsResolver(withinMs: number): NameResolver {
  return (hostname, _, answer) => {
    const dns = new Resolver({ timeout: withinMs, tries: 1 })
    const found: LookupAddress[] = []
    let failure: Error | null = null
    let open = 2
    const add = (family: number) => (error: Error | null, addresses: string[]) => {
      failure ??= error
      if (error === null) found.push(...addresses.map((address) => ({ address, family })))
      open -= 1
      if (open === 0) answer(found.length === 0 ? failure : null, found)
    }
    dns.resolve4(hostname, add(4))
    dns.resolve6(hostname, add(6))
  }
}

const guarded =
  (resolver: NameResolver, mayConnect: OutgoingOptions['mayConnect']): LookupFunction =>
  (hostname, options, answer) =>
    resolver(hostname, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses
      if (error !== null) answer(error, '')
      else if (!addresses.every(({ address }) => mayConnect(address))) answer(refused(hostname), '')
      else if (first === undefined) answer(new Error(`${hostname} has no address.`), '')
      else if (options.all === true) answer(null, addresses)
      else answer(null, first.address, first.family)
    })

// Omits the address: it may be internal, and the caller may see the error.
const refused = (hostname: string) => new Error(`${hostname} resolves to an address that is not allowed.`)

const whole = (maxBytes: number) => async (response: IncomingMessage) => ({
  status: response.statusCode ?? 0,
  headers: response.headers,
  body: await collect(response, maxBytes),
})

async function head(response: IncomingMessage, maxBytes: number): Promise<Reply> {
  const { statusCode = 0, headers } = response
  const cut = setTimeout(() => response.destroy(), DRAINED_WITHIN_MS)
  await collect(response, maxBytes).catch(() => response.destroy())
  clearTimeout(cut)
  return { status: statusCode, headers }
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const collected: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxBytes) throw new Error(`The response has more than ${maxBytes} bytes.`)
    collected.push(chunk)
  }
  return Buffer.concat(collected)
}

/**
 * Tests if a port accepts connections.
 * @returns undefined if it does, else the reason
 */
export function whyNotReached(host: string, port: number, withinMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal: AbortSignal.timeout(withinMs) })
    const end = (why: string | undefined) => {
      socket.destroy()
      resolve(why)
    }
    socket.once('connect', () => end(undefined))
    socket.once('error', ({ name, message, code }: NodeJS.ErrnoException) =>
      end(name === 'AbortError' ? `no response within ${withinMs / 1000} s` : message || code || name),
    )
  })
}
