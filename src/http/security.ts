import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { assertNotSuspended, lacksPermission } from '../domain/principal.ts'
import { Problem } from '../domain/problem.ts'
import { isKeyForm } from '../workspaces/identity.ts'
import { credentialOf, schemeOf } from './request.ts'
import type { Scheme } from './security-rules.ts'

/**
 * Authenticates and authorizes the caller. On public operations, invalid credentials and suspended workspaces count as anonymous
 * (specification 4.5); missing permissions and lookup failures are errors everywhere.
 */
export function authenticate(identity: Cradle['identity'], rateLimits: Cradle['rateLimits']): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    const credential = credentialOf(req)
    if (credential !== undefined && credential !== '') return lookUp(req, res, credential).then(() => next())
    if (req.gateway.operation?.isPublic !== true) throw unauthorized(missingCredentialText(req))
    next()
  }

  async function lookUp(req: Request, res: Response, credential: string): Promise<void> {
    const { operation } = req.gateway
    const scheme = schemeOf(req)
    const principal = await (scheme === 'bearer' ? identity.fromBearer(credential) : identity.fromCookie(credential))
    if (rateLimits.isOn) await rateLimits.settle(req, res, principal)
    if (operation?.isPublic === true && (principal === undefined || principal.workspace.suspension !== null)) return
    if (principal === undefined) throw unauthorized(invalidCredentialText(scheme, credential), true)
    assertNotSuspended(principal)
    const missing = operation?.permissions.get(scheme)?.find((permission) => !principal.permissions.has(permission))
    if (missing !== undefined) throw lacksPermission(missing)
    req.gateway.principal = principal
  }
}

const SEND_A_KEY = 'Send "Authorization: Bearer dpp_key_…" with an API key of your workspace'

/** Never repeats request content. */
function missingCredentialText(req: Request): string {
  const { authorization } = req.headers
  if (authorization === undefined) {
    return req.headers['x-api-key'] === undefined
      ? `A credential is missing. ${SEND_A_KEY}, or the cookie of a session.`
      : `X-Api-Key is not supported. ${SEND_A_KEY}.`
  }
  if (/^dpp_\w/.test(authorization)) return 'Authorization has no scheme. Put "Bearer " before the key.'
  const scheme = /^(Basic|Bearer|Digest|DPoP|Negotiate|Token)\b/i.exec(authorization)?.[1]
  if (scheme?.toLowerCase() !== 'bearer') {
    return `Unsupported Authorization scheme${scheme === undefined ? '' : ` ${scheme}`}. ${SEND_A_KEY}.`
  }
  return `Authorization must have exactly one token after "Bearer". ${SEND_A_KEY}.`
}

/** Returns the reason for a rejection, by format only. Never discloses if a key exists, was revoked or expired. */
function invalidCredentialText(scheme: Scheme, credential: string): string {
  if (scheme === 'cookie') return 'Invalid session: it is unknown or has ended. Log in again.'
  if (/^dpp_(?:li|auth)_/.test(credential)) {
    return `A grant token opens only public addresses, not the API. ${SEND_A_KEY}.`
  }
  if (isKeyForm(credential)) return 'Invalid API key: it is unknown, revoked or expired.'
  if (credential.startsWith('dpp_key_')) {
    return 'Incomplete API key: expected dpp_key_, 8 characters, an underscore and 43 characters. Was it cut off?'
  }
  return credential.split('.').length === 3
    ? 'Invalid session token: it is unknown or has ended. Log in again.'
    : `The bearer token is neither an API key nor a session token. ${SEND_A_KEY}.`
}

/** Returns 401; marks a sent token as invalid (RFC 6750, 3.1). */
function unauthorized(message: string, isToken = false): Problem {
  const headers = { 'WWW-Authenticate': isToken ? 'Bearer error="invalid_token"' : 'Bearer' }
  return new Problem(401, message, { title: 'Unauthorized', headers })
}
