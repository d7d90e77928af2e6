import type { BenchData } from './data.ts'
import { type Answer, type BenchRequest, exchange } from './http.ts'
import type { Pair } from './pair.ts'
import type { BenchDatabase } from './pg.ts'
import { cpuSeconds, type Load, type Server } from './processes.ts'

export interface Bench {
  readonly database: BenchDatabase
  readonly data: BenchData
  readonly load: Load
  /** True if the run only checks that each case works: few rounds and little data. */
  readonly isQuick: boolean
  /** Pause before the memory of an idle gateway is measured. */
  readonly restMs: number
  /** Starts a gateway for this case only (in a quick run shared), and stops it after the case. */
  startGateway(env?: Readonly<Record<string, string>>): Promise<Server>
  /** Starts a baseline of `bench/limits`, and stops it after the case. */
  startLimit(name: string, options: object): Promise<Server>
}

/** Comparison of two servers. `prepare` starts both and checks that they do equal work. */
export interface PairedCase {
  readonly name: string
  readonly ours: string
  readonly against: string
  /** True if round trips to the database are counted. */
  readonly asksDatabase?: boolean
  /** Connections of the load, if requests are too large for the usual number. */
  readonly connections?: number
  prepare(bench: Bench): Promise<Pair>
}

/** Measurement without a fair baseline: its figures depend on the machine. */
export interface AbsoluteCase {
  readonly name: string
  readonly figures: readonly { readonly name: string; readonly unit: string }[]
  /** Returns one value per figure. */
  run(bench: Bench): Promise<readonly number[]>
}

export type Case = PairedCase | AbsoluteCase

/** Pair whose servers receive the same requests. */
export const pairOf = (baseline: Server, ours: Server, requests: readonly BenchRequest[], status = 200): Pair => ({
  baseline: { server: baseline, requests, status },
  ours: { server: ours, requests, status },
})

/** @throws Error if a response has another status */
export async function answersOf(server: Server, requests: readonly BenchRequest[], status: number): Promise<Answer[]> {
  const answers = await exchange(server.port, requests)
  const wrong = answers.find((answer) => answer.status !== status)
  if (wrong !== undefined) throw new Error(`Status ${wrong.status} instead of ${status}: ${wrong.body}`)
  return answers
}

/** Returns the processor time of the server per request, in milliseconds. */
export async function cpuOf(server: Server, requests: readonly BenchRequest[]): Promise<number> {
  const before = cpuSeconds(server.pid) ?? Number.NaN
  await answersOf(server, requests, 200)
  return (((cpuSeconds(server.pid) ?? Number.NaN) - before) * 1000) / requests.length
}

/** @throws Error unless both sides have the same statuses, headers (in any order) and bodies */
export function assertEqual(ours: readonly Answer[], baseline: readonly Answer[]): void {
  if (ours.length === 0 || ours.length !== baseline.length)
    throw new Error('The sides have different numbers of responses.')
  for (const [index, answer] of ours.entries()) {
    const other = baseline[index] as Answer
    if (answer.status !== other.status) throw new Error(`Status ${answer.status}; baseline ${other.status}.`)
    if (!answer.body.equals(other.body)) throw new Error(`The body of response ${index} differs from the baseline's.`)
    const headers = [answer, other].map((side) => JSON.stringify(Object.entries(side.headers).sort()))
    if (headers[0] !== headers[1]) throw new Error(`Headers differ:\n${headers.join('\n')}`)
  }
}
