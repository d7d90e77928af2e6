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
import { isMetadataAddress, literalOf } from '../domain/public-address.ts'

/** What is asked of another server. */
interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for everything, the look-up of the name and the last byte of the answer included. */
  readonly withinMs: number
  /** Bytes that an answer may have. */
  readonly mostBytes: number
}

interface OutgoingPost extends OutgoingRequest {
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** An answer of which only its head counts. */
interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** An answer, whole. */
interface OutgoingAnswer extends Reply {
  readonly body: Buffer
}

/** Finds the addresses of a name, as `dns.lookup` does. */
export type NameResolver = (
  hostname: string,
  options: { readonly all: true },
  answer: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/** Where a way out leads. */
interface OutgoingOptions {
  /** Whether an IP address may be connected to. It is asked of the very address that is then used, and of no other. */
  readonly mayConnect: (address: string) => boolean
  readonly resolver?: NameResolver
  /** Whether connections are kept for later requests, until {@link Outgoing.close}. */
  readonly keepAlive?: boolean
}

/** For addresses that the configuration, or whoever works at the command line, names. Metadata addresses stay blocked. */
export const ANYWHERE: OutgoingOptions = { mayConnect: () => true }

/** How long an answer of which only the head counts may go on, so that its connection can be kept. */
const DRAINED_WITHIN_MS = 1000
const KEPT_FOR_MS = 10_000
const KEPT_PER_HOST = 16

/**
 * The one way out. No redirect is followed, so that an answer cannot choose where the next request goes; no compressed
 * answer is unpacked, and no proxy of the environment is used. A name is looked up once for each connection, and is not
 * asked where one of its addresses may not be connected to, whenever it resolves to them; an IP address in place of a
 * name is judged like them.
 */
export class Outgoing {
  readonly #mayConnect: OutgoingOptions['mayConnect']
  readonly #lookup: LookupFunction
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent } | undefined

  constructor({ mayConnect, resolver = lookUp, keepAlive = false }: OutgoingOptions) {
    this.#mayConnect = (address) => !isMetadataAddress(address) && mayConnect(address)
    this.#lookup = guarded(resolver, this.#mayConnect)
    const kept = { keepAlive: true, timeout: KEPT_FOR_MS, maxFreeSockets: KEPT_PER_HOST }
    this.#agents = keepAlive ? { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) } : undefined
  }

  /** @throws if there is no answer in time, or it is too long */
  get(request: OutgoingRequest): Promise<OutgoingAnswer> {
    return this.#ask('GET', request, whole(request.mostBytes))
  }

  /** @throws if there is no answer in time, or it is too long */
  post({ body, ...request }: OutgoingPost): Promise<OutgoingAnswer> {
    return this.#ask('POST', request, whole(request.mostBytes), body)
  }

  /** Sends any other method. @throws if there is no answer in time, or it is too long */
  send(method: 'GET' | 'PUT' | 'DELETE', request: OutgoingRequest, body?: Uint8Array): Promise<OutgoingAnswer> {
    return this.#ask(method, request, whole(request.mostBytes), body)
  }

  /**
   * Posts, and takes the head of the answer for all of it. What follows is read up to `mostBytes` and for a moment, so that
   * the connection can be kept, and is then cut off.
   * @param signal gives the request up
   * @throws if there is no answer in time
   */
  notify({ body, ...request }: OutgoingPost, signal?: AbortSignal): Promise<Reply> {
    return this.#ask('POST', request, (response) => head(response, request.mostBytes), body, signal)
  }

  /** Whether an address may be connected to at the moment; its name is looked up, and nothing is sent. */
  async isConnectable(url: string): Promise<boolean> {
    const { hostname } = new URL(url)
    const literal = literalOf(hostname)
    if (literal !== undefined) return this.#mayConnect(literal)
    return new Promise((resolve) => {
      this.#lookup(hostname, { all: true }, (error) => resolve(error === null))
    })
  }

  /** Closes the connections that are kept. */
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
    if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`${url} is not an address of the web.`)
    const literal = literalOf(hostname)
    // Sockets look names up, and nothing else.
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
        // The other side may close a kept connection at any time: nothing has been read of it then (RFC 9112, 9.3.1).
        if (error instanceof ClosedMeanwhile && !signal.aborted) return attempt(false)
        throw error
      })
    } catch (error) {
      if (timeout.aborted) throw new Error(`There was no whole answer within ${withinMs} ms.`)
      throw error instanceof ClosedMeanwhile ? error.cause : error
    }
  }
}

/** A connection that was kept has failed before there was an answer. */
class ClosedMeanwhile extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

/**
 * Asks DNS itself. The look-up of the system takes one of few threads for as long as a server of the name's owner likes,
 * and so keeps everybody else's names waiting.
 */
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

/** A look-up for sockets that gives only addresses that may be connected to. */
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

// Which address it is, is not told: it may be one of our own network, and whoever named it may be told of the failure.
const refused = (hostname: string) => new Error(`${hostname} leads to an address which is not asked.`)

const whole = (mostBytes: number) => async (response: IncomingMessage) => ({
  status: response.statusCode ?? 0,
  headers: response.headers,
  body: await collect(response, mostBytes),
})

async function head(response: IncomingMessage, mostBytes: number): Promise<Reply> {
  const { statusCode = 0, headers } = response
  const cut = setTimeout(() => response.destroy(), DRAINED_WITHIN_MS)
  await collect(response, mostBytes).catch(() => response.destroy())
  clearTimeout(cut)
  return { status: statusCode, headers }
}

async function collect(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const collected: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > mostBytes) throw new Error(`The answer has more than ${mostBytes} bytes.`)
    collected.push(chunk)
  }
  return Buffer.concat(collected)
}

/**
 * Whether something takes connections at a port; nothing is said to it.
 * @returns undefined where it does, or what is in the way
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
      end(name === 'AbortError' ? `no answer within ${withinMs / 1000} s` : message || code || name),
    )
  })
}
