import type { Wire } from '../test/support/statements.ts'
import { answersOf, type Bench } from './bench.ts'
import { type BenchRequest, numbered } from './http.ts'
import { median, type Side } from './pair.ts'

const REQUESTS = 9
const QUICK_REQUESTS = 2
/** Higher than the numbers of the load. */
let counter = 990_000_000

/**
 * Counts round trips to the database per request over `wire`, with prepared statements. Returns the median of several, because
 * background work is counted too.
 */
export async function roundTripsOf(
  { startGateway, isQuick }: Bench,
  wire: Wire,
  { requests, status }: Side,
): Promise<number> {
  const count = isQuick ? QUICK_REQUESTS : REQUESTS
  const gateway = await startGateway({ DATABASE_URL: wire.url })
  const counts: number[] = []
  for (let index = 0; index < 2 * count; index += 1) {
    const request = requests[(index % count) % requests.length] as BenchRequest
    counter += 1
    wire.taken()
    await answersOf(gateway, [numbered(request, counter)], status)
    counts.push(wire.taken().count)
  }
  return median(counts.slice(count))
}
