import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { InsertOptions } from './one-insert.ts'
import { answer, JSON_HEADERS, serve, withBody } from './serve.ts'

interface Row {
  readonly productId: string
  readonly metadata: object
}

/** Baseline of a bulk, without validation: the body parsed, and one set-based insert of its rows, over node:http. */
serve(({ databaseUrl, tenantId, operatorId }: InsertOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (req, res) => {
    withBody(req, res, async (sent) => {
      const { passports }: { passports: Row[] } = JSON.parse(sent.toString())
      const { rows } = await pool.query({
        name: 'bulk',
        text: `insert into bench.passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
          select r.id, $1, $2, r.product_id, 'ACTIVE', r.metadata, now(), now()
          from unnest($3::uuid[], $4::text[], $5::json[]) as r (id, product_id, metadata)
          on conflict (product_id, operator_id) do nothing
          returning product_id as "productId"`,
        values: [
          tenantId,
          operatorId,
          passports.map(() => randomUUID()),
          passports.map(({ productId }) => productId),
          passports.map(({ metadata }) => JSON.stringify(metadata)),
        ],
      })
      answer(res, 201, JSON_HEADERS, JSON.stringify({ success: true, insertedCount: rows.length, results: rows }))
    })
  }
})
