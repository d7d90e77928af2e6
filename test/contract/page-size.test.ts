import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { MAX_STORED_BYTES } from '../../src/renditions/rendition-statements.ts'
import { newGtin, textile } from '../support/gateway.ts'
import { LANGUAGES } from '../support/languages.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

/** Metadata near one mebibyte, the limit of a body, which Brotli hardly shortens. */
const large = () =>
  textile(
    Object.fromEntries(
      Array.from({ length: 240 }, (_, index) => [`note${index}`, `<${randomBytes(3150).toString('base64')}>`]),
    ),
  )
const storedRenditions = async (passportId: string) =>
  gateway.sqlAs<{ representation: string; variant: string; version: number; generation: string; bytes: number }>(
    workspace.id,
    `select representation, variant, version, generation, coalesce(octet_length(body), octet_length(bytes)) as bytes
     from rendition where passport_id = $1 order by representation, variant, version`,
    [passportId],
  )
const page = (id: string, lang: string) =>
  gateway.request('GET', `/passport/${id}?lang=${lang}`, { headers: { accept: 'text/html' } })

describe('a passport of a mebibyte', () => {
  test('has a page below a megabyte in every language, and no more bytes are kept than the bound', async () => {
    const { id } = await passports.given({ metadata: large() })
    for (const lang of LANGUAGES) {
      const { status, bytes, text } = await page(id, lang)
      expect([lang, status]).toEqual([lang, 200])
      expect(bytes.length, lang).toBeLessThan(1_000_000)
      expect(text).toContain('JSON-LD')
      expect((await page(id, lang)).text, lang).toBe(text)
    }
    const pages = (await storedRenditions(id)).filter(({ representation }) => representation !== 'jsonld')
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.length).toBeLessThan(LANGUAGES.length)
    expect(pages.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(MAX_STORED_BYTES)
  })

  test('has other forms in proportion to it', async () => {
    const facility = await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: '4012345000009', name: 'Works', country: 'PT' },
    })
    const metadata = large()
    const { id } = await passports.given({ metadata, facilityId: facility.body.facility.id })
    const stated = JSON.stringify(metadata).length
    for (const [accept, maxRatio] of [
      ['application/ld+json', 2.2],
      ['application/aas+json', 4],
      ['application/vc+jwt', 4],
      ['application/vc+ld+json', 4],
      ['application/dc+sd-jwt', 4],
    ] as const) {
      const { status, bytes } = await gateway.request('GET', `/passport/${id}`, { headers: { accept } })
      expect([accept, status]).toEqual([accept, 200])
      expect(bytes.length / stated, accept).toBeLessThan(maxRatio)
    }
  })
})

test('stale renditions are deleted: earlier versions, earlier keys, and those of other code', async () => {
  const { id } = await passports.given({ productId: newGtin() })
  for (const lang of ['en', 'de']) await page(id, lang)
  await gateway.sqlAs(
    workspace.id,
    `insert into rendition (passport_id, representation, variant, version, generation, etag, content_type, body, bytes, created_at)
     select passport_id, representation, variant, version, g.generation, etag, content_type, body, bytes, now() - g.age
     from rendition, (values ('older code', interval '2 days'), ('other code', interval '1 hour')) as g (generation, age)
     where passport_id = $1`,
    [id],
  )
  // Renaming a facility or operator increments the version without a write to the passport.
  await gateway.request('PATCH', `/api/v1/operators/${workspace.operatorId}`, {
    headers: workspace.as,
    json: { name: 'Renamed' },
  })
  expect((await page(id, 'en')).text).toContain('Renamed')
  await gateway.request('GET', `/passport/${id}`)
  const generation = gateway.container.cradle.renditionStore.generationOf('html')
  const stored = await storedRenditions(id)
  expect(stored.filter(({ representation }) => representation === 'html')).toMatchObject([
    { variant: 'en', generation, version: 2 },
  ])
  expect(stored.map((row) => row.generation)).not.toContain('older code')
  expect(stored.map((row) => row.generation)).toContain('other code')
})
