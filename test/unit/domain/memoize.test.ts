import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { memoize } from '../../../src/domain/memoize.ts'

/** A function that records its calls. */
function noting<Result>(compute: (text: string) => Result, bounds = { entries: 8, characters: 10 }) {
  const computed: string[] = []
  const ask = memoize((text: string) => {
    computed.push(text)
    return compute(text)
  }, bounds)
  return { ask, computed }
}

test('computes once for one text, and again for every other text', () => {
  const { ask, computed } = noting((text) => ({ text }), { entries: 100, characters: 10 })
  const texts = ['', 'a', 'A', ' a', 'a\0', 'é', 'e\u0301', '\ud800', '\ud801', '__proto__', 'toString']
  const first = texts.map(ask)
  expect(first.map(({ text }) => text)).toEqual(texts)
  // An equal string is the same key.
  for (const [index, text] of texts.entries()) expect(ask([...text].join(''))).toBe(first[index])
  expect(computed).toEqual(texts)
})

test('keeps no more than its limit, and continues with current texts', () => {
  const { ask, computed } = noting((text) => text, { entries: 10, characters: 10 })
  const others = Array.from({ length: 1000 }, (_, index) => `other ${index}`)
  ask('in use')
  for (const other of others) {
    ask(other)
    ask('in use')
  }
  expect(computed).toEqual(['in use', ...others])
  computed.length = 0
  for (const other of others.toReversed()) ask(other)
  expect(others.length - computed.length).toBeLessThanOrEqual(10)
  expect(others.length - computed.length).toBeGreaterThan(3)
})

test('computes a text beyond the bound each time, and lets nothing go for it', () => {
  const { ask, computed } = noting((text) => text)
  for (const text of ['a', 'b', 'c', 'eleven char', 'eleven char', 'ten charac', 'b', 'c', 'ten charac']) ask(text)
  expect(computed).toEqual(['a', 'b', 'c', 'eleven char', 'eleven char', 'ten charac'])
})

test('keeps no error and nothing undefined, and what fails pushes out nothing', () => {
  let isBroken = true
  const { ask, computed } = noting((text) => {
    if (text === 'bad' && isBroken) throw new Error('broken')
    return text === 'none' && isBroken ? undefined : { text }
  })
  const memoized = ['a', 'b', 'c'].map(ask)
  for (let round = 0; round < 5; round += 1) {
    expect(() => ask('bad')).toThrow('broken')
    expect(ask('none')).toBeUndefined()
  }
  expect(computed).toHaveLength(3 + 10)
  expect(['a', 'b', 'c'].map(ask)).toEqual(memoized)
  expect(computed).toHaveLength(3 + 10)
  isBroken = false
  expect([ask('bad'), ask('none')]).toEqual([{ text: 'bad' }, { text: 'none' }])
})

test('keeps what is falsy and no refusal', () => {
  const { ask, computed } = noting((text) => ({ no: false, zero: 0, nothing: null })[text])
  for (const text of ['no', 'zero', 'nothing', 'no', 'zero', 'nothing']) ask(text)
  expect(computed).toEqual(['no', 'zero', 'nothing'])
})

test('keeps a promise for all that wait for it, but not one that is rejected', async () => {
  let isBroken = true
  const { ask, computed } = noting(async (text) => {
    if (isBroken) throw new Error('broken')
    return text
  })
  const [first, second] = [ask('a'), ask('a')]
  expect(second).toBe(first)
  await expect(first).rejects.toThrow('broken')
  isBroken = false
  expect(await ask('a')).toBe('a')
  expect(await ask('a')).toBe('a')
  expect(computed).toEqual(['a', 'a'])
})

test('two functions share no result', () => {
  const length = memoize((text: string) => text.length, { entries: 8, characters: 10 })
  const upper = memoize((text: string) => text.toUpperCase(), { entries: 8, characters: 10 })
  expect([length('a'), upper('a'), length('a'), upper('a')]).toEqual([1, 'A', 1, 'A'])
})

test('does not keep the request that a text was cut out of', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const length = memoize((text: string) => text.length, { entries: 100, characters: 100 })
  const held = () => {
    collect()
    return process.memoryUsage().heapUsed + process.memoryUsage().external
  }
  const before = held()
  for (let index = 0; index < 100; index += 1) length(JSON.stringify('x'.repeat(1_000_000) + index).slice(-60, -1))
  expect(held() - before).toBeLessThan(20_000_000)
  expect(length(`${'x'.repeat(57)}99`)).toBe(59)
})
