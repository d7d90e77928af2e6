import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

export const UNIT_EVENT_PARTITIONS = 'unit-event-partitions'
export const ACCESS_AUDIT_RETENTION = 'access-audit-retention'
/** Retention in addition to the current month, so that a year can be reported after it ends. */
export const ACCESS_AUDIT_MONTHS = 13

interface Partitioned {
  readonly queue: string
  readonly cron: string
  readonly table: 'battery_unit_event' | 'access_audit'
  /** Retention in addition to the current month; undefined retains all. */
  readonly months: number | undefined
}

/** Creates and drops monthly partitions. A database function does the work, because the job role owns no table. */
export async function startMonthPartitions(
  boss: PgBoss,
  log: Logger,
  { unitEventMonths }: { readonly unitEventMonths: number | undefined },
): Promise<void> {
  const tables: readonly Partitioned[] = [
    { queue: UNIT_EVENT_PARTITIONS, cron: '37 2 * * *', table: 'battery_unit_event', months: unitEventMonths },
    { queue: ACCESS_AUDIT_RETENTION, cron: '17 3 * * *', table: 'access_audit', months: ACCESS_AUDIT_MONTHS },
  ]
  for (const { queue, cron, table, months } of tables) {
    await boss.createQueue(queue, { policy: 'singleton', expireInSeconds: 3600, retryLimit: 5, retryDelay: 60 })
    await boss.work(queue, { pollingIntervalSeconds: 10 }, async () => {
      const { rows } = await boss.getDb().executeSql(`select public.${table}_turns($1) as dropped`, [months ?? null])
      const { dropped } = rows[0] as { dropped: number }
      if (dropped > 0) log.info({ table, months: dropped }, 'expired partitions dropped')
    })
    await boss.schedule(queue, cron)
  }
}
