import { dictionary } from '../../../src/plugin/index.ts'
import { AUDIT_ACTIONS, READ_ACTIONS } from '../../../src/plugin/module.ts'
import type { Translate } from './site.ts'

/** Most names are below `action` in `locales`. */
export const ACTIONS = [...AUDIT_ACTIONS, ...READ_ACTIONS]

/** Actions whose message after the form says the same. */
const SAID = dictionary({
  'registration.requested': 'done.registered',
  'grant.requested': 'event.access.requested',
  'grant.approved': 'access.approved',
  'grant.denied': 'done.denied',
  'grant.revoked': 'done.revoked',
  'grant.renewed': 'done.renewed',
  'key.created': 'key.created',
  'key.revoked': 'done.keyRevoked',
  'person.invited': 'people.invited',
  'person.uninvited': 'done.uninvited',
  'person.removed': 'done.personRemoved',
  'person.passkey_added': 'done.passkeyAdded',
  'person.passkey_removed': 'done.passkeyRemoved',
})

/** Name of an action; its code if a module brings an unknown one. */
export const actionName = (action: string, t: Translate): string =>
  t(SAID[action] ?? `action.${action}`, { defaultValue: action }).replace(/\.$/, '')
