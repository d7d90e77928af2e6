import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '../../test/support/process.ts'
import type { Case } from '../bench.ts'
import { textile } from '../data.ts'
import { type BenchRequest, makeRequest } from '../http.ts'
import { median } from '../pair.ts'
import { cpuSeconds, type Server } from '../processes.ts'

const WORKERS = 4
const CONNECTIONS = 32
const KINDS = ['cached-read', 'whoami', 'validate-only'] as const

/** Throughput and processor time of four workers, divided by those of one process. */
const workers: Case = {
  name: 'workers',
  figures: KINDS.flatMap((kind) => [
    { name: `rate-of-4-workers-${kind}`, unit: '×' },
    { name: `processor-time-of-4-workers-${kind}`, unit: '×' },
  ]),
  async run({ data, load, startGateway, isQuick }) {
    const count = isQuick ? 2 : WORKERS
    const one = await startGateway()
    const group = await startGateway({ WORKERS: String(count) })
    const pids = await startedWorkers(group, count)
    const headers = { Authorization: data.authorization, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ productId: 'BENCH-1', metadata: textile })
    const requests: Readonly<Record<(typeof KINDS)[number], readonly BenchRequest[]>> = {
      'cached-read': data.passports['6k'].map((id) =>
        makeRequest('GET', `/passport/${id}`, { Accept: 'application/ld+json' }),
      ),
      whoami: [makeRequest('GET', '/api/v1/whoami', { Authorization: data.authorization })],
      'validate-only': [makeRequest('POST', '/api/v1/passports/validate-only', headers, body)],
    }
    const seconds = isQuick ? 0.1 : 2
    const slice = async ({ port }: Server, processes: readonly number[], kind: (typeof KINDS)[number]) => {
      const before = cpuOf(processes)
      const options = { port, requests: requests[kind], connections: CONNECTIONS, limit: { seconds }, status: 200 }
      const result = await load.run(options)
      return { rate: result.requests / result.seconds, cpu: (cpuOf(processes) - before) / result.requests }
    }
    const figures: number[] = []
    for (const kind of KINDS) {
      const rounds: { rate: number; cpu: number }[] = []
      const warmUps = isQuick ? 0 : 3
      for (let round = 0; round < warmUps + (isQuick ? 1 : 7); round += 1) {
        const sides = round % 2 === 0 ? [one, group] : [group, one]
        const measured = new Map<Server, { rate: number; cpu: number }>()
        for (const side of sides) measured.set(side, await slice(side, side === one ? [one.pid] : pids, kind))
        const [single, several] = [measured.get(one), measured.get(group)]
        if (round < warmUps || single === undefined || several === undefined) continue
        rounds.push({ rate: several.rate / single.rate, cpu: several.cpu / single.cpu })
      }
      figures.push(median(rounds.map(({ rate }) => rate)), median(rounds.map(({ cpu }) => cpu)))
    }
    return figures
  },
}

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0), 0)

/** Waits until all workers have started, and returns their ids: the first one listens before the others start. */
async function startedWorkers({ pid }: Server, count: number): Promise<number[]> {
  for (let last = Number.NaN; ; ) {
    const pids = await childrenOf(pid)
    const busy = cpuOf(pids)
    if (pids.length === count && busy - last < 0.02) return pids
    last = busy
    await sleep(500)
  }
}

export default [workers]
