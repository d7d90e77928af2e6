// Also runs without modules (vitest project `core`).
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { auditOf } from '../support/audit.ts'
import { bearer, createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { newGrai } from '../support/sample-calls.ts'
import { asAnotherOperator, unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const STATUSES = 'IN_SERVICE, DECOMMISSIONED, RECALLED, REPURPOSED, REMANUFACTURED, REUSED, WASTE, RECYCLED'
const DUPLICATE = 'A unit with this serial already exists for this passport'
const CHARACTERS = 'serialNumber must be 1 to 20 letters, digits, dots, underscores and hyphens'

const givenBattery = () => passports.given({ metadata: battery() })
const recorded = async (action: string, unitId: string) =>
  (await auditOf(gateway, workspace.id, unitId))
    .filter((entry) => entry.action === action)
    .map(({ actor, detail }) => ({ actor, detail }))

describe('serialising', () => {
  test('answers one unit with exactly the members of specification 2.5, and records who did it', async () => {
    const passport = await givenBattery()
    const { status, body } = await units.serialise(passport.id, {
      serialNumber: ' B-1 ',
      manufacturedAt: '2026-10-01',
    })
    expect(status).toBe(201)
    const [unit] = body.units
    expect(body).toEqual({ success: true, message: '1 of 1 battery units serialised.', count: 1, units: [unit] })
    expect(Object.entries(unit)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
      ['serialNumber', 'B-1'],
      ['digitalLinkUri', `${passport.digitalLinkUri}/21/B-1`],
      ['passportId', passport.id],
      ['tenantId', workspace.id],
      ['manufacturedAt', '2026-10-01T00:00:00.000Z'],
      ['status', 'IN_SERVICE'],
      ['ceasedAt', null],
      ['predecessorUnitId', null],
      ['createdAt', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)],
      ['updatedAt', unit.createdAt],
    ])
    const entries = await recorded('batteryunit.created', unit.id)
    expect(entries).toEqual([
      { actor: expect.stringMatching(/^api-key:/), detail: { serialNumber: 'B-1', passportId: passport.id } },
    ])
  })

  test('takes the product id for the passport, and the UUID first', async () => {
    const passport = await givenBattery()
    const byProduct = await units.serialise(passport.productId, { serialNumber: 'P' })
    expect(byProduct.body.units[0].passportId).toBe(passport.id)
    const impostor = await passports.given({ productId: passport.id, metadata: battery() })
    const byId = await units.serialise(passport.id.toUpperCase(), { serialNumber: 'U' })
    expect(byId.body.units[0].passportId).toBe(passport.id)
    expect((await units.list(impostor.id)).body.total).toBe(0)
  })

  test('trap 87: if units is a list, only it counts', async () => {
    const { id } = await givenBattery()
    const empty = await units.serialise(id, { serialNumber: 'A', units: [] })
    expect([empty.status, empty.body]).toEqual([
      400,
      { success: false, error: 'Bad Request', message: expect.any(String) },
    ])
    const many = await units.serialise(id, {
      units: Array.from({ length: 201 }, (_, n) => ({ serialNumber: `N${n}` })),
    })
    expect([many.status, many.body]).toEqual([
      400,
      { success: false, error: 'Bad Request', message: expect.stringContaining('200') },
    ])
    expect((await units.list(id)).body.total).toBe(0)
    // A value other than a list is an unknown member.
    for (const other of [null, 'x', 3, {}]) {
      const { status, body } = await units.serialise(id, {
        serialNumber: `A-${JSON.stringify(other).length}`,
        units: other,
      })
      expect([status, body.count]).toEqual([201, 1])
    }
  })

  test('trap 88: stores what is good, and says of the rest what is wrong, in its order', async () => {
    const { id } = await givenBattery()
    await units.given(id, { serialNumber: 'THERE' })
    const { status, body } = await units.serialise(id, {
      units: [
        { serialNumber: 'NEW-1' },
        { serialNumber: 'THERE' },
        { serialNumber: 'A B' },
        { serialNumber: 'NEW-2' },
        { serialNumber: 'NEW-1' },
      ],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ count: 2, units: [{ serialNumber: 'NEW-1' }, { serialNumber: 'NEW-2' }] })
    // review-3-inputs N19: the specification prescribes the text of a duplicate; others contain the place.
    expect(body.errors).toEqual([DUPLICATE, `units[2]: ${CHARACTERS}`, DUPLICATE])
    const none = await units.serialise(id, { units: [{ serialNumber: 'THERE' }, {}] })
    expect([none.status, none.body]).toEqual([
      400,
      {
        success: false,
        error: 'Serialisation Failed',
        errors: [DUPLICATE, 'units[1]: serialNumber is required and must be a text'],
      },
    ])
    // The same serial number under another passport is another unit.
    expect((await units.serialise((await givenBattery()).id, { serialNumber: 'THERE' })).status).toBe(201)
  })

  test('200 units are one request, and their creation is one transaction', async () => {
    const { id } = await givenBattery()
    const given = Array.from({ length: 200 }, (_, n) => ({ serialNumber: `S${String(n).padStart(3, '0')}` }))
    const { status, body } = await units.serialise(id, { units: given })
    expect([status, body.count]).toEqual([201, 200])
    expect(body.units.map((unit: { serialNumber: string }) => unit.serialNumber)).toEqual(
      given.map(({ serialNumber }) => serialNumber),
    )
    expect(new Set(body.units.map((unit: { createdAt: string }) => unit.createdAt)).size).toBe(1)
    expect((await units.list(id)).body).toMatchObject({ total: 200, totalPages: 2, count: 100 })
  })

  test.each([
    ['a number', 5, 'serialNumber is required and must be a text'],
    ['null', null, 'serialNumber is required and must be a text'],
    ['white space', '   ', CHARACTERS],
    ['a slash', 'A/B', CHARACTERS],
    ['trap 89: 21 characters', 'A'.repeat(21), CHARACTERS],
    ['a Cyrillic letter', 'А1', CHARACTERS],
    ['a line end after it', 'A\nB', CHARACTERS],
    ['what no link can hold', '..', CHARACTERS],
  ])('refuses %s as a serial number', async (_, serialNumber, message) => {
    const { id } = await givenBattery()
    const { status, body } = await units.serialise(id, { serialNumber })
    expect([status, body.errors]).toEqual([400, [message]])
  })

  test('trap 89: trims first, and takes 20 characters of every kind', async () => {
    const { id } = await givenBattery()
    for (const serialNumber of ['\t A.b_c-9 \n', 'z'.repeat(20), '0', '...', '-._']) {
      expect((await units.serialise(id, { serialNumber })).body.units[0].serialNumber).toBe(serialNumber.trim())
    }
  })

  test.each([
    [{ status: 'BROKEN' }, `status must be one of: ${STATUSES}`],
    [{ status: 1 }, `status must be one of: ${STATUSES}`],
    [{ manufacturedAt: 'yesterday' }, 'manufacturedAt is not a valid date'],
    [{ manufacturedAt: '2026-02-30' }, 'manufacturedAt is not a valid date'],
    [{ manufacturedAt: 5 }, 'manufacturedAt is not a valid date'],
    [{ predecessorUnitId: 'x' }, 'predecessorUnitId must be the UUID of a unit'],
    [{ predecessorStatus: 'RECYCLED' }, 'predecessorStatus must be one of: REPURPOSED, REMANUFACTURED, REUSED'],
  ])('refuses %j', async (wrong, message) => {
    const { id } = await givenBattery()
    const { status, body } = await units.serialise(id, { serialNumber: 'A', ...wrong })
    expect([status, body]).toEqual([400, { success: false, error: 'Serialisation Failed', errors: [message] }])
  })

  test.each([[null], ['x'], [[{}]], [7]])('refuses the body %j in the standard envelope', async (json) => {
    const { id } = await givenBattery()
    const { status, body } = await units.serialise(id, json)
    expect([status, body]).toEqual([
      400,
      { success: false, error: 'Bad Request', message: 'Request body must be a valid JSON object' },
    ])
  })

  test('trap 99: malformed JSON is answered in the framework form with its code', async () => {
    const { id } = await givenBattery()
    const unit = await units.given(id)
    for (const path of [
      `passports/${id}/units`,
      `passports/${id}/units/validate`,
      `units/${unit.id}/events`,
      'units/events',
    ]) {
      const { status, body } = await gateway.request('POST', `/api/v1/${path}`, { headers: workspace.as, raw: '{"a":' })
      expect([path, status, body]).toEqual([
        path,
        400,
        {
          statusCode: 400,
          code: 'FW_ERR_CTP_INVALID_JSON_BODY',
          error: 'Bad Request',
          message: expect.any(String),
        },
      ])
    }
  })

  test('trap 91: a unit that is created as RECYCLED has ceased', async () => {
    const { id } = await givenBattery()
    const unit = await units.given(id, { status: 'RECYCLED' })
    expect([unit.status, unit.ceasedAt]).toEqual(['RECYCLED', unit.createdAt])
    for (const status of STATUSES.split(', ').filter((name) => name !== 'RECYCLED')) {
      expect(await units.given(id, { status })).toMatchObject({ status, ceasedAt: null })
    }
  })

  test('warns where no scanner resolves the links of the units', async () => {
    const grai = newGrai()
    for (const productId of [grai, `SKU-${randomUUID()}`]) {
      const passport = await passports.given({ productId, metadata: battery() })
      const { body } = await units.serialise(passport.id, { serialNumber: 'A' })
      expect(body.warnings).toEqual([
        { code: 'UNIT_NO_SCANNABLE_LINK', message: expect.any(String), friendlyMessage: expect.any(String) },
      ])
      const segment = productId === grai ? '8003' : '01'
      expect(new URL(body.units[0].digitalLinkUri).pathname).toBe(`/${segment}/${productId}/21/A`)
      const german = await units.serialise(passport.id, { serialNumber: 'B' }, '?lang=de')
      expect(german.body.warnings[0].friendlyMessage).toContain('Batterien')
    }
  })

  test('works for drafts and for every category, and is undone with a draft', async () => {
    const draft = await passports.given({ metadata: textile(), draft: true })
    const unit = await units.given(draft.id)
    await units.record(unit.id, { eventType: 'OTHER' })
    expect((await passports.remove(draft.id)).status).toBe(200)
    expect((await units.get(unit.id)).status).toBe(404)
    const rest = await gateway.sqlAs(workspace.id, 'select 1 from battery_unit_event where unit_id = $1', [unit.id])
    expect(rest).toEqual([])
  })

  test('is done once for each Idempotency-Key', async () => {
    const { id } = await givenBattery()
    const send = () =>
      gateway.request('POST', `/api/v1/passports/${id}/units`, {
        headers: { ...workspace.as, 'idempotency-key': `units-${id}` },
        json: { serialNumber: 'ONCE' },
      })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    expect((await units.list(id)).body.total).toBe(1)
  })

  test('the same Idempotency-Key under another passport, or of a key that may not read units, is another request', async () => {
    const [one, another] = [await givenBattery(), await givenBattery()]
    const send = (id: string, headers: Record<string, string>, serialNumber: string) =>
      gateway.request('POST', `/api/v1/passports/${id}/units`, {
        headers: { ...headers, 'idempotency-key': `shared-${one.id}` },
        json: { serialNumber },
      })
    const first = await send(one.id, workspace.as, 'A')
    const elsewhere = await send(another.id, workspace.as, 'A')
    expect([elsewhere.headers['idempotent-replayed'], elsewhere.body.units[0].passportId]).toEqual([
      undefined,
      another.id,
    ])
    for (const serialNumber of ['B', 'C']) {
      const { key } = await gateway.container.cradle.workspaces.createKey({
        workspaceId: workspace.id,
        role: 'BRAND_OPERATOR',
        permissions: ['passport:read', 'battery:write'],
      })
      const own = await send(one.id, bearer(key), serialNumber)
      expect([own.status, own.headers['idempotent-replayed']]).toEqual([201, undefined])
      expect(own.body.units[0].serialNumber).toBe(serialNumber)
    }
    expect((await send(one.id, workspace.as, 'X')).body).toEqual(first.body)
  })
})

describe('predecessors', () => {
  test('trap 90: its status and an event about its successor are written together with the successor', async () => {
    const [old, fresh] = [await givenBattery(), await givenBattery()]
    const predecessor = await units.given(old.id)
    const { units: made } = expectStatus(
      201,
      await units.serialise(fresh.id, {
        units: [
          { serialNumber: 'S1', predecessorUnitId: predecessor.id },
          { serialNumber: 'S2', predecessorUnitId: predecessor.id.toUpperCase(), predecessorStatus: 'REUSED' },
        ],
      }),
    ).body
    expect(made.map((unit: { predecessorUnitId: string }) => unit.predecessorUnitId)).toEqual([
      predecessor.id,
      predecessor.id,
    ])
    const { events } = (await units.events(predecessor.id)).body
    expect(events.map((event: object) => ({ ...event, id: '' }))).toEqual(
      [
        [made[1], 'REUSED'],
        [made[0], 'REPURPOSED'],
      ].map(([successor, status]) => ({
        id: '',
        batteryUnitId: predecessor.id,
        tenantId: workspace.id,
        eventType: 'STATUS_CHANGE',
        stateOfHealth: null,
        cycleCount: null,
        remainingCapacityAh: null,
        temperatureC: null,
        payload: { status, successorUnitId: successor.id, successorSerial: successor.serialNumber },
        recordedAt: successor.createdAt,
        createdAt: successor.createdAt,
      })),
    )
    expect((await units.get(predecessor.id)).body).toMatchObject({ status: 'REUSED', updatedAt: made[0].createdAt })
  })

  test('trap 90: one that has ceased is refused, also after another status', async () => {
    const { id } = await givenBattery()
    const predecessor = await units.given(id)
    await units.record(predecessor.id, { eventType: 'STATUS_CHANGE', status: 'RECYCLED' })
    await units.record(predecessor.id, { eventType: 'STATUS_CHANGE', status: 'IN_SERVICE' })
    const { status, body } = await units.serialise(id, { serialNumber: 'S', predecessorUnitId: predecessor.id })
    expect([status, body.errors]).toEqual([400, [expect.stringContaining('has been recycled')]])
    expect((await units.events(predecessor.id)).body.count).toBe(2)
  })

  test('one of another workspace, or an unknown one, is not a predecessor', async () => {
    const other = await createWorkspace(gateway)
    const theirs = await unitClient(gateway, other.as).given((await passportClient(gateway, other.as).given()).id)
    const { id } = await givenBattery()
    for (const predecessorUnitId of [theirs.id, randomUUID()]) {
      const { status, body } = await units.serialise(id, { serialNumber: 'S', predecessorUnitId })
      expect([status, body.errors]).toEqual([400, [`Unit ${predecessorUnitId} not found in your workspace`]])
    }
  })

  test('a unit that is not stored changes no predecessor', async () => {
    const { id } = await givenBattery()
    const predecessor = await units.given(id)
    await units.given(id, { serialNumber: 'TAKEN' })
    const { status } = await units.serialise(id, { serialNumber: 'TAKEN', predecessorUnitId: predecessor.id })
    expect(status).toBe(400)
    expect((await units.get(predecessor.id)).body.status).toBe('IN_SERVICE')
    expect((await units.events(predecessor.id)).body.count).toBe(0)
  })
})

describe('validating', () => {
  test('trap 92: answers 200 whatever is found, in the order that was sent, and stores nothing', async () => {
    const { id } = await givenBattery()
    await units.given(id, { serialNumber: 'THERE' })
    const { status, body } = await units.validate(id, {
      units: [
        { serialNumber: ' A ' },
        {},
        'x',
        { serialNumber: 'A B' },
        { serialNumber: 'THERE', status: 'NO' },
        { serialNumber: 'THERE', predecessorUnitId: randomUUID() },
        // review-3-inputs N38
        { serialNumber: 'THERE' },
      ],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: '2 of 7 battery units can be serialised.',
      count: 7,
      validCount: 2,
      results: [
        { serialNumber: 'A', ok: true },
        { serialNumber: null, ok: false, error: 'serialNumber is required and must be a text' },
        { serialNumber: null, ok: false, error: 'A unit must be an object' },
        { serialNumber: 'A B', ok: false, error: CHARACTERS },
        { serialNumber: 'THERE', ok: false, error: `status must be one of: ${STATUSES}` },
        // Stored units and predecessors are not checked.
        { serialNumber: 'THERE', ok: true },
        { serialNumber: 'THERE', ok: false, error: DUPLICATE },
      ],
    })
    expect((await units.list(id)).body.total).toBe(1)
    const bad = await units.validate(id, { serialNumber: '/' })
    expect([bad.status, bad.body.validCount]).toEqual([200, 0])
  })

  test('has the same envelope, and needs the passport', async () => {
    const { id } = await givenBattery()
    const empty = await units.validate(id, { units: [] })
    expect([empty.status, empty.body.error]).toEqual([400, 'Bad Request'])
    const gone = await units.validate(randomUUID(), { serialNumber: 'A' })
    expect([gone.status, gone.body]).toEqual([404, { success: false, error: 'Not Found', message: expect.any(String) }])
  })
})

describe('the list', () => {
  test('has the newest first, and every page of it', async () => {
    const { id, productId } = await givenBattery()
    for (const serialNumber of ['1', '2', '3', '4', '5']) await units.given(id, { serialNumber })
    const all = (await units.list(id)).body
    expect(all).toMatchObject({ success: true, count: 5, productId, page: 1, limit: 100, total: 5, totalPages: 1 })
    const order = all.units.map((unit: { createdAt: string; id: string }) => unit)
    expect(order).toEqual(
      order.toSorted((a: { createdAt: string; id: string }, b: { createdAt: string; id: string }) =>
        a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
      ),
    )
    const paged = []
    for (const page of [1, 2, 3, 4, 9]) {
      const { body } = await units.list(id, `?page=${page}&limit=2`)
      expect(body).toMatchObject({ page, limit: 2, total: 5, totalPages: 3, count: body.units.length })
      paged.push(...body.units)
    }
    expect(paged).toEqual(all.units)
    expect((await units.list(productId)).body).toEqual(all)
  })

  test('review-3-inputs N15: a product id of the other normal form names the same passport', async () => {
    const productId = `Bätterie-${newGtin()}`
    const passport = await passports.given({ productId: productId.normalize('NFD'), metadata: battery() })
    expect(passport.productId).toBe(productId.normalize('NFC'))
    const decomposed = productId.normalize('NFD')
    await units.given(decomposed, { serialNumber: 'N-1' })
    expect((await units.list(decomposed)).body.total).toBe(1)
    const at = `/api/v1/passports/${encodeURIComponent(decomposed)}`
    for (const path of [at, `${at}/history`]) {
      expect([path, (await gateway.request('GET', path, { headers: workspace.as })).status]).toEqual([path, 200])
    }
    const recorded = await units.recordAll([{ productId: decomposed, serialNumber: 'N-1', eventType: 'OTHER' }])
    expect(recorded.status).toBe(201)
  })

  test('review-3-inputs N44: units of one request have the order of that request', async () => {
    const { id } = await givenBattery()
    const serials = Array.from({ length: 40 }, (_, index) => `S-${(index * 7) % 40}`)
    await units.serialise(id, { units: serials.map((serialNumber) => ({ serialNumber })) })
    const { body } = await units.list(id)
    expect(body.units.map(({ serialNumber }: { serialNumber: string }) => serialNumber)).toEqual(serials)
  })

  test('trap 23: an invalid number counts as the default, and the size is clamped', async () => {
    const { id } = await givenBattery()
    await units.given(id)
    for (const [query, page, limit] of [
      ['?page=abc&limit=abc', 1, 100],
      ['?page=0&limit=0', 1, 1],
      ['?page=-4&limit=500', 1, 200],
      ['?page=1.5&limit=', 1, 100],
      ['?page=99999999999999999999999999&limit=3', 1_000_000, 3],
    ] as const) {
      const { status, body } = await units.list(id, query)
      expect([query, status, body.page, body.limit, body.total]).toEqual([query, 200, page, limit, 1])
    }
  })
})

describe('the document', () => {
  test('trap 93: has the owner tier of its product, and tells neither predecessor nor successors', async () => {
    const passport = await givenBattery()
    const predecessor = await units.given(passport.id)
    const unit = await units.given(passport.id, { predecessorUnitId: predecessor.id, manufacturedAt: '2026-01-02' })
    await units.given(passport.id, { predecessorUnitId: unit.id })
    await units.record(unit.id, { eventType: 'SOH_MEASUREMENT', stateOfHealth: 91, payload: { '@id': 'urn:x' } })
    const { status, headers, body } = await units.get(unit.id)
    expect([status, headers['content-type']]).toEqual([200, 'application/ld+json'])
    expect(Object.keys(body)).toEqual([
      '@context',
      '@type',
      '@id',
      'id',
      'granularity',
      'serialNumber',
      'digitalLinkUri',
      'uniqueProductIdentifier',
      'status',
      'manufacturedAt',
      'repurposedFrom',
      'successorUnits',
      'ofModel',
      'currentState',
      'dynamicData',
      'batteryStatus',
      'condition',
      'valuesAtStatusChanges',
      'createdAt',
      'updatedAt',
    ])
    const owned = (await passports.get(passport.id)).body
    expect(owned.detailedPerformance).toEqual(battery().detailedPerformance)
    expect(body).toMatchObject({
      '@type': 'BatteryUnit',
      '@id': unit.digitalLinkUri,
      id: unit.id,
      status: 'REPURPOSED',
      manufacturedAt: '2026-01-02T00:00:00.000Z',
      repurposedFrom: null,
      successorUnits: [],
      ofModel: owned,
      currentState: { stateOfHealth: 91, cycleCount: null, remainingCapacityAh: null, temperatureC: null },
    })
    expect(body.dynamicData.map((entry: { eventType: string }) => entry.eventType)).toEqual([
      'SOH_MEASUREMENT',
      'STATUS_CHANGE',
    ])
    expect(Object.keys(body.dynamicData[0])).toEqual([
      '@type',
      'eventType',
      'stateOfHealth',
      'cycleCount',
      'remainingCapacityAh',
      'temperatureC',
      'payload',
      'recordedAt',
    ])
  })

  test('of a unit without measurements has no state', async () => {
    const unit = await units.given((await givenBattery()).id)
    expect((await units.get(unit.id)).body).toMatchObject({ currentState: null, dynamicData: [] })
  })

  test('of an unknown unit is not found', async () => {
    for (const id of [randomUUID(), 'x']) {
      const { status, body } = await units.get(id)
      expect([status, body]).toEqual([404, { success: false, error: 'Not Found', message: expect.any(String) }])
    }
  })
})

describe('deleting', () => {
  test('review-3-inputs N42: takes the unit and its events away, records it, and names what loses its predecessor', async () => {
    const { id } = await givenBattery()
    const predecessor = await units.given(id)
    const unit = await units.given(id, { predecessorUnitId: predecessor.id })
    const successor = await units.given(id, { predecessorUnitId: unit.id })
    await units.record(unit.id, { eventType: 'OTHER' })
    const { status, body } = await units.remove(unit.id)
    expect([status, body]).toEqual([200, { success: true, message: expect.any(String) }])
    expect(body.message).toContain(`no longer have a predecessor: ${successor.serialNumber}.`)
    expect((await units.get(unit.id)).status).toBe(404)
    expect((await units.events(unit.id)).status).toBe(404)
    expect((await units.record(unit.id, { eventType: 'OTHER' })).status).toBe(404)
    expect((await units.remove(unit.id)).status).toBe(404)
    const rows = await gateway.sqlAs(workspace.id, 'select 1 from battery_unit_event where unit_id = $1', [unit.id])
    expect(rows).toEqual([])
    expect(await recorded('batteryunit.deleted', unit.id)).toEqual([
      {
        actor: expect.stringMatching(/^api-key:/),
        detail: { serialNumber: unit.serialNumber, passportId: id, successors: [successor.id] },
      },
    ])
    const left = (await units.list(id)).body
    expect(left.total).toBe(2)
    expect(left.units.find((other: { id: string }) => other.id === successor.id).predecessorUnitId).toBeNull()
    expect((await units.serialise(id, { serialNumber: unit.serialNumber })).status).toBe(201)
    expect((await units.remove(successor.id)).body.message).toBe('The battery unit is deleted, with its events.')
  })
})

describe('another workspace', () => {
  test('finds neither passport nor unit, and changes nothing', async () => {
    const other = await createWorkspace(gateway)
    const strange = unitClient(gateway, other.as)
    const { id } = await givenBattery()
    const unit = await units.given(id)
    for (const answer of [
      await strange.serialise(id, { serialNumber: 'X' }),
      await strange.validate(id, { serialNumber: 'X' }),
      await strange.list(id),
      await strange.get(unit.id),
      await strange.events(unit.id),
      await strange.record(unit.id, { eventType: 'OTHER', status: 'WASTE' }),
      await strange.remove(unit.id),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([404, 'Not Found'])
    }
    expect((await units.get(unit.id)).body).toMatchObject({ status: 'IN_SERVICE', dynamicData: [] })
    expect((await units.list(id)).body.total).toBe(1)
  })

  test('that may act for the operator reads, and does not write', async () => {
    const bound = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(workspace.operatorId, bound.id)
    const theirs = unitClient(gateway, bound.as)
    const { id } = await givenBattery()
    const unit = await units.given(id)
    await units.record(unit.id, { eventType: 'OTHER' })
    expect((await theirs.get(unit.id)).body).toEqual((await units.get(unit.id)).body)
    expect((await theirs.events(unit.id)).body).toEqual((await units.events(unit.id)).body)
    expect((await theirs.list(id)).body).toEqual((await units.list(id)).body)
    expect((await theirs.serialise(id, { serialNumber: 'X' })).status).toBe(404)
    expect((await theirs.record(unit.id, { eventType: 'OTHER' })).status).toBe(404)
    expect((await theirs.remove(unit.id)).status).toBe(404)
  })

  test('a key of another operator is rejected, and its predecessor is unknown', async () => {
    const as = await asAnotherOperator(gateway, workspace)
    const limited = unitClient(gateway, as)
    const { id, productId } = await givenBattery()
    const unit = await units.given(id)
    for (const answer of [
      await limited.serialise(id, { serialNumber: 'X' }),
      await limited.validate(productId, { serialNumber: 'X' }),
      await limited.list(productId),
      await limited.get(unit.id),
      await limited.events(unit.id),
      await limited.record(unit.id, { eventType: 'OTHER' }),
      await limited.remove(unit.id),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'OPERATOR_SCOPE_FORBIDDEN'])
    }
    const own = await passportClient(gateway, as).given({ metadata: battery(), productId })
    expect((await limited.serialise(productId, { serialNumber: 'X' })).body.units[0].passportId).toBe(own.id)
    const { errors } = (await limited.serialise(own.id, { serialNumber: 'Y', predecessorUnitId: unit.id })).body
    expect(errors).toEqual(['The predecessor belongs to another economic operator'])
    const both = await units.serialise(productId, { serialNumber: 'Z' })
    expect([both.status, both.body.code]).toEqual([400, 'OPERATOR_AMBIGUOUS'])
  })
})
