import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { meansDigitalLink, readDigitalLink } from '../domain/digital-link.ts'
import { Problem } from '../domain/problem.ts'
import type { CrossOrigin } from './cross-origin.ts'
import { CORS_HEADERS } from './default-headers.ts'
import type { Routes } from './routes.ts'

/** @throws Problem 404, 405 */
export function matchOperation(routes: Routes, { open }: Pick<CrossOrigin, 'open'>): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const found = findIn(routes, req)
    if (found?.route.isShared !== true) open(req, res)
    else share(res)
    if (found === undefined) {
      refuseDigitalLink(req, res)
      throw new Problem(404, `No operation at ${req.method} ${req.path}.`, { framework: true })
    }
    const operation = found.route.operations.get(req.method)
    if (operation === undefined) {
      const headers = { Allow: found.route.allow }
      const possible = [...found.route.operations.keys()].join(', ')
      throw new Problem(405, `Method ${req.method} is not allowed. Allowed: ${possible}.`, { framework: true, headers })
    }
    req.gateway.operation = operation
    req.gateway.pathParameters = found.parameters
    next()
  }
}

function share(res: Response): void {
  for (const name in CORS_HEADERS) res.setHeader(name, CORS_HEADERS[name] as string)
}

/** @throws Problem 400 for a malformed GS1 Digital Link */
function refuseDigitalLink({ path, originalUrl }: Request, res: Response): void {
  if (!meansDigitalLink(path)) return
  share(res)
  readDigitalLink(originalUrl)
}

function findIn(routes: Routes, { originalUrl }: Request): ReturnType<Routes['find']> {
  const query = originalUrl.indexOf('?')
  try {
    return routes.find(query === -1 ? originalUrl : originalUrl.slice(0, query))
  } catch (cause) {
    throw brokenPath(cause)
  }
}

/** Returns 400 for percent escapes that are not UTF-8 (RFC 3986, 2.5). */
export const brokenPath = (cause?: unknown) =>
  new Problem(400, 'The path has invalid percent escapes. Encode it as UTF-8.', {
    framework: 'FW_ERR_VALIDATION',
    cause,
  })
