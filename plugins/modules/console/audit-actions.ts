import { dictionary } from '../../../src/plugin/index.ts'
import type { Translate } from './site.ts'

/** Actions of the audit log: those of the API, of the console and of reads. Most names are below `action` in `locales`. */
export const ACTIONS = [
  ...['facility.created', 'facility.updated', 'facility.deleted'],
  ...[
    'operator.created',
    'operator.updated',
    'operator.archived',
    'operator.deleted',
    'operator.restored',
    'operator.bound',
  ],
  ...['batch.created', 'batch.deleted', 'batteryunit.created', 'batteryunit.deleted', 'batteryunit.read'],
  ...['grant.requested', 'grant.issued', 'grant.approved', 'grant.denied', 'grant.revoked', 'grant.renewed'],
  ...['key.created', 'key.revoked', 'key.narrowed', 'seal_key.rotated'],
  ...['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.secret_rotated'],
  ...['workspace.created', 'workspace.updated', 'workspace.suspended', 'workspace.resumed'],
  ...['prefix.claimed', 'prefix.released', 'registration.requested'],
  ...['journey.published', 'journey.withdrawn', 'passport.status_explained', 'passport.read', 'passport.listed'],
  ...['media.added', 'media.arranged', 'media.removed', 'media.read', 'reads.lost'],
  ...['link.added', 'link.requested', 'link.accepted', 'link.declined', 'link.removed'],
  ...['handover.offered', 'handover.withdrawn', 'handover.accepted'],
  ...['person.invited', 'person.uninvited', 'person.joined', 'person.updated', 'person.removed'],
  ...['person.passkey_added', 'person.passkey_removed'],
]

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
