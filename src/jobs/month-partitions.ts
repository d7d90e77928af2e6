import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

export const UNIT_EVENT_PARTITIONS = 'unit-event-partitions'
export const RESOLUTION_COUNT_RETENTION = 'resolution-count-retention'
export const ACCESS_AUDIT_ROLL_UP = 'access-audit-roll-up'
/** Retention in addition to the current month, so that three years can be compared after they end. */
export const RESOLUTION_COUNT_MONTHS = 36
/** A transaction of the roll-up takes some 100 ms. */
export const ROLL_UP_BLOCKS = 256

interface Partitioned {
  readonly queue: string
  readonly cron: string
  readonly table: 'battery_unit_event' | 'resolution_count'
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
    {
      queue: RESOLUTION_COUNT_RETENTION,
      cron: '17 3 * * *',
      table: 'resolution_count',
      months: RESOLUTION_COUNT_MONTHS,
    },
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

/** Adds entries of the access audit to the counts of their day (UTC) after it has ended, in short transactions. */
export async function startRollUp(boss: PgBoss): Promise<void> {
  await boss.createQueue(ACCESS_AUDIT_ROLL_UP, { policy: 'singleton', expireInSeconds: 3600, retryLimit: 2 })
  await boss.work(ACCESS_AUDIT_ROLL_UP, { pollingIntervalSeconds: 10 }, async () => {
    for (let block = 0, isLast = false; !isLast; block += ROLL_UP_BLOCKS) {
      const { rows } = await boss
        .getDb()
        .executeSql(`select public.access_audit_roll_up(date_trunc('day', now(), 'utc'), $1, $2) is null as last`, [
          block,
          ROLL_UP_BLOCKS,
        ])
      isLast = (rows[0] as { last: boolean }).last
    }
  })
  await boss.schedule(ACCESS_AUDIT_ROLL_UP, '7 0 * * *')
}
