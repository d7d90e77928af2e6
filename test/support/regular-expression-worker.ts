import { parentPort, workerData } from 'node:worker_threads'
import { hostileTexts } from './hostile-texts.ts'

// Runs every pattern on its hostile texts and announces each before, so that the parent can stop this thread.

const { patterns, from, maxCpuMs } = workerData as {
  readonly patterns: readonly { source: string; flags: string }[]
  readonly from: number
  /** CPU time of one text that proves a pattern slow. */
  readonly maxCpuMs: number
}

/** Runs a pattern in every mode, with and without stopping at the first match. */
function run(pattern: RegExp, text: string): void {
  const every = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`)
  pattern.lastIndex = 0
  pattern.test(text)
  text.replace(every, '')
  text.split(pattern)
}

const cpuMs = () => process.threadCpuUsage().user / 1000

for (let index = from; index < patterns.length; index += 1) {
  const { source, flags } = patterns[index] as { source: string; flags: string }
  parentPort?.postMessage({ begun: index })
  const pattern = new RegExp(source, flags)
  let slowest = 0
  let error: string | undefined
  for (const text of hostileTexts(pattern)) {
    const before = cpuMs()
    try {
      run(pattern, text)
    } catch (thrown) {
      error = String(thrown)
    }
    slowest = Math.max(slowest, cpuMs() - before)
    if (slowest > maxCpuMs) break
  }
  parentPort?.postMessage({ ended: index, slowest, error })
}
parentPort?.postMessage({ ended: patterns.length })
