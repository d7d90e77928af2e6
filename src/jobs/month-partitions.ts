import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** The queue whose job makes room for events of battery units, and drops what is too old. */
export const UNIT_EVENT_PARTITIONS = 'unit-event-partitions'
/** The same for the access audit. */
export const ACCESS_AUDIT_RETENTION = 'access-audit-retention'
/**
 * Months that an entry of the access audit is kept after its own. A year and a month: a report about a year can still be
 * made after it has ended.
 */
export const ACCESS_AUDIT_MONTHS = 13

/** A table in partitions by month. */
interface Partitioned {
  readonly queue: string
  readonly cron: string
  readonly table: 'battery_unit_event' | 'access_audit'
  /** How many months are kept beside the present one; undefined keeps all of them. */
  readonly months: number | undefined
}

/**
 * Every night one of the processes makes the partitions of the next months of each table, and drops those that are too old.
 * The work is a function of the database, because the role of the jobs owns no table.
 */
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
      if (dropped > 0) log.info({ table, months: dropped }, 'what was too old is dropped')
    })
    await boss.schedule(queue, cron)
  }
}
