import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Short statements hold locks briefly. */
const BATCH = 10_000

interface TooOld {
  readonly table: string
  readonly where: string
}

/** Deletes expired rows on schedule, in one process. */
export async function startRetention(
  boss: PgBoss,
  log: Logger,
  queue: string,
  cron: string,
  tooOld: readonly TooOld[],
): Promise<void> {
  await boss.createQueue(queue, { policy: 'singleton', expireInSeconds: 3600, retryLimit: 2 })
  await boss.work(queue, { pollingIntervalSeconds: 10 }, async () => {
    for (const rows of tooOld) {
      const deleted = await deleteAll(boss, rows)
      if (deleted > 0) log.info({ deleted, table: rows.table }, 'expired rows deleted')
    }
  })
  await boss.schedule(queue, cron)
}

async function deleteAll(boss: PgBoss, { table, where }: TooOld): Promise<number> {
  for (let deleted = 0; ; ) {
    const { rows } = await boss.getDb().executeSql(
      `with gone as (
         delete from public.${table} where ctid = any (array(
           select ctid from public.${table} where ${where} limit ${BATCH}))
         returning 1)
       select count(*)::int as count from gone`,
    )
    const { count } = rows[0] as { count: number }
    deleted += count
    if (count < BATCH) return deleted
  }
}
