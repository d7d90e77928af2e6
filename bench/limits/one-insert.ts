import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { answer, JSON_HEADERS, serve, withBody } from './serve.ts'

export interface InsertOptions {
  readonly databaseUrl: string
  readonly tenantId: string
  readonly operatorId: string
}

/** Baseline of a create, without validation: the body parsed, and one insert of the row, over node:http. */
serve(({ databaseUrl, tenantId, operatorId }: InsertOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (req, res) => {
    withBody(req, res, async (sent) => {
      const { productId, metadata } = JSON.parse(sent.toString())
      const { rows } = await pool.query({
        name: 'create',
        text: `insert into bench.passport
            (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
          values ($1, $2, $3, $4, 'ACTIVE', $5, $6, $6)
          returning id, product_id as "productId", status, metadata, created_at as "createdAt"`,
        values: [randomUUID(), tenantId, operatorId, productId, JSON.stringify(metadata), new Date()],
      })
      answer(res, 201, JSON_HEADERS, JSON.stringify({ success: true, passport: rows[0] }))
    })
  }
})
