import { answersOf, type Case, pairOf } from '../bench.ts'
import { BULK_ROWS, bulkOf, bulkProducts } from '../data.ts'
import { numbered } from '../http.ts'
import type { InsertOptions } from '../limits/one-insert.ts'
import { assertSameRows, makePassportTable } from '../pg.ts'
import type { Server } from '../processes.ts'
import { longestWaitDuring } from '../wait.ts'

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
