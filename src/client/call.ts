import { OPERATIONS } from '../generated/client-operations.ts'
import type { OperationId, OperationRow } from './contract.ts'
import { DppError, refusalOf } from './error.ts'

/** How time goes by: for tests, and for places that have another clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 to 1, so that many clients do not come back at the same moment. */
  random(): number
  /** Waits. Rejects with the reason of the signal once it is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>
}

/** A console session that is known by its cookie. */
export interface CookieSession {
  /** What the cookie `dpp_csrf` says; sent with every write. */
  readonly csrf: string
  /** The cookie header, where the program is no browser; a browser sends its own. */
  readonly cookie?: string
}

/** Who calls: one of the three, or nobody. */
type Credential =
  | { /** An API key. */ readonly key?: string; readonly session?: never; readonly grant?: never }
  | {
      /** A session's token, or its cookie. */ readonly session: string | CookieSession
      readonly key?: never
      readonly grant?: never
    }
  | {
      /** The token of a grant, which shows restricted values. */ readonly grant: string
      readonly key?: never
      readonly session?: never
    }

/** Where a gateway is, who calls, and how patiently. */
export type DppOptions = Credential & {
  /** Where the gateway is, such as `https://passports.example.com`. */
  readonly baseUrl: string | URL
  /** Language of texts for people; a single call may ask for another by `lang`. */
  readonly language?: string
  /** Headers of every request, such as what a proxy in front asks for. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds for one attempt, its answer included; 30,000 unless said otherwise. */
  readonly timeoutMs?: number
  /** How often a request is sent at most; 4 unless said otherwise. */
  readonly mostAttempts?: number
  /** Milliseconds that are waited between the attempts of one call together; 60,000 unless said otherwise. */
  readonly mostWaitMs?: number
  /** What sends requests; the one of the platform unless said otherwise. */
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

/** How one call is made. */
export interface CallOptions {
  /** Ends the call, and whatever it waits for. */
  readonly signal?: AbortSignal
  /** In which media type the answer is wanted. */
  readonly accept?: string
  /** `response` hands the answer over unread: its headers, and a body that may be larger than memory. */
  readonly as?: 'response'
  /** Under which the write is done once, however often it is sent; made by the client unless said otherwise. */
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

/** What a call answers: read, and as it came. */
interface Called {
  readonly answer: unknown
  readonly headers: Headers
}

/** Calls an operation by its id. @throws DppError, and the reason of the signal once that is aborted */
export type Call = (
  id: OperationId,
  parameters?: Readonly<Record<string, unknown>>,
  options?: CallOptions,
) => Promise<Called>

const TIMEOUT_MS = 30_000
const MAX_ATTEMPTS = 4
const MAX_WAIT_MS = 60_000
/** Before the second attempt where nobody has said how long; doubled before each further one. */
const FIRST_PAUSE_MS = 500

const CLOCK: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const end = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end)
        resolve()
      }, milliseconds)
      signal?.addEventListener('abort', end, { once: true })
    }),
}

/** Makes what sends requests to one gateway in the name of one caller. @throws TypeError for options that cannot be meant */
export function callerOf(options: DppOptions): Call {
  const base = baseOf(options.baseUrl)
  const identity = identityOf(options)
  // Called as a function of the platform, which some platforms insist on.
  const send = options.fetch ?? ((...request: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...request))
  const { clock = CLOCK, mostAttempts = MAX_ATTEMPTS, mostWaitMs = MAX_WAIT_MS } = options

  return async (id, parameters = {}, call = {}) => {
    const request = requestOf(id, parameters, call)
    let waited = 0
    for (let attempt = 1; ; attempt += 1) {
      call.signal?.throwIfAborted()
      try {
        return await attemptOf(id, request, call)
      } catch (error) {
        const pause = attempt < mostAttempts ? pauseAfter(error, request, attempt) : undefined
        if (pause === undefined || waited + pause > mostWaitMs) throw error
        waited += pause
        await clock.wait(pause, call.signal)
      }
    }
  }

  function requestOf(id: OperationId, parameters: Readonly<Record<string, unknown>>, call: CallOptions): Prepared {
    const row: OperationRow = OPERATIONS[id]
    const { body, contentType, ...named } = parameters
    const { url, rest } = addressOf(id, row, named, base)
    const isRead = row.method === 'GET'
    const key = row.once === true ? (call.idempotencyKey ?? newKey()) : undefined
    const headers = new Headers(identity.headers)
    headers.set('accept', call.accept ?? row.accept ?? 'application/json')
    if (options.language !== undefined) headers.set('accept-language', options.language)
    if (!isRead && identity.csrf !== undefined) headers.set('x-csrf-token', identity.csrf)
    if (key !== undefined) headers.set('idempotency-key', key)
    for (const [name, value] of Object.entries({ ...rest, ...options.headers, ...call.headers }))
      headers.set(name, value)
    const sent = bodyOf(row, body)
    const type = row.body === 'file' ? contentType : row.body
    if (sent !== undefined && typeof type === 'string') headers.set('content-type', type)
    return {
      url,
      isRead,
      isSafe: isRead || key !== undefined,
      init: {
        method: row.method,
        headers,
        ...(sent === undefined ? {} : { body: sent }),
        ...(identity.csrf !== undefined ? { credentials: 'include' as const } : {}),
        // A write that is sent elsewhere becomes a read on the way, which answers with something else.
        redirect: isRead ? ('follow' as const) : ('manual' as const),
      },
    }
  }

  async function attemptOf(id: OperationId, request: Prepared, call: CallOptions): Promise<Called> {
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), call.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS)
    const signal = call.signal === undefined ? limit.signal : AbortSignal.any([call.signal, limit.signal])
    try {
      const response = await send(request.url, { ...request.init, signal })
      return await answerOf(id, request, response, call)
    } catch (error) {
      if (error instanceof DppError) throw error
      call.signal?.throwIfAborted()
      const isLate = limit.signal.aborted
      throw new DppError({
        operationId: id,
        code: isLate ? 'TIMED_OUT' : 'UNREACHABLE',
        message: isLate ? `${base.origin} has not answered in time.` : `${base.origin} cannot be reached.`,
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }

  async function answerOf(id: OperationId, request: Prepared, response: Response, call: CallOptions): Promise<Called> {
    const { status, headers } = response
    if (!request.isRead && (response.type === 'opaqueredirect' || (status >= 300 && status < 400))) {
      const target = headers.get('location')
      const message = `${base.origin} sends writes elsewhere${target === null ? '' : `, to ${target}`}: make that the baseUrl.`
      throw new DppError({ operationId: id, status, code: 'REDIRECTED', message })
    }
    if (call.as === 'response' && (response.ok || status === 304)) return { answer: response, headers }
    if (response.ok) return { answer: await read(id, response), headers }
    if (status === 304) return { answer: undefined, headers }
    const body = await read(id, response).catch(() => undefined)
    throw refusalOf(id, { status, headers, retryAfter: retryAfterOf(headers, clock.now()) }, body)
  }

  function pauseAfter(error: unknown, request: Prepared, attempt: number): number | undefined {
    if (!(error instanceof DppError)) return undefined
    const { status, code, retryAfter } = error
    if (status === 0) {
      if (!request.isSafe) return undefined
      return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + clock.random() / 2)
    }
    // A limit is kept before anything is done. A twin in work (409) and a gateway that is away for a moment (503) are worth
    // another attempt where it does nothing twice.
    const isWorthIt = status === 429 || (request.isSafe && (status === 503 || status === 409))
    return isWorthIt && retryAfter !== undefined && code !== 'UNREADABLE' ? retryAfter * 1000 : undefined
  }
}

/** A request as it is sent each time. */
interface Prepared {
  readonly url: string
  readonly isRead: boolean
  /** Sent twice it does nothing twice. */
  readonly isSafe: boolean
  readonly init: RequestInit
}

function baseOf(given: string | URL): URL {
  const base = new URL(given)
  if (base.protocol !== 'https:' && base.protocol !== 'http:') throw new TypeError('baseUrl must be http or https.')
  if (base.username !== '' || base.password !== '') throw new TypeError('baseUrl must not carry a password.')
  base.search = ''
  base.hash = ''
  if (!base.pathname.endsWith('/')) base.pathname += '/'
  return base
}

/** What says who calls. */
interface Identity {
  readonly headers: Readonly<Record<string, string>>
  /** Sent with writes; there where a browser sends the cookie by itself. */
  readonly csrf?: string
}

function identityOf({ key, session, grant }: DppOptions): Identity {
  const given = [key, session, grant].filter((one) => one !== undefined)
  if (given.length > 1) throw new TypeError('Give one of key, session and grant.')
  const [credential] = given
  if (credential === undefined) return { headers: {} }
  if (typeof credential === 'string') return { headers: { authorization: `Bearer ${credential}` } }
  const { csrf, cookie } = credential
  return { csrf, headers: cookie === undefined ? {} : { cookie } }
}

/** The address of a request, and the parameters that travel as headers. */
function addressOf(id: OperationId, row: OperationRow, parameters: Readonly<Record<string, unknown>>, base: URL) {
  const left = new Map(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null))
  const take = (name: string) => {
    const value = left.get(name)
    left.delete(name)
    return value
  }
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(take(name) ?? '')
    // A segment of dots would be taken for another folder, and an empty one for the list of all.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${id}: ${name} must be given, and be no dots alone.`)
    return encodeURIComponent(value)
  })
  const rest = Object.fromEntries(
    (row.headers ?? []).flatMap((name) => {
      const value = take(name)
      return value === undefined ? [] : [[name, String(value)]]
    }),
  )
  const url = new URL(path.slice(1), base)
  for (const [name, value] of left) url.searchParams.set(name, String(value))
  return { url: url.href, rest }
}

function bodyOf(row: OperationRow, body: unknown): NonNullable<RequestInit['body']> | undefined {
  if (body === undefined || row.body === undefined) return undefined
  if (row.body === 'file') return body as Uint8Array<ArrayBuffer> | Blob | string
  if (row.body === 'application/json') return JSON.stringify(body)
  return new URLSearchParams(body as Record<string, string>)
}

/** Names one write. */
function newKey(): string {
  // `randomUUID` is missing from pages that were not served by https.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Reads an answer by its media type, as the types of `contract.ts` say. */
async function read(id: OperationId, response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || type.endsWith('+json')) {
    const text = await response.text()
    try {
      return JSON.parse(text)
    } catch (cause) {
      const { status } = response
      throw new DppError({ operationId: id, status, code: 'UNREADABLE', message: 'The answer is not JSON.', cause })
    }
  }
  if (type.startsWith('text/') || /(?:jwt|xml|yaml|jsonl|x-pem-file)$/.test(type)) return await response.text()
  return new Uint8Array(await response.arrayBuffer())
}

/** Seconds that an answer asks to wait (RFC 9110 §10.2.3). */
function retryAfterOf(headers: Headers, now: number): number | undefined {
  const said = headers.get('retry-after')?.trim()
  if (said === undefined || said === '') return undefined
  if (/^\d+$/.test(said)) return Number(said)
  const until = Date.parse(said)
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1000))
}
