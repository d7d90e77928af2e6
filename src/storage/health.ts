import type { Cradle } from '../cradle.ts'

declare module '../cradle.ts' {
  interface Cradle {
    health: ReturnType<typeof health>
  }
}

/** How long an answer of the database counts: whoever asks more often costs nothing. */
const REMEMBERED_MS = 1000

/** Whether the gateway can work. */
export default function health({ database }: Cradle) {
  let answer: Promise<boolean> = Promise.resolve(false)
  let askedAt = Number.NEGATIVE_INFINITY

  return { isUp }

  /** Whether the database answers, as it did at most a second ago. Never throws. */
  function isUp(): Promise<boolean> {
    if (performance.now() - askedAt < REMEMBERED_MS) return answer
    askedAt = performance.now()
    answer = database.ping().then(
      () => true,
      () => false,
    )
    return answer
  }
}
