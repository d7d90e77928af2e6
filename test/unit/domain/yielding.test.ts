import { expect, test } from 'vitest'
import { mapYielding, runYielding } from '../../../src/domain/yielding.ts'

/** Work with this duration per step. */
function* busy(steps: number, milliseconds: number, onStep: () => void = () => {}) {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + milliseconds
    while (performance.now() < until) onStep()
    yield
  }
  return steps
}

test('maps in order, and fails with the first that fails', async () => {
  expect(await mapYielding(['a', 'b', 'c'], (item, index) => `${index}${item}`)).toEqual(['0a', '1b', '2c'])
  expect(await mapYielding([], String)).toEqual([])
  const failing = mapYielding([1, 2, 3], (item) => {
    if (item === 2) throw new Error('two')
    return item
  })
  await expect(failing).rejects.toThrow('two')
})

test('each of many tasks runs once per event-loop tick, and all finish', async () => {
  let rounds = 0
  let isDone = false
  const count = () => {
    rounds += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const turnsIn = new Map<number, Set<number>>()
  const works = Array.from({ length: 10 }, (_, work) =>
    runYielding(busy(4, 4, () => turnsIn.set(rounds, (turnsIn.get(rounds) ?? new Set()).add(work)))),
  )
  expect(await Promise.all(works)).toEqual(Array(10).fill(4))
  isDone = true
  expect(turnsIn.size).toBeGreaterThanOrEqual(40)
  for (const workers of turnsIn.values()) expect(workers.size).toBe(1)
})
