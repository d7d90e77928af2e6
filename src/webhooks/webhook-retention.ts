import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { startRetention } from '../jobs/retention.ts'

export const WEBHOOK_RETENTION = 'webhook-retention'
/** Ten times the retry period. The migration `webhooks` has the same number, so that the deleting role cannot delete newer rows. */
export const WEBHOOK_DAYS = 30

export function startWebhookRetention(boss: PgBoss, log: Logger): Promise<void> {
  return startRetention(boss, log, WEBHOOK_RETENTION, '37 3 * * *', [
    { table: 'webhook_event', where: `created_at < now() - interval '${WEBHOOK_DAYS} days'` },
    { table: 'webhook_listener', where: `expires_at < now() - interval '1 day'` },
  ])
}
