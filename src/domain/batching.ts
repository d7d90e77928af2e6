interface BatchLimits {
  /** Items per batch. */
  readonly maxBatch: number
  /** Batches of a key that run at the same time. Default: 1. */
  readonly maxRunning?: number
  /** Wait for a running batch. Absent: unlimited. */
  readonly maxWaitMs?: number
}

/**
 * Batches calls by key. Calls that arrive while batches of their key are running form the next batch.
 * @param work returns one result per item in order; an error rejects all calls of the batch
 */
export function batchCalls<Item, Answer>(
  work: (key: string, items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  { maxBatch, maxRunning = 1, maxWaitMs }: BatchLimits,
): (key: string, item: Item) => Promise<Answer> {
  interface QueuedCall {
    readonly item: Item
    resolve(answer: Answer | Promise<Answer>): void
    reject(error: unknown): void
  }
  type Queue = { readonly calls: QueuedCall[]; drains: number }
  const queues = new Map<string, Queue>()

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? { calls: [], drains: 0 }
      queues.set(key, queue)
      queue.calls.push({ item, resolve, reject })
      if (queue.drains < maxRunning) void drain(key, queue)
    })

  async function drain(key: string, queue: Queue): Promise<void> {
    queue.drains += 1
    // Calls of one event-loop tick form a batch.
    await new Promise(setImmediate)
    let isWaiting = true
    while (queue.calls.length > 0) {
      const done = answer(key, queue.calls.splice(0, maxBatch))
      if (maxWaitMs === undefined) await done
      else if (isWaiting) isWaiting = await isDoneWithin(maxWaitMs, done)
    }
    queue.drains -= 1
    if (queue.drains === 0) queues.delete(key)
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

const isDoneWithin = (milliseconds: number, done: Promise<void>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false)
    void done.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
