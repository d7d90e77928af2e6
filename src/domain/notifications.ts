import type { Schema } from './schema.ts'

type NotificationType = Schema<'NotificationType'>

/** Permission required to receive each type. */
const NEEDS: Readonly<Record<NotificationType, string>> = {
  'access.requested': 'grant:read',
  'access.decided': 'grant:read',
  'mail.failed': 'grant:read',
  'webhook.delivery_failed': 'webhook:read',
  'webhook.subscription_disabled': 'webhook:read',
  'passport.published': 'passport:read',
  'passport.status_updated': 'passport:read',
  'passport.product_id_shared': 'passport:read',
  'registration.failed': 'passport:read',
  'operator.created': 'operator:read',
  'facility.created': 'facility:read',
  'facility.deleted': 'facility:read',
  'batteryunit.created': 'battery:read',
  'link.requested': 'passport:read',
  'link.decided': 'passport:read',
  'handover.accepted': 'passport:read',
}

export const typesFor = (permissions: ReadonlySet<string>): NotificationType[] =>
  (Object.keys(NEEDS) as NotificationType[]).filter((type) => permissions.has(NEEDS[type]))
