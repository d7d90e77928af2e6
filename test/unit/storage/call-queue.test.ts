import { expect, test } from 'vitest'
import { type Call, CallQueue, type Rows } from '../../../src/storage/statement.ts'

const statement = (name: string) => ({ name, text: `select ${name}` })
const textsOf = (calls: readonly Call[]) => calls.map(([{ text }, values]) => [text, ...values])

/** A queue over a fake connection that records batches and returns the text and values of each call. */
function queue(send?: () => Promise<Rows[]>) {
  const sent: unknown[][][] = []
  const of = new CallQueue(async (calls) => {
    sent.push(textsOf(calls))
    return send?.() ?? calls.map(([{ text }, values]) => [{ text, values }])
  })
  return { of, sent }
}

test('calls of one tick are one batch in order, and each gets its own rows', async () => {
  const { of, sent } = queue()
  const answers = await Promise.all([of.run(statement('a'), [1]), of.run(statement('b')), of.run(statement('a'), [2])])
  expect(sent).toEqual([[['select a', 1], ['select b'], ['select a', 2]]])
  expect(answers).toEqual([
    [{ text: 'select a', values: [1] }],
    [{ text: 'select b', values: [] }],
    [{ text: 'select a', values: [2] }],
  ])
  // A later call is a new batch.
  await of.run(statement('c'))
  expect(sent).toHaveLength(2)
})

test('an added statement is sent before the next call, and not separately', async () => {
  const { of, sent } = queue()
  const isSent = of.add([statement('added'), [1]])
  await Promise.resolve()
  expect([sent, isSent()]).toEqual([[], false])
  expect(await of.run(statement('a'))).toEqual([{ text: 'select a', values: [] }])
  expect([sent, isSent()]).toEqual([[[['select added', 1], ['select a']]], true])
})

test('added statements can be flushed; an empty queue sends nothing', async () => {
  const { of, sent } = queue()
  await of.flush()
  expect(sent).toEqual([])
  of.add([statement('added'), []])
  await of.flush()
  await of.flush()
  expect(sent).toEqual([[['select added']]])
})

test('unsent statements are removed, and their callers get the reason', async () => {
  const { of, sent } = queue()
  const added = of.add([statement('added'), [1]])
  const reason = new Error('the transaction has ended')
  const pending = of.run(statement('a')).catch((error) => error)
  expect(textsOf(of.take(reason))).toEqual([['select added', 1], ['select a']])
  expect(await pending).toBe(reason)
  expect([sent, added(), of.take(reason)]).toEqual([[], true, []])
})

test('all of one batch fail with the first, and the next continues', async () => {
  const failure = new Error('deadlock')
  let isFailing = true
  const { of } = queue(async () => {
    if (isFailing) throw failure
    return [[]]
  })
  of.add([statement('added'), []])
  const results = await Promise.allSettled([of.run(statement('a')), of.run(statement('b'))])
  expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual([failure, failure])
  isFailing = false
  expect(await of.run(statement('c'))).toEqual([])
})

test('a failure reaches the flushing caller if no other could get it, and each only once', async () => {
  const failure = new Error('away')
  const { of } = queue(() => Promise.reject(failure))
  of.add([statement('added'), []])
  await expect(of.flush()).rejects.toBe(failure)
  const pending = of.run(statement('a')).catch((error) => error)
  await expect(of.flush()).resolves.toBeUndefined()
  expect(await pending).toBe(failure)
})
