import { answersOf, type Case, pairOf } from '../bench.ts'
import { textileCreation } from '../data.ts'
import { numbered } from '../http.ts'
import type { InsertOptions } from '../limits/one-insert.ts'
import { assertSameRows, makePassportTable } from '../pg.ts'

/** Higher than the numbers of the load. */
const CHECKED = 999_999_999

const create: Case = {
  name: 'create',
  ours: 'create a textile passport of 1.4 KB: authorise, validate, insert, render, enqueue',
  against: 'the body parsed, and one insert of the same row, over node:http',
  asksDatabase: true,
  async prepare({ database, data, startGateway, startLimit }) {
    await makePassportTable(database)
    const gateway = await startGateway()
    const { tenantId, operatorId } = data
    const options: InsertOptions = { databaseUrl: database.url, tenantId, operatorId }
    const limit = await startLimit('one-insert', options)
    const requests = [textileCreation(data)]
    const checked = requests.map((request) => numbered(request, CHECKED))
    await answersOf(gateway, checked, 201)
    await answersOf(limit, checked, 201)
    await assertSameRows(database, data.tenantId, [`BENCH-${CHECKED}`])
    return pairOf(limit, gateway, requests, 201)
  },
}

export default [create]
