import { generateKeyPairSync, sign } from 'node:crypto'
import pg from 'pg'
import { serve } from './serve.ts'

export interface SignUpdateOptions {
  readonly databaseUrl: string
  readonly root: string
}

/** What a seal would cost that proves nothing: a P-256 signature of a given root, and one update of the row. */
serve(({ databaseUrl, root }: SignUpdateOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const data = Buffer.from(root)
  return (req, res) => {
    req.resume()
    const id = req.url?.split('/')[4]
    const signature = sign('sha256', data, privateKey).toString('base64')
    pool
      .query({
        name: 'seal',
        text: 'update bench.sealed set signature = $2, updated_at = now() where id = $1 returning id, signature',
        values: [id, signature],
      })
      .then(({ rows: [row] }) => {
        const body = JSON.stringify({ success: true, passport: row })
        res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body)
      })
  }
})
