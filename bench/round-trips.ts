import type { Wire } from '../test/support/statements.ts'
import { answersOf, type Bench } from './bench.ts'
import { numbered } from './http.ts'
import { median, type Side } from './pair.ts'

const ASKED = 9
/** Numbers that the load does not reach. */
let counter = 990_000_000

/**
 * Round trips to the database of one of the requests, over `wire`, on connections that know its statements. The median of
 * several, since what the gateway does at times of its own is counted too.
 */
export async function roundTripsOf({ startGateway }: Bench, wire: Wire, { requests, status }: Side): Promise<number> {
  const gateway = await startGateway({ DATABASE_URL: wire.url })
  const counts: number[] = []
  for (let index = 0; index < 2 * ASKED; index += 1) {
    const request = requests[(index % ASKED) % requests.length] as string
    counter += 1
    wire.taken()
    await answersOf(gateway, [numbered(request, counter)], status)
    counts.push(wire.taken().count)
  }
  return median(counts.slice(ASKED))
}
