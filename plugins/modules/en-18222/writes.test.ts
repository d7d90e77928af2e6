import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { enClient, encoded, idOf } from '../../../test/support/en-client.ts'
import { BASE_URL, bearer, createWorkspace, newGln, newGtin, textile } from '../../../test/support/gateway.ts'
import { battery, eventsOf, expectStatus } from '../../../test/support/passport-client.ts'
import { unitClient } from '../../../test/support/unit-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const en = enClient(gateway)
const { as } = workspace
const uuidOf = (id: string) => id.slice(`${BASE_URL}/passport/`.length)
const link = (gtin: string) => `${BASE_URL}/01/${gtin}`

describe('creating', () => {
  test('publishes a passport of the product, operator and facility in the header', async () => {
    const [gtin, gln] = [newGtin(), newGln()]
    const vat = { name: 'Maker', regId: `DE${gln}`, regIdScheme: 'NATIONAL' }
    await gateway.request('POST', '/api/v1/operators', { headers: as, json: vat })
    await gateway.request('POST', '/api/v1/facilities', { headers: as, json: { gln, name: 'Works', country: 'PT' } })
    const document = {
      digitalProductPassportId: 'https://other.example/passport/1',
      uniqueProductIdentifier: link(gtin),
      granularity: 'Model',
      dppSchemaVersion: 'EN 18223:2026',
      dppStatus: 'active',
      lastUpdate: '2020-01-01T00:00:00Z',
      economicOperatorId: `DE${gln}`,
      facilityId: `https://id.gs1.org/414/${gln}`,
      contentSpecificationIds: [`${BASE_URL}/api/v1/schemas/textiles`],
      originCountry: 'PT',
      size: 'M',
    }
    const { body, headers } = expectStatus(201, await en.create(document, as))
    const id = body.digitalProductPassportId
    expect(body).toEqual({ digitalProductPassportId: expect.stringMatching(`^${BASE_URL}/passport/`) })
    expect(headers.location).toBe(`${BASE_URL}/v1/dpps/${encodeURIComponent(id)}`)
    const read = (await en.read(id)).body
    expect(read).toMatchObject({
      digitalProductPassportId: id,
      uniqueProductIdentifier: link(gtin),
      economicOperatorId: `DE${gln}`,
      facilityId: `https://id.gs1.org/414/${gln}`,
      category: 'textiles',
      size: 'M',
    })
    expect(await eventsOf(gateway, uuidOf(id))).toEqual(['passport.ingested'])
    const again = expectStatus(409, await en.create(document, as))
    expect(again.body).toMatchObject({
      statusCode: 'ClientResourceConflict',
      message: [{ code: 'PASSPORT_DUPLICATE' }],
    })
  })

  test('accepts the full form, and what was read in it', async () => {
    const [gtin, other] = [newGtin(), newGtin()]
    const elements = [
      { elementId: 'category', objectType: 'SingleValuedDataElement', value: 'textiles' },
      { elementId: 'originCountry', objectType: 'SingleValuedDataElement', valueDataType: 'xsd:string', value: 'PT' },
      { elementId: 'colours', objectType: 'MultiValuedDataElement', elements: ['red', 'blue'] },
      { elementId: 'productName', objectType: 'MultiLanguageDataElement', value: [{ value: 'Shirt', language: 'en' }] },
      {
        elementId: 'care',
        objectType: 'DataElementCollection',
        elements: [{ elementId: 'wash', objectType: 'SingleValuedDataElement', value: 30 }],
      },
      {
        elementId: 'manual',
        objectType: 'RelatedResource',
        contentType: 'text/html',
        url: 'https://maker.example/manual',
        language: 'en',
      },
    ]
    const { body } = expectStatus(
      201,
      await en.create({ uniqueProductIdentifier: gtin, elements }, as, '?representation=full'),
    )
    const read = (await en.read(body.digitalProductPassportId)).body
    expect(read).toMatchObject({
      category: 'textiles',
      colours: ['red', 'blue'],
      productName: [{ value: 'Shirt', language: 'en' }],
      care: { wash: 30 },
      manual: { contentType: 'text/html', url: 'https://maker.example/manual', language: 'en' },
    })
    const full = (await en.read(body.digitalProductPassportId, '?representation=full')).body
    // Copied from the product identifier, which differs.
    full.elements = full.elements.filter(({ elementId }: { elementId: string }) => elementId !== 'gtin')
    const copy = expectStatus(201, await en.create({ ...full, uniqueProductIdentifier: link(other) }, as))
    const { digitalProductPassportId: _, lastUpdated: __, uniqueProductIdentifier: ___, gtin: ____, ...content } = read
    expect((await en.read(copy.body.digitalProductPassportId)).body).toMatchObject(content)
  })

  test('saves a draft on request, which its owner may publish or delete', async () => {
    const document = { uniqueProductIdentifier: newGtin(), dppStatus: 'Draft', category: 'textiles' }
    const id = expectStatus(201, await en.create(document, as)).body.digitalProductPassportId
    expectStatus(404, await en.read(id))
    const invalid = expectStatus(400, await en.update(id, { dppStatus: 'active' }, as))
    expect(invalid.body.message.map(({ code }: { code?: string }) => code)).toContain('originCountry')
    expect((await en.read(id, '', as)).body.dppStatus).toBe('draft')
    expectStatus(200, await en.update(id, { dppStatus: 'active', originCountry: 'PT' }, as))
    expect((await en.read(id)).body.dppStatus).toBe('active')
    expect(expectStatus(409, await en.remove(id, as)).body.message[0].code).toBe('PASSPORT_PUBLISHED')
    const other = expectStatus(201, await en.create({ ...document, uniqueProductIdentifier: newGtin() }, as)).body
    const deleted = expectStatus(204, await en.remove(other.digitalProductPassportId, as))
    expect(deleted.text).toBe('')
    expectStatus(404, await en.read(other.digitalProductPassportId, '', as))
  })

  test('is repeated with an Idempotency-Key', async () => {
    const document = { uniqueProductIdentifier: newGtin(), ...textile() }
    const headers = { ...as, 'idempotency-key': randomUUID() }
    const first = expectStatus(201, await en.create(document, headers))
    const again = expectStatus(201, await en.create(document, headers))
    expect([again.text, again.headers.location]).toEqual([first.text, first.headers.location])
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test.each([
    ['no product', { ...textile() }],
    ['an item', { uniqueProductIdentifier: `${BASE_URL}/01/${newGtin()}/21/1`, ...textile() }],
    ['a foreign operator', { uniqueProductIdentifier: newGtin(), economicOperatorId: '0199:X', ...textile() }],
    ['a foreign facility', { uniqueProductIdentifier: newGtin(), facilityId: newGln(), ...textile() }],
    ['invalid content', { uniqueProductIdentifier: newGtin(), ...textile({ originCountry: 'ZZ' }) }],
    ['a keyword of JSON-LD', { uniqueProductIdentifier: newGtin(), ...textile({ group: { '@id': 'x' } }) }],
    ['a list', []],
    ['an unknown type', { uniqueProductIdentifier: newGtin(), elements: [{ elementId: 'x', objectType: 'Thing' }] }],
    ['a nameless element', { uniqueProductIdentifier: newGtin(), elements: [{ objectType: 'RelatedResource' }] }],
    [
      'one id twice',
      {
        uniqueProductIdentifier: newGtin(),
        elements: ['x', 'x'].map((elementId) => ({ elementId, objectType: 'SingleValuedDataElement', value: 1 })),
      },
    ],
  ])('refuses %s', async (_, document) => {
    const { body } = expectStatus(400, await en.create(document, as))
    expect(body.statusCode).toBe('ClientErrorBadRequest')
  })
})

describe('updating', () => {
  test('merges, keeps what it does not name, and writes history and events like the API', async () => {
    const { id } = await passports.given({
      metadata: textile({ size: 'S', care: { wash: 30, iron: 1 }, colour: 'red' }),
    })
    const patch = { size: 'M', care: { iron: null, dry: true }, colour: null }
    const { body, headers } = expectStatus(200, await en.update(idOf(id), patch, as))
    expect(headers['content-type']).toBe('application/json')
    expect(body).toMatchObject({ size: 'M', care: { wash: 30, dry: true } })
    expect(body.care).not.toHaveProperty('iron')
    expect(body).not.toHaveProperty('colour')
    expect((await en.read(idOf(id))).body).toMatchObject({ size: 'M' })
    const { versions } = (await passports.history(id)).body
    expect(versions[0]).toMatchObject({ version: 2, changeReason: 'EN 18222 update' })
    expect(await eventsOf(gateway, id)).toEqual(['passport.ingested', 'passport.updated'])
  })

  test('accepts either form and media type, and repeated members that it derives', async () => {
    const { id } = await passports.given({ metadata: textile({ size: 'S' }) })
    for (const form of ['compressed', 'full']) {
      const document = (await en.read(idOf(id), `?representation=${form}`)).body
      expectStatus(200, await en.update(idOf(id), document, as, `?representation=${form}`))
    }
    const raw = JSON.stringify({ dppStatus: 'ACTIVE', granularity: 'MODEL', size: 'L' })
    const headers = { ...as, 'content-type': 'application/merge-patch+json' }
    const path = `/v1/dpps/${encoded(idOf(id))}`
    expectStatus(200, await gateway.request('PATCH', path, { headers, raw }))
    const elements = [{ elementId: 'size', objectType: 'SingleValuedDataElement', value: 'XL' }]
    const { body } = expectStatus(200, await en.update(idOf(id), { elements }, as, '?representation=full'))
    expect(body.elements).toEqual(expect.arrayContaining([expect.objectContaining({ elementId: 'size', value: 'XL' })]))
  })

  test.each([
    { dppStatus: 'archived' },
    { lastUpdated: '2020-01-01T00:00:00Z' },
    { economicOperatorId: 'X' },
    { digitalProductPassportId: 'https://other.example/1' },
    { uniqueProductIdentifier: null },
    { economicOperator: { name: 'Other' } },
    { serialNumber: '1' },
  ])('refuses the derived member %j', async (patch) => {
    const { id } = await passports.given()
    const before = (await en.read(idOf(id))).text
    expect(expectStatus(403, await en.update(idOf(id), { size: 'S', ...patch }, as)).body.statusCode).toBe(
      'ClientForbidden',
    )
    expect((await en.read(idOf(id))).text).toBe(before)
  })

  test('changes nothing if one member is invalid, and keeps the level', async () => {
    const { id } = await passports.given()
    const before = (await en.read(idOf(id))).text
    expectStatus(400, await en.update(idOf(id), { size: 'S', originCountry: 'ZZ' }, as))
    expectStatus(409, await en.update(idOf(id), { granularity: 'item' }, as))
    expect((await en.read(idOf(id))).text).toBe(before)
  })

  test('of a sealed passport is a conflict', async () => {
    const { id } = await passports.given()
    await passports.seal(id)
    expect(expectStatus(409, await en.update(idOf(id), { size: 'S' }, as)).body.message[0].code).toBe(
      'PASSPORT_SEALED_IMMUTABLE',
    )
    expectStatus(409, await en.updateElement(idOf(id), '$.size', 'S', as))
  })

  test('concurrent changes are all applied', async () => {
    const { id } = await passports.given()
    const names = ['a1', 'a2', 'a3', 'a4']
    const answers = await Promise.all(names.map((name) => en.update(idOf(id), { [name]: name }, as)))
    const applied = names.filter((_, index) => answers[index]?.status === 200)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(applied.length).toBeGreaterThan(0)
    expect((await en.read(idOf(id))).body).toMatchObject(Object.fromEntries(applied.map((name) => [name, name])))
  })
})

describe('an element', () => {
  test('is set, added to its parent, and removed by null', async () => {
    const { id } = await passports.given({
      metadata: textile({ parts: [null, { name: 'sleeve' }, { name: 'collar' }], care: { wash: 30 } }),
    })
    const set = (path: string, value: unknown, query = '') => en.updateElement(idOf(id), path, value, as, query)
    expect(expectStatus(200, await set('$.size', 'M')).body).toBe('M')
    expect(expectStatus(200, await set("$['care']['wash']", 40)).body).toBe(40)
    expect(expectStatus(200, await set('$.care.dry', { at: 'low' })).body).toEqual({ at: 'low' })
    // The first item, null, is not in the passport as read.
    expect(expectStatus(200, await set('$.parts[0].name', 'cuff')).body).toBe('cuff')
    expectStatus(204, await set('$.parts[1]', null))
    const element = {
      elementId: 'care',
      objectType: 'DataElementCollection',
      elements: [{ elementId: 'wash', objectType: 'SingleValuedDataElement', value: 60 }],
    }
    expect(expectStatus(200, await set('$.care', element, '?representation=full')).body).toMatchObject({
      elementId: 'care',
    })
    const { body } = await en.read(idOf(id))
    expect(body).toMatchObject({ size: 'M', care: { wash: 60 }, parts: [{ name: 'cuff' }] })
    expect(body.care).toEqual({ wash: 60 })
    expect(body.parts).toHaveLength(1)
  })

  test.each([
    ['$.nothing.inside', 1, 404],
    ['$.category[0]', 'x', 404],
    ['$[0]', 'x', 404],
    ['$.nothing', null, 404],
    ['$.dppStatus', 'archived', 403],
    ['$.economicOperator.name', 'Other', 403],
    ['$.originCountry', 'ZZ', 400],
    ['$.originCountry', null, 400],
    ['$[', 'x', 400],
    ['$.*', 'x', 400],
  ])('%s is not set to %j', async (path, value, status) => {
    const { id } = await passports.given()
    const before = (await en.read(idOf(id))).text
    expectStatus(status, await en.updateElement(idOf(id), path, value, as))
    expect((await en.read(idOf(id))).text).toBe(before)
  })
})

describe('rights', () => {
  const requests = (id: string) =>
    [
      ['POST', '/v1/dpps', { uniqueProductIdentifier: newGtin(), ...textile() }],
      ['PATCH', `/v1/dpps/${encoded(id)}`, {}],
      ['PATCH', `/v1/dpps/${encoded(id)}/elements/%24.size`, 'M'],
      ['DELETE', `/v1/dpps/${encoded(id)}`, undefined],
    ] as const

  test('writes need a key with the permission', async () => {
    const { id } = await passports.given()
    const before = (await en.read(idOf(id))).text
    const { key } = await gateway.container.cradle.workspaces.createKey({ workspaceId: workspace.id, role: 'AUDITOR' })
    for (const [method, path, json] of requests(idOf(id))) {
      const anonymous = await gateway.request(method, path, { json })
      expect([path, anonymous.status, anonymous.body.statusCode]).toEqual([path, 401, 'ClientNotAuthorized'])
      const auditor = await gateway.request(method, path, { headers: bearer(key), json })
      expect([path, auditor.status, auditor.body.statusCode]).toEqual([path, 403, 'ClientForbidden'])
    }
    expect((await en.read(idOf(id))).text).toBe(before)
  })

  test('another workspace finds no passport to change', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const other = await createWorkspace(gateway)
    for (const [method, path, json] of requests(idOf(id)).slice(1)) {
      expect([path, (await gateway.request(method, path, { headers: other.as, json })).status]).toEqual([path, 404])
    }
    expectStatus(404, await en.update('https://other.example/passport/1', {}, as))
  })

  test('batches and items are not changed here', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const unit = await unitClient(gateway, as).given(id)
    const { body } = expectStatus(501, await en.update(`${BASE_URL}/unit/${unit.id}`, {}, as))
    expect(body.statusCode).toBe('ServerNotImplemented')
    expectStatus(501, await en.remove(`${BASE_URL}/batch/${randomUUID()}`, as))
  })
})
