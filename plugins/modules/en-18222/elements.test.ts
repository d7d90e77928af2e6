import { afterAll, expect, test } from 'vitest'
import { startDemoGateway } from '../../../test/support/demo-gateway.ts'
import { demoPassports, enClient } from '../../../test/support/en-client.ts'
import { BASE_URL, newGtin, textile } from '../../../test/support/gateway.ts'
import { expectStatus } from '../../../test/support/passport-client.ts'

const { gateway, as, close } = await startDemoGateway()
afterAll(close)
const en = enClient(gateway)

test('an element of the full form has its id and type', async () => {
  const { body } = await gateway.request('GET', '/01/09506000134352')
  const id = `${BASE_URL}/passport/${body.id}`
  expect((await en.element(id, '$.category')).body).toBe('batteries')
  expect((await en.element(id, "$['category']", '?representation=full')).body).toMatchObject({
    elementId: 'category',
    objectType: 'SingleValuedDataElement',
    value: 'batteries',
  })
  const { headers } = await en.element(id, '$.category')
  const { headers: ofLink } = await gateway.request('GET', `/passport/${body.id}`)
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': ofLink['cache-control'] })
  const again = await en.element(id, '$.category', '', { 'if-none-match': headers.etag ?? '' })
  expect(again.status).toBe(304)
  expect((await en.element(id, '$.category', '', as)).headers['cache-control']).toBe('private, no-store')
  expect((await en.collection(id, 'category')).body).toBe('batteries')
  expectStatus(404, await en.collection(id, '$.category'))
})

test.each(['$[', '$', '$.*', '$..category', 'category', 'a/b/c', "$['category','size']"])(
  '%s does not lead to one element',
  async (path) => {
    const { body } = await gateway.request('GET', '/01/09506000134352')
    const answer = await en.element(`${BASE_URL}/passport/${body.id}`, path)
    expect([answer.status, answer.body.statusCode]).toEqual([400, 'ClientErrorBadRequest'])
  },
)

test('INT-005 of the public validator: each element of the full form has what its type demands', async () => {
  const types = new Set<string>()
  const check = (elements: readonly Record<string, unknown>[]) => {
    const ids = elements.map(({ elementId }) => elementId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { elementId, objectType, value, elements: inner, ...rest } of elements) {
      types.add(objectType as string)
      expect(typeof elementId).toBe('string')
      if (rest.valueDataType !== undefined)
        expect(rest.valueDataType).toMatch(/^xsd:(string|integer|double|boolean|date|dateTime|anyURI)$/)
      switch (objectType) {
        case 'SingleValuedDataElement':
          expect(typeof value).not.toBe('object')
          break
        case 'MultiLanguageDataElement':
          expect(value).toEqual(expect.arrayContaining([{ value: expect.any(String), language: expect.any(String) }]))
          break
        case 'MultiValuedDataElement':
          expect((value as unknown[]).length).toBeGreaterThan(0)
          check((value as Record<string, unknown>[]).filter((item) => typeof item === 'object'))
          break
        case 'DataElementCollection':
          expect((inner as unknown[]).length).toBeGreaterThan(0)
          check(inner as Record<string, unknown>[])
          break
        default:
          expect(objectType).toBe('RelatedResource')
          expect(rest).toMatchObject({ contentType: expect.any(String), url: expect.stringMatching(/^https?:/) })
      }
    }
  }
  const texts = { uniqueProductIdentifier: newGtin(), ...textile({ productName: { en: 'Shirt', de: 'Hemd' } }) }
  expectStatus(201, await en.create(texts, as))
  for (const id of await demoPassports(gateway, as))
    check((await en.read(id, '?representation=full', as)).body.elements)
  expect([...types].sort()).toEqual([
    'DataElementCollection',
    'MultiLanguageDataElement',
    'MultiValuedDataElement',
    'RelatedResource',
    'SingleValuedDataElement',
  ])
})
