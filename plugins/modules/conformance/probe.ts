import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_ATTEMPTS, MAX_BYTES, MAX_REDIRECTS, MAX_RUN_BYTES, MAX_RUN_MS, MAX_WAIT_SECONDS } from './bounds.ts'
import { Exhausted, Fault, needed } from './finding.ts'
import type { Reply, SentRequest } from './reply.ts'
import type { Transport } from './transport.ts'

/** The service and its passport, from the command line and the first responses. */
export interface Target {
  readonly origin: string
  /** Base of EN 18222, without a slash at its end. */
  readonly api: string
  /** Reason if the service offers no EN 18222 interface. */
  readonly withoutApi?: string | undefined
  /** Address of the passport, which negotiates formats. */
  readonly passportUrl?: string | undefined
  readonly productId?: string | undefined
  readonly dppId?: string | undefined
  /** JSONPath of a data element. */
  readonly element?: string | undefined
  readonly key?: string | undefined
  readonly grant?: string | undefined
  /** Document for CreateDPP. */
  readonly newDocument?: string | undefined
}

export interface Exchange {
  readonly request: SentRequest
  readonly reply?: Reply
  readonly error?: string
}

export interface SealTrust {
  readonly sealCa?: string | undefined
  readonly timestampCa?: string | undefined
}

/** JSON-LD documents by address; null for one that may not be shipped. */
export type Contexts = ReadonlyMap<string, object | null>

interface SessionOptions {
  readonly transport: Transport
  /** Trusted certificates of seals and timestamps (PEM). */
  readonly sealTrust: SealTrust
  readonly contexts: Contexts
  readonly maxRequests: number
  /** Reports progress. */
  readonly tell: (message: string) => void
}

/** Requests of one run: limits, and each identical read once. */
export class Session {
  readonly transport: Transport
  readonly sealTrust: SealTrust
  /** JSON-LD contexts that the verifier knows. */
  readonly contexts: Contexts
  /** Start of the run; one time for all checks, so that identical reads are cached. */
  readonly startedAt = new Date()
  readonly #maxRequests: number
  readonly #tell: (message: string) => void
  readonly #deadline = performance.now() + MAX_RUN_MS
  readonly #reads = new Map<string, Exchange>()
  #bytes = 0
  requests = 0
  /** Limit that was reached. */
  exhausted: string | undefined

  constructor({ transport, sealTrust, contexts, maxRequests, tell }: SessionOptions) {
    this.transport = transport
    this.sealTrust = sealTrust
    this.contexts = contexts
    this.#maxRequests = maxRequests
    this.#tell = tell
  }

  async read(request: SentRequest): Promise<Exchange> {
    const name = JSON.stringify(request)
    const known = this.#reads.get(name)
    if (known !== undefined) return known
    const exchange = await this.send(request)
    this.#reads.set(name, exchange)
    return exchange
  }

  /** Sends credentials to origins of the command line only. @throws Exhausted */
  async send(given: SentRequest): Promise<Exchange> {
    const request = this.transport.isTrusted(given.url) ? given : withoutCredentials(given)
    for (let attempt = 1; ; attempt += 1) {
      this.#count()
      let reply: Reply
      try {
        reply = await this.transport.send(request)
      } catch (error) {
        return { request, error: (error as Error).message || ((error as NodeJS.ErrnoException).code ?? 'no response') }
      }
      this.#bytes += reply.body.length
      if (reply.status !== 429 || attempt === MAX_ATTEMPTS) return { request, reply }
      const seconds = secondsToWait(reply)
      this.#tell(`The service limits the rate: next request in ${seconds} s …`)
      await sleep(seconds * 1000)
    }
  }

  #count(): void {
    if (this.requests >= this.#maxRequests) throw new Exhausted(`the limit of ${this.#maxRequests} requests is reached`)
    if (this.#bytes + MAX_BYTES > MAX_RUN_BYTES) throw new Exhausted(`the limit of ${MAX_RUN_BYTES} bytes is reached`)
    if (performance.now() > this.#deadline)
      throw new Exhausted(`the limit of ${MAX_RUN_MS / 60_000} minutes is reached`)
    this.requests += 1
  }
}

function withoutCredentials({ headers, ...request }: SentRequest): SentRequest {
  const { authorization: _, ...others } = headers
  return { ...request, headers: others }
}

function secondsToWait(reply: Reply): number {
  const [, stated] = /^(\d+)$/.exec(reply.header('retry-after')) ?? /retry in (\d+) second/.exec(reply.text) ?? []
  return Math.min(Number(stated ?? MAX_WAIT_SECONDS), MAX_WAIT_SECONDS)
}

type Headers = Readonly<Record<string, string>>

/** Sends the requests of one check and records them. */
export class Probe {
  readonly target: Target
  readonly session: Session
  readonly exchanges: Exchange[] = []

  constructor(target: Target, session: Session) {
    this.target = target
    this.session = session
  }

  /** Reads an address once per run. Follows no redirect. @throws Fault without a response */
  get(url: string, headers: Headers = {}): Promise<Reply> {
    return this.#recorded(this.session.read({ method: 'GET', url: this.#absolute(url), headers }))
  }

  /** Reads an address again. */
  getAgain(url: string, headers: Headers = {}): Promise<Reply> {
    return this.send('GET', url, headers)
  }

  /** Reads an address and follows redirects. */
  async follow(url: string, headers: Headers = {}): Promise<Reply> {
    let reply = await this.get(url, headers)
    for (let count = 0; isRedirect(reply) && count < MAX_REDIRECTS; count += 1) {
      reply = await this.get(locationOf(reply), headers)
    }
    return reply
  }

  /** @throws Fault without a response */
  send(method: string, url: string, headers: Headers = {}, body?: string): Promise<Reply> {
    const request = { method, url: this.#absolute(url), headers, ...(body === undefined ? {} : { body }) }
    return this.#recorded(this.session.send(request))
  }

  post(url: string, body: unknown, headers: Headers = {}): Promise<Reply> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.send('POST', url, { 'content-type': 'application/json', ...headers }, text)
  }

  /** Header of the API key. @throws Skipped */
  get asKey(): Headers {
    return bearer(needed(this.target.key, 'an API key is required: add --key'))
  }

  /** Header of the access grant. @throws Skipped */
  get asGrant(): Headers {
    return bearer(needed(this.target.grant, 'an access token is required: add --grant'))
  }

  async #recorded(pending: Promise<Exchange>): Promise<Reply> {
    const exchange = await pending
    this.exchanges.push(exchange)
    if (exchange.reply === undefined) throw new Fault(`No response: ${exchange.error}`)
    return exchange.reply
  }

  #absolute(url: string): string {
    if (!URL.canParse(url, this.target.origin)) throw new Fault(`${url} is not an address.`)
    return new URL(url, this.target.origin).href
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const isRedirect = ({ status, headers }: Reply): boolean =>
  status >= 300 && status < 400 && status !== 304 && headers.location !== undefined

/** @throws Fault for an invalid Location */
export function locationOf({ request, headers }: Reply): string {
  const { location = '' } = headers
  if (!URL.canParse(location, request.url)) throw new Fault(`Location ${JSON.stringify(location)} is not an address.`)
  return new URL(location, request.url).href
}
