import { hash } from 'node:crypto'
import pg from 'pg'
import { answer, fail, serve } from './serve.ts'

export interface KeyLookUpOptions {
  readonly databaseUrl: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
}

/** Baseline of a response that depends only on the caller: one prepared lookup of the key and its hash, over node:http. */
serve(({ databaseUrl, headers }: KeyLookUpOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (req, res) => {
    const key = req.headers.authorization?.slice('Bearer '.length) ?? ''
    pool
      .query<{ body: string }>({
        name: 'key',
        text: 'select body from bench.key where id = $1 and hash = $2',
        values: [key.split('_')[2], hash('sha256', key, 'buffer')],
      })
      .then(({ rows: [row] }) => answer(res, row === undefined ? 401 : 200, headers, row?.body ?? ''))
      .catch(fail(res))
  }
})
