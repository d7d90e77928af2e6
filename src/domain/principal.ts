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

/** @throws Problem 403 when the credential is limited to another operator */
export function assertOperatorScope(principal: Principal, operatorId: string | null): void {
  // A UUID is written in capitals by some (RFC 9562, section 4).
  if (principal.operatorId !== null && operatorId?.toLowerCase() !== principal.operatorId) {
    throw forbidden('This key is limited to another economic operator.', 'OPERATOR_SCOPE_FORBIDDEN')
  }
}
