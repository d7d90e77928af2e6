import { setTimeout as sleep } from 'node:timers/promises'
import { newGtin, textile } from './gateway.ts'

const CLIENTS = 4
/** Pause of a client after each request, to leave CPU for starting processes. */
const PAUSE_MS = 20

/** Clients that create, change, seal and read passports, with the results. */
export interface SteadyLoad {
  /** Failed requests with their responses. */
  readonly failed: readonly string[]
  /** Number of successful requests. */
  done(): number
  /** Sends new requests there and waits for those in flight elsewhere. */
  moveTo(origin: string): Promise<void>
  stop(): Promise<void>
}

/** Starts the load; failures do not stop it. */
export function steadyLoad(first: string, headers: Record<string, string>): SteadyLoad {
  const failed: string[] = []
  let done = 0
  let origin = first
  let isOver = false
  const underWay = new Set<Promise<unknown>>()

  async function answerOf(method: string, path: string, json?: object) {
    const init = { method, headers: { ...headers, ...(json && { 'content-type': 'application/json' }) } }
    try {
      const response = await fetch(`${origin}${path}`, { ...init, ...(json && { body: JSON.stringify(json) }) })
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status} ${text}`)
      done += 1
      return JSON.parse(text)
    } catch (error) {
      failed.push(`${method} ${path}: ${error}`)
    }
  }
  async function ask(...request: Parameters<typeof answerOf>) {
    const pending = answerOf(...request).finally(() => underWay.delete(pending))
    underWay.add(pending)
    const answer = await pending
    await sleep(PAUSE_MS)
    return answer
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const productId = newGtin()
      const created = await ask('POST', '/api/v1/passports', { productId, metadata: textile() })
      const at = `/api/v1/passports/${created?.passport.id}`
      if (created === undefined) continue
      await ask('PUT', at, { metadata: textile({ size: 'M' }) })
      await ask('POST', `${at}/seal`)
      await ask('POST', `${at}/units`, { serialNumber: productId })
      await ask('GET', at)
      await ask('GET', `/01/${productId}`)
      await ask('GET', '/api/v1/passports?limit=5')
    }
  })
  return {
    failed,
    done: () => done,
    moveTo: async (next) => {
      origin = next
      await Promise.all(underWay)
    },
    stop: async () => {
      isOver = true
      await Promise.all(clients)
    },
  }
}
