import { answersOf, assertEqual, type Case, pairOf } from '../bench.ts'
import { makeRequest, without } from '../http.ts'
import type { JoinedListOptions } from '../limits/joined-list.ts'
import { makeTable } from '../pg.ts'

const list: Case = {
  name: 'list-100',
  ours: 'a page of 100 sealed passports of 16 keys, authorised',
  against: 'one prepared read of 100 finished items, joined, over node:http',
  asksDatabase: true,
  async prepare({ database, data, startGateway, startLimit }) {
    const gateway = await startGateway()
    const requests = [
      makeRequest('GET', '/api/v1/passports?limit=100&category=batteries', { Authorization: data.authorization }),
    ]
    const answers = await answersOf(gateway, requests, 200)
    const text = String(answers[0]?.body)
    const items: string[] = JSON.parse(text).passports.map((item: object) => JSON.stringify(item))
    if (items.length !== 100) throw new Error(`The page has ${items.length} passports.`)
    const joined = items.join(',')
    const start = text.indexOf(joined)
    await makeTable(database, 'item', 'position int primary key, body text not null')
    await database.pool.query(
      'insert into bench.item select ordinality, body from unnest($1::text[]) with ordinality as item (body, ordinality)',
      [items],
    )
    await database.pool.query('vacuum analyze bench.item')
    const limit = await startLimit('joined-list', {
      databaseUrl: database.url,
      headers: without(answers[0]?.rawHeaders ?? [], 'content-length'),
      envelope: [text.slice(0, start), text.slice(start + joined.length)],
    } satisfies JoinedListOptions)
    assertEqual(answers, await answersOf(limit, requests, 200))
    return pairOf(limit, gateway, requests)
  },
}

export default [list]
