import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** The queue whose job makes room for events of battery units, and drops what is too old. */
export const UNIT_EVENT_PARTITIONS = 'unit-event-partitions'

/**
 * Every night one of the processes makes the partitions of the next months, and drops those that are older than so many
 * months; undefined keeps all of them. The work is a function of the database, because the role of the jobs owns no table.
 */
export async function startUnitEventPartitions(boss: PgBoss, log: Logger, months: number | undefined): Promise<void> {
  await boss.createQueue(UNIT_EVENT_PARTITIONS, {
    policy: 'singleton',
    expireInSeconds: 3600,
    retryLimit: 5,
    retryDelay: 60,
  })
  await boss.work(UNIT_EVENT_PARTITIONS, { pollingIntervalSeconds: 10 }, async () => {
    const { rows } = await boss
      .getDb()
      .executeSql('select public.battery_unit_event_turns($1) as dropped', [months ?? null])
    const { dropped } = rows[0] as { dropped: number }
    if (dropped > 0) log.info({ months: dropped }, 'events of battery units were too old')
  })
  await boss.schedule(UNIT_EVENT_PARTITIONS, '37 2 * * *')
}
