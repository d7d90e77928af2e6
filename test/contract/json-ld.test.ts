// Also runs without modules (vitest project `core`).
import jsonld from 'jsonld'
import { describe, expect, test } from 'vitest'
import { BASE_URL, newGtin, textile } from '../support/gateway.ts'
import { aasEnvironment } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const EVIL = 'http://127.0.0.1:9/evil.jsonld'
/** Metadata with JSON-LD keywords, and the path of the error. */
const HOSTILE: readonly (readonly [object, string])[] = [
  [{ '@context': EVIL }, 'metadata["@context"]'],
  [{ '@id': 'urn:other' }, 'metadata["@id"]'],
  [{ '@passport': {} }, 'metadata["@passport"]'],
  [{ '@': 1 }, 'metadata["@"]'],
  [{ x: { '@reverse': { 'http://schema.org/recalls': { '@id': 'urn:other' } } } }, 'metadata["x"]["@reverse"]'],
  [{ list: [1, [{ a: null }, { deep: { '@context': EVIL } }]] }, 'metadata["list"][1][1]["deep"]["@context"]'],
]
const storedOf = async () =>
  (await gateway.sqlAs<{ n: number }>(workspace.id, 'select count(*)::int as n from passport'))[0]?.n

test('a text in several languages is texts with a language for a processor, in the metadata and next to it', async () => {
  const productName = { en: 'Coat', id: 'Mantel', pl: 'Płaszcz' }
  const careInstructions = ['Cold', { en: 'Cold', pl: 'Zimno' }]
  const passport = await passports.given({ metadata: textile({ productName, careInstructions }) })
  expect(passport.metadata).toMatchObject({ productName, careInstructions })
  const context = (await gateway.request('GET', '/context/v1')).body
  const documentLoader = async (url: string) => {
    if (url !== `${BASE_URL}/context/v1`) throw new Error(`${url} is asked for`)
    return { document: context, documentUrl: url, contextUrl: undefined }
  }
  const [node] = (await jsonld.expand(passport as never, { safe: true, documentLoader } as never)) as [
    Record<string, readonly Record<string, unknown>[]>,
  ]
  const texts = Object.entries(productName).map(([language, text]) => ({ '@value': text, '@language': language }))
  const term = `${BASE_URL}/context/v1#productName`
  expect(node[term]).toEqual(expect.arrayContaining(texts))
  expect(node[`${BASE_URL}/ns/dpp#metadata`]?.[0]?.[term]).toEqual(expect.arrayContaining(texts))
})

test.each([
  [{ productName: { en: 'Coat', english: 'Coat' } }],
  [{ productName: {} }],
  [{ productName: { en: '' } }],
  [{ productName: { en: 5 } }],
  [{ careInstructions: [{ EN: 'Cold' }] }],
])('%j is not a text for people', async (more) => {
  expect((await passports.create({ productId: newGtin(), metadata: textile(more) })).status).toBe(400)
})

describe('metadata that speaks as JSON-LD', () => {
  test.each(HOSTILE)('%j is refused on every way in, and nothing is stored', async (hostile, place) => {
    const live = await passports.given()
    const before = await storedOf()
    const metadata = textile(hostile)
    const productId = newGtin()
    const post = (path: string, json: object) =>
      gateway.request('POST', `/api/v1/passports${path}`, { headers: workspace.as, json })
    for (const answer of [
      await passports.create({ productId, metadata }),
      await passports.create({ productId, metadata, draft: true }),
      await passports.create({ productId, metadata: hostile, draft: true }),
      await passports.update(live.id, { metadata }),
      await passports.update(live.id, { metadata, draft: true }),
      await post('/validate-only', { productId, metadata }),
      await post('/validate-only-public', { productId, metadata }),
    ]) {
      expect([answer.status, answer.body.error, answer.body.code]).toEqual([400, 'Bad Request', 'RESERVED_KEY'])
      expect(answer.body.message).toContain(`${place}: a key must not begin with "@"`)
    }
    for (const dryRun of [true, false]) {
      const { status, body } = await post('/bulk', { passports: [{ productId, metadata }], dryRun })
      expect([status, body.errors]).toEqual([400, [expect.stringContaining(`[SKU: ${productId}] ${place}: a key`)]])
    }
    expect(await storedOf()).toBe(before)
    expect((await passports.get(live.id)).body.metadata).toEqual(live.metadata)
  })

  test.each([
    [{ '@context': EVIL }, 'metadata["@context"]'],
    [{ facilityDetails: `[{"location":"Porto","@id":"urn:other"}]` }, 'metadata["facilityDetails"][0]["@id"]'],
  ])('%j is refused in a shell, and nothing is stored', async (hostile, place) => {
    const before = await storedOf()
    const json = aasEnvironment({ productId: newGtin(), metadata: textile(hostile) })
    const { status, body } = await gateway.request('POST', '/api/v1/passports/aas/ingest', {
      headers: workspace.as,
      json,
    })
    expect([status, body.error, body.code]).toEqual([400, 'Bad Request', 'RESERVED_KEY'])
    expect(body.message).toContain(place)
    expect(await storedOf()).toBe(before)
  })

  test('a value may begin with the character, and a key may hold it', async () => {
    const { metadata } = await passports.given({ metadata: textile({ a: '@context', 'e@mail': '@', b: ['@id'] }) })
    expect(metadata).toMatchObject({ a: '@context', 'e@mail': '@', b: ['@id'] })
  })

  test('that was stored before is served without those keys: a processor asks for our context and nothing else', async () => {
    const passport = await passports.given({ metadata: textile({ name: 'Coat', kept: { '#': 1 } }) })
    const hostile = Object.assign({}, ...HOSTILE.map(([part]) => part), {
      ...textile(),
      kept: { '@type': 'http://schema.org/Recall', inner: 'value' },
    })
    await gateway.sql('alter table passport no force row level security')
    // State after the migration from an earlier version.
    const asBefore = 'update passport set metadata = $2, is_repeatable = false where id = $1'
    await gateway.sql(asBefore, [passport.id, JSON.stringify(hostile)])
    await gateway.sql('alter table passport force row level security')
    const { body } = await gateway.request('GET', `/passport/${passport.id}`)
    expect(body.metadata).toEqual({
      ...textile(),
      x: {},
      list: [1, [{ a: null }, { deep: {} }]],
      kept: { inner: 'value' },
    })
    const list = await passports.list()
    expect(JSON.stringify(list.body)).not.toMatch(/evil|"@reverse"/)

    const context = (await gateway.request('GET', '/context/v1')).body
    // A unique address: jsonld caches contexts across the tests of the process.
    const address = `${BASE_URL}/context/v1?of=${passport.id}`
    const renamed = JSON.parse(JSON.stringify(body).replaceAll(`${BASE_URL}/context/v1`, address))
    const urls: string[] = []
    const expanded = await jsonld.expand(renamed, {
      safe: false,
      documentLoader: async (url: string) => {
        urls.push(url)
        return { documentUrl: url, document: context }
      },
    })
    expect(urls).toEqual([address])
    expect(JSON.stringify(expanded)).not.toMatch(/schema\.org|urn:other|127\.0\.0\.1/)
  })
})
