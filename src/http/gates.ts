import { timingSafeEqual } from 'node:crypto'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Cradle } from '../cradle.ts'
import { PLANS, upgradeUrl } from '../domain/plans.ts'
import type { Principal } from '../domain/principal.ts'
import { forbidden, Problem } from '../domain/problem.ts'
import type { Config } from '../start/config.ts'
import type { Forwarding } from './forwarding.ts'
import { removeHeaders } from './rate-limits.ts'

/** Checks credential budget, host and CSRF token before the body is read, and the gates that the operation declares. */
export function checkGates(config: Config, forwarding: Forwarding, rateLimits: Cradle['rateLimits']): RequestHandler {
  const { workspaceHostSuffix: suffix } = config
  return async (req: Request, res: Response, next: NextFunction) => {
    const { operation, principal, ip } = req.gateway
    if (operation === undefined) throw new Error(`No operation for ${req.path}.`)
    const { isPublic, gates } = operation
    if (principal !== undefined) {
      // The public resolver has no rate-limit headers (specification 8).
      await rateLimits.countCredential(principal, isPublic ? undefined : res)
      if (suffix !== undefined) assertHost(forwarding.hostsOf(req), principal, suffix)
      if (!isPublic && req.method !== 'GET') assertCsrf(req, principal)
    }
    await rateLimits.countOwn(gates, ip, res)
    if (gates.has('resolver-limit') && !isPublic) {
      // The resolver's 429 has no rate-limit headers (specification 8).
      await rateLimits.countResolution(req, ip).catch((error) => {
        removeHeaders(res)
        throw error
      })
    }
    if (principal !== undefined) {
      if (gates.has('mfa')) assertMfa(principal)
      if (gates.has('subscription')) assertSubscription(principal, config.baseUrl)
      if (gates.has('rotation-limit')) await rateLimits.countRotation(principal)
    }
    next()
  }
}

// The host never selects a tenant; a workspace host must match the credential (specification 5.5).
function assertHost(hosts: readonly string[] | undefined, { workspace }: Principal, suffix: string): void {
  // Host was validated before.
  if (hosts === undefined) {
    throw new Problem(400, 'X-Forwarded-Host is not a host name. The proxy must set it to the requested host.', {
      framework: 'FW_ERR_VALIDATION',
    })
  }
  const own = workspace.subdomain === null ? undefined : `${workspace.subdomain}${suffix}`
  if (hosts.some((host) => host.endsWith(suffix) && host !== own)) {
    throw forbidden('This credential belongs to another workspace.')
  }
}

// Double submit bound to the session; bearer callers have no ambient credential (specification 5.2).
function assertCsrf(req: Request, principal: Principal): void {
  if (principal.csrf === undefined) return
  const expected = Buffer.from(principal.csrf)
  const isSent = [req.headers['x-csrf-token'], req.cookies.dpp_csrf].every((text) => {
    const sent = Buffer.from(text?.toString() ?? '')
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  })
  if (!isSent) {
    throw forbidden('A cookie session must send X-CSRF-Token with the value of its CSRF cookie.')
  }
}

function assertMfa(principal: Principal): void {
  if (principal.workspace.requireMfa && principal.kind === 'session' && !principal.mfa) {
    throw forbidden('This workspace requires a session with multi-factor authentication.')
  }
}

function assertSubscription(principal: Principal, baseUrl: string): void {
  const { plan, subscription } = principal.workspace
  if (subscription === 'lapsed') {
    throw new Problem(402, 'The subscription of this workspace has lapsed.', { title: 'Payment Required' })
  }
  if (principal.kind === 'key' && PLANS[plan]?.requestsPerMinute === 0) {
    throw new Problem(402, `The plan "${plan}" has no API access. Upgrade the plan.`, {
      title: 'Payment Required',
      code: 'api_access_required',
      extra: { upgradeUrl: upgradeUrl(baseUrl) },
    })
  }
}
