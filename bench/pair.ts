import { setTimeout as sleep } from 'node:timers/promises'
import type { WireRequest } from './http.ts'
import { cpuSeconds, type Load, residentMegabytes, type Server } from './processes.ts'

/** One side of a pair: a server and what it is asked. */
export interface Side {
  readonly server: Server
  readonly requests: readonly WireRequest[]
  readonly status: number
}

/** Two servers that do equal work, which whoever made the pair has checked. */
export interface Pair {
  readonly baseline: Side
  readonly ours: Side
}

/** What a pair is measured with. */
export interface Measuring {
  readonly rounds: number
  /** Rounds before those, which are thrown away. */
  readonly warmUps: number
  readonly seconds: number
  readonly connections: number
  /** How long at most to wait after a slice until the server uses next to no CPU, in milliseconds. */
  readonly untilQuietMs: number
}

/** The paired ratios of all rounds: 1 is as good as the baseline, 0.5 is half as good. */
export interface Ratios {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly noisy: boolean
}

export interface PairResult {
  readonly rounds: number
  /** Requests per second, ours by the baseline's. */
  readonly rate: Ratios
  /** CPU time of the server process per request, the baseline's by ours; absent where the system does not tell. */
  readonly cpu?: Ratios
  readonly perSecond: { readonly baseline: number; readonly ours: number }
  readonly cpuMicroseconds?: { readonly baseline: number; readonly ours: number }
  /** Growth of our server's resident memory from the first measured round to the last, in MB. */
  readonly memoryGrowth?: number
}

interface Measurement {
  readonly requests: number
  readonly perSecond: number
  readonly cpuPerRequest: number
}

/** Spread beyond which a figure neither passes nor fails: the largest ratio a third above the smallest. */
const NOISY = 4 / 3

/** Measures A B, B A, A B … and compares within each round. */
export async function measure(
  load: Load,
  pair: Pair,
  { rounds, warmUps, seconds, connections, untilQuietMs }: Measuring,
): Promise<PairResult> {
  // Each side goes on where its last slice ended, so that a walk over many requests does not keep to the first of them.
  const positions = new Map<Side, number>()
  const slice = async (side: Side): Promise<Measurement> => {
    const first = positions.get(side) ?? 0
    const measurement = await measureSlice(load, side, { first, seconds, connections, untilQuietMs })
    positions.set(side, first + measurement.requests)
    return measurement
  }
  const measured: { baseline: Measurement; ours: Measurement }[] = []
  let memoryBefore: number | undefined
  for (let round = 0; round < warmUps + rounds; round += 1) {
    if (round === warmUps) memoryBefore = residentMegabytes(pair.ours.server.pid)
    const isBaselineFirst = round % 2 === 0
    const first = await slice(isBaselineFirst ? pair.baseline : pair.ours)
    const second = await slice(isBaselineFirst ? pair.ours : pair.baseline)
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
  { untilQuietMs, ...how }: { first: number } & Pick<Measuring, 'seconds' | 'connections' | 'untilQuietMs'>,
): Promise<Measurement> {
  const before = cpuSeconds(server.pid)
  const result = await load.run({ port: server.port, requests, status, ...how })
  // What the requests cause after their answers, such as batched writes, counts as theirs.
  await untilQuiet(server.pid, untilQuietMs)
  const after = cpuSeconds(server.pid)
  return {
    requests: result.requests,
    perSecond: result.requests / result.seconds,
    cpuPerRequest: before === undefined || after === undefined ? Number.NaN : (after - before) / result.requests,
  }
}

/** Waits until a process uses next to no CPU, so many milliseconds at most. */
async function untilQuiet(pid: number, mostMs: number): Promise<void> {
  for (let waited = 0, last = cpuSeconds(pid); waited < mostMs; waited += 100) {
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

/** The middle value; of an even number of values the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
