import { randomUUID } from 'node:crypto'
import jsonld from 'jsonld'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { BASE_URL, createWorkspace } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { asAnotherOperator, unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const STATUSES = 'IN_SERVICE, DECOMMISSIONED, RECALLED, REPURPOSED, REMANUFACTURED, REUSED, WASTE, RECYCLED'
const SOH = { eventType: 'SOH_MEASUREMENT' }

const givenUnit = async (json: object = {}) => units.given((await passports.given({ metadata: battery() })).id, json)
const stateOf = async (id: string) => (await units.get(id)).body.currentState
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`

describe('recording an event', () => {
  test('answers exactly the members of specification 2.6', async () => {
    const unit = await givenUnit()
    const { status, body } = await units.record(unit.id, {
      eventType: 'CHARGE_CYCLE',
      stateOfHealth: 98.75,
      cycleCount: 12,
      remainingCapacityAh: 93.1,
      temperatureC: -4.5,
      recordedAt: '2026-03-01T10:00:00+02:00',
      payload: { station: 'A' },
      unknown: 1,
    })
    expect(status).toBe(201)
    expect(Object.entries(body.event)).toEqual([
      ['id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
      ['batteryUnitId', unit.id],
      ['tenantId', workspace.id],
      ['eventType', 'CHARGE_CYCLE'],
      ['stateOfHealth', 98.75],
      ['cycleCount', 12],
      ['remainingCapacityAh', 93.1],
      ['temperatureC', -4.5],
      ['payload', { station: 'A' }],
      ['recordedAt', '2026-03-01T08:00:00.000Z'],
      ['createdAt', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)],
    ])
    const { warnings, ...answer } = body
    expect(answer).toEqual({ success: true, message: expect.any(String), event: body.event })
    expect(warnings).toEqual([expect.objectContaining({ code: 'UNKNOWN_MEMBER', path: 'unknown' })])
    const list = await units.events(unit.id)
    expect([list.status, list.body]).toEqual([
      200,
      { success: true, count: 1, serialNumber: unit.serialNumber, events: [body.event] },
    ])
  })

  test('at the same time as many others, of the same unit too, keeps each and tells each its own', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => givenUnit()))
    const [first] = all
    const another = await asAnotherOperator(gateway, workspace)
    const reports = Array.from({ length: 48 }, (_, index) => ({ unit: all[index % all.length], cycleCount: index + 1 }))
    const recordOne = async ({ unit, cycleCount }: (typeof reports)[number]) => {
      const given = { ...SOH, cycleCount, recordedAt: day(1 + (cycleCount % 28)) }
      const { body } = expectStatus(201, await units.record(unit.id, given))
      expect(body.event).toMatchObject({ ...given, batteryUnitId: unit.id })
      return body.event
    }
    const [recorded, unknown, foreign] = await Promise.all([
      Promise.all(reports.map(recordOne)),
      units.record(randomUUID(), SOH),
      unitClient(gateway, another).record(first.id, SOH),
    ])
    expect([unknown.status, foreign.status, foreign.body.code]).toEqual([404, 403, 'OPERATOR_SCOPE_FORBIDDEN'])
    for (const unit of all) {
      const own = reports.filter((report) => report.unit === unit)
      const { events } = (await units.events(unit.id)).body
      const ofUnit = recorded.filter(({ batteryUnitId }) => batteryUnitId === unit.id)
      expect(events).toEqual(ofUnit.toSorted((a, b) => b.recordedAt.localeCompare(a.recordedAt)))
      const latest = own.toSorted((a, b) => (b.cycleCount % 28) - (a.cycleCount % 28))[0]
      expect((await stateOf(unit.id)).cycleCount).toBe(latest?.cycleCount)
    }
  })

  test('waits for a lock on its unit, and blocks no other request for long', async () => {
    const [held, free] = [await givenUnit(), await givenUnit()]
    const holder = new pg.Client({ connectionString: gateway.inspectorUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select 1 from battery_unit where id = $1 for update', [held.id])
    let isRecorded = false
    const waiting = units.record(held.id, SOH).finally(() => {
      isRecorded = true
    })
    const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await gateway.sql(isWaiting)).length).toBe(1)
    const others = await Promise.all(Array.from({ length: 40 }, () => units.record(free.id, SOH)))
    expect([new Set(others.map(({ status }) => status)), isRecorded]).toEqual([new Set([201]), false])
    await holder.query('rollback')
    expect((await waiting).status).toBe(201)
    await holder.end()
  })

  test('without a time happened now, and without measures measures nothing', async () => {
    const unit = await givenUnit()
    const { event } = (await units.record(unit.id, { eventType: 'OTHER', stateOfHealth: null, recordedAt: null })).body
    expect(event).toMatchObject({ stateOfHealth: null, cycleCount: null, payload: null, recordedAt: event.createdAt })
    expect(await stateOf(unit.id)).toBeNull()
  })

  test('trap 95: keeps an object or a list as payload and nothing else, and whole cycles', async () => {
    const unit = await givenUnit()
    for (const [payload, storedValue] of [
      ['text', null],
      [5, null],
      [true, null],
      [null, null],
      [
        [1, 'a', null],
        [1, 'a', null],
      ],
      [{}, {}],
      [
        { z: 1, a: [{}] },
        { z: 1, a: [{}] },
      ],
    ]) {
      const { event } = (await units.record(unit.id, { eventType: 'OTHER', payload })).body
      expect(event.payload).toEqual(storedValue)
    }
    for (const [cycleCount, storedValue] of [
      [3.9, 3],
      [-0, 0],
      [0.2, 0],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ] as const) {
      const { event } = (await units.record(unit.id, { ...SOH, cycleCount })).body
      expect(event.cycleCount).toBe(storedValue)
    }
    const [latest] = (await units.events(unit.id)).body.events
    expect(latest.cycleCount).toBe(Number.MAX_SAFE_INTEGER)
  })

  test.each<[object, string]>([
    [{}, 'eventType must be one of: SOH_MEASUREMENT, CHARGE_CYCLE, STATUS_CHANGE, NEGATIVE_EVENT, OTHER'],
    [
      { eventType: 'soh_measurement' },
      'eventType must be one of: SOH_MEASUREMENT, CHARGE_CYCLE, STATUS_CHANGE, NEGATIVE_EVENT, OTHER',
    ],
    [{ ...SOH, stateOfHealth: 100.01 }, 'stateOfHealth must be a number between 0 and 100'],
    [{ ...SOH, stateOfHealth: -0.01 }, 'stateOfHealth must be a number between 0 and 100'],
    [{ ...SOH, stateOfHealth: '98' }, 'stateOfHealth must be a number between 0 and 100'],
    [{ ...SOH, stateOfHealth: true }, 'stateOfHealth must be a number between 0 and 100'],
    [{ ...SOH, stateOfHealth: [50] }, 'stateOfHealth must be a number between 0 and 100'],
    [{ ...SOH, cycleCount: 2 ** 53 }, 'cycleCount must be a number between 0 and 9007199254740991'],
    [{ ...SOH, cycleCount: -1 }, 'cycleCount must be a number between 0 and 9007199254740991'],
    [{ ...SOH, cycleCount: 'NaN' }, 'cycleCount must be a number between 0 and 9007199254740991'],
    [{ ...SOH, remainingCapacityAh: 2 ** 53 }, 'remainingCapacityAh must be a number between 0 and 9007199254740991'],
    [{ ...SOH, temperatureC: -273.16 }, 'temperatureC must be a number between -273.15 and 10000'],
    [{ ...SOH, temperatureC: 10_000.5 }, 'temperatureC must be a number between -273.15 and 10000'],
    [{ ...SOH, status: 'GONE' }, `status must be one of: ${STATUSES}`],
    [{ ...SOH, status: {} }, `status must be one of: ${STATUSES}`],
    [{ ...SOH, recordedAt: '2026-02-30' }, 'recordedAt is not a valid date'],
    [{ ...SOH, recordedAt: '2026-02-29T00:00:00Z' }, 'recordedAt is not a valid date'],
    [{ ...SOH, recordedAt: 1_700_000_000_000 }, 'recordedAt is not a valid date'],
    [{ ...SOH, recordedAt: '' }, 'recordedAt is not a valid date'],
    [{ ...SOH, recordedAt: '+099999-01-01T00:00:00Z' }, 'recordedAt is not a valid date'],
    [{ ...SOH, recordedAt: `2026-01-01${' '.repeat(60_000)}` }, 'recordedAt is not a valid date'],
    [{ ...SOH, payload: { text: 'x'.repeat(16_384) } }, 'payload must have at most 16384 bytes as JSON'],
    // The first error is reported, in the order of the specification.
    [
      { stateOfHealth: 101 },
      'eventType must be one of: SOH_MEASUREMENT, CHARGE_CYCLE, STATUS_CHANGE, NEGATIVE_EVENT, OTHER',
    ],
    [{ ...SOH, temperatureC: 'x', stateOfHealth: 'x' }, 'stateOfHealth must be a number between 0 and 100'],
    [{ ...SOH, status: 'x', recordedAt: 'x' }, `status must be one of: ${STATUSES}`],
  ])('trap 97: refuses %j in the words of the specification', async (json, message) => {
    const unit = await givenUnit()
    const { status, body } = await units.record(unit.id, json)
    expect([status, body]).toEqual([400, { success: false, error: 'Bad Request', message }])
    expect((await units.events(unit.id)).body.count).toBe(0)
    const rows = await units.recordAll([{ unitId: unit.id, ...json }])
    expect([rows.status, rows.body]).toEqual([
      400,
      { success: false, error: 'Recording Failed', errors: [`events[0]: ${message}`] },
    ])
  })

  test('takes the bounds of every measure themselves', async () => {
    const unit = await givenUnit()
    for (const [measure, bounds] of Object.entries({
      stateOfHealth: [0, 100],
      cycleCount: [0, Number.MAX_SAFE_INTEGER],
      remainingCapacityAh: [0, Number.MAX_SAFE_INTEGER],
      temperatureC: [-273.15, 10_000],
    })) {
      for (const value of bounds) {
        const { status, body } = await units.record(unit.id, { ...SOH, [measure]: value })
        expect([measure, status, body.event[measure]]).toEqual([measure, 201, value])
      }
    }
  })

  test.each([
    ['2026-11-22', '2026-11-22T00:00:00.000Z'],
    ['2026-11-22T10:20', '2026-11-22T10:20:00.000Z'],
    ['2026-11-22T10:20:30.4567', '2026-11-22T10:20:30.456Z'],
    ['2026-11-22T10:20:30-01:30', '2026-11-22T11:50:30.000Z'],
    ['Sun, 22 Nov 2026 10:20:30 GMT', '2026-11-22T10:20:30.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads the date %s as %s', async (recordedAt, storedValue) => {
    const unit = await givenUnit()
    expect((await units.record(unit.id, { ...SOH, recordedAt })).body.event.recordedAt).toBe(storedValue)
    expect((await units.events(unit.id)).body.events[0].recordedAt).toBe(storedValue)
  })

  test('rejects a body that is not an object, and a payload of a mebibyte', async () => {
    const unit = await givenUnit()
    for (const json of [null, [], 'x', 5]) {
      const { status, body } = await units.record(unit.id, json)
      expect([status, body]).toEqual([
        400,
        { success: false, error: 'Bad Request', message: 'Request body must be a valid JSON object' },
      ])
    }
    const large = await units.record(unit.id, { ...SOH, payload: { text: 'x'.repeat(1024 * 1024) } })
    expect([large.status, large.body.code]).toEqual([413, 'FW_ERR_CTP_BODY_TOO_LARGE'])
    const nan = await gateway.request('POST', `/api/v1/units/${unit.id}/events`, {
      headers: workspace.as,
      raw: '{"eventType":"OTHER","stateOfHealth":NaN}',
    })
    expect([nan.status, nan.body.code]).toEqual([400, 'FW_ERR_CTP_INVALID_JSON_BODY'])
  })

  test('trap 98: an internal failure has the words of the specification', async () => {
    const unit = await givenUnit()
    const owner = new pg.Client({ connectionString: gateway.databaseUrl })
    await owner.connect()
    try {
      await owner.query('alter table battery_unit_event add constraint broken check (false) not valid')
      const { status, body } = await units.record(unit.id, SOH)
      expect([status, body]).toEqual([
        500,
        {
          success: false,
          error: 'Internal Server Error',
          message: 'Failed to record dynamic data',
          requestId: expect.any(String),
        },
      ])
    } finally {
      await owner.query('alter table battery_unit_event drop constraint broken')
      await owner.end()
    }
  })
})

describe('status', () => {
  test('trap 94: an event of any kind changes it, and nothing gives back a unit that has ceased', async () => {
    const unit = await givenUnit()
    const move = async (eventType: string, status: string) => {
      expectStatus(201, await units.record(unit.id, { eventType, status }))
      const [row] = (await units.list(unit.passportId)).body.units
      return row
    }
    expect(await move('SOH_MEASUREMENT', 'WASTE')).toMatchObject({ status: 'WASTE', ceasedAt: null })
    const ceased = await move('NEGATIVE_EVENT', 'RECYCLED')
    expect(ceased).toMatchObject({ status: 'RECYCLED', ceasedAt: ceased.updatedAt })
    const again = await move('OTHER', 'IN_SERVICE')
    expect(again).toMatchObject({ status: 'IN_SERVICE', ceasedAt: ceased.ceasedAt })
    expect((await move('STATUS_CHANGE', 'RECYCLED')).ceasedAt).toBe(ceased.ceasedAt)
    expect((await units.events(unit.id)).body.count).toBe(4)
  })

  test('only what the public can see moves the version of a unit', async () => {
    const unit = await givenUnit()
    const version = async () => {
      const [row] = await gateway.sqlAs<{ version: number; updated_at: Date }>(
        workspace.id,
        'select version, updated_at from battery_unit where id = $1',
        [unit.id],
      )
      return row
    }
    const before = await version()
    await units.record(unit.id, { ...SOH, stateOfHealth: 90 })
    await units.record(unit.id, { ...SOH, stateOfHealth: 89, status: 'IN_SERVICE' })
    expect(await version()).toEqual(before)
    await units.record(unit.id, { ...SOH, status: 'REUSED' })
    expect((await version())?.version).toBe(2)
    const { body } = await units.serialise(unit.passportId, { serialNumber: 'NEXT', predecessorUnitId: unit.id })
    expect((await version())?.version).toBe(3)
    await units.serialise(unit.passportId, { serialNumber: 'NEXT-2', predecessorUnitId: unit.id })
    // Its status is unchanged, its successors are not.
    expect((await version())?.version).toBe(4)
    await units.remove(body.units[0].id)
    expect((await version())?.version).toBe(5)
  })

  test('its bit in the status list follows it, and is never given to another', async () => {
    const { statusLists } = gateway.container.cradle
    const unit = await givenUnit()
    const subject = { kind: 'unit', id: unit.id } as const
    const place = await statusLists.placeOf(workspace.id, subject)
    expect(await statusLists.placeOf(workspace.id, subject)).toEqual(place)
    const isRevoked = async () => {
      const rows = await gateway.sqlAs<{ revoked: boolean }>(
        workspace.id,
        'select revoked from status_entry where subject_id = $1 and index = $2',
        [unit.id, place.index],
      )
      return rows.map(({ revoked }) => revoked)
    }
    expect(await isRevoked()).toEqual([false])
    for (const status of STATUSES.split(', ')) {
      await units.record(unit.id, { ...SOH, status })
      const isGone = ['RECYCLED', 'RECALLED', 'DECOMMISSIONED', 'WASTE'].includes(status)
      expect([status, await isRevoked()]).toEqual([status, [isGone]])
    }
    await units.record(unit.id, { ...SOH, status: 'IN_SERVICE' })
    expect(await isRevoked()).toEqual([false])
    await units.remove(unit.id)
    expect(await isRevoked()).toEqual([true])
    const recalled = await givenUnit({ status: 'RECALLED' })
    await statusLists.placeOf(workspace.id, { kind: 'unit', id: recalled.id })
    const rows = await gateway.sqlAs<{ revoked: boolean }>(
      workspace.id,
      'select revoked from status_entry where subject_id = $1',
      [recalled.id],
    )
    expect(rows).toEqual([{ revoked: true }])
  })
})

describe('latest measurements', () => {
  test('is that of the latest time, and not of the latest arrival', async () => {
    const unit = await givenUnit()
    const record = (recordedAt: string, more: object) => units.record(unit.id, { ...SOH, recordedAt, ...more })
    await record(day(10), { stateOfHealth: 90, cycleCount: 5 })
    await record(day(5), { stateOfHealth: 95 })
    expect(await stateOf(unit.id)).toEqual({
      stateOfHealth: 90,
      cycleCount: 5,
      remainingCapacityAh: null,
      temperatureC: null,
      recordedAt: day(10),
    })
    // Events without measurements never become the latest measurement.
    await record(day(20), { eventType: 'NEGATIVE_EVENT' })
    expect(await stateOf(unit.id)).toMatchObject({ recordedAt: day(10) })
    await record(day(10), { temperatureC: 30 })
    expect(await stateOf(unit.id)).toMatchObject({ stateOfHealth: null, temperatureC: 30, recordedAt: day(10) })
  })

  test('is so too among the rows of one batch, and after it', async () => {
    const unit = await givenUnit()
    const row = (recordedAt: string, stateOfHealth: number | null) => ({
      unitId: unit.id,
      ...SOH,
      recordedAt,
      stateOfHealth,
    })
    await units.recordAll([row(day(3), 93), row(day(7), 87), row(day(9), null), row(day(5), 89)])
    expect(await stateOf(unit.id)).toMatchObject({ stateOfHealth: 87, recordedAt: day(7) })
    await units.recordAll([row(day(6), 88)])
    expect(await stateOf(unit.id)).toMatchObject({ stateOfHealth: 87 })
    await units.recordAll([row(day(8), 86), row(day(8), 85)])
    expect(await stateOf(unit.id)).toMatchObject({ stateOfHealth: 85, recordedAt: day(8) })
    const order = (await units.events(unit.id)).body.events.map(
      (event: { stateOfHealth: number }) => event.stateOfHealth,
    )
    expect(order).toEqual([null, 85, 86, 87, 88, 89, 93])
  })
})

describe('the list of events', () => {
  test('trap 96: goes by when they happened, and ends after 500', async () => {
    const unit = await givenUnit()
    const minute = (number: number) => new Date(Date.UTC(2026, 4, 1, 0, number)).toISOString()
    const numbers = Array.from({ length: 620 }, (_, n) => (n * 7) % 620)
    const rows = numbers.map((n) => ({ unitId: unit.id, ...SOH, cycleCount: n, recordedAt: minute(n) }))
    expectStatus(201, await units.recordAll(rows))
    await units.record(unit.id, { ...SOH, cycleCount: 1000, recordedAt: '1999-01-01' })
    const expected = Array.from({ length: 500 }, (_, n) => 619 - n)
    const { body } = await units.events(unit.id)
    expect(body.count).toBe(500)
    expect(body.events.map((event: { cycleCount: number }) => event.cycleCount)).toEqual(expected)
    const document = (await units.get(unit.id)).body
    expect(document.dynamicData.map((event: { cycleCount: number }) => event.cycleCount)).toEqual(expected)
    expect(document.currentState.cycleCount).toBe(619)
  })
})

test('a payload that speaks as JSON-LD is a literal, and loads nothing', async () => {
  const unit = await givenUnit()
  const payload = { '@context': 'http://127.0.0.1:9/evil.jsonld', '@id': 'urn:other', note: { '@reverse': {} } }
  expect((await units.record(unit.id, { ...SOH, stateOfHealth: 90, payload })).status).toBe(201)
  // A unique address: jsonld caches contexts across the tests of the process.
  const address = `${BASE_URL}/context/v1?of=${unit.id}`
  const document = JSON.parse((await units.get(unit.id)).text.replaceAll(`${BASE_URL}/context/v1`, address))
  const loaded: string[] = []
  const expanded = await jsonld.expand(document, {
    safe: false,
    documentLoader: async (url: string) => {
      loaded.push(url)
      const { body } = await gateway.request('GET', url.slice(BASE_URL.length))
      return { contextUrl: undefined, documentUrl: url, document: body }
    },
  })
  expect(new Set(loaded)).toEqual(new Set([address]))
  const term = (name: string) => `${BASE_URL}/ns/dpp#${name}`
  const [node] = expanded as unknown as Record<string, Record<string, unknown>[]>[]
  const [entry] = node?.[term('dynamicData')] ?? []
  expect(entry?.[term('payload')]).toEqual([{ '@type': '@json', '@value': payload }])
  expect(entry?.[term('recordedAt')]).toEqual([
    { '@type': 'http://www.w3.org/2001/XMLSchema#dateTime', '@value': document.dynamicData[0].recordedAt },
  ])
})

test('units and events are charged to the workspace, and refused where it has no room', async () => {
  const small = await createWorkspace(gateway, { plan: 'growth' })
  const own = unitClient(gateway, small.as)
  const { id } = await passportClient(gateway, small.as).given({ metadata: battery() })
  const unit = await own.given(id, { serialNumber: 'A1' })
  const stored = async () => {
    const [row] = await gateway.sqlAs<{ bytes: number; rows: number }>(
      small.id,
      'select sum(bytes)::int as bytes, sum(rows)::int as rows from workspace_usage where tenant_id = $1',
      [small.id],
    )
    return row ?? { bytes: 0, rows: 0 }
  }
  const before = await stored()
  expect((await own.record(unit.id, { ...SOH, payload: ['äöü'] })).status).toBe(201)
  const after = await stored()
  expect([after.bytes - before.bytes, after.rows - before.rows]).toEqual([128 + '["äöü"]'.length + 3, 0])
  const limits = { rowLimit: after.rows, storageLimit: after.bytes + 100 }
  await gateway.container.cradle.workspaces.set(small.id, limits)
  for (const answer of [
    await own.serialise(id, { serialNumber: 'A2' }),
    await own.record(unit.id, SOH),
    await own.recordAll([{ unitId: unit.id, ...SOH }]),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([402, 'STORAGE_LIMIT_REACHED'])
  }
  expect(await stored()).toEqual(after)
  expect((await own.remove(unit.id)).status).toBe(200)
  expect((await stored()).rows).toBe(after.rows - 1)
})

describe('many concurrent events', () => {
  test('are judged one by one, and found by id or by product and serial number', async () => {
    const [one, two] = [await givenUnit(), await givenUnit({ serialNumber: 'B-2' })]
    const { productId } = (await passports.get(two.passportId)).body
    const other = await createWorkspace(gateway)
    const theirs = await unitClient(gateway, other.as).given((await passportClient(gateway, other.as).given()).id)
    const { status, body } = await units.recordAll([
      { unitId: one.id, ...SOH, stateOfHealth: 90 },
      { productId, serialNumber: 'B-2', ...SOH, stateOfHealth: 80 },
      { unitId: randomUUID(), ...SOH },
      { unitId: theirs.id, ...SOH, status: 'WASTE' },
      { productId, serialNumber: 'B-3', ...SOH },
      { ...SOH },
      { unitId: 5, ...SOH },
      { unitId: one.id.toUpperCase(), ...SOH, stateOfHealth: 101 },
      'x',
      { unitId: one.id.toUpperCase(), ...SOH, status: 'REUSED', payload: [1] },
    ])
    expect(status).toBe(201)
    const none = 'Unit not found in your workspace'
    expect(body).toEqual({
      success: true,
      message: '3 of 10 events recorded.',
      count: 3,
      errors: [
        `events[2]: ${none}`,
        `events[3]: ${none}`,
        `events[4]: ${none}`,
        'events[5]: unitId is required, or productId and serialNumber',
        'events[6]: unitId must be the UUID of a unit',
        'events[7]: stateOfHealth must be a number between 0 and 100',
        'events[8]: An event must be an object',
      ],
      warnings: [expect.objectContaining({ path: 'events[9].payload' })],
    })
    expect((await units.get(one.id)).body).toMatchObject({ status: 'REUSED', currentState: { stateOfHealth: 90 } })
    expect((await units.events(one.id)).body.events[0]).toMatchObject({ payload: [1] })
    expect(await stateOf(two.id)).toMatchObject({ stateOfHealth: 80 })
    const untouched = (await unitClient(gateway, other.as).get(theirs.id)).body
    expect(untouched).toMatchObject({ status: 'IN_SERVICE', dynamicData: [] })
  })

  test('keep each value where all say the same, where some say nothing, and where all differ', async () => {
    const unit = await givenUnit()
    const own = { unitId: unit.id, eventType: 'OTHER' }
    const batches = [
      [1, 2, 3].map((n) => ({ ...own, cycleCount: 7, temperatureC: 0, payload: { a: 1 }, recordedAt: day(n) })),
      [4, 5, 6].map((n) => ({
        ...own,
        cycleCount: n % 2 === 0 ? n : null,
        payload: n === 5 ? [n] : null,
        recordedAt: day(n),
      })),
      [7, 8].map((n) => ({
        ...own,
        eventType: n === 7 ? 'OTHER' : 'CHARGE_CYCLE',
        stateOfHealth: 100 - n,
        recordedAt: day(n),
      })),
      [{ ...own, remainingCapacityAh: 0, recordedAt: day(9) }],
    ]
    for (const events of batches) expect((await units.recordAll(events)).body.count).toBe(events.length)
    const recordedEvents = (await units.events(unit.id)).body.events
    const given = batches.flat().reverse()
    expect(recordedEvents).toEqual(
      given.map(({ unitId, ...event }) => ({
        id: expect.any(String),
        batteryUnitId: unitId,
        tenantId: workspace.id,
        stateOfHealth: null,
        cycleCount: null,
        remainingCapacityAh: null,
        temperatureC: null,
        payload: null,
        createdAt: expect.any(String),
        ...event,
      })),
    )
    expect(new Set(recordedEvents.map(({ id }: { id: string }) => id)).size).toBe(given.length)
  })

  test('give a unit the last status that they name, and let it cease with any of them', async () => {
    const unit = await givenUnit()
    const row = (status: string) => ({ unitId: unit.id, eventType: 'STATUS_CHANGE', status })
    await units.recordAll([row('WASTE'), row('RECYCLED'), row('IN_SERVICE')])
    const [after] = (await units.list(unit.passportId)).body.units
    expect(after).toMatchObject({ status: 'IN_SERVICE', ceasedAt: after.updatedAt })
  })

  test('are 1 to 1000, in an object', async () => {
    const unit = await givenUnit()
    const row = { unitId: unit.id, ...SOH }
    for (const events of [[], Array(1001).fill(row), 'x', { 0: row }, null, undefined]) {
      const { status, body } = await units.recordAll(events)
      expect([status, body]).toEqual([
        400,
        { success: false, error: 'Bad Request', message: 'events must be a list of 1 to 1000 events' },
      ])
    }
    expect((await units.recordAll(Array(1000).fill(row))).body.count).toBe(1000)
  })

  test('are recorded once for each Idempotency-Key', async () => {
    const unit = await givenUnit()
    const send = () => units.recordAll([{ unitId: unit.id, ...SOH }, 'x'], { 'idempotency-key': `events-${unit.id}` })
    const [first, second] = [await send(), await send()]
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    expect((await units.events(unit.id)).body.count).toBe(1)
  })

  test('of a limited key are of units of its operator', async () => {
    const as = await asAnotherOperator(gateway, workspace)
    const limited = unitClient(gateway, as)
    const unit = await givenUnit({ serialNumber: 'SAME' })
    const { productId } = (await passports.get(unit.passportId)).body
    const own = await limited.given((await passportClient(gateway, as).given({ productId, metadata: battery() })).id, {
      serialNumber: 'SAME',
    })
    const named = await limited.recordAll([
      { unitId: unit.id, ...SOH },
      { productId, serialNumber: 'SAME', ...SOH },
    ])
    expect([named.status, named.body.errors]).toEqual([
      201,
      ['events[0]: The unit belongs to another economic operator'],
    ])
    expect([(await units.events(own.id)).body.count, (await units.events(unit.id)).body.count]).toEqual([1, 0])
    const both = await units.recordAll([{ productId, serialNumber: 'SAME', ...SOH }])
    expect(both.body.errors).toEqual(['events[0]: Several operators have this product: use unitId'])
  })
})
