import pg from 'pg'
import { serve } from './serve.ts'

export interface PreparedReadOptions {
  readonly databaseUrl: string
  /** Headers that all answers share, names and values in turn. */
  readonly headers: readonly string[]
}

/** The limit of an answer from the database: one prepared read by primary key, and its bytes over node:http. */
serve(({ databaseUrl, headers }: PreparedReadOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const prefix = '/passport/'.length
  return (req, res) => {
    const id = req.url?.slice(prefix)
    pool
      .query<{ body: string; etag: string }>({
        name: 'read',
        text: 'select body, etag from bench.body where id = $1',
        values: [id],
      })
      .then(
        ({ rows: [row] }) => {
          const body = Buffer.from(row?.body ?? '')
          res.writeHead(row === undefined ? 404 : 200, [
            ...headers,
            'ETag',
            row?.etag ?? '',
            'Content-Length',
            String(body.length),
          ])
          res.end(body)
        },
        () => res.writeHead(500).end(),
      )
  }
})
