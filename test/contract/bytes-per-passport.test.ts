import { expect, test } from 'vitest'
import { textile } from '../../bench/data.ts'
import { BATTERY } from '../support/demo-gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, passports } = await useGateway()

const PASSPORTS = 30
const FORMATS = ['application/ld+json', 'application/aas+json', 'text/html']
const TABLES = ['passport', 'seal', 'rendition', 'passport_history']

/** Bytes of the tables with indexes and large values, without dead rows. */
async function bytes(): Promise<number> {
  await gateway.sql(`vacuum full ${TABLES}`)
  const [row] = await gateway.sql(
    `select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest($1::text[]) as name`,
    [TABLES],
  )
  return Number(row?.bytes)
}

async function givenSealed(count: number, metadata: object = BATTERY): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) {
    const { id } = await passports.given({ metadata: { ...metadata, serialNumber: `S-${made}` } })
    expectStatus(200, await passports.seal(id))
    ids.push(id)
  }
  return ids
}

const read = (id: string, accept: string, lang = 'en') =>
  gateway.request('GET', `/passport/${id}`, { headers: { accept, 'accept-language': lang } })

test('review-3-scale S7: a sealed passport with JSON-LD, AAS and one page takes at most 20 kB', async () => {
  const before = await bytes()
  const ids = await givenSealed(PASSPORTS, textile)
  // Events refer to the JSON-LD before the seal for a week.
  await gateway.sql(`update rendition set created_at = now() - interval '8 days'`)
  for (const id of ids) for (const accept of FORMATS) expectStatus(200, await read(id, accept))
  const { text } = await read(ids[0] as string, 'application/ld+json')
  expect(Buffer.byteLength(text)).toBeGreaterThan(6000)
  // Dead rows remain while the transaction of a job may see them.
  await expect.poll(async () => ((await bytes()) - before) / PASSPORTS).toBeLessThan(20_000)
})

test('a page is stored in less than a tenth of its bytes, in every language', async () => {
  const [id = ''] = await givenSealed(1)
  for (const lang of LANGUAGES) {
    const { text } = await read(id, 'text/html', lang)
    const [row] = await gateway.sql(
      `select octet_length(bytes) as bytes from rendition where passport_id = $1 and representation = 'html' and variant = $2`,
      [id, lang],
    )
    expect(Number(row?.bytes), lang).toBeGreaterThan(0)
    expect(Number(row?.bytes), lang).toBeLessThan(Buffer.byteLength(text) / 10)
  }
})

test('a stored page that cannot be read is rendered again', async () => {
  const [id = ''] = await givenSealed(1)
  const before = expectStatus(200, await read(id, 'text/html'))
  await gateway.sql(`update rendition set bytes = '\\x28b52ffd' where passport_id = $1 and representation = 'html'`, [
    id,
  ])
  await gateway.sql(`select pg_notify('passport_changed', $1)`, [id])
  for (let time = 0; time < 2; time += 1) expect((await read(id, 'text/html')).text).toBe(before.text)
})
