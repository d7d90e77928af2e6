import { startTimestampAuthority } from '../../test/support/timestamp-authority.ts'
import { answersOf, assertEqual, type Bench, type Case, pairOf } from '../bench.ts'
import { type BenchData, battery } from '../data.ts'
import { makeRequest, without } from '../http.ts'
import type { VerifyReadOptions } from '../limits/verify-read.ts'
import type { Pair } from '../pair.ts'
import { makeTable } from '../pg.ts'
import type { Server } from '../processes.ts'
import { longestWaitDuring } from '../wait.ts'

const AGAINST = 'the document parsed, its root, its signature under a known key, and one prepared read, over node:http'

const verify: Case = {
  name: 'audit-verify',
  ours: 'verify the seal of a document of 6 kB: format, tree, signature, certificate, database',
  against: AGAINST,
  asksDatabase: true,
  async prepare(bench) {
    const gateway = await bench.startGateway()
    return pairFor(bench, gateway, bench.data.passports['6k'])
  },
}

const timestamped: Case = {
  name: 'audit-verify-timestamped',
  ours: 'the same with an RFC 3161 timestamp in each seal',
  against: AGAINST,
  asksDatabase: true,
  async prepare(bench) {
    const { data, isQuick } = bench
    const authority = await startTimestampAuthority()
    try {
      const gateway = await bench.startGateway({ TSA_URL: authority.url, TSA_CA: authority.caFile })
      const json = { Authorization: data.authorization, 'Content-Type': 'application/json' }
      const creations = Array.from({ length: isQuick ? 4 : TIMESTAMPED }, (_, index) =>
        makeRequest('POST', '/api/v1/passports', json, JSON.stringify(battery('6k', FIRST_TIMESTAMPED + index))),
      )
      const ids = (await answersOf(gateway, creations, 201)).map(({ body }) => JSON.parse(String(body)).passport.id)
      const seals = ids.map((id) =>
        makeRequest('POST', `/api/v1/passports/${id}/seal`, { Authorization: data.authorization }),
      )
      await answersOf(gateway, seals, 200)
      return await pairFor(bench, gateway, ids, (proof) => proof.rfc3161 !== undefined)
    } finally {
      await authority.close()
    }
  },
}

const TIMESTAMPED = 100
/** Beyond the serial numbers of other cases. */
const FIRST_TIMESTAMPED = 20_000

async function pairFor(
  { database, data, startLimit }: Bench,
  gateway: Server,
  ids: readonly string[],
  isExpected: (proof: Record<string, unknown>) => boolean = () => true,
): Promise<Pair> {
  const { requests, documents } = await verifications(gateway, data, ids)
  if (!documents.every(({ proof }) => isExpected(proof))) throw new Error('A seal has no timestamp.')
  const answers = await answersOf(gateway, requests, 200)
  for (const { body } of answers) if (!JSON.parse(String(body)).verified) throw new Error(`Not verified: ${body}`)
  await makeTable(
    database,
    'seal',
    'root text primary key, passport_id uuid not null, signature text not null, answer text not null',
  )
  await database.pool.query(
    'insert into bench.seal select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[])',
    [
      documents.map(({ proof }) => proof.merkleRoot),
      ids,
      documents.map(({ proof }) => proof.signatureValue),
      answers.map(({ body }) => String(body)),
    ],
  )
  await database.pool.query('vacuum analyze bench.seal')
  const limit = await startLimit('verify-read', {
    databaseUrl: database.url,
    headers: without(answers[0]?.rawHeaders ?? [], 'content-length'),
  } satisfies VerifyReadOptions)
  assertEqual(answers, await answersOf(limit, requests, 200))
  return pairOf(limit, gateway, requests)
}

/** Makes requests that verify the owner's document of each passport. */
async function verifications(gateway: Server, data: BenchData, ids: readonly string[] = data.passports['6k']) {
  const owned = ids.map((id) =>
    makeRequest('GET', `/passport/${id}`, { Authorization: data.authorization, Accept: 'application/ld+json' }),
  )
  const documents = (await answersOf(gateway, owned, 200)).map(({ body }) => JSON.parse(String(body)))
  const requests = documents.map((payload) =>
    makeRequest(
      'POST',
      '/api/v1/audit/verify',
      { 'Content-Type': 'application/json' },
      JSON.stringify({ payload, signature: payload.proof.signatureValue, publicKey: payload.proof.publicKeyPem }),
    ),
  )
  return { requests, documents }
}

const AT_ONCE = 8

const wait: Case = {
  name: 'wait-verify',
  figures: [{ name: 'longest-wait-during-8-verifications', unit: 'ms' }],
  async run(bench) {
    const gateway = await bench.startGateway()
    const { requests } = await verifications(gateway, bench.data)
    const eight = requests.slice(0, AT_ONCE)
    return [
      await longestWaitDuring(bench, gateway, async () => {
        await Promise.all(eight.map((request) => answersOf(gateway, [request], 200)))
      }),
    ]
  },
}

export default [verify, timestamped, wait]
