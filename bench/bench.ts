import type { BenchData } from './data.ts'
import { type Answer, exchange, type WireRequest } from './http.ts'
import type { Pair } from './pair.ts'
import type { BenchDatabase } from './pg.ts'
import { type Load, type Server, startGatewayProcess, startLimit } from './processes.ts'

/** What every case is given. */
export interface Bench {
  readonly database: BenchDatabase
  readonly data: BenchData
  readonly load: Load
  /** A gateway that no other case has used; it is stopped after the case. */
  startGateway(env?: Readonly<Record<string, string>>): ReturnType<typeof startGatewayProcess>
  /** A baseline of `bench/limits`; it is stopped after the case. */
  startLimit(name: string, options: object): Promise<Server>
}

/** A case that compares two servers. `prepare` starts both and checks that they do equal work. */
export interface PairedCase {
  readonly name: string
  readonly ours: string
  readonly against: string
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

/** A bench whose servers are stopped by `close`. */
export function openBench(
  given: Pick<Bench, 'database' | 'data' | 'load'>,
  profileFolder: string | undefined,
): Bench & { close(): Promise<void> } {
  const started: Promise<Server>[] = []
  const keep = <T extends Server>(server: Promise<T>): Promise<T> => {
    started.push(server)
    return server
  }
  return {
    ...given,
    startGateway: (env) => keep(startGatewayProcess(given.database.url, profileFolder, env)),
    startLimit: (name, options) => keep(startLimit(name, options)),
    async close() {
      for (const server of await Promise.allSettled(started)) {
        if (server.status === 'fulfilled') await server.value.stop()
      }
    },
  }
}

/** The answers to `requests`, all of which must have this status. */
export async function answersOf(server: Server, requests: readonly WireRequest[], status: number): Promise<Answer[]> {
  const answers = await exchange(server.port, requests)
  const wrong = answers.find((answer) => answer.status !== status)
  if (wrong !== undefined) throw new Error(`Status ${wrong.status} instead of ${status}: ${wrong.body}`)
  return answers
}

/** Equal work: the same status, headers and bytes. */
export function assertEqual(ours: readonly Answer[], baseline: readonly Answer[]): void {
  if (ours.length === 0 || ours.length !== baseline.length) throw new Error('The sides answer differently often.')
  for (const [index, answer] of ours.entries()) {
    const other = baseline[index] as Answer
    if (answer.status !== other.status) throw new Error(`Status ${answer.status}, and the baseline's ${other.status}.`)
    if (!answer.body.equals(other.body)) throw new Error(`Answer ${index} differs from the baseline's in its bytes.`)
    const headers = [JSON.stringify(answer.headers), JSON.stringify(other.headers)]
    if (headers[0] !== headers[1]) throw new Error(`Headers differ:\n${headers.join('\n')}`)
  }
}
