/** How long work may keep others from the only thread, in milliseconds. */
const TURN_MS = 3

/** Whoever waits for a turn. */
const waiting: (() => void)[] = []
let isGiving = false

/** Resolves when it is the caller's turn: there is one in each round of the event loop, however many have work. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (isGiving) return
    isGiving = true
    setImmediate(give)
  })
}

function give(): void {
  waiting.shift()?.()
  isGiving = waiting.length > 0
  if (isGiving) setImmediate(give)
}

/** Characters, or bytes, that are worked on in a turn of their own. */
const LARGE = 65_536

/** Waits for a turn before work on a large text or file; a small one is worked on at once. */
export async function turnFor({ length }: { readonly length: number }): Promise<void> {
  if (length > LARGE) await turn()
}

/** Does work that comes in steps, a few milliseconds at a time, so that it keeps nobody waiting who has less to do. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    await turn()
    const until = performance.now() + TURN_MS
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < until)
  }
}

/** Maps `items` in their order, in turns. */
export function mapInTurns<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  return inTurns(
    (function* () {
      const mapped: R[] = []
      for (let index = 0; index < items.length; index += 1) {
        mapped.push(map(items[index] as T, index))
        yield
      }
      return mapped
    })(),
  )
}
