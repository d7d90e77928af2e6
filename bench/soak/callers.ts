import { setTimeout as sleep } from 'node:timers/promises'
import { ask, openAgent } from '../http.ts'
import type { Kind } from './kinds.ts'

/** Pause without a request, and the longest uninterrupted wait. */
const IDLE_MS = 100
/** Later requests are dropped instead of sent in a burst. */
const MAX_LATE_MS = 1000

export interface Listener {
  answered(kind: Kind, milliseconds: number): void
  failed(kind: Kind, error: Error): void
}

/** Sends all kinds of requests at their rates until `isOver`. */
export async function keepRequesting(
  port: number,
  kinds: readonly Kind[],
  listener: Listener,
  isOver: () => boolean,
): Promise<void> {
  await Promise.all(kinds.flatMap((kind) => callersOf(port, kind, listener, isOver)))
}

function callersOf(port: number, kind: Kind, listener: Listener, isOver: () => boolean): Promise<void>[] {
  let due = performance.now()
  const caller = async () => {
    const agent = openAgent()
    while (!isOver()) {
      const now = performance.now()
      due = Math.max(due + 1000 / kind.perSecond, now - MAX_LATE_MS)
      for (const turn = due; turn > performance.now() && !isOver(); ) {
        await sleep(Math.min(Math.max(turn - performance.now(), 0), IDLE_MS))
      }
      const request = isOver() ? undefined : kind.next()
      if (request === undefined) {
        await sleep(IDLE_MS)
        continue
      }
      const start = performance.now()
      try {
        const { status, body } = await ask(port, request, agent)
        listener.answered(kind, performance.now() - start)
        if (status !== kind.status)
          throw new Error(`Status ${status} instead of ${kind.status}: ${String(body).slice(0, 500)}`)
        kind.read?.(String(body))
      } catch (error) {
        listener.failed(kind, error as Error)
      }
    }
    agent.destroy()
  }
  return Array.from({ length: kind.callers }, caller)
}
