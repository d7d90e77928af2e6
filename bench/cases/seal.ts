import { randomBytes } from 'node:crypto'
import { sealTree } from '../../src/domain/merkle.ts'
import { launchChromium } from '../../test/browser/chromium.ts'
import { answersOf, type Case, pairOf } from '../bench.ts'
import { makeRequest } from '../http.ts'
import type { SignUpdateOptions } from '../limits/sign-update.ts'
import { median } from '../pair.ts'
import { makeTable } from '../pg.ts'

const seal: Case = {
  name: 'seal',
  ours: 're-seal a passport of 16 values without a timestamp: Merkle tree, signature, self-check, seal, rendition, event',
  against: 'a read of the row, its Merkle tree, a P-256 signature, its check, and one update, over node:http',
  asksDatabase: true,
  async prepare({ database, data, startGateway, startLimit }) {
    const gateway = await startGateway()
    const ids = data.passports['6k']
    const headers = { Authorization: data.authorization }
    const owned = ids.map((id) => makeRequest('GET', `/passport/${id}`, { ...headers, Accept: 'application/ld+json' }))
    const documents = (await answersOf(gateway, owned, 200)).map(({ body }) => JSON.parse(String(body)))
    await makeTable(
      database,
      'sealed',
      'id uuid primary key, metadata json not null, subject json not null, root text, signature text, leaves json, updated_at timestamptz(3)',
    )
    await database.pool.query(
      'insert into bench.sealed (id, metadata, subject) select * from unnest($1::uuid[], $2::json[], $3::json[])',
      [
        ids,
        documents.map(({ metadata }) => JSON.stringify(metadata)),
        documents.map(({ proof }) => JSON.stringify(proof.subject)),
      ],
    )
    const limit = await startLimit('sign-update', { databaseUrl: database.url } satisfies SignUpdateOptions)
    const requests = ids.map((id) => makeRequest('POST', `/api/v1/passports/${id}/seal`, headers))
    await answersOf(gateway, requests.slice(0, 8), 200)
    const sealed = (await answersOf(gateway, owned.slice(0, 8), 200)).map(({ body }) => JSON.parse(String(body)))
    for (const [index, { body }] of (await answersOf(limit, requests.slice(0, 8), 200)).entries()) {
      const { metadata, leaves } = JSON.parse(String(body)).passport
      const ours = sealed[index]
      const isEqual =
        JSON.stringify(metadata) === JSON.stringify(ours.metadata) &&
        String(Object.keys(leaves).sort()) === String(Object.keys(ours.proof.salts).sort())
      if (!isEqual) throw new Error(`The sides seal different things:\n${JSON.stringify(ours)}\n${body}`)
    }
    return pairOf(limit, gateway, requests)
  },
}

const VALUES = 60
const subject = {
  id: '00000000-0000-4000-8000-000000000001',
  productId: '09506000134352',
  operator: { id: '00000000-0000-4000-8000-000000000002', regId: 'DE1' },
  created: '2026-01-01T00:00:00.000Z',
  maskable: [],
}
const metadata = Object.fromEntries(
  Array.from({ length: VALUES }, (_, index) => [
    `value${index}`,
    { index, text: 'a value of some length', list: [1, 2] },
  ]),
)

const sealRule: Case = {
  name: 'seal-rule',
  figures: [
    { name: 'merkle-roots-60', unit: '/s' },
    { name: 'browser-verify-60', unit: 'ms' },
  ],
  async run({ data, isQuick, startGateway }) {
    const [roots, pages] = isQuick ? [10, 2] : [2000, 200]
    const start = performance.now()
    for (let round = 0; round < roots; round += 1) sealTree(metadata, subject, randomBytes)
    const perSecond = (roots / (performance.now() - start)) * 1000
    const gateway = await startGateway()
    const get = async (path: string) =>
      (await answersOf(gateway, [makeRequest('GET', path, {})], 200))[0]?.body.toString() ?? ''
    const document = await get(`/passport/${data.passports['25k'][0]}`)
    const pem = await get('/.well-known/opendpp-seal-ca.pem')
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${gateway.port}/verify`)
      const times = (await page.evaluate(`(async () => {
        const times = []
        for (let round = 0; round < ${pages * 1.5}; round += 1) {
          const start = performance.now()
          const { verdict } = await verifySeal(${JSON.stringify(document)}, ${JSON.stringify(pem)})
          if (verdict !== 'valid') throw new Error('The seal does not verify.')
          if (round >= ${pages / 2}) times.push(performance.now() - start)
        }
        return times
      })()`)) as number[]
      return [perSecond, median(times)]
    } finally {
      await browser.close()
    }
  },
}

export default [seal, sealRule]
