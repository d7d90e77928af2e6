import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPrivately, lockFile } from './place.ts'

/**
 * Runs `work` while no other process opens or stops the cluster in `dataDir`. SQLite is here for its lock alone: it
 * is held by the kernel and goes away with its holder, so unlike a file with a process id it is never stale, also
 * when ids repeat as they do in containers.
 */
export async function whileLocked<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const file = lockFile(dataDir)
  const deadline = performance.now() + 30_000
  try {
    await createPrivately(file)
  } catch (error) {
    throw new Error(`Cannot write ${file}. Run the gateway as the owner of the folder, or set DATA_DIR to another.`, {
      cause: error,
    })
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
