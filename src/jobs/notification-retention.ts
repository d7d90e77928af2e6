import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { startRetention } from './retention.ts'

export const NOTIFICATION_RETENTION = 'notification-retention'
/** The migration `notifications` has the same number, so that the deleting role cannot delete newer rows. */
export const NOTIFICATION_DAYS = 90

export function startNotificationRetention(boss: PgBoss, log: Logger): Promise<void> {
  return startRetention(boss, log, NOTIFICATION_RETENTION, '57 3 * * *', [
    { table: 'notification', where: `created_at < now() - interval '${NOTIFICATION_DAYS} days'` },
  ])
}
