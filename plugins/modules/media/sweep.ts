import type { Schedule } from '../../../src/plugin/module.ts'
import type { Cradle } from './cradle.ts'

const MAX_AT_ONCE = 200

/** Deletes the objects of deleted files. */
export async function sweep(store: Cradle['objectStore'], jobs: Parameters<Schedule['run']>[1]): Promise<void> {
  if (store === undefined) return
  const { rows } = await jobs.executeSql('select key from public.media_gone order by gone_at limit $1', [MAX_AT_ONCE])
  for (const { key } of rows as { key: string }[]) {
    await store.remove(key)
    await jobs.executeSql('delete from public.media_gone where key = $1', [key])
  }
}
