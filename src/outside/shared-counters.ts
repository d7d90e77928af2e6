import type { Logger } from 'pino'

/** After a slower count, the process counts separately for a while. */
const COUNT_WITHIN_MS = 1000
const AWAY_MS = 10_000
const CONNECT_WITHIN_MS = 1000
const RETRY_AFTER_MS = 1000

export interface SharedCounters {
  readonly isReady: boolean
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
  close(): Promise<void>
}

/** Connects to Valkey or Redis. Never throws if the server is unavailable: requests do not depend on it. */
export async function openSharedCounters(url: string, log: Logger): Promise<SharedCounters> {
  // Loaded on demand: 7 MB of code.
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_WITHIN_MS, reconnectStrategy: () => RETRY_AFTER_MS },
  })
  let isAway = false
  client.on('error', (error: Error) => {
    if (!isAway) log.warn({ reason: error.message }, 'rate limits are counted per process: REDIS_URL does not respond')
    isAway = true
  })
  client.on('ready', () => {
    if (isAway) log.info('rate limits are shared again')
    isAway = false
  })
  const connecting = client.connect().catch(() => {})
  await within(CONNECT_WITHIN_MS, connecting)
  let awayUntil = 0
  return {
    get isReady() {
      return client.isReady && performance.now() >= awayUntil
    },
    async eval(script, options) {
      const counting = client.eval(script, options)
      const answer = await within(COUNT_WITHIN_MS, counting)
      if (answer !== LATE) return answer
      counting.catch(() => {})
      awayUntil = performance.now() + AWAY_MS
      log.warn('rate limits are temporarily counted per process: REDIS_URL responds too late')
      throw new Error('The shared store does not respond in time.')
    },
    async close() {
      client.destroy()
    },
  }
}

const LATE = Symbol('late')

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, milliseconds, LATE)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
