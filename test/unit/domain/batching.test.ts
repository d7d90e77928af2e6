import { expect, test } from 'vitest'
import { batchCalls } from '../../../src/domain/batching.ts'

test('calls during a running batch form the next one by key, and get their results in order', async () => {
  const batches: [string, readonly number[]][] = []
  const double = batchCalls<number, number>(
    async (key, items) => {
      batches.push([key, items])
      await Promise.resolve()
      return items.map((item) => item * 2)
    },
    { maxBatch: 100 },
  )
  const first = [double('a', 1), double('a', 2), double('b', 3)]
  expect(await Promise.all(first)).toEqual([2, 4, 6])
  expect(batches).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
  ])
  expect(await double('a', 4)).toBe(8)
})

test('calls that arrive while a batch is answered join the next one', async () => {
  const batches: (readonly number[])[] = []
  const running = Promise.withResolvers<void>()
  const echo = batchCalls<number, number>(
    async (_, items) => {
      batches.push(items)
      if (batches.length === 1) await running.promise
      return items
    },
    { maxBatch: 16 },
  )
  const first = echo('', 1)
  await expect.poll(() => batches).toHaveLength(1)
  const second = echo('', 2)
  const arrive = () => new Promise<number>((resolve) => process.nextTick(() => resolve(echo('', 3))))
  const third = first.then(arrive)
  running.resolve()
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 3])
  expect(batches).toEqual([[1], [2, 3]])
})

test('a batch has a maximum size', async () => {
  const sizes: number[] = []
  const count = batchCalls<number, number>(
    async (_, items) => {
      sizes.push(items.length)
      return items
    },
    { maxBatch: 3 },
  )
  expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => count('', item)))).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(sizes).toEqual([3, 3, 1])
})

test('a failure reaches its own calls, and no later ones', async () => {
  const check = batchCalls<number, number>(
    async (_, items) => {
      if (items.includes(2)) throw new Error('two')
      return items
    },
    { maxBatch: 2 },
  )
  const results = await Promise.allSettled([check('', 1), check('', 2), check('', 3)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await check('', 4)).toBe(4)
})

test('each answer may come later, and fail alone', async () => {
  const check = batchCalls<number, number>(
    async (_, items) =>
      items.map(async (item) => {
        if (item === 2) throw new Error('two')
        return item
      }),
    { maxBatch: 10 },
  )
  const results = await Promise.allSettled([check('', 1), check('', 2), check('', 3)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a call beyond its deadline is abandoned, however many there are', async () => {
  const { promise: never, resolve: end } = Promise.withResolvers<void>()
  const begun: number[] = []
  const work = async (_: string, items: readonly number[]) => {
    begun.push(...items)
    if (items.some((item) => item < 10)) await never
    return items
  }
  const bounded = batchCalls<number, number>(work, { maxBatch: 1, maxWaitMs: 1 })
  const stuck = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((item) => bounded('', item))
  expect(await Promise.all([10, 11].map((item) => bounded('', item)))).toEqual([10, 11])
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  end()
  expect(await Promise.all(stuck)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(await bounded('', 12)).toBe(12)
})
