import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Contract } from './contract.ts'
import { PREFLIGHT_HEADERS } from './default-headers.ts'

/** Answers what a browser asks before a page of another origin may read a public address (Fetch Standard, 4.8). */
export function answerPreflight({ operations }: Contract): RequestHandler {
  const paths = [...operations.values()].filter(({ isShared }) => isShared).map(({ path }) => path.split('/'))
  return (req: Request, res: Response, next: NextFunction) => {
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return next()
    const parts = req.path.split('/')
    const isShared = paths.some(
      (path) => path.length === parts.length && path.every((name, at) => name.startsWith('{') || name === parts[at]),
    )
    if (!isShared) return next()
    for (const name in PREFLIGHT_HEADERS) res.setHeader(name, PREFLIGHT_HEADERS[name] as string)
    res.status(204).end()
  }
}
