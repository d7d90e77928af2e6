import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const STOPS_WITHIN_MS = 5000

/** Stops the cluster in this folder if it runs: left with open connections, or by a dead keeper. */
export async function endCluster(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  const processId = async () => Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  const pid = await processId()
  // PostgreSQL's fast shutdown.
  if (pid > 0) process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < STOPS_WITHIN_MS && (await processId()) > 0; waited += 50) await sleep(50)
}
