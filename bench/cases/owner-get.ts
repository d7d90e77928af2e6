import { answersOf, assertEqual, type Case, pairOf } from '../bench.ts'
import { wireRequest, without } from '../http.ts'
import type { PreparedReadOptions } from '../limits/prepared-read.ts'
import { makeBodyTable } from '../pg.ts'

const PATH = '/api/v1/passports/'

const ownerGet: Case = {
  name: 'owner-get-6k',
  ours: 'JSON-LD of 6 kB with every value, for its owner, authorised',
  against: 'one prepared read of the same bytes, over node:http',
  asksDatabase: true,
  async prepare({ database, data, startGateway, startLimit }) {
    const gateway = await startGateway()
    const ids = data.passports['6k']
    const headers = { Authorization: data.authorization, Accept: 'application/ld+json' }
    const requests = ids.map((id) => wireRequest('GET', `${PATH}${id}`, headers))
    const answers = await answersOf(gateway, requests, 200)
    await makeBodyTable(database)
    await database.pool.query(
      'insert into bench.body select * from unnest($1::uuid[], $2::text[], $3::text[]) on conflict do nothing',
      [ids, answers.map(({ body }) => String(body)), answers.map((answer) => answer.headers.etag)],
    )
    await database.pool.query('vacuum analyze bench.body')
    const limit = await startLimit('prepared-read', {
      databaseUrl: database.url,
      path: PATH,
      headers: without(answers[0]?.rawHeaders ?? [], 'etag', 'content-length'),
    } satisfies PreparedReadOptions)
    assertEqual(answers, await answersOf(limit, requests, 200))
    return pairOf(limit, gateway, requests)
  },
}

export default [ownerGet]
