/**
 * What is asked for one by one is done together: while `work` is busy for a key, whatever else is asked of that key waits, and
 * is then done in one go.
 * @param work does all of it, and answers each in its place; what it throws is thrown to all
 * @param most how many are done in one go
 */
export function together<Item, Answer>(
  work: (key: string, items: readonly Item[]) => Promise<readonly Answer[]>,
  most: number,
): (key: string, item: Item) => Promise<Answer> {
  interface Asked {
    readonly item: Item
    resolve(answer: Answer): void
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
    for (let queue = waiting.get(key) ?? []; queue.length > 0; ) {
      const batch = queue.splice(0, most)
      try {
        const answers = await work(
          key,
          batch.map(({ item }) => item),
        )
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      queue = waiting.get(key) ?? []
    }
    waiting.delete(key)
  }
}
