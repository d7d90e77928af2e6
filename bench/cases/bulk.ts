import { answersOf, type Bench, type Case, pairOf } from '../bench.ts'
import { BULK_ROWS, bulkOf, bulkProducts } from '../data.ts'
import { numbered, wireRequest } from '../http.ts'
import type { InsertOptions } from '../limits/one-insert.ts'
import { median } from '../pair.ts'
import { assertSameRows, makePassportTable } from '../pg.ts'
import type { Server } from '../processes.ts'

/** A number that the counter does not reach. */
const CHECKED = 999_999_998

const bulk: Case = {
  name: 'bulk-200',
  ours: 'ingest 200 passports of 5 KiB at once',
  against: 'the body parsed, and one set-based insert of the same rows, over node:http',
  asksDatabase: true,
  connections: 4,
  async prepare({ database, data, startGateway, startLimit }) {
    await makePassportTable(database)
    const gateway = await startGateway()
    const { tenantId, operatorId } = data
    const options: InsertOptions = { databaseUrl: database.url, tenantId, operatorId }
    const limit = await startLimit('unnest-insert', options)
    const requests = [bulkOf(data)]
    for (const server of [gateway, limit]) await ingest(server, requests[0] as string, CHECKED)
    await assertSameRows(database, data.tenantId, bulkProducts(CHECKED))
    return pairOf(limit, gateway, requests, 201)
  },
}

async function ingest(server: Server, request: string, number: number): Promise<void> {
  const [answer] = await answersOf(server, [numbered(request, number)], 201)
  const { insertedCount } = JSON.parse(String(answer?.body))
  if (insertedCount !== BULK_ROWS) throw new Error(`${insertedCount} rows are ingested: ${answer?.body}`)
}

/** Numbers that neither the load nor the counting of round trips reaches. */
let number = 980_000_000

/** The longest time that a visitor waits for a kept answer, asking again and again, while one bulk follows another. */
async function longestWait({ data, load }: Bench, gateway: Server, seconds: number): Promise<number> {
  const request = bulkOf(data)
  const until = performance.now() + seconds * 1000
  const ingestAll = async () => {
    while (performance.now() < until) {
      number += 1
      await ingest(gateway, request, number)
    }
  }
  const [{ longestMs }] = await Promise.all([
    load.run({
      port: gateway.port,
      requests: [wireRequest('GET', `/passport/${data.passports['6k'][0]}`, { Accept: 'application/ld+json' })],
      status: 200,
      connections: 1,
      // Whoever asks without a pause takes the processor from those who work.
      pauseMs: 1,
      seconds,
    }),
    ingestAll(),
  ])
  return longestMs
}

const wait: Case = {
  name: 'wait',
  figures: [{ name: 'longest-wait-during-bulk', unit: 'ms' }],
  async run(bench) {
    const gateway = await bench.startGateway()
    const [rounds, seconds] = bench.isQuick ? [1, 0.5] : [7, 1.5]
    const longest: number[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) longest.push(await longestWait(bench, gateway, seconds))
    return [median(longest.slice(1))]
  },
}

export default [bulk, wait]
