import type { PgBoss } from 'pg-boss'

/** The queue whose job deletes objects whose rows are gone. */
const MEDIA_SWEEP = 'media-sweep'
/** Objects of one run, so that none takes long. */
const MAX_AT_ONCE = 200

/** Where objects are. */
interface Objects {
  remove(key: string): Promise<void>
}

/** Every ten minutes one of the processes deletes from the store of objects what the database no longer knows. */
export async function sweepMedia(boss: PgBoss, objects: Objects): Promise<void> {
  await boss.createQueue(MEDIA_SWEEP, { policy: 'singleton', expireInSeconds: 600, retryLimit: 2 })
  await boss.work(MEDIA_SWEEP, { pollingIntervalSeconds: 10 }, async () => {
    const database = boss.getDb()
    const { rows } = await database.executeSql('select key from public.media_gone order by gone_at limit $1', [
      MAX_AT_ONCE,
    ])
    for (const { key } of rows as { key: string }[]) {
      await objects.remove(key)
      await database.executeSql('delete from public.media_gone where key = $1', [key])
    }
  })
  await boss.schedule(MEDIA_SWEEP, '*/10 * * * *')
}
