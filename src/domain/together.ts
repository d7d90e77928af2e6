/**
 * What is asked for one by one is done together: while `work` is busy for a key, whatever else is asked of that key waits, and
 * is then done in one go.
 * @param work does all of it, and answers each in its place, now or later; what it throws is thrown to all
 * @param most how many are done in one go
 * @param patience milliseconds after which whatever else is asked no longer waits for the one before; absent: it always does
 */
export function together<Item, Answer>(
  work: (key: string, items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
  { most, patience }: { readonly most: number; readonly patience?: number },
): (key: string, item: Item) => Promise<Answer> {
  interface Asked {
    readonly item: Item
    resolve(answer: Answer | Promise<Answer>): void
    reject(error: unknown): void
  }
  const waiting = new Map<string, Asked[]>()

  return (key, item) =>
    new Promise((resolve, reject) => {
      const asked = { item, resolve, reject }
      const others = waiting.get(key)
      if (others !== undefined) {
        others.push(asked)
        return
      }
      waiting.set(key, [asked])
      void drain(key)
    })

  async function drain(key: string): Promise<void> {
    // What is asked in the same turn goes together.
    await new Promise(setImmediate)
    let isPatient = true
    for (let queue = waiting.get(key) ?? []; queue.length > 0; queue = waiting.get(key) ?? []) {
      const done = answer(key, queue.splice(0, most))
      if (patience === undefined) await done
      else if (isPatient) isPatient = await isDoneWithin(patience, done)
    }
    waiting.delete(key)
  }

  async function answer(key: string, asked: readonly Asked[]): Promise<void> {
    try {
      const items = asked.map(({ item }) => item)
      const answers = await work(key, items)
      for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }
}

/**
 * Does all of it in one go; where that fails, each alone, since nobody knows who is to blame.
 * @param isOfOne whether a failure can be that of one alone; what is of the moment, or may have been done, is thrown to all
 */
export async function orEachAlone<Item, Answer>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
  isOfOne: (error: unknown) => boolean,
): Promise<readonly (Answer | Promise<Answer>)[]> {
  const alone = async (item: Item) => ((await work([item])) as [Answer])[0]
  try {
    return await work(items)
  } catch (error) {
    if (items.length === 1 || !isOfOne(error)) throw error
    return items.map(alone)
  }
}

/** Whether `done`, which never rejects, resolves within so many milliseconds. */
const isDoneWithin = (milliseconds: number, done: Promise<void>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false)
    void done.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
