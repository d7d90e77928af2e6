import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { PREFLIGHT_HEADERS } from './default-headers.ts'

/**
 * Answers what a browser asks before a page of another origin may read a public address (Fetch Standard, 4.8), and whoever
 * else asks what is possible there (RFC 9110, 9.3.7). At a GS1 Digital Link it says where the links are.
 */
export function answerOptions({ contract: { operations }, digitalLinks }: Cradle): RequestHandler {
  const paths = [...operations.values()].filter(({ isShared }) => isShared).map(({ path }) => path.split('/'))
  return (req: Request, res: Response, next: NextFunction) => {
    if (req.method !== 'OPTIONS') return next()
    const parts = req.path.split('/')
    const isShared = paths.some(
      (path) => path.length === parts.length && path.every((name, at) => name.startsWith('{') || name === parts[at]),
    )
    if (!isShared) return next()
    for (const name in PREFLIGHT_HEADERS) res.setHeader(name, PREFLIGHT_HEADERS[name] as string)
    res.setHeader('Allow', 'GET, HEAD, OPTIONS')
    const links = digitalLinks.linksetOf(req.originalUrl)
    if (links !== undefined) res.setHeader('Link', links)
    res.status(204).end()
  }
}
