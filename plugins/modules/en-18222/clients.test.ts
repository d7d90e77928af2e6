import { describe, expect, test } from 'vitest'
import { encoded, idOf } from '../../../test/support/en-client.ts'
import { BASE_URL, newGtin, textile } from '../../../test/support/gateway.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
type Headers = Record<string, string>

/** A service client of Java and Python (CIR4FUN): always names the form, and wants its envelope in the responses, which we do not send. */
describe('the requests of a client library', () => {
  /** Leaves `*` and encodes `~`, as `URLEncoder` of Java does. */
  const segment = (text: string) =>
    encodeURIComponent(text)
      .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
      .replaceAll('%20', '+')
      .replaceAll('+', '%20')
  const send = async (method: string, path: string, body?: unknown) => {
    const headers: Headers = { accept: 'application/json', ...workspace.as }
    const answer = await gateway.client.send(method, path, { headers, json: body })
    return { status: answer.status, body: answer.body }
  }

  test('are understood from the probe to the deletion', async () => {
    const [productId, other] = [newGtin(), newGtin()]
    expect((await send('GET', '/health')).status).toBe(200)
    const element = (elementId: string, value: unknown) => ({
      elementId,
      objectType: 'SingleValuedDataElement',
      dictionaryReference: null,
      valueDataType: 'xsd:string',
      value,
    })
    const dpp = {
      digitalProductPassportId: 'urn:uuid:0',
      uniqueProductIdentifier: productId,
      granularity: 'Model',
      dppSchemaVersion: 'EN 18223:v1.0',
      dppStatus: 'Active',
      lastUpdate: '2026-11-27T10:00:00Z',
      elements: [element('category', 'textiles'), element('originCountry', 'PT')],
    }
    const created = await send('POST', '/v1/dpps', dpp)
    expect(created.status).toBe(201)
    const id = created.body.digitalProductPassportId
    const full = await send('GET', `/v1/dpps/${segment(id)}?representation=full`)
    expect(full.body.elements.length).toBeGreaterThan(1)
    const compressed = await send('GET', `/v1/dpps/${segment(id)}?representation=compressed`)
    expect(compressed.body.category).toBe('textiles')
    const ofProduct = await send('GET', `/v1/dppsByProductId/${segment(productId)}?representation=full`)
    expect(ofProduct.body).toEqual(full.body)
    for (const time of ['2099-01-01T00:00:00+00:00', '2099-01-01T00:00:00.123456+00:00', '2099-01-01T00:00:00Z']) {
      const path = `/v1/dppsByIdAndDate/${segment(id)}?date=${segment(time)}&representation=full`
      expect((await send('GET', path)).body).toEqual(full.body)
    }
    const asked = { productIdentifiers: [productId, other], limit: 10, cursor: null }
    expect((await send('POST', '/v1/dppsByProductIds', asked)).body).toEqual({ dppIds: [id] })
    expect((await send('PATCH', `/v1/dpps/${segment(id)}`, { size: 'M' })).status).toBe(200)
    const path = `/v1/dpps/${segment(id)}/elements/${segment("$['size']")}`
    expect((await send('GET', path)).body).toBe('M')
    expect((await send('PATCH', path, 'L')).body).toBe('L')
    expect((await send('DELETE', `/v1/dpps/${segment(id)}`)).status).toBe(409)
  })
})

/** Criteria of the public validator (OwnYourData/dpp-criteria, October 2026): its requests, and what it expects of the responses. */
describe('the public validator', () => {
  const anonymous = (method: string, path: string, options: object = {}) =>
    gateway.client.send(method, `/v1${path}`, options)
  const given = async () => {
    const { id, productId, digitalLinkUri } = await passports.given({
      metadata: textile({ size: 'M', productName: 'Shirt' }),
    })
    return { dppId: idOf(id), productId: digitalLinkUri, gtin: productId }
  }
  const isJson = ({ headers }: { headers: { readonly 'content-type'?: string | undefined } }) =>
    expect(headers['content-type']?.split(';')[0]).toBe('application/json')

  test('API-007: malformed requests are 400', async () => {
    for (const raw of ['{not json', '{"productId":42}']) {
      expect((await anonymous('POST', '/dppsByProductIds', { raw })).status).toBe(400)
    }
  })

  test('API-013, -014, -015: the three reads without credentials, letter for letter', async () => {
    const { dppId, productId } = await given()
    const byId = await anonymous('GET', `/dpps/${encoded(dppId)}`)
    expect([byId.status, byId.body.digitalProductPassportId]).toEqual([200, dppId])
    isJson(byId)
    const byProduct = await anonymous('GET', `/dppsByProductId/${encoded(productId)}`)
    expect([byProduct.status, byProduct.body.uniqueProductIdentifier]).toEqual([200, productId])
    isJson(byProduct)
    const ids = await anonymous('POST', '/dppsByProductIds', { json: [productId] })
    expect(ids.status).toBe(200)
    expect(JSON.stringify(ids.body)).toContain(`"${dppId}"`)
    isJson(ids)
  })

  test('API-019: a version by the present time', async () => {
    const { dppId } = await given()
    const date = encoded(new Date().toISOString())
    const answer = await anonymous('GET', `/dppsByIdAndDate/${encoded(dppId)}?date=${date}`)
    expect([answer.status, answer.body.digitalProductPassportId]).toEqual([200, dppId])
  })

  test('API-021: an element by JSONPath, and 400 for none', async () => {
    const { dppId } = await given()
    const read = await anonymous('GET', `/dpps/${encoded(dppId)}/elements/${encoded('$.productName')}`)
    expect([read.status, read.body]).toEqual([200, 'Shirt'])
    isJson(read)
    expect((await anonymous('GET', `/dpps/${encoded(dppId)}/elements/%24%5B`)).status).toBe(400)
  })

  test('API-020: the base ends with /v1', async () => {
    const { paths } = JSON.parse((await gateway.request('GET', '/openapi.json')).text)
    expect(Object.keys(paths).filter((path) => /dpps|registerDPP/.test(path) && !path.startsWith('/v1/'))).toEqual([])
  })

  test('API-022: an unknown passport is 404 with a message', async () => {
    const answer = await anonymous('GET', '/dpps/dpp-validator-7f1c')
    expect([answer.status, answer.body.message.length]).toEqual([404, 1])
  })

  test('API-023: both forms, and 400 for another', async () => {
    const { dppId } = await given()
    const path = `/dpps/${encoded(dppId)}`
    for (const query of ['', '?representation=compressed']) {
      expect((await anonymous('GET', path + query)).body).not.toHaveProperty('elements')
    }
    expect((await anonymous('GET', `${path}?representation=full`)).body.elements[0].elementId).toEqual(
      expect.any(String),
    )
    expect((await anonymous('GET', `${path}?representation=dpp-validator-unknown`)).status).toBe(400)
  })

  test('SEC-001: writes without credentials are refused and change nothing', async () => {
    const { dppId } = await given()
    const path = `/dpps/${encoded(dppId)}`
    const before = await anonymous('GET', path)
    for (const [method, at] of [
      ['PATCH', path],
      ['POST', '/dpps'],
    ] as const) {
      const { status } = await anonymous(method, at, { json: {} })
      expect([400, 401, 403, 404, 405, 501]).toContain(status)
    }
    expect((await anonymous('GET', path)).bytes).toEqual(before.bytes)
  })

  test('ID-016, SEC-002, SEC-013: DIDs are complete, and the document claims no proof of another kind', async () => {
    const json = { name: 'Maker', regId: 'did:web:maker.example', regIdScheme: 'DID' }
    const { body } = await gateway.request('POST', '/api/v1/operators', { headers: workspace.as, json })
    const productId = `did:web:maker.example:shirt:${newGtin()}`
    const { id } = await passports.given({ operatorId: body.operator.id, productId })
    const dpp = (await anonymous('GET', `/dpps/${encoded(idOf(id))}`)).body
    const DID = /^did:[a-z0-9]+:(?:[\w.-]|%[0-9A-F]{2}|:(?=.))+$/
    expect([dpp.economicOperatorId, dpp.uniqueProductIdentifier]).toEqual([json.regId, productId])
    for (const did of [dpp.economicOperatorId, dpp.uniqueProductIdentifier]) expect(did).toMatch(DID)
    expect(dpp).not.toHaveProperty('proof')
  })

  test('DAT-014, DAT-015: the header has the published names, and none of the drafts', async () => {
    const { dppId } = await given()
    const { body } = await anonymous('GET', `/dpps/${encoded(dppId)}`)
    for (const name of [
      'digitalProductPassportId',
      'uniqueProductIdentifier',
      'dppSchemaVersion',
      'dppStatus',
      'economicOperatorId',
    ])
      expect([name, typeof body[name]]).toEqual([name, 'string'])
    expect(body.lastUpdated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/)
    expect(['model', 'batch', 'item']).toContain(body.granularity)
    for (const name of ['ProductID', 'DPPStatus', 'LastUpdate', 'lastUpdate', 'dataElementCollections'])
      expect(body).not.toHaveProperty(name)
  })

  test('ID-001, DAT-003, ID-013, DAT-016: the link gives the passport as JSON, or as a page', async () => {
    const { productId } = await given()
    const path = productId.slice(BASE_URL.length)
    const json = await gateway.client.send('GET', path, { headers: { accept: 'application/json' } })
    expect([json.status, json.headers['content-type']]).toEqual([200, 'application/json'])
    expect(json.body.uniqueProductIdentifier).toBe(productId)
    const page = await gateway.client.send('GET', path, { headers: { accept: 'text/html' } })
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.headers.vary).toContain('Accept')
    const weighed = { accept: 'text/html;q=0.5, application/json' }
    expect((await gateway.client.send('GET', path, { headers: weighed })).headers['content-type']).toBe(
      'application/json',
    )
  })
})
