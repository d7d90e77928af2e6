import { forbidden } from './problem.ts'

/** The workspace behind a credential, as far as gates and identity need it. */
export interface PrincipalWorkspace {
  readonly id: string
  readonly name: string
  readonly subdomain: string | null
  readonly plan: string
  readonly subscription: 'active' | 'grace' | 'lapsed'
  readonly passportLimit: number | null
  readonly requireMfa: boolean
  /** Set while whoever operates the node has stopped it: none of its credentials holds. */
  readonly suspension: { readonly reason: string | null } | null
}

/** Who is calling. The tenant comes from the credential and from nothing else (specification 1). */
export interface Principal {
  readonly kind: 'key' | 'session'
  readonly credentialId: string
  /** For history and audit: `api-key:<id>` or the user's identity. */
  readonly actor: string
  readonly tenantId: string
  readonly workspace: PrincipalWorkspace
  readonly role: string
  readonly permissions: ReadonlySet<string>
  /** Set: limited to this economic operator. */
  readonly operatorId: string | null
  readonly mfa: boolean
  /** Set for cookie sessions: what `X-CSRF-Token` must be on writes. */
  readonly csrf?: string
}

/** @throws Problem 403 in the words of specification 5.3 when the credential does not have the permission */
export function assertPermission(principal: Principal, permission: string): void {
  if (!principal.permissions.has(permission)) throw lacksPermission(permission)
}

/** 403 in the words of specification 5.3. */
export const lacksPermission = (permission: string) => forbidden(`Insufficient permissions. Required: "${permission}".`)

/** @throws Problem 403 while the workspace is suspended */
export function assertNotSuspended({ workspace: { suspension } }: Principal): void {
  if (suspension === null) return
  const why = suspension.reason === null ? '' : ` Reason: ${suspension.reason}`
  throw forbidden(
    `This workspace is suspended: its keys, sessions and grants do not hold until whoever operates the gateway resumes it.${why}`,
    'WORKSPACE_SUSPENDED',
  )
}

/** @throws Problem 403 when the credential is limited to another operator */
export function assertOperatorScope(principal: Pick<Principal, 'operatorId'>, operatorId: string | null): void {
  // A UUID is written in capitals by some (RFC 9562, section 4).
  if (principal.operatorId !== null && operatorId?.toLowerCase() !== principal.operatorId) {
    throw forbidden('This key is limited to another economic operator.', 'OPERATOR_SCOPE_FORBIDDEN')
  }
}

/**
 * For what concerns every operator of the workspace (specification 5.6).
 * @throws Problem 403 when the credential is limited to one operator
 */
export function assertWholeWorkspace(principal: Principal): void {
  if (principal.operatorId === null) return
  throw forbidden(
    'This key is limited to one economic operator. Use a key of the whole workspace.',
    'OPERATOR_SCOPE_FORBIDDEN',
  )
}

/**
 * Whom an answer may be given to again: keys that may do the same for the same operator, since each of them could have
 * read what the other wrote. A key that may not read passports and battery units is alone, and so is the user of a session.
 */
export function replayScope({ kind, actor, credentialId, permissions, operatorId }: Principal): string {
  if (kind === 'session') return `user ${actor}`
  if (!permissions.has('passport:read') || !permissions.has('battery:read')) return `key ${credentialId}`
  return `operator ${operatorId ?? 'any'} ${[...permissions].toSorted().join(' ')}`
}
