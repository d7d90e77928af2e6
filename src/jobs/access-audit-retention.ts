import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { startRetention } from './retention.ts'

/** The queue whose job deletes what is too old. */
export const ACCESS_AUDIT_RETENTION = 'access-audit-retention'
/**
 * Days that an entry is kept. A year and a month: a report about a year can still be made after it has ended. The
 * migration `roles` has the same number, so that the role that deletes cannot delete anything younger.
 */
export const ACCESS_AUDIT_DAYS = 400

/** Every night one of the processes deletes the entries of the access audit that are older than that. */
export function startAccessAuditRetention(boss: PgBoss, log: Logger): Promise<void> {
  return startRetention(boss, log, ACCESS_AUDIT_RETENTION, '17 3 * * *', [
    { table: 'access_audit', where: `accessed_at < now() - interval '${ACCESS_AUDIT_DAYS} days'` },
  ])
}
