import { setTimeout as sleep } from 'node:timers/promises'
import type { Cradle } from '../cradle.ts'

declare module '../cradle.ts' {
  interface Cradle {
    health: ReturnType<typeof health>
  }
}

const CACHED_MS = 1000
const ANSWERED_WITHIN_MS = 2000

export default function health({ database, boss }: Cradle) {
  const isUp = cachedFor(CACHED_MS, () => database.ping())
  const isQueueUp = cachedFor(CACHED_MS, () => boss.getDb().executeSql('select 1 from pgboss.version'))
  let isStopping = false

  return { isUp, obstacle, stop }

  /** Returns the obstacle as a sentence; undefined if ready. Never throws. */
  async function obstacle(): Promise<string | undefined> {
    if (isStopping) return 'The gateway is shutting down.'
    const [isDatabaseUp, hasQueue] = await Promise.all([isUp, isQueueUp].map(soon))
    if (!isDatabaseUp) return 'The database does not respond.'
    return hasQueue ? undefined : 'The job queue does not respond.'
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
