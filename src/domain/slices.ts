import { setImmediate } from 'node:timers/promises'

/** How long work may keep others from the only thread, in milliseconds. */
const SLICE_MS = 3

/** Maps `items` in their order, and lets others have a turn after every few milliseconds. */
export async function inSlices<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const mapped: R[] = []
  let until = performance.now() + SLICE_MS
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index))
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + SLICE_MS
  }
  return mapped
}
