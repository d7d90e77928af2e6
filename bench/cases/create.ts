import { answersOf, type Case } from '../bench.ts'
import { textileCreation } from '../data.ts'
import { numbered } from '../http.ts'
import type { ExpressInsertOptions } from '../limits/express-insert.ts'
import { asWorkspace } from '../pg.ts'

/** A number that the counter does not reach. */
const CHECKED = 999_999_999

const create: Case = {
  name: 'create',
  ours: 'create a textile passport of 1.4 KB: authorise, validate, insert, render, enqueue',
  against: 'Express, its JSON parser and one insert of the same row',
  async prepare({ database, data, startGateway, startLimit }) {
    await database.pool.query(`
      create schema if not exists bench;
      drop table if exists bench.passport;
      create table bench.passport (like public.passport including all);
      grant usage on schema bench to ${database.appRole};
      grant select on bench.passport to ${database.appRole}`)
    const gateway = await startGateway()
    const limit = await startLimit('express-insert', {
      databaseUrl: database.url,
      tenantId: data.tenantId,
    } satisfies ExpressInsertOptions)
    const requests = [textileCreation(data)]
    const checked = requests.map((request) => numbered(request, CHECKED))
    const stored = async (table: string) => {
      const client = await database.pool.connect()
      try {
        await asWorkspace(database, client, data.tenantId)
        const { rows } = await client.query(
          `select product_id, status, metadata::text, operator_id, tenant_id, category from ${table}
           where product_id = $1`,
          [`BENCH-${CHECKED}`],
        )
        return JSON.stringify(rows)
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
    await answersOf(gateway, checked, 201)
    await answersOf(limit, checked, 201)
    const [ours, theirs] = [await stored('public.passport'), await stored('bench.passport')]
    if (ours !== theirs || ours === '[]') throw new Error(`The rows differ:\n${ours}\n${theirs}`)
    return { baseline: { server: limit, requests, status: 201 }, ours: { server: gateway, requests, status: 201 } }
  },
}

export default [create]
