/** Registers a step of closing, run at the end of the run, last first. @returns a function that runs it earlier */
export type OnEnd = (close: () => Promise<void>) => () => Promise<void>

/**
 * Runs `work` until it ends, `minutes` have passed or a signal arrives, then closes everything.
 * @param work returns the exit code
 */
export async function bounded(minutes: number, work: (onEnd: OnEnd) => Promise<number>): Promise<void> {
  const open: (() => Promise<void>)[] = []
  let isEnding = false
  const onEnd: OnEnd = (close) => {
    if (isEnding) throw new Error('The run is ending.')
    open.push(close)
    return async () => {
      const index = open.indexOf(close)
      if (index === -1) return
      open.splice(index, 1)
      await close()
    }
  }
  const closeAll = async () => {
    isEnding = true
    for (const close of open.splice(0).reverse()) await close().catch((error) => console.error(String(error)))
  }
  const abort = (reason: string) => {
    console.error(reason)
    closeAll().finally(() => process.exit(2))
  }
  setTimeout(() => abort(`Not done after ${minutes} minutes.`), minutes * 60_000).unref()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort(signal))
  try {
    process.exitCode = await work(onEnd)
  } catch (error) {
    if (!isEnding) console.error(error)
    process.exitCode = 1
  } finally {
    await closeAll()
  }
}
