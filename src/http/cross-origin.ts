import type { Request, Response } from 'express'
import type { Config } from '../config.ts'
import type { Contract, Operation } from './contract.ts'
import { DEFAULT_HEADERS } from './default-headers.ts'
import type { Route } from './routes.ts'

/** What a page may send anywhere (Fetch Standard, 3.3); `Authorization` is there for keys. */
const SENT = ['Accept', 'Accept-Language', 'Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id']
/** Of cookies alone, by which nobody of another origin is known. */
const OF_COOKIES = 'X-CSRF-Token'
const MAX_SECONDS = 7200

/** What the pages of `CORS_ORIGINS` may do beside reading public addresses, which every page may. */
export interface CrossOrigin {
  /** Lets the page that asks read the answer, if it may. @returns whether it may */
  open(req: Request, res: Response): boolean
  /** Says what such a page may ask of a route (Fetch Standard, 4.8). */
  allow(res: Response, route: Route, method: string): void
}

/**
 * Lets pages of the origins that are named call the API with a key that they send themselves. Never with cookies
 * (`Access-Control-Allow-Credentials`): what a browser adds by itself is no word of its user.
 */
export function crossOrigin(origins: Config['corsOrigins'], { answerHeaders }: Contract): CrossOrigin {
  const isNone = origins !== '*' && origins.size === 0
  const exposed = [...answerHeaders].join(', ')
  return { open, allow }

  function open(req: Request, res: Response): boolean {
    if (isNone) return false
    const origin = origins === '*' ? '*' : req.headers.origin
    if (origins !== '*') {
      // Whoever keeps an answer must know that another origin gets another (Fetch Standard, 3.3.5).
      req.gateway.variesByOrigin = true
      res.setHeader('Vary', `${DEFAULT_HEADERS.Vary}, Origin`)
    }
    if (origin === undefined || (origins !== '*' && !origins.has(origin))) return false
    res.setHeader('Access-Control-Allow-Origin', origin)
    res.setHeader('Access-Control-Expose-Headers', exposed)
    return true
  }

  function allow(res: Response, { operations, allow }: Route, method: string): void {
    const asked = operations.get(method === 'HEAD' ? 'GET' : method)
    res.setHeader('Access-Control-Allow-Methods', allow)
    res.setHeader('Access-Control-Allow-Headers', [...SENT, ...(asked === undefined ? [] : taken(asked))].join(', '))
    res.setHeader('Access-Control-Max-Age', String(MAX_SECONDS))
  }
}

const taken = ({ parameters }: Operation) =>
  parameters.filter((parameter) => parameter.in === 'header' && parameter.name !== OF_COOKIES).map(({ name }) => name)
