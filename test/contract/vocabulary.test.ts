import { createHash } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { BASE_URL, newGtin } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const PUBLISHED = ['textiles', 'batteries', 'electronics', 'chemicals', 'construction']
const BUILT_IN = ['cosmetics', 'toys', 'iron-steel', 'aluminium']

const { gateway, passports } = await useGateway()

const get = (path: string, headers: Record<string, string> = {}) => gateway.request('GET', path, { headers })

describe('the JSON-LD context', () => {
  test('is version 1.1 with a vocabulary for every key that it does not name, and protects nothing', async () => {
    const { status, headers, body } = await get('/context/v1')
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/ld\+json/)
    const context = body['@context']
    expect(context).toMatchObject({ '@version': 1.1, '@vocab': `${BASE_URL}/ns/dpp#` })
    expect(JSON.stringify(context)).not.toContain('@protected')
    for (const term of ['createdAt', 'updatedAt', 'archivedAt', 'retentionUntil']) {
      expect(context[term]).toEqual({
        '@id': `${BASE_URL}/ns/dpp#${term}`,
        '@type': 'http://www.w3.org/2001/XMLSchema#dateTime',
      })
    }
    expect(context.digitalLinkUri['@type']).toBe('@id')
  })

  test('is the one that passports name', async () => {
    const passport = await passports.given()
    expect((await get(passport['@context'][0].slice(BASE_URL.length))).status).toBe(200)
  })

  test('says nothing else than the inline terms of a passport', async () => {
    const { body } = await get('/context/v1')
    const passport = await passports.given()
    for (const [term, iri] of Object.entries(passport['@context'][1])) {
      const named = body['@context'][term]?.['@id']
      if (named !== undefined) expect(iri).toBe(named)
    }
  })
})

test('the vocabulary page has an anchor for every term that passports have as fixed fields', async () => {
  const { status, headers, text } = await get('/ns/dpp')
  expect(status).toBe(200)
  expect(headers['content-type']).toMatch(/^text\/html/)
  expect(headers['content-security-policy']).toBeDefined()
  const { id } = await passports.given()
  const sealed = (await passports.seal(id)).body.passport
  const terms = Object.entries(sealed['@context'][1])
    .filter(([, iri]) => String(iri).startsWith(`${BASE_URL}/ns/dpp#`))
    .map(([term]) => term)
  const ids = [...text.matchAll(/<dt id="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const term of [...terms, 'productId', 'digitalLinkUri', 'proof', 'merkleRoot', 'redactedLeaves', 'salts']) {
    expect(ids).toContain(term)
  }
})

test('contexts in credentials and caches never change', async () => {
  const page = (await get('/ns/dpp')).text
  const graph = (await get('/ns/dpp', { Accept: 'application/ld+json' })).body
  const anchors = [...page.matchAll(/<dt id="([^"]*)"/g)].map(([, id]) => id)
  const bytes = {
    context: (await get('/context/v1')).text,
    credentialType: (await get('/vct/digital-product-passport')).text,
    // Other terms are those of the categories.
    page: page.slice(page.indexOf('<dl'), page.indexOf('</dl>')),
    graph: JSON.stringify({ ...graph, '@graph': graph['@graph'].slice(0, anchors.length) }),
  }
  const digests = Object.entries(bytes).map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')])
  expect(Object.fromEntries(digests)).toEqual({
    context: 'b7ebed044f2f57715eda25339cf764d232988c4c1eb50fe7dc7b477c5b4a4c08',
    credentialType: '2639d1514dc8d4529d95c7db1db9dc0e2fba176e466d6b6debf9fe37910a59e7',
    page: '0a145d6861df6179c17db37d616e8476e340fe6f07a9fb378429de6e1dbfefb9',
    graph: '462cac190a934b1215372b32e3feb33b3828dd99c0d6039e70cebf38f8f108f0',
  })
})

describe('category schemas', () => {
  test.each(PUBLISHED)('%s is served and compiles without a network', async (category) => {
    for (const name of [category, category.toUpperCase()]) {
      const { status, headers, body } = await get(`/api/v1/schemas/${name}`)
      expect(status).toBe(200)
      expect(headers['content-type']).toMatch(/^application\/schema\+json/)
      const ajv = new Ajv2020({ allErrors: true, strict: false })
      addFormats.default(ajv)
      const validate = ajv.compile(body)
      expect(validate({ category, originCountry: 'DE' })).toBe(true)
      expect(validate({ category })).toBe(false)
      expect(validate({ category: 'boats', originCountry: 'DE' })).toBe(false)
    }
  })

  test.each(BUILT_IN)('trap 100: %s answers 404 while its passports validate', async (category) => {
    const { status, body } = await get(`/api/v1/schemas/${category}`)
    expect(status).toBe(404)
    expect(body).toEqual({ error: 'Not Found', message: expect.any(String) })
    const answer = await passports.create({ productId: newGtin(), metadata: { category, originCountry: 'DE' } })
    expect(answer.status).toBe(201)
    expect(answer.body.passport.category).toBe(category)
    const invalid = await passports.create({ productId: newGtin(), metadata: { category, originCountry: 'ZZ' } })
    expect(invalid.status).toBe(400)
  })

  test.each([...PUBLISHED, 'battery-unit'])('%s has one version at a time, by its content', async (category) => {
    const path = `/api/v1/schemas/${category}`
    const { text } = await get(path)
    const version = createHash('sha256').update(text).digest('hex').slice(0, 12)
    const named = await get(`${path}?version=${version}`)
    expect([named.status, named.text]).toEqual([200, text])
    const { status, body } = await get(`${path}?version=${'0'.repeat(12)}`)
    expect([status, body]).toEqual([404, { error: 'Not Found', message: expect.stringContaining(version) }])
    for (const wrong of ['latest', `${version}0`, 'ABCDEF012345']) {
      expect([wrong, (await get(`${path}?version=${wrong}`)).status]).toEqual([wrong, 400])
    }
  })

  test('that there is not has no version either', async () => {
    expect((await get(`/api/v1/schemas/${BUILT_IN[0]}?version=${'0'.repeat(12)}`)).status).toBe(404)
  })

  test('of an unknown category answers 404', async () => {
    for (const name of ['boats', 'constructor', '__proto__', '..%2Fcommon', '%00']) {
      expect([400, 404]).toContain((await get(`/api/v1/schemas/${name}`)).status)
    }
  })
})
