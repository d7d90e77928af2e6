import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { startRetention } from './retention.ts'

/** The queue whose job deletes what is too old. */
export const WEBHOOK_RETENTION = 'webhook-retention'
/**
 * Days that an event is kept with its deliveries: ten times as long as one is tried. The migration `webhooks` has the same
 * number, so that the role that deletes cannot delete anything younger.
 */
export const WEBHOOK_DAYS = 30

/** Every night one of the processes deletes the events that are older than that, with their deliveries. */
export function startWebhookRetention(boss: PgBoss, log: Logger): Promise<void> {
  return startRetention(boss, log, WEBHOOK_RETENTION, '37 3 * * *', [
    { table: 'webhook_event', where: `created_at < now() - interval '${WEBHOOK_DAYS} days'` },
    { table: 'webhook_listener', where: `expires_at < now() - interval '1 day'` },
  ])
}
