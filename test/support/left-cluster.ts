import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const STOPS_WITHIN_MS = 5000

/** Ends the cluster in this folder, if it runs: one that was left because it still saw connections, or whose keeper is gone. */
export async function endCluster(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const processId = async () => Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  const pid = await processId()
  // PostgreSQL's fast shutdown.
  if (pid > 0) process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < STOPS_WITHIN_MS && (await processId()) > 0; waited += 50) await sleep(50)
}
