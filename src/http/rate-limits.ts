import type { IncomingMessage } from 'node:http'
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible'
import type { Cradle } from '../cradle.ts'
import type { FrameworkCode } from '../domain/codes.ts'
import { PLANS } from '../domain/plans.ts'
import type { Principal } from '../domain/principal.ts'
import { Problem } from '../domain/problem.ts'
import type { Gate } from './contract.ts'
import { network } from './forwarding.ts'
import { RecentCredentials } from './recent-credentials.ts'
import { credentialOf } from './request.ts'

const MINUTE = 60
const DAY = 86_400
/** Per minute and address, without credentials (specification 8). */
const ANONYMOUS = 100
/** Per minute and address, with credentials. */
const AUTHENTICATED_ADDRESS = 3000
const PUBLIC_RESOLVER = 30
/** In a separate thread, per minute and anonymous address. */
const SLOW_WORK = 6
/** Free redirects, because their targets are counted. */
const REDIRECTS = 30
/** Sufficient for all probes behind one address. */
const HEALTH = 600
/** Pages with an own sign-in, per minute and address: many persons may share one. */
const PEOPLE = 1200
/** Keys per day and workspace; did.json lists each permanently. */
const ROTATIONS = 10

const OWN_BUDGETS = {
  'validator-limit': 10,
  /** Each hashes up to 3 MiB. */
  'verifier-limit': 30,
  'request-limit': 10,
} as const satisfies Partial<Record<Gate, number>>

type OwnBudget = keyof typeof OWN_BUDGETS

/** By the primary; otherwise the worker counts itself. */
const COUNTED_WITHIN_MS = 1000

/** Multiple of one key's budget. */
const WORKSPACE_FACTOR = 3

declare module '../cradle.ts' {
  interface Cradle {
    rateLimits: ReturnType<typeof rateLimits>
  }
}

/** Request budgets per minute (specification 8). Workers count in their primary; without a shared store, other processes separately. */
export default function rateLimits({ config, sharedCounters }: Cradle) {
  const keys = new Map<number, RateLimiterAbstract>()
  const workspaces = new Map<number, RateLimiterAbstract>()
  const recent = new RecentCredentials()
  const counted = new WeakSet<IncomingMessage>()
  const isOn = config.rateLimits
  const shared = sharedCounters
  const anonymous = perMinute('anonymous', ANONYMOUS)
  const address = perMinute('address', AUTHENTICATED_ADDRESS)
  const resolver = perMinute('resolver', PUBLIC_RESOLVER)
  const slowWork = perMinute('slow-work', SLOW_WORK)
  const redirects = perMinute('redirect', REDIRECTS)
  const health = perMinute('health', HEALTH)
  const people = perMinute('people', PEOPLE)
  const rotations = per(DAY, 'rotation', ROTATIONS)
  const own = {
    'validator-limit': perMinute('validator', OWN_BUDGETS['validator-limit']),
    'verifier-limit': perMinute('verifier', OWN_BUDGETS['verifier-limit']),
    'request-limit': perMinute('access-request', OWN_BUDGETS['request-limit']),
  }

  return {
    isOn,
    perAddress,
    perAddressUnmatched,
    settle,
    countCredential,
    countResolution,
    countSlowWork,
    rewardRedirect,
    countOwn,
    countRotation,
  }

  function perMinute(name: string, points: number): RateLimiterAbstract {
    return per(MINUTE, name, points)
  }

  function per(duration: number, name: string, points: number): RateLimiterAbstract {
    const inMemory = new RateLimiterMemory({ points, duration })
    const keyPrefix = `dpp:limit:${name}:${points}`
    if (shared === undefined && config.worker === undefined) return inMemory
    if (shared === undefined) {
      const limiter = new RateLimiterCluster({ points, duration, keyPrefix })
      return new RLWrapperTimeouts({ limiter, insuranceLimiter: inMemory, timeoutMs: COUNTED_WITHIN_MS })
    }
    return new RateLimiterRedis({
      storeClient: shared,
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix,
      points,
      duration,
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: inMemory,
    })
  }

  function limiterOf(limiters: Map<number, RateLimiterAbstract>, name: string, points: number): RateLimiterAbstract {
    let limiter = limiters.get(points)
    if (limiter === undefined) {
      limiter = perMinute(name, points)
      limiters.set(points, limiter)
    }
    return limiter
  }

  /** Limits by address before any lookup. Requests without a recently valid credential are anonymous until `settle`. */
  function perAddress(): RequestHandler {
    return (req: Request, res: Response, next: NextFunction) => {
      if (!isOn) return next()
      return countAddress(req, res).then(() => next())
    }
  }

  function perAddressUnmatched(): ErrorRequestHandler {
    return async (error: unknown, req: Request, res: Response, next: NextFunction) => {
      if (isOn && req.gateway.countedAs === undefined) await countAnonymous(req, res)
      next(error)
    }
  }

  async function countAddress(req: Request, res: Response): Promise<void> {
    const { operation, ip } = req.gateway
    const isForPeople = operation?.gates.has('people-limit')
    if (isForPeople || operation?.gates.has('health-limit')) {
      req.gateway.countedAs = 'own'
      return void (await (isForPeople ? consume(people, network(ip), PEOPLE) : consume(health, network(ip), HEALTH)))
    }
    const credential = credentialOf(req)
    if (operation?.isPublic && operation.gates.has('resolver-limit')) {
      req.gateway.countedAs = 'own'
      return countResolution(req, ip)
    }
    if (credential !== undefined) {
      const answered = await recent.reserveLookup(credential)
      if (answered === undefined) {
        req.gateway.countedAs = 'address'
        return void (await consume(address, network(ip)))
      }
      req.gateway.answered = answered
      res.once('close', answered)
    }
    await countAnonymous(req, res)
  }

  async function countAnonymous(req: Request, res: Response): Promise<void> {
    req.gateway.countedAs = 'anonymous'
    setHeaders(res, ANONYMOUS, await consume(anonymous, network(req.gateway.ip), ANONYMOUS))
  }

  /** Corrects the budget after the credential lookup. */
  async function settle(req: Request, res: Response, principal: Principal | undefined): Promise<void> {
    const credential = credentialOf(req)
    if (!isOn || credential === undefined) return
    const { countedAs, ip, answered } = req.gateway
    if (principal === undefined) recent.remove(credential)
    else recent.add(credential)
    answered?.()
    if (principal === undefined) {
      if (countedAs === 'address') await countAnonymous(req, res)
      return
    }
    if (countedAs === 'anonymous') {
      await anonymous.reward(network(ip))
      removeHeaders(res)
    }
    if (countedAs !== 'address') await consume(address, network(ip))
  }

  /** Counts against credential and workspace; sets headers if `res` is given. */
  async function countCredential(principal: Principal, res?: Response): Promise<void> {
    const limit = PLANS[principal.workspace.plan]?.requestsPerMinute ?? null
    if (!isOn || limit === null || limit === 0) return
    const key = `${principal.kind}:${principal.credentialId}`
    const left = await consume(limiterOf(keys, 'key', limit), key, limit)
    const ceiling = limit * WORKSPACE_FACTOR
    await consume(limiterOf(workspaces, 'workspace', ceiling), principal.tenantId, ceiling)
    if (res !== undefined) setHeaders(res, limit, left)
  }

  /** Counts a resolution once, without rate-limit headers (specification 8). */
  async function countResolution(req: IncomingMessage, ip: string): Promise<void> {
    if (!isOn || counted.has(req)) return
    try {
      await resolver.consume(network(ip))
    } catch (refused) {
      throw tooMany(refused, undefined)
    }
    counted.add(req)
  }

  /** @throws Problem 429 */
  async function countSlowWork(ip: string): Promise<void> {
    if (isOn) await consume(slowWork, network(ip))
  }

  /** Refunds a redirect, because its target is counted. A separate budget limits refunds. */
  async function rewardRedirect(req: IncomingMessage, ip: string, location: string): Promise<void> {
    if (!counted.has(req) || !location.startsWith(`${config.baseUrl}/`)) return
    const key = network(ip)
    await redirects.consume(key).then(
      () => resolver.reward(key),
      () => undefined,
    )
  }

  /** Counts against the operation's own budgets, with headers (specification 8). */
  async function countOwn(gates: ReadonlySet<Gate>, ip: string, res: Response): Promise<void> {
    if (!isOn) return
    for (const [gate, limit] of Object.entries(OWN_BUDGETS) as [OwnBudget, number][]) {
      if (!gates.has(gate)) continue
      try {
        setHeaders(res, limit, await own[gate].consume(network(ip)))
      } catch (refused) {
        throw tooMany(refused, limit, 'FW_ERR_RATE_LIMIT')
      }
    }
  }

  async function countRotation({ tenantId }: Principal): Promise<void> {
    if (isOn) await consume(rotations, tenantId, ROTATIONS)
  }
}

async function consume(limiter: RateLimiterAbstract, key: string, limit?: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key)
  } catch (refused) {
    throw tooMany(refused, limit)
  }
}

function tooMany(refused: unknown, limit: number | undefined, code: FrameworkCode | true = true): Problem {
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

export function removeHeaders(res: Response): void {
  for (const name of Object.keys(rateHeaders(0, 0, 0))) res.removeHeader(name)
}

const rateHeaders = (limit: number, remaining: number, seconds: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(Math.max(0, remaining)),
  'x-ratelimit-reset': String(seconds),
})
