import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { enClient, encoded, idOf } from '../../../test/support/en-client.ts'
import { BASE_URL, createWorkspace, newGln, newGtin, textile } from '../../../test/support/gateway.ts'
import { battery, expectStatus, passportClient } from '../../../test/support/passport-client.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import { unitClient } from '../../../test/support/unit-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)
const en = enClient(gateway)

describe('a passport', () => {
  test('has the header of EN 18223 and its content in the compressed form', async () => {
    const { id, productId, updatedAt } = await passports.given({
      metadata: textile({ productName: { en: 'Shirt', de: 'Hemd' }, size: 'M', empty: {}, none: null, weight: 1.5 }),
    })
    const { body, headers } = expectStatus(200, await en.read(idOf(id)))
    expect(headers['content-type']).toBe('application/json')
    expect(body).toMatchObject({
      digitalProductPassportId: `${BASE_URL}/passport/${id}`,
      uniqueProductIdentifier: `${BASE_URL}/01/${productId}`,
      granularity: 'model',
      dppSchemaVersion: 'EN 18223:2026',
      dppStatus: 'active',
      lastUpdated: updatedAt,
      contentSpecificationIds: [`${BASE_URL}/api/v1/schemas/textiles`],
      category: 'textiles',
      size: 'M',
      weight: 1.5,
      productName: [
        { value: 'Shirt', language: 'en' },
        { value: 'Hemd', language: 'de' },
      ],
    })
    for (const absent of ['elements', 'empty', 'none', 'facilityId', 'metadata', 'proof'])
      expect(body).not.toHaveProperty(absent)
  })

  test('has the same content as elements in the full form, each with type and dictionary reference', async () => {
    const { id } = await passports.given({
      metadata: textile({
        productName: { en: 'Shirt' },
        count: 3,
        ratio: 0.5,
        organic: true,
        from: '2026-11-27',
        at: '2026-11-27T10:00:00Z',
        site: 'https://shop.example/x',
        colours: ['red', 'blue'],
        parts: [{ name: 'sleeve' }, { name: 'collar' }],
        care: { wash: 30 },
      }),
    })
    const { body } = expectStatus(200, await en.read(idOf(id), '?representation=full'))
    const compressed = (await en.read(idOf(id))).body
    const { elements, ...header } = body
    expect(compressed).toMatchObject(header)
    const byId = Object.fromEntries(elements.map((element: { elementId: string }) => [element.elementId, element]))
    expect(Object.keys(byId)).toEqual(Object.keys(compressed).filter((key) => !Object.hasOwn(header, key)))
    const reference = (key: string) => `${BASE_URL}/context/v1#${key}`
    const single = (elementId: string, type: string, value: unknown) => ({
      elementId,
      dictionaryReference: reference(elementId),
      objectType: 'SingleValuedDataElement',
      valueDataType: `xsd:${type}`,
      value,
    })
    for (const [key, type, value] of [
      ['count', 'integer', 3],
      ['ratio', 'double', 0.5],
      ['organic', 'boolean', true],
      ['from', 'date', '2026-11-27'],
      ['at', 'dateTime', '2026-11-27T10:00:00Z'],
      ['site', 'anyURI', 'https://shop.example/x'],
      ['category', 'string', 'textiles'],
    ] as const) {
      expect(byId[key]).toMatchObject(single(key, type, value))
    }
    expect(byId.productName).toMatchObject({
      objectType: 'MultiLanguageDataElement',
      value: [{ value: 'Shirt', language: 'en' }],
    })
    expect(byId.colours).toMatchObject({
      objectType: 'MultiValuedDataElement',
      valueDataType: 'xsd:string',
      value: ['red', 'blue'],
    })
    expect(byId.parts.value).toMatchObject([
      { elementId: '0', objectType: 'DataElementCollection', elements: [{ elementId: 'name', value: 'sleeve' }] },
      { elementId: '1', objectType: 'DataElementCollection', elements: [{ elementId: 'name', value: 'collar' }] },
    ])
    expect(byId.care).toMatchObject({
      objectType: 'DataElementCollection',
      elements: [{ elementId: 'wash', objectType: 'SingleValuedDataElement', valueDataType: 'xsd:integer', value: 30 }],
    })
    expect(byId.economicOperator).toMatchObject({ objectType: 'DataElementCollection' })
  })

  test('has identifiers of operator and facility in the forms of EN 18219', async () => {
    const gln = newGln()
    const operator = async (regId: string, regIdScheme?: string) => {
      const json = { name: `Operator ${regId}`, regId, regIdScheme }
      const { body } = await gateway.request('POST', '/api/v1/operators', { headers: workspace.as, json })
      const { id } = await passports.given({ operatorId: body.operator.id })
      return (await en.read(idOf(id))).body.economicOperatorId
    }
    expect(await operator('549300MLUDYVRQOOXS22', 'LEI')).toBe('0199:549300MLUDYVRQOOXS22')
    expect(await operator('DE136695976', 'VAT')).toBe('0223:DE136695976')
    expect(await operator('123456789', 'DUNS')).toBe('0060:123456789')
    expect(await operator('did:web:maker.example', 'DID')).toBe('did:web:maker.example')
    expect(await operator(gln, 'GLN')).toBe(`https://id.gs1.org/417/${gln}`)
    expect(await operator('DE9999999999', 'EORI')).toBe('DE9999999999')
    expect(await operator('HRB 4711')).toBe('HRB 4711')
    const works = { gln, name: 'Works', country: 'PT' }
    const { body } = await gateway.request('POST', '/api/v1/facilities', { headers: workspace.as, json: works })
    const { id } = await passports.given({ facilityId: body.facility.id })
    const passport = (await en.read(idOf(id))).body
    expect(passport).toMatchObject({
      facilityId: `https://id.gs1.org/414/${gln}`,
      manufacturingFacility: { gln, name: 'Works', country: 'PT' },
    })
  })

  test('states its status: of drafts to their owner, of the recalled and decommissioned to any reader', async () => {
    const { id } = await passports.given({ draft: true })
    expectStatus(404, await en.read(idOf(id)))
    expect((await en.read(idOf(id), '', workspace.as)).body.dppStatus).toBe('draft')
    const { id: published } = await passports.given()
    expect((await en.read(idOf(published))).body.dppStatus).toBe('active')
    await passports.setStatus(published, 'RECALLED', { recall: { reason: 'Sharp edge' } })
    expect((await en.read(idOf(published))).body).toMatchObject({
      dppStatus: 'invalid',
      recall: { reason: 'Sharp edge' },
    })
    await passports.setStatus(published, 'DECOMMISSIONED')
    expect((await en.read(idOf(published))).body.dppStatus).toBe('inactive')
  })

  test('does not take header or reserved names from its metadata', async () => {
    const forged = {
      dppStatus: 'approved',
      lastUpdated: '1999-01-01T00:00:00Z',
      elements: [{ elementId: 'x' }],
      economicOperatorId: 'someone',
    }
    const { id, updatedAt } = await passports.given({ metadata: textile(forged) })
    const { body } = await en.read(idOf(id))
    expect(body).toMatchObject({ dppStatus: 'active', lastUpdated: updatedAt })
    expect(body.economicOperatorId).not.toBe('someone')
    expect(body).not.toHaveProperty('elements')
    const ids = (await en.read(idOf(id), '?representation=full')).body.elements.map(
      (one: { elementId: string }) => one.elementId,
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('elements')
  })
})

describe('tiers', () => {
  test('masked values are absent for the public, and shown to tokens and the owner', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const secret = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly', 'facilityDetails']
    for (const form of ['compressed', 'full']) {
      const { text, headers } = await en.read(idOf(id), `?representation=${form}`)
      const { headers: ofLink } = await gateway.request('GET', `/passport/${id}`)
      expect(headers).toMatchObject({ 'x-access-tier': 'public', 'cache-control': ofLink['cache-control'] })
      for (const key of [...secret, 'REDACTED', 'Works 1']) expect(text).not.toContain(key)
    }
    const owner = await en.read(idOf(id), '', workspace.as)
    expect(Object.keys(owner.body)).toEqual(expect.arrayContaining(secret))
    expect(owner.headers).toMatchObject({ 'x-access-tier': 'owner', 'cache-control': 'private, no-store' })
    const json = { granteeName: 'Repairer', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(30) }
    const { token } = (await gateway.request('POST', '/api/v1/grants', { headers: workspace.as, json })).body
    const byAddress = await en.read(idOf(id), `?grant=${token}`)
    const byHeader = await en.read(idOf(id), '', { authorization: `Bearer ${token}` })
    for (const { body, headers } of [byAddress, byHeader]) {
      expect(body).toHaveProperty('lifecycleAndInUse.note', 'in use')
      expect(body).not.toHaveProperty('facilityDetails')
      expect(headers['cache-control']).toBe('private, no-store')
    }
    const other = await createWorkspace(gateway)
    const { body, headers } = await en.read(idOf(id), '', other.as)
    expect(body).not.toHaveProperty('lifecycleAndInUse')
    expect(headers['x-access-tier']).toBe('public')
  })

  test('a form has its own entity tag, which is answered with 304', async () => {
    const { id } = await passports.given()
    const tags = new Set<string | undefined>()
    for (const form of ['compressed', 'full']) {
      const path = `?representation=${form}`
      const { headers } = await en.read(idOf(id), path)
      tags.add(headers.etag)
      const again = await en.read(idOf(id), path, { 'if-none-match': headers.etag ?? '' })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    expect(tags.size).toBe(2)
    const head = await gateway.request('HEAD', `/v1/dpps/${encoded(idOf(id))}`)
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'application/json'])
  })

  test('both ways of a public read have the same bytes and headers', async () => {
    const { id, productId } = await passports.given()
    for (const path of [`/v1/dpps/${encoded(idOf(id))}`, `/v1/dppsByProductId/${productId}?representation=full`]) {
      const pipeline = await gateway.request('GET', path, { headers: { authorization: 'Bearer nobody' } })
      for (let read = 0; read < 3; read += 1) {
        const lane = await gateway.request('GET', path)
        expect(lane.text).toBe(pipeline.text)
        const named = ['etag', 'content-type', 'cache-control', 'vary', 'access-control-allow-origin', 'x-access-tier']
        for (const name of named) expect([name, lane.headers[name]]).toEqual([name, pipeline.headers[name]])
      }
    }
    await passports.update(id, { metadata: textile({ size: 'XXL' }) })
    expect((await en.read(idOf(id))).body.size).toBe('XXL')
    expect((await en.byProduct(productId)).body.size).toBe('XXL')
  })
})

describe('the passport of a product', () => {
  test('is found by Digital Link, GTIN of any length, and by the Digital Link of GS1', async () => {
    const gtin = newGtin()
    const { id } = await passports.given({ productId: gtin })
    for (const name of [`${BASE_URL}/01/${gtin}`, gtin, gtin.slice(1), `https://id.gs1.org/01/${gtin}`]) {
      const { body } = expectStatus(200, await en.byProduct(name))
      expect(body).toMatchObject({
        digitalProductPassportId: idOf(id),
        uniqueProductIdentifier: `${BASE_URL}/01/${gtin}`,
      })
    }
  })

  test.each([
    'did:web:maker.example:products:shirt',
    'https://id.maker.example/p?serial=4%2F7#a',
    'SKU 7/8 ü+%',
    'a.b.c',
    "it's*(~)",
  ])('is found by %s', async (name) => {
    const productId = `${name}${randomUUID().slice(0, 8)}`
    const { id, digitalLinkUri } = await passports.given({ productId })
    const isGlobal = /^(did|https):/.test(productId)
    for (const named of [productId, digitalLinkUri]) {
      const { body } = expectStatus(200, await en.byProduct(named))
      expect(body.digitalProductPassportId).toBe(idOf(id))
      expect(body.uniqueProductIdentifier).toBe(isGlobal ? productId : digitalLinkUri)
    }
  })

  test('is absent if no passport has the identifier', async () => {
    const names = [
      newGtin(),
      `${BASE_URL}/01/${newGtin()}`,
      `${BASE_URL}/nothing`,
      'did:web:nobody.example',
      `${BASE_URL}/01/%zz`,
    ]
    for (const name of names) expect([name, (await en.byProduct(name)).status]).toEqual([name, 404])
  })

  test('is a conflict if several operators have one, and never one of them', async () => {
    const gtin = newGtin()
    const first = await passports.given({ productId: gtin })
    const other = await createWorkspace(gateway)
    const second = await passportClient(gateway, other.as).given({ productId: gtin })
    const { body } = expectStatus(409, await en.byProduct(gtin))
    expect(body).toMatchObject({ statusCode: 'ClientResourceConflict', message: [{ messageType: 'Error' }] })
    const found = expectStatus(200, await en.ids([gtin])).body
    expect(found.dppIds).toEqual([idOf(first.id), idOf(second.id)].sort())
    // The only sealed one is served, as at its link.
    expectStatus(200, await passports.seal(first.id))
    expect((await en.byProduct(gtin)).body.digitalProductPassportId).toBe(idOf(first.id))
  })
})

describe('batches and items', () => {
  test('an item has a passport of the level item, with the content of its product', async () => {
    const gtin = newGtin()
    const { id } = await passports.given({ productId: gtin, metadata: battery() })
    const unit = await units.given(id, { serialNumber: `S.${gtin}` })
    const name = `${BASE_URL}/unit/${unit.id}`
    const { body, text } = expectStatus(200, await en.read(name))
    expect(body).toMatchObject({
      digitalProductPassportId: name,
      uniqueProductIdentifier: unit.digitalLinkUri,
      granularity: 'item',
      dppStatus: 'active',
      serialNumber: `S.${gtin}`,
      modelPassportId: idOf(id),
      category: 'batteries',
    })
    expect(text).not.toContain('lifecycleAndInUse')
    expect((await en.byProduct(unit.digitalLinkUri)).body).toEqual(body)
    expect((await en.ids([unit.digitalLinkUri])).body).toEqual({ dppIds: [name] })
    await units.measure(unit.id, 98.5, new Date().toISOString())
    expect((await en.read(name)).body).not.toHaveProperty('currentState')
    expect((await en.read(name, '', workspace.as)).body).toMatchObject({ currentState: { stateOfHealth: 98.5 } })
    expectStatus(404, await en.byProduct(`${BASE_URL}/01/${gtin}/21/nobody`))
  })

  test('a recycled item has no passport', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const unit = await units.given(id)
    await units.setStatus(unit.id, 'WASTE')
    expect((await en.read(`${BASE_URL}/unit/${unit.id}`)).body.dppStatus).toBe('inactive')
    await units.setStatus(unit.id, 'RECYCLED')
    const { body } = expectStatus(404, await en.read(`${BASE_URL}/unit/${unit.id}`))
    expect(body.statusCode).toBe('ClientErrorResourceNotFound')
  })

  test('a batch states its differences, and for the rest the values of its product', async () => {
    const gtin = newGtin()
    const { id } = await passports.given({ productId: gtin, metadata: textile({ size: 'M', colour: 'red' }) })
    const json = { batchNumber: 'L/1', metadata: { size: 'L' } }
    const path = `/api/v1/passports/${id}/batches`
    const [batch] = (await gateway.request('POST', path, { headers: workspace.as, json })).body.batches
    const name = `${BASE_URL}/batch/${batch.id}`
    const { body } = expectStatus(200, await en.read(name))
    expect(body).toMatchObject({
      digitalProductPassportId: name,
      uniqueProductIdentifier: batch.digitalLinkUri,
      granularity: 'batch',
      batchNumber: 'L/1',
      modelPassportId: idOf(id),
      size: 'L',
      colour: 'red',
    })
    expect((await en.byProduct(batch.digitalLinkUri)).body).toEqual(body)
    const full = (await en.read(name, '?representation=full')).body.elements
    expect(full.filter(({ elementId }: { elementId: string }) => elementId === 'size')).toMatchObject([{ value: 'L' }])
  })
})

describe('refusals', () => {
  const result = (statusCode: string) => ({
    statusCode,
    message: [
      {
        messageType: expect.stringMatching(/^(Error|Exception)$/),
        text: expect.any(String),
        correlationId: expect.any(String),
        timestamp: expect.stringMatching(/Z$/),
      },
    ],
  })

  test.each([
    ['GET', `/v1/dpps/${encoded(`${BASE_URL}/passport/${randomUUID()}`)}`, 404, 'ClientErrorResourceNotFound'],
    ['GET', `/v1/dpps/${randomUUID()}`, 404, 'ClientErrorResourceNotFound'],
    ['GET', '/v1/dpps/no-identifier', 404, 'ClientErrorResourceNotFound'],
    ['GET', `/v1/dpps/${encoded(encoded(`${BASE_URL}/passport/${randomUUID()}`))}`, 404, 'ClientErrorResourceNotFound'],
    ['GET', '/v1/dpps/%00', 400, 'ClientErrorBadRequest'],
    ['GET', '/v1/dpps/%zz', 400, 'ClientErrorBadRequest'],
    ['GET', '/v1/dpps/%ff%fe', 400, 'ClientErrorBadRequest'],
    ['GET', '/v1/dpps/x?representation=unknown', 400, 'ClientErrorBadRequest'],
    ['GET', '/v1/dppsByIdAndDate/x', 400, 'ClientErrorBadRequest'],
    ['GET', '/v1/nothing', 404, 'ClientErrorResourceNotFound'],
    ['PUT', '/v1/dpps/x', 405, 'ClientMethodNotAllowed'],
    ['PUT', '/v1/dpps/x/elements/%24.a', 405, 'ClientMethodNotAllowed'],
    ['POST', '/v1/registerDPP', 501, 'ServerNotImplemented'],
  ])('%s %s is %i with a result', async (method, path, status, statusCode) => {
    const answer = await gateway.client.send(method, path)
    const [message] = result(statusCode).message
    expect([answer.status, answer.body]).toEqual([
      status,
      { statusCode, message: [expect.objectContaining(message as object)] },
    ])
    expect(answer.body.message[0].correlationId).toBe(answer.headers['x-request-id'])
  })
})
