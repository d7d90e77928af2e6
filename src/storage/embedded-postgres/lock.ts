import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrivately, lockFile } from './place.ts'

/**
 * Runs `work` exclusively among processes. The kernel releases an SQLite lock with its holder, so unlike a pid file it is never stale, even
 * if ids repeat, as in containers.
 */
export async function whileLocked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = lockFile(dataDir)
  const deadline = performance.now() + 30_000
  try {
    await createPrivately(file)
  } catch (error) {
    throw new Error(
      `Cannot write ${file}. Run the gateway as the owner of the folder, or set DATA_DIR to another folder.`,
      {
        cause: error,
      },
    )
  }
  const lock = new DatabaseSync(file)
  try {
    while (!tryLock(lock)) {
      if (performance.now() > deadline) {
        throw new Error(`Another process has been starting or stopping PostgreSQL in ${dataDir} for 30 seconds.`)
      }
      await sleep(50)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    const SQLITE_BUSY = 5
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}
