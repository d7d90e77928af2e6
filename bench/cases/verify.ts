import { answersOf, assertEqual, type Case, pairOf } from '../bench.ts'
import type { BenchData } from '../data.ts'
import { makeRequest, without } from '../http.ts'
import type { VerifyReadOptions } from '../limits/verify-read.ts'
import { makeTable } from '../pg.ts'
import type { Server } from '../processes.ts'
import { longestWaitDuring } from '../wait.ts'

const verify: Case = {
  name: 'audit-verify',
  ours: 'verify the seal of a document of 6 kB: format, tree, signature, certificate, database',
  against: 'the document parsed, its root, its signature under a known key, and one prepared read, over node:http',
  asksDatabase: true,
  async prepare({ database, data, startGateway, startLimit }) {
    const gateway = await startGateway()
    const { requests, documents } = await verifications(gateway, data)
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
        data.passports['6k'],
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
  },
}

/** Makes requests that verify the owner's document of each passport of 6 kB. */
async function verifications(gateway: Server, data: BenchData) {
  const owned = data.passports['6k'].map((id) =>
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

export default [verify, wait]
