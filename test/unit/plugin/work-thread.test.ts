import { expect, test } from 'vitest'
import { WorkThread } from '../../../src/plugin/work-thread.ts'
import type { OddCall } from '../../support/odd-thread.ts'

const FILE = new URL('../../support/odd-thread.ts', import.meta.url)
const LIMITS = { maxWaiting: 2, maxWait: 60_000, maxDuration: 60_000, maxHeap: 32 }
const threadOf = (limits: Partial<typeof LIMITS> = {}) =>
  new WorkThread<OddCall, string>(FILE, { ...LIMITS, ...limits })

const ANSWER = 'answered, with 0 variables'
const busy = { status: 503 }

test('answers in turn, and refuses more than may wait', async () => {
  const thread = threadOf()
  const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(() => thread.run('answer')))
  expect(answers.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), ...Array(2).fill('rejected')])
  expect(answers[0]).toMatchObject({ value: ANSWER })
  expect(answers[4]).toMatchObject({ reason: busy })
})

test('an error of the work is the caller’s, and the next call is answered', async () => {
  const thread = threadOf()
  await expect(thread.run('throw')).rejects.toThrow('not today')
  expect(await thread.run('answer')).toBe(ANSWER)
})

test.each<[OddCall, Partial<typeof LIMITS>]>([
  ['hang', { maxDuration: 2500 }],
  ['exit', {}],
  ['fill memory', {}],
])('a call that would %s is given up, and the next one gets a new thread', async (call, limits) => {
  const thread = threadOf(limits)
  await expect(thread.run(call)).rejects.toMatchObject(busy)
  expect(await threadOf().run('answer')).toBe(ANSWER)
  expect(await thread.run('answer')).toBe(ANSWER)
})
