import { beforeEach, expect, test } from 'vitest'
import { remembered } from '../../../src/domain/remembered.ts'

let asked: string[]
beforeEach(() => {
  asked = []
})
const answer = (text: string) => {
  asked.push(text)
  return text.length
}

test('a text is asked once, and answered alike', () => {
  const lengthOf = remembered(10, answer)
  expect(['a', 'bb', 'a', 'bb', ''].map(lengthOf)).toEqual([1, 2, 1, 2, 0])
  expect(lengthOf('')).toBe(0)
  expect(asked).toEqual(['a', 'bb', ''])
})

test('no more texts are remembered than was said', () => {
  const lengthOf = remembered(2, answer)
  for (const text of ['a', 'b', 'a', 'b', 'c', 'c', 'a']) lengthOf(text)
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})

test('a long text is answered and not remembered', () => {
  const lengthOf = remembered(10, answer)
  const [long, longer] = ['a'.repeat(512), 'a'.repeat(513)]
  expect([long, longer, long, longer].map(lengthOf)).toEqual([512, 513, 512, 513])
  expect(asked).toEqual([long, longer, longer])
})

test('undefined and what is thrown are asked again', () => {
  let count = 0
  const third = remembered(10, () => {
    count += 1
    if (count === 1) throw new Error('not yet')
    return count === 2 ? undefined : count
  })
  expect(() => third('a')).toThrow('not yet')
  expect([third('a'), third('a'), third('a')]).toEqual([undefined, 3, 3])
})
