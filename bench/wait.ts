import type { Bench } from './bench.ts'
import { makeRequest } from './http.ts'
import { median } from './pair.ts'
import type { Server } from './processes.ts'

/**
 * Measures the longest wait for a cached response, requested repeatedly while `work` runs repeatedly.
 * @returns the median of several rounds in milliseconds
 */
export async function longestWaitDuring(bench: Bench, gateway: Server, work: () => Promise<void>): Promise<number> {
  const [rounds, seconds] = bench.isQuick ? [1, 0.1] : [7, 1.5]
  const longest: number[] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) longest.push(await longestWait(bench, gateway, seconds, work))
  return median(longest.slice(1))
}

async function longestWait(
  { data, load }: Bench,
  gateway: Server,
  seconds: number,
  work: () => Promise<void>,
): Promise<number> {
  const until = performance.now() + seconds * 1000
  const workOn = async () => {
    while (performance.now() < until) await work()
  }
  const [{ longestMs }] = await Promise.all([
    load.probe({
      port: gateway.port,
      request: makeRequest('GET', `/passport/${data.passports['6k'][0]}`, { Accept: 'application/ld+json' }),
      status: 200,
      // Without a pause the requests would take the processor from the work.
      pauseMs: 1,
      seconds,
    }),
    workOn(),
  ])
  return longestMs
}
