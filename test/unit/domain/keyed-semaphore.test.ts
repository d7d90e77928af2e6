import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KeyedSemaphore } from '../../../src/domain/keyed-semaphore.ts'
import { Problem } from '../../../src/domain/problem.ts'

const turnstile = () => new KeyedSemaphore({ places: 2, maxWaiting: 3, maxWaitMs: 1000 })

/** Enters and records when it is inside. */
function visitor(through: KeyedSemaphore, name: string, label: string, log: string[]) {
  return through.enter(name).then((leave) => {
    log.push(label)
    return leave
  })
}
const settled = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('admits up to the limit, and the next when one leaves, in FIFO order', async () => {
  const through = turnstile()
  const log: string[] = []
  const leaving = ['a', 'b', 'c', 'd', 'e'].map((label) => visitor(through, 'w', label, log))
  await settled()
  expect(log).toEqual(['a', 'b'])
  expect(through.inside('w')).toBe(2)
  ;(await leaving[1])?.()
  await settled()
  expect(log).toEqual(['a', 'b', 'c'])
  for (const next of [0, 2]) (await leaving[next])?.()
  await settled()
  expect(log).toEqual(['a', 'b', 'c', 'd', 'e'])
  for (const next of [3, 4]) (await leaving[next])?.()
  expect(through.inside('w')).toBe(0)
})

test('keeps one name from the places of another', async () => {
  const through = turnstile()
  const log: string[] = []
  for (const label of ['a', 'b', 'c']) void visitor(through, 'greedy', label, log)
  void visitor(through, 'other', 'o', log)
  await settled()
  expect(log).toEqual(['a', 'b', 'o'])
})

test('a caller that arrives during a transfer does not overtake', async () => {
  const through = turnstile()
  const log: string[] = []
  const [first] = ['a', 'b', 'c'].map((label) => visitor(through, 'w', label, log))
  await settled()
  ;(await first)?.()
  void visitor(through, 'w', 'late', log)
  await settled()
  expect(log).toEqual(['a', 'b', 'c'])
})

test('leaving twice frees one place', async () => {
  const through = turnstile()
  const leave = await through.enter('w')
  await through.enter('w')
  leave()
  leave()
  expect(through.inside('w')).toBe(1)
})

test('an admitted caller is not rejected later, and frees its place', async () => {
  const through = turnstile()
  const [first, second] = [await through.enter('w'), await through.enter('w')]
  const waited = through.enter('w')
  first()
  const leave = await waited
  expect(vi.getTimerCount()).toBe(0)
  await vi.advanceTimersByTimeAsync(2000)
  leave()
  second()
  expect(through.inside('w')).toBe(0)
})

describe('refuses with 503 and Retry-After', () => {
  const refusal = (error: unknown) => {
    expect(error).toBeInstanceOf(Problem)
    const { status, fields } = error as Problem
    expect([status, fields.headers, fields.title]).toEqual([503, { 'Retry-After': '2' }, 'Service Unavailable'])
  }

  test('when too many wait', async () => {
    const through = turnstile()
    for (let count = 0; count < 5; count += 1) void through.enter('w')
    refusal(await through.enter('w').catch((error) => error))
    await through.enter('other')
  })

  test('after too long a wait, and gives the place to who still waits', async () => {
    const through = turnstile()
    const log: string[] = []
    const leave = await through.enter('w')
    await through.enter('w')
    const early = through.enter('w').catch((error) => error)
    await vi.advanceTimersByTimeAsync(900)
    void visitor(through, 'w', 'late', log)
    await vi.advanceTimersByTimeAsync(100)
    refusal(await early)
    leave()
    await settled()
    expect(log).toEqual(['late'])
    expect(through.inside('w')).toBe(2)
  })
})
