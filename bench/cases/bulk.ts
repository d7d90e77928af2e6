import { answersOf, type Case, pairOf } from '../bench.ts'
import { BULK_ROWS, bulkOf, bulkProducts } from '../data.ts'
import { type BenchRequest, numbered } from '../http.ts'
import type { InsertOptions } from '../limits/one-insert.ts'
import { assertSameRows, makePassportTable } from '../pg.ts'
import type { Server } from '../processes.ts'
import { longestWaitDuring } from '../wait.ts'

/** Higher than the numbers of the load. */
const CHECKED = 999_999_998

const bulk: Case = {
  name: 'bulk-200',
  ours: 'ingest 200 passports of 5 KiB in one request',
  against: 'the body parsed, and one set-based insert of the same rows, over node:http',
  asksDatabase: true,
  connections: 4,
  async prepare({ database, data, startGateway, startLimit }) {
    await makePassportTable(database)
    const gateway = await startGateway()
    const { tenantId, operatorId } = data
    const options: InsertOptions = { databaseUrl: database.url, tenantId, operatorId }
    const limit = await startLimit('unnest-insert', options)
    const request = bulkOf(data)
    for (const server of [gateway, limit]) await ingest(server, request, CHECKED)
    await assertSameRows(database, data.tenantId, bulkProducts(CHECKED))
    return pairOf(limit, gateway, [request], 201)
  },
}

async function ingest(server: Server, request: BenchRequest, number: number): Promise<void> {
  const [answer] = await answersOf(server, [numbered(request, number)], 201)
  const { insertedCount } = JSON.parse(String(answer?.body))
  if (insertedCount !== BULK_ROWS) throw new Error(`${insertedCount} of ${BULK_ROWS} rows ingested: ${answer?.body}`)
}

/** Differs from the numbers of the load and of the round-trip counts. */
let number = 980_000_000

const wait: Case = {
  name: 'wait',
  figures: [{ name: 'longest-wait-during-bulk', unit: 'ms' }],
  async run(bench) {
    const gateway = await bench.startGateway()
    const request = bulkOf(bench.data)
    return [
      await longestWaitDuring(bench, gateway, () => {
        number += 1
        return ingest(gateway, request, number)
      }),
    ]
  },
}

export default [bulk, wait]
