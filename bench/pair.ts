import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchRequest } from './http.ts'
import type { Slice } from './load.ts'
import { cpuSeconds, type Load, residentMegabytes, type Server } from './processes.ts'

export interface Side {
  readonly server: Server
  readonly requests: readonly BenchRequest[]
  readonly status: number
}

/** Two servers that do equal work. */
export interface Pair {
  readonly baseline: Side
  readonly ours: Side
}

export interface Measuring {
  readonly rounds: number
  /** Additional rounds before, not measured. */
  readonly warmUps: number
  /** Approximate length of a slice. */
  readonly seconds: number
  readonly connections: number
  /** Limit of the wait after a slice for the end of background work. */
  readonly untilQuietMs: number
}

/** Ratios of all rounds: 1 is as good as the baseline, 0.5 half as good. */
export interface Ratios {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly noisy: boolean
}

export interface PairResult {
  readonly rounds: number
  /** Requests per second, ours divided by the baseline's. */
  readonly rate: Ratios
  /** Processor time of the server per request, the baseline's divided by ours; absent if unknown. */
  readonly cpu?: Ratios
  readonly perSecond: { readonly baseline: number; readonly ours: number }
  readonly cpuMicroseconds?: { readonly baseline: number; readonly ours: number }
  /** Growth of our server's resident memory during the measured rounds, in MB. */
  readonly memoryGrowth?: number
}

interface Measurement {
  readonly requests: number
  readonly perSecond: number
  readonly cpuPerRequest: number
}

/** Largest divided by smallest ratio, above which a figure neither passes nor fails. */
const NOISY = 4 / 3

/** Measures A B, B A, A B … and compares within each round. Each slice continues the requests of the previous one. */
export async function measure(
  load: Load,
  pair: Pair,
  { rounds, warmUps, seconds, connections, untilQuietMs }: Measuring,
): Promise<PairResult> {
  const next = new Map<Side, { readonly first: number; readonly count: number }>()
  const slice = async (side: Side, limit?: Slice['limit']): Promise<Measurement> => {
    const { first, count } = next.get(side) ?? { first: 0, count: connections }
    const measurement = await measureSlice(load, side, { first, limit: limit ?? { count }, connections, untilQuietMs })
    next.set(side, {
      first: first + measurement.requests,
      count: Math.max(connections, Math.round(measurement.perSecond * seconds)),
    })
    return measurement
  }
  for (const side of [pair.baseline, pair.ours]) await slice(side)
  const measured: { baseline: Measurement; ours: Measurement }[] = []
  let memoryBefore: number | undefined
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round === warmUps) memoryBefore = residentMegabytes(pair.ours.server.pid)
    // Measured slices have a number of requests: those in flight at the end of a time would cost CPU without counting.
    const limit = round < warmUps ? { seconds } : undefined
    const isBaselineFirst = round % 2 === 0
    const first = await slice(isBaselineFirst ? pair.baseline : pair.ours, limit)
    const second = await slice(isBaselineFirst ? pair.ours : pair.baseline, limit)
    if (round < warmUps) continue
    measured.push(isBaselineFirst ? { baseline: first, ours: second } : { baseline: second, ours: first })
  }
  const memoryAfter = residentMegabytes(pair.ours.server.pid)
  const medianOf = (value: (round: (typeof measured)[number]) => number) => median(measured.map(value))
  const cpu = ratios(measured.map(({ baseline, ours }) => baseline.cpuPerRequest / ours.cpuPerRequest))
  return {
    rounds,
    rate: ratios(measured.map(({ baseline, ours }) => ours.perSecond / baseline.perSecond)),
    perSecond: {
      baseline: medianOf(({ baseline }) => baseline.perSecond),
      ours: medianOf(({ ours }) => ours.perSecond),
    },
    ...(Number.isFinite(cpu.median)
      ? {
          cpu,
          cpuMicroseconds: {
            baseline: medianOf(({ baseline }) => baseline.cpuPerRequest * 1e6),
            ours: medianOf(({ ours }) => ours.cpuPerRequest * 1e6),
          },
        }
      : {}),
    ...(memoryBefore === undefined || memoryAfter === undefined ? {} : { memoryGrowth: memoryAfter - memoryBefore }),
  }
}

async function measureSlice(
  load: Load,
  { server, requests, status }: Side,
  { untilQuietMs, ...how }: Pick<Slice, 'first' | 'limit' | 'connections'> & Pick<Measuring, 'untilQuietMs'>,
): Promise<Measurement> {
  const before = cpuSeconds(server.pid)
  const result = await load.run({ port: server.port, requests, status, ...how })
  // Includes work after the responses, such as batched writes.
  await untilQuiet(server.pid, untilQuietMs)
  const after = cpuSeconds(server.pid)
  return {
    requests: result.requests,
    perSecond: result.requests / result.seconds,
    cpuPerRequest: before === undefined || after === undefined ? Number.NaN : (after - before) / result.requests,
  }
}

/** Waits until a process is almost idle. */
async function untilQuiet(pid: number, maxMs: number): Promise<void> {
  for (let waited = 0, last = cpuSeconds(pid); waited < maxMs; waited += 100) {
    await sleep(100)
    const now = cpuSeconds(pid)
    if (now === undefined || last === undefined || now - last <= 0.01) return
    last = now
  }
}

function ratios(values: readonly number[]): Ratios {
  const min = Math.min(...values)
  const max = Math.max(...values)
  return { median: median(values), min, max, noisy: max / min > NOISY }
}

/** Returns the middle value, or the upper of two; NaN without values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
