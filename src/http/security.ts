import type { Request, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { lacksPermission, type Principal } from '../domain/principal.ts'
import { Problem } from '../domain/problem.ts'
import { bearerOf } from './request.ts'
import { unauthorized, unexpected } from './write-problem.ts'

/**
 * Who is calling, and whether the operation's permission is among theirs: the validator passes the scopes of the
 * operation's `security`. A request with an Authorization header is judged by it alone, whatever cookies it carries.
 */
export function securityHandlers(identity: Cradle['identity'], rateLimits: Cradle['rateLimits']) {
  const judge = async (
    req: Request,
    permissions: readonly string[],
    credential: string | undefined,
    find: (credential: string) => Promise<Principal | undefined>,
  ): Promise<boolean> => {
    try {
      const principal = credential === undefined ? undefined : await find(credential)
      if (credential !== undefined) await rateLimits.settle(req, req.res as Response, principal)
      return decide(req, principal, permissions)
    } catch (error) {
      // The validator takes every error of a handler for 401; not being able to tell who is calling is not a bad credential.
      return refuse(req, error instanceof Problem ? error : unexpected(error))
    }
  }
  return {
    bearer: (req: Request, permissions: readonly string[]) =>
      judge(req, permissions, bearerOf(req), (token) => identity.fromBearer(token)),
    cookie: async (req: Request, permissions: readonly string[]) =>
      req.headers.authorization === undefined &&
      judge(req, permissions, req.cookies.dpp_session ?? '', (token) => identity.fromCookie(token)),
  }
}

function decide(req: Request, principal: Principal | undefined, permissions: readonly string[]): boolean {
  // A bad credential on a public operation shows less, it refuses nothing (specification 4.5).
  if (principal === undefined) return req.gateway.operation?.isPublic === true ? false : refuse(req, unauthorized())
  const missing = permissions.find((permission) => !principal.permissions.has(permission))
  if (missing !== undefined) return refuse(req, lacksPermission(missing))
  req.gateway.principal = principal
  return true
}

function refuse(req: Request, problem: Problem): false {
  req.gateway.refusal = problem
  return false
}
