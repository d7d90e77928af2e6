import type { Request } from 'express'
import type { Principal } from '../domain/principal.ts'
import { forbidden, type Problem } from '../domain/problem.ts'
import type { Identity } from '../services/identity.ts'
import { unauthorized } from './write-problem.ts'

/**
 * Who is calling, and whether the operation's permission is among theirs: the validator passes the scopes of the
 * operation's `security`. A request with an Authorization header is judged by it alone, whatever cookies it carries.
 */
export function securityHandlers(identity: Identity) {
  const decide = (req: Request, principal: Principal | undefined, permissions: readonly string[]): boolean => {
    const isOptional = req.gateway.operation?.isPublic === true
    // A bad credential on a public operation shows less, it refuses nothing (specification 4.5).
    if (principal === undefined) return isOptional ? false : refuse(req, unauthorized())
    const missing = permissions.find((permission) => !principal.permissions.has(permission))
    if (missing !== undefined) return refuse(req, forbidden(`Insufficient permissions. Required: "${missing}".`))
    req.gateway.principal = principal
    return true
  }
  return {
    bearer: async (req: Request, permissions: readonly string[]) => {
      const token = /^bearer +([^\s]+)$/i.exec(req.headers.authorization ?? '')?.[1]
      return decide(req, token === undefined ? undefined : await identity.fromBearer(token), permissions)
    },
    cookie: async (req: Request, permissions: readonly string[]) => {
      if (req.headers.authorization !== undefined) return false
      return decide(req, await identity.fromCookie(req.cookies.dpp_session ?? ''), permissions)
    },
  }
}

function refuse(req: Request, problem: Problem): false {
  req.gateway.refusal = problem
  return false
}
