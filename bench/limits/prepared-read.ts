import pg from 'pg'
import { answer, fail, serve } from './serve.ts'

export interface PreparedReadOptions {
  readonly databaseUrl: string
  /** Path before the id. */
  readonly path: string
  /** Headers of all responses: alternating names and values. */
  readonly headers: readonly string[]
  /** True for responses with the tags of shared caches. */
  readonly isTagged?: boolean
}

/** Baseline of a response from the database: one prepared read by primary key, and its bytes over node:http. */
serve(({ databaseUrl, path, headers, isTagged = false }: PreparedReadOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  return (req, res) => {
    const id = req.url?.slice(path.length)
    const tags = isTagged ? ['Surrogate-Key', `dpp ${id}`, 'Cache-Tag', `dpp,${id}`] : []
    pool
      .query<{ body: string; etag: string }>({
        name: 'read',
        text: 'select body, etag from bench.body where id = $1',
        values: [id],
      })
      .then(({ rows: [row] }) =>
        answer(res, row === undefined ? 404 : 200, [...headers, ...tags, 'ETag', row?.etag ?? ''], row?.body ?? ''),
      )
      .catch(fail(res))
  }
})
