import { DRAFTS_ONLY } from './permissions.ts'
import { forbidden } from './problem.ts'

export interface PrincipalWorkspace {
  readonly id: string
  readonly name: string
  readonly subdomain: string | null
  readonly plan: string
  readonly subscription: 'active' | 'grace' | 'lapsed'
  readonly passportLimit: number | null
  readonly requireMfa: boolean
  /** Set while the operator suspends the workspace: its credentials are rejected. */
  readonly suspension: { readonly reason: string | null } | null
}

/** The tenant comes only from the credential (specification 1). */
export interface Principal {
  readonly kind: 'key' | 'session'
  readonly credentialId: string
  /** `api-key:<id>` or the user's identity. */
  readonly actor: string
  readonly tenantId: string
  readonly workspace: PrincipalWorkspace
  readonly role: string
  readonly permissions: ReadonlySet<string>
  readonly operatorId: string | null
  readonly mfa: boolean
  /** Expected `X-CSRF-Token` of a cookie session. */
  readonly csrf?: string
}

/** @throws Problem 403 (specification 5.3) */
export function assertPermission(principal: Principal, permission: string): void {
  if (!principal.permissions.has(permission)) throw lacksPermission(permission)
}

export const lacksPermission = (permission: string) => forbidden(`Insufficient permissions. Required: "${permission}".`)

/** @throws Problem 403 */
export function assertNotSuspended({ workspace: { suspension } }: Principal): void {
  if (suspension === null) return
  const why = suspension.reason === null ? '' : ` Reason: ${suspension.reason}`
  throw forbidden(
    `This workspace is suspended: its keys, sessions and grants are rejected. Contact the operator of the gateway.${why}`,
    'WORKSPACE_SUSPENDED',
  )
}

/** @throws Problem 403 */
export function assertOperatorScope(principal: Pick<Principal, 'operatorId'>, operatorId: string | null): void {
  // UUIDs may be upper case (RFC 9562, section 4).
  if (principal.operatorId !== null && operatorId?.toLowerCase() !== principal.operatorId) {
    throw forbidden(
      'This key is limited to another economic operator. Use a key for this operator.',
      'OPERATOR_SCOPE_FORBIDDEN',
    )
  }
}

/** @param statuses of a passport, before and after the write @throws Problem 403 for a role that only writes drafts */
export function assertMayPublish({ role }: Pick<Principal, 'role'>, ...statuses: readonly string[]): void {
  if (role !== DRAFTS_ONLY || statuses.every((status) => status === 'DRAFT')) return
  throw forbidden(`The role ${DRAFTS_ONLY} changes drafts only. Ask a person who may publish.`)
}

/** @throws Problem 403 if limited to one operator (specification 5.6) */
export function assertWholeWorkspace(principal: Principal): void {
  if (principal.operatorId === null) return
  throw forbidden(
    'This key is limited to one economic operator. Use a key of the whole workspace.',
    'OPERATOR_SCOPE_FORBIDDEN',
  )
}

/**
 * Scopes stored responses to keys with the same permissions and operator, since each could have read the other's writes. Session users, and
 * keys that cannot read passports and battery units, are separate.
 */
export function replayScope({ kind, actor, credentialId, permissions, operatorId }: Principal): string {
  if (kind === 'session') return `user ${actor}`
  if (!permissions.has('passport:read') || !permissions.has('battery:read')) return `key ${credentialId}`
  return `operator ${operatorId ?? 'any'} ${[...permissions].toSorted().join(' ')}`
}
