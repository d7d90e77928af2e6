import pg from 'pg'
import { answer, fail, serve } from './serve.ts'

export interface JoinedListOptions {
  readonly databaseUrl: string
  readonly headers: readonly string[]
  /** JSON before and after the items. */
  readonly envelope: readonly [string, string]
}

/** Baseline of a list: one prepared read of finished items, joined, over node:http. */
serve(({ databaseUrl, headers, envelope: [before, after] }: JoinedListOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (_req, res) => {
    pool
      .query<{ body: string }>({ name: 'list', text: 'select body from bench.item order by position limit 100' })
      .then(({ rows }) => answer(res, 200, headers, before + rows.map((row) => row.body).join(',') + after))
      .catch(fail(res))
  }
})
