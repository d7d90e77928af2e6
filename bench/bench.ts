import type { BenchData } from './data.ts'
import { type Answer, exchange, type WireRequest } from './http.ts'
import type { Pair } from './pair.ts'
import type { BenchDatabase } from './pg.ts'
import { cpuSeconds, type Load, type Server } from './processes.ts'

/** What every case is given. */
export interface Bench {
  readonly database: BenchDatabase
  readonly data: BenchData
  readonly load: Load
  /** Little of everything: to see that a case runs, and not to know its figures. */
  readonly isQuick: boolean
  /** How long a gateway rests before its memory is measured, in milliseconds. */
  readonly restMs: number
  /** A gateway that no other case has used, unless the run is a quick one; it is stopped after the case. */
  startGateway(env?: Readonly<Record<string, string>>): Promise<Server>
  /** A baseline of `bench/limits`; it is stopped after the case. */
  startLimit(name: string, options: object): Promise<Server>
}

/** A case that compares two servers. `prepare` starts both and checks that they do equal work. */
export interface PairedCase {
  readonly name: string
  readonly ours: string
  readonly against: string
  /** Whether its requests ask the database, so that their round trips are counted. */
  readonly asksDatabase?: boolean
  /** Connections of the load, where a request is too large for as many as usual. */
  readonly connections?: number
  prepare(bench: Bench): Promise<Pair>
}

/** A case that has no fair baseline. Its figures have goals, and no floors: they depend on the machine. */
export interface AbsoluteCase {
  readonly name: string
  readonly figures: readonly { readonly name: string; readonly unit: string }[]
  /** One value for each figure. */
  run(bench: Bench): Promise<readonly number[]>
}

export type Case = PairedCase | AbsoluteCase

/** A pair whose servers are asked the same. */
export const pairOf = (baseline: Server, ours: Server, requests: readonly WireRequest[], status = 200): Pair => ({
  baseline: { server: baseline, requests, status },
  ours: { server: ours, requests, status },
})

/** The answers to `requests`, all of which must have this status. */
export async function answersOf(server: Server, requests: readonly WireRequest[], status: number): Promise<Answer[]> {
  const answers = await exchange(server.port, requests)
  const wrong = answers.find((answer) => answer.status !== status)
  if (wrong !== undefined) throw new Error(`Status ${wrong.status} instead of ${status}: ${wrong.body}`)
  return answers
}

/** Milliseconds of CPU that one of these requests costs the server. */
export async function cpuOf(server: Server, requests: readonly string[]): Promise<number> {
  const before = cpuSeconds(server.pid) ?? Number.NaN
  await answersOf(server, requests, 200)
  return (((cpuSeconds(server.pid) ?? Number.NaN) - before) * 1000) / requests.length
}

/** Equal work: the same status, headers, in whatever order, and bytes. */
export function assertEqual(ours: readonly Answer[], baseline: readonly Answer[]): void {
  if (ours.length === 0 || ours.length !== baseline.length) throw new Error('The sides answer differently often.')
  for (const [index, answer] of ours.entries()) {
    const other = baseline[index] as Answer
    if (answer.status !== other.status) throw new Error(`Status ${answer.status}, and the baseline's ${other.status}.`)
    if (!answer.body.equals(other.body)) throw new Error(`Answer ${index} differs from the baseline's in its bytes.`)
    const headers = [answer, other].map((side) => JSON.stringify(Object.entries(side.headers).sort()))
    if (headers[0] !== headers[1]) throw new Error(`Headers differ:\n${headers.join('\n')}`)
  }
}
