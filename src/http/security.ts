import type { Request } from 'express'
import { lacksPermission, type Principal } from '../domain/principal.ts'
import type { Problem } from '../domain/problem.ts'
import type { Identity } from '../services/identity.ts'
import { unauthorized, unexpected } from './write-problem.ts'

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
    if (missing !== undefined) return refuse(req, lacksPermission(missing))
    req.gateway.principal = principal
    return true
  }
  // The validator takes every error of a handler for 401; that nobody can tell who is calling is no bad credential.
  const failing = (req: Request, cause: unknown) => refuse(req, unexpected(cause))
  return {
    bearer: async (req: Request, permissions: readonly string[]) => {
      const token = /^bearer +([^\s]+)$/i.exec(req.headers.authorization ?? '')?.[1]
      try {
        return decide(req, token === undefined ? undefined : await identity.fromBearer(token), permissions)
      } catch (error) {
        return failing(req, error)
      }
    },
    cookie: async (req: Request, permissions: readonly string[]) => {
      if (req.headers.authorization !== undefined) return false
      try {
        return decide(req, await identity.fromCookie(req.cookies.dpp_session ?? ''), permissions)
      } catch (error) {
        return failing(req, error)
      }
    },
  }
}

function refuse(req: Request, problem: Problem): false {
  req.gateway.refusal = problem
  return false
}
