import pg from 'pg'
import { answer, fail, serve } from './serve.ts'

export interface PreparedReadOptions {
  readonly databaseUrl: string
  /** Path before the id. */
  readonly path: string
  /** Headers of all responses: alternating names and values. */
  readonly headers: readonly string[]
}

/** Baseline of a response from the database: one prepared read by primary key, and its bytes over node:http. */
serve(({ databaseUrl, path, headers }: PreparedReadOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (req, res) => {
    pool
      .query<{ body: string; etag: string }>({
        name: 'read',
        text: 'select body, etag from bench.body where id = $1',
        values: [req.url?.slice(path.length)],
      })
      .then(({ rows: [row] }) =>
        answer(res, row === undefined ? 404 : 200, [...headers, 'ETag', row?.etag ?? ''], row?.body ?? ''),
      )
      .catch(fail(res))
  }
})
