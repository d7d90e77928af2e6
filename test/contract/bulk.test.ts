// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { eventsOf } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const PATH = '/api/v1/passports/bulk'
const UNKNOWN_ID = '0b0e7f5a-9f6d-4d4c-9d0a-6c6c8f1c2b11'

const { gateway, workspace, passports } = await useGateway()

const ingest = (rows: unknown, query = '', as = workspace.as) =>
  gateway.request('POST', `${PATH}${query}`, { headers: as, json: { passports: rows } })
const row = (more: object = {}) => ({ productId: newGtin(), metadata: textile(), ...more })
const stored = async () => (await gateway.sqlAs(workspace.id, 'select 1 from passport')).length

describe('trap 54: rows are independent', () => {
  test('one good row of 200 is enough', async () => {
    const good = row()
    const bad = Array.from({ length: 199 }, (_, index) =>
      row({ productId: `BAD-${index}`, metadata: { category: 'toys' } }),
    )
    const { status, body } = await ingest([...bad.slice(0, 100), good, ...bad.slice(100)])
    expect([status, body.insertedCount]).toEqual([201, 1])
    expect(body.results).toEqual([
      { productId: good.productId, digitalLinkUri: `https://dpp.example.test/01/${good.productId}` },
    ])
    expect(body.errors).toHaveLength(199)
    expect(body.errors[0]).toBe('[SKU: BAD-0] originCountry: Please fill in “Made in”.')
    expect(Object.keys(body).sort()).toEqual(['errors', 'insertedCount', 'message', 'results', 'success'])
  })

  test('all bad rows answer 400 without a message, and store nothing', async () => {
    const before = await stored()
    const { status, body } = await ingest([row({ metadata: {} }), row({ productId: ' ' })])
    expect(status).toBe(400)
    expect(body).toEqual({
      success: false,
      error: 'Bulk Ingestion Failed',
      errors: [expect.stringMatching(/^\[SKU: \d{14}\] category: /), '[SKU: ?] Row 2 has an empty productId.'],
    })
    expect(await stored()).toBe(before)
  })

  test('review-3-inputs N51: what is wrong with a row is said in its place, in the language asked for', async () => {
    const taken = (await passports.given()).productId
    const twice = newGtin()
    const rows = [
      'not an object',
      null,
      [],
      { metadata: textile() },
      row({ productId: 5 }),
      row({ productId: '09500000000001' }),
      { productId: 'NO-METADATA' },
      row({ productId: 'ARRAY', metadata: [] }),
      row({ productId: taken }),
      row({ productId: twice }),
      row({ productId: twice }),
      row({ productId: 'NOBODY', operatorId: UNKNOWN_ID }),
      row({ productId: 'NO-UUID', operatorId: 'x' }),
      row({ productId: 'NO-FACILITY', facilityId: UNKNOWN_ID }),
      row({ productId: 'TYPE', facilityId: 7 }),
      row({ productId: 'SUM', metadata: textile({ materialComposition: [{ material: 'Wool', percentage: 50 }] }) }),
    ]
    const { status, body } = await ingest(rows, '?lang=de')
    expect([status, body.insertedCount]).toEqual([201, 1])
    expect(body.results.map(({ productId }: { productId: string }) => productId)).toEqual([twice])
    expect(body.errors).toEqual([
      '[SKU: ?] Row 1 must be an object.',
      '[SKU: ?] Row 2 must be an object.',
      '[SKU: ?] Row 3 must be an object.',
      '[SKU: ?] Row 4: productId must be a string.',
      '[SKU: ?] Row 5: productId must be a string.',
      expect.stringMatching(/^\[SKU: 09500000000001\] .*check digit/),
      '[SKU: NO-METADATA] metadata is required and must be an object.',
      '[SKU: ARRAY] metadata is required and must be an object.',
      `[SKU: ${taken}] Row 9: A passport for this product and operator already exists.`,
      `[SKU: ${twice}] Row 11: The request contains this product and operator more than once.`,
      '[SKU: NOBODY] Row 12: This economic operator is not bound to your workspace. GET /api/v1/operators lists the bound operators.',
      '[SKU: NO-UUID] Row 13: This economic operator is not bound to your workspace. GET /api/v1/operators lists the bound operators.',
      '[SKU: NO-FACILITY] Row 14: facilityId: facility not found in your workspace.',
      '[SKU: TYPE] facilityId must be a UUID.',
      expect.stringMatching(/^\[SKU: SUM\] .*50/),
    ])
    expect(body.errors.at(-1)).toMatch(/ergeben|Prozent/)
  })
})

describe('trap 55: the envelope', () => {
  test.each([
    ['no rows', { passports: [] }],
    ['201 rows', { passports: Array.from({ length: 201 }, () => row()) }],
    ['no array', { passports: {} }],
    ['nothing', {}],
  ])('with %s is refused before any row is looked at', async (_, json) => {
    const before = await stored()
    const { status, body } = await gateway.request('POST', PATH, { headers: workspace.as, json })
    expect(status).toBe(400)
    expect(body).toEqual({
      statusCode: 400,
      code: 'FW_ERR_VALIDATION',
      error: 'Bad Request',
      message: expect.stringContaining('passports'),
    })
    expect(await stored()).toBe(before)
  })

  test('malformed JSON', async () => {
    const { status, body } = await gateway.request('POST', PATH, { headers: workspace.as, raw: '{"passports": [' })
    expect([status, body.code]).toEqual([400, 'FW_ERR_CTP_INVALID_JSON_BODY'])
  })

  test('of one row of almost 1 MiB is taken, and of more is not', async () => {
    const wide = (length: number) =>
      JSON.stringify({ passports: [row({ metadata: textile({ note: 'x'.repeat(length) }) })] })
    const rest = 1_048_576 - wide(0).length
    const send = (raw: string) => gateway.request('POST', PATH, { headers: workspace.as, raw })
    expect((await send(wide(rest))).status).toBe(201)
    const { status, body } = await send(wide(rest + 1))
    expect([status, body.code]).toEqual([413, 'FW_ERR_CTP_BODY_TOO_LARGE'])
  })
})

describe('a row that is ingested', () => {
  test('traps 45 and 56: is active, has no enrichment, and nothing is copied into its metadata', async () => {
    const json = row({ draft: true, enrichment: { tagline: 'New' } })
    expect((await ingest([json])).status).toBe(201)
    const { body } = await passports.get(json.productId)
    expect([body.status, body.metadata]).toEqual(['ACTIVE', textile()])
    const [storedRow] = await gateway.sqlAs<{ enrichment: unknown }>(
      workspace.id,
      'select enrichment from passport where product_id = $1',
      [json.productId],
    )
    expect(storedRow).toEqual({ enrichment: null })
  })

  test('resolves byte for byte as it would have after a single create', async () => {
    const facility = await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: newGln(), name: 'Works', country: 'PT', city: 'Porto' },
    })
    const common = {
      operatorId: workspace.operatorId,
      facilityId: facility.body.facility.id,
      metadata: textile({ b: 1, a: { '10': 'x', '9': [null, 'ü"\\\n'] }, facilityDetails: [{ facilityName: 'W' }] }),
    }
    const [one, many] = [newGtin(), newGtin()]
    // The single create copies the GTIN into the metadata.
    await passports.create({ productId: one, ...common })
    await ingest([{ productId: many, ...common, metadata: { ...common.metadata, gtin: many } }])
    const read = async (gtin: string) => {
      const [{ id, created_at: created } = { id: '', created_at: new Date() }] = await gateway.sqlAs<{
        id: string
        created_at: Date
      }>(workspace.id, 'select id, created_at from passport where product_id = $1', [gtin])
      const { text } = await gateway.request('GET', `/01/${gtin}`)
      return text.replaceAll(gtin, 'GTIN').replaceAll(id, 'ID').replaceAll(created.toISOString(), 'TIME')
    }
    expect(await read(many)).toBe(await read(one))
  })

  test('has its event, with ids alone, in one job for all', async () => {
    const rows = [row(), row()]
    await ingest(rows)
    const found = await gateway.sqlAs<{ id: string }>(
      workspace.id,
      'select id from passport where product_id = any($1)',
      [rows.map(({ productId }) => productId)],
    )
    expect(found).toHaveLength(2)
    for (const { id } of found) expect(await eventsOf(gateway, id)).toEqual(['passport.ingested'])
    const jobs = await gateway.sql<{ data: { passports: object[] } }>(
      `select data from pgboss.job where data -> 'passports' @> $1`,
      [JSON.stringify([{ id: found[0]?.id }])],
    )
    expect(jobs.map(({ data }) => data)).toEqual([
      { event: 'passport.ingested', tenantId: workspace.id, passports: expect.any(Array) },
    ])
    expect(jobs[0]?.data.passports).toHaveLength(2)
    expect(jobs[0]?.data.passports).toEqual(expect.arrayContaining(found.map(({ id }) => ({ id, version: 1 }))))
  })
})

test('a limited key ingests for its own operator, and for no other', async () => {
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: 'Second', regId: 'SECOND' },
  })
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    operatorId: body.operator.id,
  })
  const [own, other] = [row(), row({ operatorId: workspace.operatorId })]
  const answer = await ingest([own, other], '', { authorization: `Bearer ${key}` })
  expect([answer.status, answer.body.insertedCount]).toEqual([201, 1])
  expect(answer.body.errors).toEqual([
    `[SKU: ${other.productId}] Row 2: This key is limited to another economic operator. Use a key for this operator.`,
  ])
  const { body: read } = await passports.get(own.productId)
  expect(read.economicOperator.id).toBe(body.operator.id)
})

test('the plan takes what it has room for, and then nothing', async () => {
  const small = await createWorkspace(gateway)
  await gateway.container.cradle.workspaces.set(small.id, { passportLimit: 2 })
  const rows = [row(), row(), row()]
  const first = await ingest(rows, '', small.as)
  expect([first.status, first.body.insertedCount]).toEqual([201, 2])
  expect(first.body.errors).toEqual([
    `[SKU: ${rows[2]?.productId}] Row 3: The limit of published passports is reached.`,
  ])
  const second = await ingest([row()], '', small.as)
  expect(second.status).toBe(402)
  expect(second.body).toMatchObject({
    success: false,
    error: 'Payment Required',
    code: 'passport_quota_exceeded',
    quota: { tier: 'enterprise', activePassports: 2, passportLimit: 2 },
    upgradeUrl: 'https://dpp.example.test/console/billing',
  })
})

test('a preview says what would happen and stores nothing', async () => {
  const before = await stored()
  const good = row()
  const taken = await passports.given()
  const json = { passports: [good, row({ productId: taken.productId }), row({ metadata: {} })], dryRun: true }
  const { status, body } = await gateway.request('POST', PATH, { headers: workspace.as, json })
  expect([status, body.insertedCount]).toEqual([200, 0])
  expect(body.results.map(({ productId }: { productId: string }) => productId)).toEqual([good.productId])
  expect(body.errors).toHaveLength(2)
  expect(await stored()).toBe(before + 1)
})

test('requests with the same products in other orders wait for each other', async () => {
  const rows = Array.from({ length: 60 }, () => row())
  const answers = await Promise.all([ingest(rows), ingest(rows.toReversed()), ingest(rows), ingest(rows.toReversed())])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
})
