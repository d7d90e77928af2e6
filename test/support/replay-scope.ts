import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { type Principal, replayScope } from '../../src/domain/principal.ts'

/** Whom a key with every permission and every operator shares its replays with: `caller` of `idempotency_key`. */
export const FULL_KEY_SCOPE = replayScope({
  kind: 'key',
  permissions: new Set<string>(PERMISSIONS),
  operatorId: null,
} as unknown as Principal)
