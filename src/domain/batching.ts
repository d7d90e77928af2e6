import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Batches calls by key. Calls that arrive while a batch of their key is running form the next batch.
 * @param work returns one result per item in order; an error rejects all calls of the batch
 * @param maxBatch items per batch
 * @param maxWaitMs maximum wait for the previous batch in ms; absent: unlimited
 */
export function batchCalls<Item, Answer>(
  work: (key: string, items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  { maxBatch, maxWaitMs }: { readonly maxBatch: number; readonly maxWaitMs?: number },
): (key: string, item: Item) => Promise<Answer> {
  interface QueuedCall {
    readonly item: Item
    resolve(answer: Answer | Promise<Answer>): void
    reject(error: unknown): void
  }
  const waiting = new Map<string, QueuedCall[]>()

  return (key, item) =>
    new Promise((resolve, reject) => {
      const call = { item, resolve, reject }
      const others = waiting.get(key)
      if (others !== undefined) {
        others.push(call)
        return
      }
      waiting.set(key, [call])
      void drain(key)
    })

  async function drain(key: string): Promise<void> {
    let isWaiting = true
    for (let queue = waiting.get(key) ?? []; queue.length > 0; queue = waiting.get(key) ?? []) {
      // Calls of one event-loop tick join a batch.
      await new Promise(setImmediate)
      const done = answer(key, queue.splice(0, maxBatch))
      if (maxWaitMs === undefined) await done
      else if (isWaiting)
        isWaiting = await Promise.race([done.then(() => true), sleep(maxWaitMs, false, { ref: false })])
    }
    waiting.delete(key)
  }

  async function answer(key: string, calls: readonly QueuedCall[]): Promise<void> {
    try {
      const items = calls.map(({ item }) => item)
      const answers = await work(key, items)
      for (const [index, { resolve }] of calls.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
}

/**
 * Runs one batch; if it fails, retries each item individually.
 * @param isOfOne true if a single item can cause the error; others are thrown for all
 */
export async function retryIndividually<Item, Answer>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
  isOfOne: (error: unknown) => boolean,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  const runOne = async (item: Item) => ((await work([item])) as [Answer])[0]
  try {
    return await work(items)
  } catch (error) {
    if (items.length === 1 || !isOfOne(error)) throw error
    return items.map(runOne)
  }
}
