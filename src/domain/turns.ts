import { setImmediate } from 'node:timers/promises'

/** How long work may keep others from the only thread, in milliseconds. */
const TURN_MS = 3

/** Does work that comes in steps, and lets others have their turn after every few milliseconds of it. */
export async function inTurns<T>(steps: Iterator<unknown, T>): Promise<T> {
  for (let until = performance.now() + TURN_MS; ; ) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + TURN_MS
  }
}

/** Maps `items` in their order, in turns. */
export function mapInTurns<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  return inTurns(
    (function* () {
      const mapped: R[] = []
      for (const [index, item] of items.entries()) {
        mapped.push(map(item, index))
        yield
      }
      return mapped
    })(),
  )
}
