import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { PLANS } from '../domain/plans.ts'
import type { Principal } from '../domain/principal.ts'
import { Problem } from '../domain/problem.ts'

const MINUTE = 60
/** Requests per minute and address, of callers without credentials (specification 8). */
const ANONYMOUS = 100
/** Requests per minute and address, of callers with credentials. */
const AUTHENTICATED_ADDRESS = 3000
const PUBLIC_RESOLVER = 30
const PUBLIC_VALIDATOR = 10
/** A workspace's ceiling over all its keys, as a multiple of one key's budget. */
const WORKSPACE_FACTOR = 3

/** The request budgets of specification 8, counted per minute in this process. */
export class RateLimits {
  readonly isOn: boolean
  readonly #anonymous = perMinute(ANONYMOUS)
  readonly #address = perMinute(AUTHENTICATED_ADDRESS)
  readonly #resolver = perMinute(PUBLIC_RESOLVER)
  readonly #validator = perMinute(PUBLIC_VALIDATOR)
  readonly #keys = new Map<number, RateLimiterAbstract>()
  readonly #workspaces = new Map<number, RateLimiterAbstract>()

  constructor({ isOn }: { isOn: boolean }) {
    this.isOn = isOn
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
    const left = await consume(limiterOf(this.#keys, limit), key, limit)
    await consume(limiterOf(this.#workspaces, limit * WORKSPACE_FACTOR), principal.tenantId, limit * WORKSPACE_FACTOR)
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
    if (!this.isOn) return
    try {
      setHeaders(res, PUBLIC_VALIDATOR, await this.#validator.consume(network(ip)))
    } catch (refused) {
      throw tooMany(refused, PUBLIC_VALIDATOR, 'FW_ERR_RATE_LIMIT')
    }
  }
}

const perMinute = (points: number) => new RateLimiterMemory({ points, duration: MINUTE })

function limiterOf(limiters: Map<number, RateLimiterAbstract>, points: number): RateLimiterAbstract {
  let limiter = limiters.get(points)
  if (limiter === undefined) {
    limiter = perMinute(points)
    limiters.set(points, limiter)
  }
  return limiter
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
