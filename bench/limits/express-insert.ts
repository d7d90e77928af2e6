import { randomUUID } from 'node:crypto'
import express from 'express'
import pg from 'pg'
import { serve } from './serve.ts'

export interface ExpressInsertOptions {
  readonly databaseUrl: string
  readonly tenantId: string
}

/** What a create would cost that checks nothing: Express, its JSON parser, and one insert of the row. */
serve(({ databaseUrl, tenantId }: ExpressInsertOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const app = express()
  app.use(express.json({ limit: '1mb' }))
  app.post('/api/v1/passports', async (req, res) => {
    const { productId, operatorId, metadata } = req.body
    const now = new Date()
    const { rows } = await pool.query({
      name: 'create',
      text: `insert into bench.passport
          (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
        values ($1, $2, $3, $4, 'ACTIVE', $5, $6, $6)
        returning id, product_id as "productId", status, metadata, created_at as "createdAt"`,
      values: [randomUUID(), tenantId, operatorId, productId, JSON.stringify(metadata), now],
    })
    res.status(201).json({ success: true, passport: rows[0] })
  })
  return app
})
