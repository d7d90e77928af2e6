import type { PgBoss } from 'pg-boss'

const MEDIA_SWEEP = 'media-sweep'
const MAX_AT_ONCE = 200

interface Objects {
  remove(key: string): Promise<void>
}

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
