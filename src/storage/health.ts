import { setTimeout as sleep } from 'node:timers/promises'
import type { Cradle } from '../cradle.ts'

declare module '../cradle.ts' {
  interface Cradle {
    health: ReturnType<typeof health>
  }
}

const CACHED_MS = 1000
const STOPPING = 'The gateway is shutting down.'
/** Load balancers wait for one or two seconds. */
const ANSWERED_WITHIN_MS = 800

export default function health({ database, boss, publicCache }: Cradle) {
  const isUp = cachedFor(CACHED_MS, () => database.ping())
  const areReadsUp = cachedFor(CACHED_MS, () => database.pingReads())
  const isQueueUp = cachedFor(CACHED_MS, () => boss.getDb().executeSql('select 1 from pgboss.version'))
  let isStopping = false

  return { isUp, obstacle, obstacleOfReads, stop }

  /** Returns the obstacle as a sentence; undefined if ready. Never throws. */
  async function obstacle(): Promise<string | undefined> {
    if (isStopping) return STOPPING
    const [isDatabaseUp, hasQueue] = await Promise.all([isUp, isQueueUp].map(soon))
    if (!isDatabaseUp) return 'The database does not respond.'
    return hasQueue ? undefined : 'The job queue does not respond.'
  }

  /** Like {@link obstacle}, for public reads: cached renditions are served without a database too. */
  async function obstacleOfReads(): Promise<string | undefined> {
    if (isStopping) return STOPPING
    const canRead = publicCache.statistics().entries > 0 || (await soon(areReadsUp))
    return canRead ? undefined : 'No database responds, and no rendition is cached.'
  }

  function stop(): void {
    isStopping = true
  }
}

/** Never rejects. */
function cachedFor(milliseconds: number, ask: () => Promise<unknown>): () => Promise<boolean> {
  let answer: Promise<boolean> = Promise.resolve(false)
  let checkedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - checkedAt < milliseconds) return answer
    checkedAt = performance.now()
    answer = ask().then(
      () => true,
      () => false,
    )
    return answer
  }
}

const soon = (isUp: () => Promise<boolean>) => Promise.race([isUp(), sleep(ANSWERED_WITHIN_MS, false, { ref: false })])
