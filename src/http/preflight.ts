import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { linksetOf } from '../resolution/link-redirect.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { PREFLIGHT_HEADERS } from './default-headers.ts'
import type { Routes } from './routes.ts'

/** Responds to preflights (Fetch Standard, 4.8) and other OPTIONS of public addresses (RFC 9110, 9.3.7). */
export function answerOptions(
  { contract: { operations }, config }: Cradle,
  routes: Routes,
  crossOrigin: CrossOrigin,
): RequestHandler {
  const paths = [...operations.values()].filter(({ isShared }) => isShared).map(({ path }) => path.split('/'))
  return (req: Request, res: Response, next: NextFunction) => {
    if (req.method !== 'OPTIONS') return next()
    const parts = req.path.split('/')
    const isShared = paths.some(
      (path) => path.length === parts.length && path.every((name, at) => name.startsWith('{') || name === parts[at]),
    )
    if (!isShared) return isAllowed(req, res) ? void res.status(204).end() : next()
    for (const name in PREFLIGHT_HEADERS) res.setHeader(name, PREFLIGHT_HEADERS[name] as string)
    res.setHeader('Allow', 'GET, HEAD, OPTIONS')
    const links = linksetOf(config.baseUrl, req.originalUrl)
    if (links !== undefined) res.setHeader('Link', links)
    res.status(204).end()
  }

  function isAllowed(req: Request, res: Response): boolean {
    const method = req.headers['access-control-request-method']
    if (method === undefined || req.gateway.isPathBroken) return false
    const found = routes.find(req.path)
    if (found === undefined || !crossOrigin.open(req, res)) return false
    crossOrigin.allow(res, found.route, method)
    res.setHeader('Allow', found.route.allow)
    return true
  }
}
