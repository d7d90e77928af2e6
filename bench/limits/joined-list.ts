import pg from 'pg'
import { serve } from './serve.ts'

export interface JoinedListOptions {
  readonly databaseUrl: string
  readonly headers: readonly string[]
  /** What stands before and after the items. */
  readonly envelope: readonly [string, string]
}

/** The limit of a list: one prepared read of finished items, joined, over node:http. */
serve(({ databaseUrl, headers, envelope: [before, after] }: JoinedListOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (_req, res) => {
    pool
      .query<{ body: string }>({ name: 'list', text: 'select body from bench.item order by position limit 100' })
      .then(
        ({ rows }) => {
          const body = Buffer.from(before + rows.map((row) => row.body).join(',') + after)
          res.writeHead(200, [...headers, 'Content-Length', String(body.length)])
          res.end(body)
        },
        () => res.writeHead(500).end(),
      )
  }
})
