import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { startRetention } from './retention.ts'

/** The queue whose job deletes what is too old. */
export const NOTIFICATION_RETENTION = 'notification-retention'
/**
 * Days that a notification is kept. The migration `notifications` has the same number, so that the role that deletes
 * cannot delete anything younger.
 */
export const NOTIFICATION_DAYS = 90

/** Every night one of the processes deletes the notifications that are older than that. */
export function startNotificationRetention(boss: PgBoss, log: Logger): Promise<void> {
  return startRetention(boss, log, NOTIFICATION_RETENTION, '57 3 * * *', [
    { table: 'notification', where: `created_at < now() - interval '${NOTIFICATION_DAYS} days'` },
  ])
}
