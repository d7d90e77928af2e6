import { expect, test } from 'vitest'
import { bunched } from '../../../src/http/bunched.ts'

const turn = () => new Promise(setImmediate)

test('who asks alone in a turn is not kept waiting', async () => {
  const done: number[] = []
  const act = bunched((item: number) => done.push(item))
  for (const item of [1, 2, 3]) {
    act(item)
    expect(done.at(-1)).toBe(item)
    await turn()
  }
  expect(done).toEqual([1, 2, 3])
})

test('the others wait for the end of the turn, eight at most, in their order', async () => {
  const done: number[] = []
  const act = bunched((item: number) => done.push(item))
  const seen: number[] = []
  for (let item = 0; item < 20; item += 1) {
    act(item)
    seen.push(done.length)
  }
  expect(seen).toEqual([...Array(8).fill(1), ...Array(8).fill(9), ...Array(4).fill(17)])
  await turn()
  expect(done).toEqual([...Array(20).keys()])
})

test('what comes while the others are done is done at once, being the first of its turn', async () => {
  const done: number[] = []
  const act = bunched((item: number) => {
    done.push(item)
    if (item === 2) for (const later of [3, 4]) act(later)
  })
  act(1)
  act(2)
  await turn()
  expect(done.slice(0, 3)).toEqual([1, 2, 3])
  await turn()
  expect(done).toEqual([1, 2, 3, 4])
})
