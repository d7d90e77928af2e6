import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { PLANS } from '../domain/plans.ts'
import type { Principal } from '../domain/principal.ts'
import { Problem } from '../domain/problem.ts'
import type { SharedCounters } from '../services/shared-counters.ts'

const MINUTE = 60
/** Requests per minute and address, of callers without credentials (specification 8). */
const ANONYMOUS = 100
/** Requests per minute and address, of callers with credentials. */
const AUTHENTICATED_ADDRESS = 3000
const PUBLIC_RESOLVER = 30
const PUBLIC_VALIDATOR = 10
/** Requests for access per minute and address; each of them is work for a person. */
const ACCESS_REQUESTS = 10
/** A workspace's ceiling over all its keys, as a multiple of one key's budget. */
const WORKSPACE_FACTOR = 3

/**
 * The request budgets of specification 8, per minute: counted in this process, or for all processes in the shared store.
 * While that store does not answer, every process counts for itself.
 */
export class RateLimits {
  readonly isOn: boolean
  readonly #shared: SharedCounters | undefined
  readonly #anonymous: RateLimiterAbstract
  readonly #address: RateLimiterAbstract
  readonly #resolver: RateLimiterAbstract
  readonly #validator: RateLimiterAbstract
  readonly #accessRequests: RateLimiterAbstract
  readonly #keys = new Map<number, RateLimiterAbstract>()
  readonly #workspaces = new Map<number, RateLimiterAbstract>()

  constructor({ isOn, shared }: { isOn: boolean; shared?: SharedCounters | undefined }) {
    this.isOn = isOn
    this.#shared = shared
    this.#anonymous = this.#perMinute('anonymous', ANONYMOUS)
    this.#address = this.#perMinute('address', AUTHENTICATED_ADDRESS)
    this.#resolver = this.#perMinute('resolver', PUBLIC_RESOLVER)
    this.#validator = this.#perMinute('validator', PUBLIC_VALIDATOR)
    this.#accessRequests = this.#perMinute('access-request', ACCESS_REQUESTS)
  }

  #perMinute(name: string, points: number): RateLimiterAbstract {
    const inMemory = new RateLimiterMemory({ points, duration: MINUTE })
    if (this.#shared === undefined) return inMemory
    return new RateLimiterRedis({
      storeClient: this.#shared,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix: `dpp:limit:${name}:${points}`,
      points,
      duration: MINUTE,
      // Who is over the limit costs the store nothing more.
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: inMemory,
    })
  }

  #limiterOf(limiters: Map<number, RateLimiterAbstract>, name: string, points: number): RateLimiterAbstract {
    let limiter = limiters.get(points)
    if (limiter === undefined) {
      limiter = this.#perMinute(name, points)
      limiters.set(points, limiter)
    }
    return limiter
  }

  /** The stage that limits by address. Health is exempt, and the public resolver has its own budget. */
  perAddress(): RequestHandler {
    return async (req: Request, res: Response, next: NextFunction) => {
      await this.#countAddress(req, res)
      next()
    }
  }

  /** The same for requests that no operation answers. */
  perAddressUnmatched(): ErrorRequestHandler {
    return async (error: unknown, req: Request, res: Response, next: NextFunction) => {
      await this.#countAddress(req, res)
      next(error)
    }
  }

  async #countAddress(req: Request, res: Response): Promise<void> {
    const { operation, ip } = req.gateway
    const isOwnBudget =
      operation?.operationId === 'getHealth' || (operation?.isPublic && operation.gates.has('resolver-limit'))
    if (!this.isOn || isOwnBudget) return
    const hasCredential = req.headers.authorization !== undefined || req.cookies.dpp_session !== undefined
    // The headers of a caller with credentials speak of the key's budget, which a later stage counts.
    if (hasCredential) await consume(this.#address, network(ip))
    else setHeaders(res, ANONYMOUS, await consume(this.#anonymous, network(ip), ANONYMOUS))
  }

  /** Counts one request of a credential against its own budget and its workspace's. */
  async countCredential(principal: Principal, res: Response): Promise<void> {
    const limit = PLANS[principal.workspace.plan]?.requestsPerMinute ?? null
    if (!this.isOn || limit === null || limit === 0) return
    const key = `${principal.kind}:${principal.credentialId}`
    const left = await consume(this.#limiterOf(this.#keys, 'key', limit), key, limit)
    const ceiling = limit * WORKSPACE_FACTOR
    await consume(this.#limiterOf(this.#workspaces, 'workspace', ceiling), principal.tenantId, ceiling)
    setHeaders(res, limit, left)
  }

  /** 30 a minute and address, without rate-limit headers (specification 8). */
  async countResolution(ip: string): Promise<void> {
    if (!this.isOn) return
    try {
      await this.#resolver.consume(network(ip))
    } catch (refused) {
      throw tooMany(refused, undefined)
    }
  }

  /** 10 a minute and address, with headers (specification 8). */
  async countValidation(ip: string, res: Response): Promise<void> {
    await this.#countOwn(this.#validator, PUBLIC_VALIDATOR, ip, res)
  }

  /** 10 a minute and address, with headers. */
  async countAccessRequest(ip: string, res: Response): Promise<void> {
    await this.#countOwn(this.#accessRequests, ACCESS_REQUESTS, ip, res)
  }

  async #countOwn(limiter: RateLimiterAbstract, limit: number, ip: string, res: Response): Promise<void> {
    if (!this.isOn) return
    try {
      setHeaders(res, limit, await limiter.consume(network(ip)))
    } catch (refused) {
      throw tooMany(refused, limit, 'FW_ERR_RATE_LIMIT')
    }
  }
}

async function consume(limiter: RateLimiterAbstract, key: string, limit?: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key)
  } catch (refused) {
    throw tooMany(refused, limit)
  }
}

function tooMany(refused: unknown, limit: number | undefined, code: string | true = true): Problem {
  if (!(refused instanceof RateLimiterRes)) throw refused
  const seconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
  return new Problem(429, `Rate limit exceeded, retry in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`, {
    framework: code,
    headers: limit === undefined ? {} : { 'retry-after': String(seconds), ...rateHeaders(limit, 0, seconds) },
  })
}

function setHeaders(res: Response, limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): void {
  for (const [name, value] of Object.entries(rateHeaders(limit, remainingPoints, Math.ceil(msBeforeNext / 1000)))) {
    res.setHeader(name, value)
  }
}

const rateHeaders = (limit: number, remaining: number, seconds: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(Math.max(0, remaining)),
  'x-ratelimit-reset': String(seconds),
})

/** One subscriber has a whole IPv6 /64, so that is what is counted. */
export function network(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip
  const [head = '', tail = ''] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const missing = 8 - groups.length - tail.split(':').filter(Boolean).length
  return [...groups, ...Array.from({ length: ip.includes('::') ? missing : 0 }, () => '0'), ...tail.split(':')]
    .slice(0, 4)
    .join(':')
}
