import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { type Principal, replayScope } from '../../src/domain/principal.ts'

/** `caller` in `idempotency_key` of a key with every permission and operator. */
export const FULL_KEY_SCOPE = replayScope({
  kind: 'key',
  permissions: new Set<string>(PERMISSIONS),
  operatorId: null,
} as unknown as Principal)
