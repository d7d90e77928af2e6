import { setTimeout as sleep } from 'node:timers/promises'
import { newGtin, textile } from './gateway.ts'

const WRITERS = 4
const READERS = 2
const PAUSE_MS = 20
const AGAIN_MS = 50
const TIMEOUT_MS = 15_000

export interface ClusterLoad {
  readonly acknowledged: ReadonlySet<string>
  readonly refused: () => number
  readonly reads: () => number
  readonly failedReads: readonly string[]
  /** Milliseconds of the last acknowledged write (`performance.now()`). */
  readonly lastWrite: () => number
  stop(): Promise<void>
}

/** Rate limits are per address; the proxies of the cluster trust this header from this machine. */
export const someAddress = () => ({
  'x-forwarded-for': `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
})

/** Writes passports, and reads popular ones, through the load balancer and from the gateways behind the cache. */
export function clusterLoad({
  address,
  origin,
  key,
  popular,
}: {
  address: string
  origin: string
  key: Record<string, string>
  popular: readonly string[]
}): ClusterLoad {
  const acknowledged = new Set<string>()
  const failedReads: string[] = []
  let [refused, reads, lastWrite] = [0, 0, performance.now()]
  let isOver = false

  const send = (url: string, init: RequestInit = {}) =>
    fetch(url, {
      ...init,
      headers: { ...init.headers, ...someAddress() },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      (error) => ({ status: 0, text: String(error) }),
    )

  async function write() {
    while (!isOver) {
      const productId = newGtin()
      const body = JSON.stringify({ productId, metadata: textile() })
      const headers = { ...key, 'content-type': 'application/json' }
      const { status, text } = await send(`${address}/api/v1/passports`, { method: 'POST', headers, body })
      if (status === 201) {
        acknowledged.add(productId)
        lastWrite = performance.now()
      } else {
        // A rejected write would hide a fault of the test.
        if (status > 0 && status < 500) throw new Error(`${status} ${text}`)
        refused += 1
      }
      await sleep(status === 201 ? PAUSE_MS : AGAIN_MS)
    }
  }

  async function read(base: string) {
    while (!isOver) {
      for (const id of popular) {
        if (isOver) return
        const { status, text } = await send(`${base}/passport/${id}`, { headers: { accept: 'application/ld+json' } })
        reads += 1
        if (status !== 200) failedReads.push(`${base}/passport/${id}: ${status} ${text.slice(0, 200)}`)
        await sleep(PAUSE_MS)
      }
    }
  }

  const clients = [
    ...Array.from({ length: WRITERS }, write),
    ...Array.from({ length: READERS }, (_, index) => read(index % 2 === 0 ? address : origin)),
  ]
  return {
    acknowledged,
    failedReads,
    refused: () => refused,
    reads: () => reads,
    lastWrite: () => lastWrite,
    stop: async () => {
      isOver = true
      await Promise.all(clients)
    },
  }
}
