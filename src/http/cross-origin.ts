import type { Request, Response } from 'express'
import type { Config } from '../start/config.ts'
import type { Contract, Operation } from './contract.ts'
import { DEFAULT_HEADERS } from './default-headers.ts'
import type { Route } from './routes.ts'

/** Request headers of any page (Fetch Standard, 3.3). */
const SENT = ['Accept', 'Accept-Language', 'Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id']
/** Used only with cookies, which never authenticate other origins. */
const OF_COOKIES = 'X-CSRF-Token'
const MAX_SECONDS = 7200

export interface CrossOrigin {
  /** Lets the requesting page read the response. @returns false if its origin is not allowed */
  open(req: Request, res: Response): boolean
  /** Sets the preflight headers of a route (Fetch Standard, 4.8). */
  allow(res: Response, route: Route, method: string): void
}

/**
 * Lets `CORS_ORIGINS` call the API with a key. Never with cookies (`Access-Control-Allow-Credentials`): browsers send them without the
 * user's intent.
 */
export function crossOrigin(origins: Config['corsOrigins'], { answerHeaders }: Contract): CrossOrigin {
  const isNone = origins !== '*' && origins.size === 0
  const exposed = [...answerHeaders].join(', ')
  return { open, allow }

  function open(req: Request, res: Response): boolean {
    if (isNone) return false
    const origin = origins === '*' ? '*' : req.headers.origin
    if (origins !== '*') {
      // The response depends on the origin (Fetch Standard, 3.3.5).
      req.gateway.variesByOrigin = true
      res.setHeader('Vary', `${DEFAULT_HEADERS.Vary}, Origin`)
    }
    if (origin === undefined || (origins !== '*' && !origins.has(origin))) return false
    res.setHeader('Access-Control-Allow-Origin', origin)
    res.setHeader('Access-Control-Expose-Headers', exposed)
    return true
  }

  function allow(res: Response, { operations, allow }: Route, method: string): void {
    const operation = operations.get(method === 'HEAD' ? 'GET' : method)
    res.setHeader('Access-Control-Allow-Methods', allow)
    res.setHeader(
      'Access-Control-Allow-Headers',
      [...SENT, ...(operation === undefined ? [] : taken(operation))].join(', '),
    )
    res.setHeader('Access-Control-Max-Age', String(MAX_SECONDS))
  }
}

const taken = ({ parameters }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'header' && parameter.name !== OF_COOKIES).map(({ name }) => name)
