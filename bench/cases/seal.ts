import { randomBytes } from 'node:crypto'
import { sealTree } from '../../src/domain/merkle.ts'
import { launchChromium } from '../../test/browser/chromium.ts'
import { answersOf, type Case } from '../bench.ts'
import { wireRequest } from '../http.ts'
import type { SignUpdateOptions } from '../limits/sign-update.ts'
import { median } from '../pair.ts'

const seal: Case = {
  name: 'seal',
  ours: 'seal again a passport of 16 values, without a timestamp: Merkle tree, signature, self-check, seal, rendition, event',
  against: 'a bare P-256 signature and one update of a copy of the row',
  async prepare({ database, data, startGateway, startLimit }) {
    await database.pool.query(`
      create schema if not exists bench;
      drop table if exists bench.sealed;
      create table bench.sealed (id uuid primary key, metadata json not null, signature text, updated_at timestamptz(3))`)
    for (const id of data.passports['6k']) {
      await database.pool.query(`insert into bench.sealed (id, metadata) values ($1, '{"category":"batteries"}')`, [id])
    }
    const gateway = await startGateway()
    const options: SignUpdateOptions = { databaseUrl: database.url, root: randomBytes(32).toString('hex') }
    const limit = await startLimit('sign-update', options)
    const requests = data.passports['6k'].map((id) =>
      wireRequest('POST', `/api/v1/passports/${id}/seal`, { Authorization: data.authorization }),
    )
    await answersOf(gateway, requests.slice(0, 8), 200)
    await answersOf(limit, requests.slice(0, 8), 200)
    return { baseline: { server: limit, requests, status: 200 }, ours: { server: gateway, requests, status: 200 } }
  },
}

const VALUES = 60
const ROUNDS = 2000
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
  async run({ data, startGateway }) {
    const start = performance.now()
    for (let round = 0; round < ROUNDS; round += 1) sealTree(metadata, subject, randomBytes)
    const perSecond = (ROUNDS / (performance.now() - start)) * 1000
    const gateway = await startGateway()
    const get = async (path: string) =>
      (await answersOf(gateway, [wireRequest('GET', path, {})], 200))[0]?.body.toString() ?? ''
    const document = await get(`/passport/${data.passports['25k'][0]}`)
    const pem = await get('/.well-known/opendpp-seal-ca.pem')
    const browser = await launchChromium()
    try {
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${gateway.port}/verify`)
      const times = (await page.evaluate(`(async () => {
        const times = []
        for (let round = 0; round < 300; round += 1) {
          const start = performance.now()
          const { verdict } = await verifySeal(${JSON.stringify(document)}, ${JSON.stringify(pem)})
          if (verdict !== 'valid') throw new Error('The seal does not verify.')
          if (round >= 100) times.push(performance.now() - start)
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
