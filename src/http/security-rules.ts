import { isDeepStrictEqual } from 'node:util'

export type Scheme = 'bearer' | 'cookie'

export const SESSION_COOKIE = 'dpp_session'

const SCHEMES: Readonly<Record<Scheme, object>> = {
  bearer: { type: 'http', scheme: 'bearer' },
  cookie: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
}

/** Alternative requirements (OpenAPI 3.1, 4.8.10). */
type Security = readonly Readonly<Record<string, readonly string[]>>[]

export interface SecurityRules {
  readonly isPublic: boolean
  /** Required permissions by accepted scheme. */
  readonly permissions: ReadonlyMap<Scheme, readonly string[]>
}

/** @throws Error for a requirement that the security stage cannot enforce */
export function readSecurity(operationId: string, security: Security = []): SecurityRules {
  const permissions = new Map<Scheme, readonly string[]>()
  for (const requirement of security) {
    const schemes = Object.entries(requirement)
    if (schemes.length > 1)
      throw new Error(
        `openapi.yaml: ${operationId} requires two credentials at the same time. Use one per requirement.`,
      )
    for (const [scheme, required] of schemes) {
      if (scheme !== 'bearer' && scheme !== 'cookie') {
        throw new Error(`openapi.yaml: ${operationId} uses unknown security scheme "${scheme}". Use bearer or cookie.`)
      }
      if (permissions.has(scheme)) throw new Error(`openapi.yaml: ${operationId} uses "${scheme}" twice.`)
      permissions.set(scheme, required)
    }
  }
  const isPublic = security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0)
  return { isPublic, permissions }
}

interface Secured {
  readonly security?: unknown
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>> }
}

/** @throws Error if the security schemes differ from the implemented ones */
export function assertSchemes({ security, components }: Secured): void {
  const described = Object.entries(components.securitySchemes).map(([name, { description: _, ...scheme }]) => [
    name,
    scheme,
  ])
  if (security !== undefined || !isDeepStrictEqual(Object.fromEntries(described), SCHEMES)) {
    throw new Error('openapi.yaml: the security schemes differ from those in src/http/security.ts.')
  }
}
