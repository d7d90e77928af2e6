/** Permission required to read each type of notification that the gateway raises. */
export const NOTIFICATION_TYPES = {
  'access.requested': 'grant:read',
  'access.decided': 'grant:read',
  'webhook.delivery_failed': 'webhook:read',
  'webhook.subscription_disabled': 'webhook:read',
  'passport.published': 'passport:read',
  'passport.status_updated': 'passport:read',
  'passport.product_id_shared': 'passport:read',
  'operator.created': 'operator:read',
  'facility.created': 'facility:read',
  'facility.deleted': 'facility:read',
  'batteryunit.created': 'battery:read',
}
