import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { auditOf } from '../../../test/support/audit.ts'
import { BASE_URL, createWorkspace, newGtin, textile } from '../../../test/support/gateway.ts'
import { battery, expectStatus, REDACTED } from '../../../test/support/passport-client.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import { asAnotherOperator, unitClient } from '../../../test/support/unit-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const record = (passport: string, json: unknown, headers = workspace.as) =>
  gateway.request('POST', `/api/v1/passports/${passport}/batches`, { headers, json })
const list = (passport: string, query = '', headers = workspace.as) =>
  gateway.request('GET', `/api/v1/passports/${passport}/batches${query}`, { headers })
const remove = (id: string, headers = workspace.as) => gateway.request('DELETE', `/api/v1/batches/${id}`, { headers })
const get = (id: string, headers = workspace.as) => gateway.request('GET', `/api/v1/batches/${id}`, { headers })
const read = (path: string, headers: Record<string, string> = {}) => gateway.request('GET', path, { headers })
const given = async (passport: string, json: object) => expectStatus(201, await record(passport, json)).body.batches[0]

let productId: string
let passport: { id: string }

beforeEach(async () => {
  productId = newGtin()
  passport = await passports.given({ productId, metadata: textile() })
})

describe('recording', () => {
  test("keeps the batch's data next to its product's, and writes the trail", async () => {
    const batch = { batchNumber: ' L-2026/07 ', manufacturedAt: '2026-07-01', metadata: { size: 'XL' } }
    const { status, body } = await record(passport.id, batch)
    expect(status).toBe(201)
    const expected = {
      id: expect.any(String),
      batchNumber: 'L-2026/07',
      digitalLinkUri: `${BASE_URL}/01/${productId}/10/L-2026%2F07`,
      passportId: passport.id,
      tenantId: workspace.id,
      manufacturedAt: '2026-07-01T00:00:00.000Z',
      metadata: { size: 'XL' },
      createdAt: expect.any(String),
    }
    expect(body).toEqual({ success: true, message: '1 of 1 batches recorded.', count: 1, batches: [expected] })
    expect((await list(productId)).body).toMatchObject({ count: 1, total: 1, productId, batches: [expected] })
    expect(await auditOf(gateway, workspace.id, body.batches[0].id)).toMatchObject([
      { action: 'batch.created', detail: { batchNumber: 'L-2026/07', passportId: passport.id } },
    ])
  })

  test('takes good ones and names what is wrong with each other', async () => {
    await given(passport.id, { batchNumber: 'TAKEN' })
    const { status, body } = await record(passport.id, {
      batches: [
        { batchNumber: 'GOOD' },
        { batchNumber: 'GOOD' },
        { batchNumber: 'TAKEN' },
        'text',
        {},
        { batchNumber: 'ü' },
        { batchNumber: 'A'.repeat(21) },
        { batchNumber: '..' },
        { batchNumber: 'B', manufacturedAt: '2026-02-30' },
        { batchNumber: 'C', metadata: [] },
        { batchNumber: 'D', metadata: { gtin: newGtin() } },
        { batchNumber: 'E', metadata: { granularity: 'item' } },
        { batchNumber: 'F', metadata: { documents: [] } },
        { batchNumber: 'J', metadata: { batchNumber: 'K' } },
        { batchNumber: 'G', metadata: { '@id': 'x' } },
        { batchNumber: 'H', metadata: { originCountry: 'ZZ' } },
        { batchNumber: 'I', metadata: { text: 'x'.repeat(65_536) } },
      ],
    })
    expect(status).toBe(201)
    expect(body.batches.map(({ batchNumber }: { batchNumber: string }) => batchNumber)).toEqual(['GOOD'])
    expect(body.errors).toEqual([
      ...Array(2).fill('A batch with this number already exists for this passport'),
      'A batch must be an object',
      ...Array(4).fill(expect.stringContaining('GS1 AI 10')),
      'manufacturedAt is not a valid date',
      'metadata must be an object',
      expect.stringContaining('metadata.gtin belongs to the product'),
      expect.stringContaining('Article 8(5)'),
      expect.stringContaining('metadata.documents belongs to the product'),
      expect.stringContaining('metadata.batchNumber belongs to the product'),
      expect.stringContaining('must not begin with "@"'),
      expect.stringContaining('originCountry'),
      'metadata must have at most 65536 bytes as JSON',
    ])
  })

  test('refuses a request without a good one, without any, and with too many', async () => {
    expect(await record(passport.id, { batchNumber: 'ü' })).toMatchObject({
      status: 400,
      body: { error: 'Recording Failed', errors: [expect.stringContaining('GS1 AI 10')] },
    })
    expect(await record(passport.id, { batches: [] })).toMatchObject({
      status: 400,
      body: { message: 'batches must not be empty' },
    })
    const batches = Array.from({ length: 201 }, (_, index) => ({ batchNumber: `L${index}` }))
    expect(await record(passport.id, { batches })).toMatchObject({
      status: 400,
      body: { message: 'batches must have at most 200 items' },
    })
    expect(await record(randomUUID(), { batchNumber: 'L' })).toMatchObject({ status: 404 })
  })

  test('does not blame a batch for what is wrong with a draft', async () => {
    const draft = await passports.given({ draft: true, metadata: { category: 'textiles', originCountry: 'ZZ' } })
    expect(await record(draft.id, { batchNumber: 'L', metadata: { size: 'M' } })).toMatchObject({ status: 201 })
    expect((await record(draft.id, { batchNumber: 'M', metadata: { size: 1 } })).body.errors).toEqual([
      expect.stringContaining('size'),
    ])
  })

  test('review-3-inputs N15: is listed by a product id of the other normal form', async () => {
    const productId = `Jacke-ä-${newGtin()}`
    await passports.given({ productId: productId.normalize('NFC'), metadata: textile() })
    expect((await list(encodeURIComponent(productId.normalize('NFD')))).status).toBe(200)
  })

  test('pages, newest first', async () => {
    await record(passport.id, { batches: ['A', 'B', 'C'].map((batchNumber) => ({ batchNumber })) })
    const first = (await list(passport.id, '?limit=2')).body
    expect(first).toMatchObject({ count: 2, page: 1, limit: 2, total: 3, totalPages: 2 })
    const second = (await list(passport.id, '?limit=2&page=2')).body
    const all = [...first.batches, ...second.batches].map(({ batchNumber }: { batchNumber: string }) => batchNumber)
    expect(all.toSorted()).toEqual(['A', 'B', 'C'])
  })

  test('is created by one of two concurrent writes', async () => {
    const answers = await Promise.all([1, 2].map(() => record(passport.id, { batchNumber: 'SAME' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
  })

  test('is refused below a passport of an item', async () => {
    const item = await passports.given({ metadata: textile({ granularity: 'item' }) })
    expect(await record(item.id, { batchNumber: 'L1' })).toMatchObject({
      status: 409,
      body: { code: 'LEVEL_FIXED', message: expect.stringContaining('Article 8(5)') },
    })
  })

  test('is counted against what a workspace may store', async () => {
    const used = () =>
      gateway.sql<{ bytes: string; rows: string }>(
        'select sum(bytes)::int as bytes, sum(rows)::int as rows from workspace_usage where tenant_id = $1',
        [workspace.id],
      )
    const [before] = await used()
    const batch = await given(passport.id, { batchNumber: 'L', metadata: { size: 'XL' } })
    const [after] = await used()
    expect([Number(after?.rows) - Number(before?.rows), Number(after?.bytes) - Number(before?.bytes)]).toEqual([
      1,
      JSON.stringify({ size: 'XL' }).length,
    ])
    await remove(batch.id)
    expect(await used()).toEqual([before])
  })
})

describe('a batch in public', () => {
  test('states its level, names its model and says what differs', async () => {
    const batch = await given(passport.id, {
      batchNumber: 'L1',
      manufacturedAt: '2026-07-01',
      metadata: { size: 'XL' },
    })
    const { status, headers, body } = await read(`/batch/${batch.id}`)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'application/ld+json', 'x-access-tier': 'public' })
    const link = `${BASE_URL}/01/${productId}/10/L1`
    expect(body).toMatchObject({
      '@type': 'ProductBatch',
      '@id': link,
      id: batch.id,
      granularity: 'batch',
      batchNumber: 'L1',
      digitalLinkUri: link,
      manufacturedAt: '2026-07-01T00:00:00.000Z',
      metadata: { size: 'XL' },
    })
    expect(body.ofModel).toEqual((await read(`/passport/${passport.id}`)).body)
    expect((await get(batch.id)).body).toMatchObject({ id: batch.id, metadata: { size: 'XL' } })
  })

  test('is what both lanes answer, kept and made, and follows its product', async () => {
    const batch = await given(passport.id, { batchNumber: 'L1' })
    const path = `/batch/${batch.id}`
    const first = await read(path)
    const stored = await gateway.sql('select 1 from batch_rendition where batch_id = $1', [batch.id])
    expect(stored).toHaveLength(1)
    for (let time = 0; time < 3; time += 1) expect((await read(path)).text).toBe(first.text)
    expect((await read(path, { 'If-None-Match': first.headers.etag ?? '' })).status).toBe(304)
    await passports.update(passport.id, { metadata: textile({ size: 'S' }) })
    expect((await read(path)).body.ofModel.metadata.size).toBe('S')
    expect(await gateway.sql('select 1 from batch_rendition where batch_id = $1', [batch.id])).toHaveLength(1)
  })

  test('masks what its product would mask, for whom it would', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const batch = await given(id, { batchNumber: 'L1', metadata: { detailedPerformance: { note: 'of the batch' } } })
    const answer = await read(`/batch/${batch.id}`)
    expect(answer.body.metadata).toEqual({ detailedPerformance: REDACTED })
    expect(answer.text).not.toContain('of the batch')
    for (const accept of ['text/html', 'application/aas+json']) {
      const { status, text } = await read(`/batch/${batch.id}`, { Accept: accept })
      expect([accept, status, text.includes('of the batch')]).toEqual([accept, 200, false])
    }
    const grant = { granteeName: 'R', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(1) }
    const { token } = expectStatus(
      201,
      await gateway.request('POST', '/api/v1/grants', { headers: workspace.as, json: grant }),
    ).body
    expect((await read(`/batch/${batch.id}?grant=${token}`)).body.metadata).toEqual({
      detailedPerformance: { note: 'of the batch' },
    })
    expect((await read(`/batch/${batch.id}`, workspace.as)).body.metadata).toEqual({
      detailedPerformance: { note: 'of the batch' },
    })
  })

  test('of a draft is only for its owner, and an absent one for no caller', async () => {
    const draft = await passports.given({ draft: true })
    const batch = await given(draft.id, { batchNumber: 'L1' })
    const nothing = { error: 'Not Found', message: 'No public batch at this address.' }
    for (const id of [batch.id, randomUUID(), 'no-uuid']) {
      expect(await read(`/batch/${id}`)).toMatchObject({ status: 404, body: nothing })
    }
    expect(await read(`/batch/${batch.id}`, workspace.as)).toMatchObject({ status: 200 })
  })

  test('is a page for people, and has no credential', async () => {
    const batch = await given(passport.id, { batchNumber: 'L1', metadata: { size: 'XL' } })
    const { status, text } = await read(`/batch/${batch.id}`, { Accept: 'text/html' })
    expect(status).toBe(200)
    for (const part of ['L1', 'XL', 'Differences of this batch']) expect(text).toContain(part)
    // A media type that batches lack falls back to the default, as at every address.
    const credential = await read(`/batch/${batch.id}`, { Accept: 'application/vc+jwt' })
    expect(credential.headers['content-type']).toBe('application/ld+json')
  })
})

describe('the Digital Link of a batch', () => {
  test('leads to its record, with the query and without a token', async () => {
    const batch = await given(passport.id, { batchNumber: 'L/1' })
    const link = `/01/${productId}/10/L%2F1`
    const { status, headers } = await read(`${link}?lang=de&grant=dpp_li_0&17=271231`)
    expect([status, headers.location]).toEqual([302, `${BASE_URL}/batch/${batch.id}?lang=de&17=271231`])
    expect((await read(`/01/${productId}/22/V1/10/L%2F1`)).headers.location).toBe(`${BASE_URL}/batch/${batch.id}`)
  })

  test('leads to the product where the batch has no record', async () => {
    const answer = await read(`/01/${productId}/10/NONE`)
    expect([answer.status, answer.body.id]).toEqual([200, passport.id])
  })

  test('finds the batch among several passports of the product', async () => {
    const other = await createWorkspace(gateway)
    const json = { productId, metadata: textile() }
    const { body } = await gateway.request('POST', '/api/v1/passports', { headers: other.as, json })
    const theirs = expectStatus(201, await record(body.passport.id, { batchNumber: 'L9' }, other.as)).body.batches[0]
    const choice = await read(`/01/${productId}/10/L9`)
    expect([choice.status, choice.body.choices]).toEqual([
      300,
      [`${BASE_URL}/passport/${passport.id}`, `${BASE_URL}/batch/${theirs.id}`],
    ])
    expect((await read(`/01/${productId}/10/L8`)).status).toBe(300)
  })

  test('has its own links next to those of the product', async () => {
    await given(passport.id, { batchNumber: 'L1' })
    const { status, body } = await read(`/01/${productId}/10/L1?linkType=linkset`)
    expect(status).toBe(200)
    expect(body.linkset.map(({ anchor }: { anchor: string }) => anchor)).toEqual([
      `${BASE_URL}/01/${productId}/10/L1`,
      `${BASE_URL}/01/${productId}`,
    ])
  })

  test('is its address where the product has no GTIN', async () => {
    const { id } = await passports.given({ productId: `SKU-${randomUUID()}` })
    const batch = await given(id, { batchNumber: 'L1' })
    expect(batch.digitalLinkUri).toBe(`${BASE_URL}/batch/${batch.id}`)
    expect((await read(`/batch/${batch.id}`)).body['@id']).toBe(batch.digitalLinkUri)
  })
})

describe('an item of a batch', () => {
  test('names its batch and its model, with a link once the batch has a record', async () => {
    const unit = await units.given(passport.id, { batchNumber: 'L1' })
    expect(unit.batchNumber).toBe('L1')
    const before = await read(`/unit/${unit.id}`)
    expect([before.body.batchNumber, before.body.ofBatch, before.body.ofModel.id]).toEqual([
      'L1',
      undefined,
      passport.id,
    ])
    const batch = await given(passport.id, { batchNumber: 'L1' })
    const ofBatch = {
      batchId: batch.id,
      batchNumber: 'L1',
      digitalLinkUri: batch.digitalLinkUri,
      batchUrl: `/batch/${batch.id}`,
    }
    expect((await read(`/unit/${unit.id}`)).body).toMatchObject({ batchNumber: 'L1', ofBatch })
    expect((await units.get(unit.id)).body).toMatchObject({ batchNumber: 'L1', ofBatch })
    const { text } = await read(`/unit/${unit.id}`, { Accept: 'text/html' })
    expect(text).toContain(`href="${BASE_URL}/batch/${batch.id}?lang=en"`)
    const environment = (await read(`/unit/${unit.id}`, { Accept: 'application/aas+json' })).text
    expect(environment).toContain(batch.digitalLinkUri)
  })

  test('keeps its batch from being deleted', async () => {
    const batch = await given(passport.id, { batchNumber: 'L1' })
    const unit = await units.given(passport.id, { batchNumber: 'L1' })
    expect(await remove(batch.id)).toMatchObject({ status: 409, body: { code: 'BATCH_IN_USE' } })
    await units.remove(unit.id)
    expect(await remove(batch.id)).toMatchObject({ status: 200 })
    expect((await read(`/batch/${batch.id}`)).status).toBe(404)
    expect((await list(passport.id)).body.total).toBe(0)
  })
})

describe('batches of others', () => {
  test('are neither listed, read nor deleted', async () => {
    const batch = await given(passport.id, { batchNumber: 'L1' })
    const { as } = await createWorkspace(gateway)
    expect(await record(passport.id, { batchNumber: 'L2' }, as)).toMatchObject({ status: 404 })
    expect(await list(passport.id, '', as)).toMatchObject({ status: 404 })
    expect(await get(batch.id, as)).toMatchObject({ status: 404 })
    expect(await remove(batch.id, as)).toMatchObject({ status: 404 })
    const limited = await asAnotherOperator(gateway, workspace)
    expect(await get(batch.id, limited)).toMatchObject({ status: 403 })
    expect(await remove(batch.id, limited)).toMatchObject({ status: 403 })
    expect((await read(`/batch/${batch.id}`)).status).toBe(200)
  })

  test('are gone with their draft', async () => {
    const draft = await passports.given({ draft: true })
    const batch = await given(draft.id, { batchNumber: 'L1' })
    expectStatus(200, await passports.remove(draft.id))
    expect(await get(batch.id)).toMatchObject({ status: 404 })
  })
})
