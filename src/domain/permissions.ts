import { dictionary } from './record.ts'

/** Specification 5.3 and the decisions on identity. */
export const PERMISSIONS = [
  'passport:read',
  'passport:create',
  'passport:update',
  'passport:seal',
  'operator:read',
  'operator:create',
  'operator:write',
  'battery:read',
  'battery:write',
  'facility:read',
  'facility:write',
  'grant:read',
  'grant:write',
  'webhook:read',
  'webhook:write',
  'key:write',
  'audit:read',
] as const

/** Role that neither publishes a passport nor changes a published one. */
export const DRAFTS_ONLY = 'EDITOR'

/** A credential may narrow its role, never widen it. */
export const ROLES = dictionary<readonly string[]>({
  BRAND_OPERATOR: PERMISSIONS,
  TENANT_ADMIN: PERMISSIONS,
  AUDITOR: PERMISSIONS.filter((permission) => permission.endsWith(':read')),
  [DRAFTS_ONLY]: PERMISSIONS.filter((name) =>
    /^(passport:(read|create|update)|(operator|battery|facility):read)$/.test(name),
  ),
})

const NOTHING: ReadonlySet<string> = new Set()
const WHOLE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(ROLES).map(([role, permissions]) => [role, new Set(permissions)]),
)

/** @param narrowed null: the whole role */
export function permissionsOf(role: string, narrowed: readonly string[] | null): ReadonlySet<string> {
  const whole = WHOLE.get(role) ?? NOTHING
  return narrowed === null ? whole : new Set([...whole].filter((permission) => narrowed.includes(permission)))
}
