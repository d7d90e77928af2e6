import { answersOf, assertEqual, type Bench, type Case, pairOf } from '../bench.ts'
import { makeRequest, without } from '../http.ts'
import type { PreparedReadOptions } from '../limits/prepared-read.ts'
import { makeBodyTable } from '../pg.ts'
import type { Server } from '../processes.ts'

interface Reading {
  readonly name: string
  readonly ours: string
  /** Path before the id. */
  readonly path: string
  readonly authorization: (bench: Bench, gateway: Server) => string | Promise<string>
}

/** JSON-LD for a caller with a credential, different from the public document. */
const authorised = ({ name, ours, path, authorization }: Reading): Case => ({
  name,
  ours,
  against: 'one prepared read of the same bytes, over node:http',
  asksDatabase: true,
  async prepare(bench) {
    const { database, data, startGateway, startLimit } = bench
    const gateway = await startGateway()
    const ids = data.passports['6k']
    const headers = { Authorization: await authorization(bench, gateway), Accept: 'application/ld+json' }
    const requests = ids.map((id) => makeRequest('GET', `${path}${id}`, headers))
    const answers = await answersOf(gateway, requests, 200)
    await makeBodyTable(database)
    await database.pool.query(
      `insert into bench.body select * from unnest($1::uuid[], $2::text[], $3::text[])
        on conflict (id) do update set body = excluded.body, etag = excluded.etag`,
      [ids, answers.map(({ body }) => String(body)), answers.map((answer) => answer.headers.etag)],
    )
    await database.pool.query('vacuum analyze bench.body')
    const limit = await startLimit('prepared-read', {
      databaseUrl: database.url,
      path,
      headers: without(answers[0]?.rawHeaders ?? [], 'etag', 'content-length'),
    } satisfies PreparedReadOptions)
    assertEqual(answers, await answersOf(limit, requests, 200))
    return pairOf(limit, gateway, requests)
  },
})

/** Creates a grant for all passports of the workspace. @returns its `Authorization` header */
async function tokenOf({ data }: Bench, gateway: Server): Promise<string> {
  const grant = {
    granteeName: 'Bench',
    scopeType: 'TENANT',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  }
  const headers = { Authorization: data.authorization, 'Content-Type': 'application/json' }
  const [answer] = await answersOf(
    gateway,
    [makeRequest('POST', '/api/v1/grants', headers, JSON.stringify(grant))],
    201,
  )
  return `Bearer ${JSON.parse(String(answer?.body)).token}`
}

export default [
  authorised({
    name: 'owner-get-6k',
    ours: 'JSON-LD of 6 kB with every value, for its owner',
    path: '/api/v1/passports/',
    authorization: ({ data }) => data.authorization,
  }),
  authorised({
    name: 'audience-jsonld-6k',
    ours: 'JSON-LD of 6 kB with legitimate-interest values, for the holder of a grant',
    path: '/passport/',
    authorization: tokenOf,
  }),
]
