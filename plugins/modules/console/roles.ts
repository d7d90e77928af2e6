import { dictionary } from '../../../src/plugin/index.ts'
import { rolePermissions } from '../../../src/plugin/module.ts'

export const CONSOLE_ROLES = ['owner', 'publisher', 'editor', 'reader'] as const
export type ConsoleRole = (typeof CONSOLE_ROLES)[number]

/** Rights of the console beyond the permissions of the API. */
const OWN_RIGHTS = ['passport:publish', 'passport:recall', 'people:read', 'people:write', 'company:write'] as const

/** A permission of the API, or a right of the console. */
export type Right =
  | (typeof OWN_RIGHTS)[number]
  | `${'passport' | 'operator' | 'battery' | 'facility' | 'grant' | 'webhook' | 'audit'}:read`
  | `${'operator' | 'battery' | 'facility' | 'grant' | 'webhook' | 'key'}:write`
  | 'passport:create'
  | 'passport:update'
  | 'passport:seal'
  | 'operator:create'

interface RoleRights {
  /** Role of the API whose permissions apply. */
  readonly role: 'TENANT_ADMIN' | 'BRAND_OPERATOR' | 'EDITOR' | 'AUDITOR'
  readonly own: readonly (typeof OWN_RIGHTS)[number][]
  /** Permissions of the API role that the console role lacks. */
  readonly without: readonly string[]
}

export const RIGHTS = dictionary<RoleRights>({
  owner: { role: 'TENANT_ADMIN', own: OWN_RIGHTS, without: [] },
  publisher: { role: 'BRAND_OPERATOR', own: ['passport:publish', 'passport:recall'], without: ['key:write'] },
  editor: { role: 'EDITOR', own: [], without: [] },
  reader: { role: 'AUDITOR', own: ['people:read'], without: [] },
})

/** All rights of a role, which a membership may narrow. */
export function rightsOfRole(role: string): readonly string[] {
  const rights = RIGHTS[role]
  if (rights === undefined) return []
  return [...rolePermissions(rights.role, null)].filter((name) => !rights.without.includes(name)).concat(rights.own)
}
