import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** The queue whose job deletes what is too old. */
export const ACCESS_AUDIT_RETENTION = 'access-audit-retention'
/**
 * Days that an entry is kept. A year and a month: a report about a year can still be made after it has ended. The
 * migration `roles` has the same number, so that the role that deletes cannot delete anything younger.
 */
export const ACCESS_AUDIT_DAYS = 400
/** Rows per statement, so that none holds its locks for long. */
const BATCH = 10_000

/** Every night one of the processes deletes the entries of the access audit that are older than that. */
export async function startAccessAuditRetention(boss: PgBoss, log: Logger): Promise<void> {
  await boss.createQueue(ACCESS_AUDIT_RETENTION, { policy: 'singleton', expireInSeconds: 3600, retryLimit: 2 })
  await boss.work(ACCESS_AUDIT_RETENTION, { pollingIntervalSeconds: 10 }, async () => {
    const deleted = await deleteOldEntries(boss)
    if (deleted > 0) log.info({ deleted }, 'access audit entries were too old')
  })
  await boss.schedule(ACCESS_AUDIT_RETENTION, '17 3 * * *')
}

async function deleteOldEntries(boss: PgBoss): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rows } = await boss.getDb().executeSql(
      `with gone as (
         delete from public.access_audit where ctid = any (array(
           select ctid from public.access_audit
           where accessed_at < now() - interval '${ACCESS_AUDIT_DAYS} days' limit ${BATCH}))
         returning 1)
       select count(*)::int as count from gone`,
    )
    const { count } = rows[0] as { count: number }
    deleted += count
    if (count < BATCH) return deleted
  }
}
