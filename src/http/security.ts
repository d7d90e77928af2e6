import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { assertNotSuspended, lacksPermission } from '../domain/principal.ts'
import { credentialOf, schemeOf } from './request.ts'
import { unauthorized } from './write-problem.ts'

/**
 * The security stage: who is calling, and whether what the operation's `security` asks for is among their permissions.
 * A bad credential on a public operation shows less, it refuses nothing (specification 4.5), and neither does one of a
 * workspace that is suspended, which refuses everywhere else. A permission that is missing refuses everywhere, and so does a failure to find out: not being able to tell who is calling is not a bad credential.
 */
export function authenticate(identity: Cradle['identity'], rateLimits: Cradle['rateLimits']): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const credential = credentialOf(req)
    // A session cookie that has been emptied is none.
    if (credential !== undefined && credential !== '') return lookUp(req, res, credential).then(() => next())
    if (req.gateway.operation?.isPublic !== true) throw unauthorized()
    next()
  }

  async function lookUp(req: Request, res: Response, credential: string): Promise<void> {
    const { operation } = req.gateway
    const scheme = schemeOf(req)
    const principal = await (scheme === 'bearer' ? identity.fromBearer(credential) : identity.fromCookie(credential))
    if (rateLimits.isOn) await rateLimits.settle(req, res, principal)
    if (operation?.isPublic === true && (principal === undefined || principal.workspace.suspension !== null)) return
    if (principal === undefined) throw unauthorized()
    assertNotSuspended(principal)
    const missing = operation?.permissions.get(scheme)?.find((permission) => !principal.permissions.has(permission))
    if (missing !== undefined) throw lacksPermission(missing)
    req.gateway.principal = principal
  }
}
