/** Longest slice between two yields. */
const SLICE_MS = 3

const waiting: (() => void)[] = []
let isGiving = false

/** Yields to the event loop, in FIFO order. */
export function yieldTurn(): Promise<void> {
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

const LARGE = 65_536

export async function yieldFor({ length }: { readonly length: number }): Promise<void> {
  if (length > LARGE) await yieldTurn()
}

/** Runs stepwise work in slices with yielding. */
export async function runYielding<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    await yieldTurn()
    const until = performance.now() + SLICE_MS
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < until)
  }
}

export function mapYielding<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  return runYielding(
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
