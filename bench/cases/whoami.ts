import { hash } from 'node:crypto'
import { answersOf, assertEqual, type Case, pairOf } from '../bench.ts'
import { makeRequest, without } from '../http.ts'
import type { KeyLookUpOptions } from '../limits/key-look-up.ts'
import { makeTable } from '../pg.ts'

const whoami: Case = {
  name: 'whoami',
  ours: 'caller, workspace, permissions and used quota',
  against: 'one prepared read of the key, and the same bytes over node:http',
  asksDatabase: true,
  async prepare({ database, data, startGateway, startLimit }) {
    const gateway = await startGateway()
    const requests = [makeRequest('GET', '/api/v1/whoami', { Authorization: data.authorization })]
    const answers = await answersOf(gateway, requests, 200)
    const key = data.authorization.slice('Bearer '.length)
    await makeTable(database, 'key', 'id text primary key, hash bytea not null, body text not null')
    await database.pool.query('insert into bench.key values ($1, $2, $3)', [
      key.split('_')[2],
      hash('sha256', key, 'buffer'),
      String(answers[0]?.body),
    ])
    const limit = await startLimit('key-look-up', {
      databaseUrl: database.url,
      headers: without(answers[0]?.rawHeaders ?? [], 'content-length'),
    } satisfies KeyLookUpOptions)
    assertEqual(answers, await answersOf(limit, requests, 200))
    return pairOf(limit, gateway, requests)
  },
}

export default [whoami]
