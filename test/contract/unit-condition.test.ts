import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import jsonld from 'jsonld'
import { describe, expect, test } from 'vitest'
import { BASE_URL } from '../support/gateway.ts'
import { battery, expectStatus } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const SOH = { eventType: 'SOH_MEASUREMENT' }
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`
const givenUnit = async (json: object = {}) => units.given((await passports.given({ metadata: battery() })).id, json)
const documentOf = async (id: string) => expectStatus(200, await units.get(id)).body

describe('the condition of a unit', () => {
  test('is the latest of each value that payloads and measures state, in whatever order they come', async () => {
    const unit = await givenUnit()
    await units.record(unit.id, {
      ...SOH,
      recordedAt: day(5),
      cycleCount: 40,
      payload: { stateOfChargePct: 60, note: 'x' },
    })
    await units.record(unit.id, { ...SOH, recordedAt: day(3), payload: { stateOfChargePct: 20, powerW: 150_000 } })
    const { condition, batteryStatus, currentState } = await documentOf(unit.id)
    expect(condition).toEqual({
      fullCycles: { value: 40, recordedAt: day(5) },
      stateOfChargePct: { value: 60, recordedAt: day(5) },
      powerW: { value: 150_000, recordedAt: day(3) },
    })
    expect(batteryStatus).toBe('original')
    expect(currentState).toMatchObject({ cycleCount: 40, recordedAt: day(5) })
  })

  test('review-3-claims 2.3: has each value that Annex XIII, point 4, names of a single battery', async () => {
    const unit = await givenUnit()
    const payload = {
      ratedCapacityAh: 180,
      capacityFadePct: 3,
      powerW: 150_000,
      powerFadePct: 4,
      internalResistanceOhm: 0.051,
      internalResistanceIncreasePct: 6,
      roundTripEfficiencyPct: 94,
      roundTripEfficiencyFadePct: 1.5,
      expectedLifetimeYears: 12,
      expectedLifetimeCycles: 1800,
      stateOfCertifiedEnergyPct: 97,
      remainingCapacityAh: 172,
      remainingPowerW: 141_000,
      remainingRoundTripEfficiencyPct: 92,
      selfDischargeEvolutionPctPerMonth: 1.4,
      ohmicResistanceOhm: 0.0021,
      fullCycles: 41,
      deepDischargeEvents: 2,
      overchargeEvents: 1,
      temperatureC: 31.5,
      timeExtremeHighMinutes: 15,
      timeExtremeLowMinutes: 25,
      chargingExtremeHighMinutes: 5,
      chargingExtremeLowMinutes: 7,
      stateOfChargePct: 60,
      energyThroughputKWh: 900,
      capacityThroughputAh: 2400,
    }
    await units.record(unit.id, { ...SOH, recordedAt: day(5), payload })
    const { condition } = await documentOf(unit.id)
    const expected = Object.entries(payload).map(([name, value]) => [name, { value, recordedAt: day(5) }])
    expect(condition).toEqual(Object.fromEntries(expected))
  })

  test('is a warning if a value has the wrong type, and the event is recorded unchanged', async () => {
    const unit = await givenUnit()
    const payload = { stateOfChargePct: 101, fullCycles: 1.5, stateOfCertifiedEnergyPct: 97, batteryStatus: 'waste' }
    const answer = await gateway.request('POST', `/api/v1/units/${unit.id}/events?lang=de`, {
      headers: workspace.as,
      json: { ...SOH, payload },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.event.payload).toEqual(payload)
    expect(answer.body.warnings.map(({ path }: { path: string }) => path).sort()).toEqual([
      'payload.fullCycles',
      'payload.stateOfChargePct',
    ])
    expect(answer.body.warnings[0].friendlyMessage).toMatch(/muss/)
    const { condition, batteryStatus } = await documentOf(unit.id)
    expect(Object.keys(condition)).toEqual(['stateOfCertifiedEnergyPct'])
    expect(batteryStatus).toBe('original')
    const rows = await units.recordAll([
      { unitId: unit.id, eventType: 'CHARGE_CYCLE', payload: { stateOfChargePct: 'full' } },
      { unitId: unit.id, eventType: 'NEGATIVE_EVENT', payload: { what: 'bump' } },
    ])
    expect(rows.body).toMatchObject({ count: 2, warnings: [{ path: 'events[1].payload.kind' }] })
    expect(rows.body).not.toHaveProperty('errors')
  })

  test('moves no version: what is measured makes none, nor do values that are stated for a status', async () => {
    const unit = await givenUnit()
    const version = async () => {
      const [row] = await gateway.sqlAs<{ version: number }>(
        workspace.id,
        'select version from battery_unit where id = $1',
        [unit.id],
      )
      return row?.version
    }
    const before = await version()
    await units.record(unit.id, { ...SOH, payload: { stateOfChargePct: 60 } })
    await units.record(unit.id, { eventType: 'STATUS_CHANGE', payload: { ratedCapacityAh: 180 } })
    expect(await version()).toBe(before)
    await units.setStatus(unit.id, 'REUSED')
    expect(await version()).toBe(Number(before) + 1)
  })

  test('keeps the values of point 4(a) when it is placed on the market and at each change of its status', async () => {
    const unit = await givenUnit()
    await units.recordAll([
      {
        unitId: unit.id,
        eventType: 'STATUS_CHANGE',
        recordedAt: day(1),
        payload: { ratedCapacityAh: 180, powerW: 150 },
      },
      { unitId: unit.id, ...SOH, recordedAt: day(2), payload: { powerW: 140, stateOfChargePct: 50 } },
      { unitId: unit.id, eventType: 'STATUS_CHANGE', recordedAt: day(3), status: 'REPURPOSED' },
      { unitId: unit.id, ...SOH, recordedAt: day(4), payload: { powerW: 120 } },
      { unitId: unit.id, eventType: 'STATUS_CHANGE', recordedAt: day(5), status: 'DECOMMISSIONED' },
    ])
    expect(await documentOf(unit.id)).toMatchObject({
      status: 'DECOMMISSIONED',
      batteryStatus: 'repurposed',
      condition: { powerW: { value: 120, recordedAt: day(4) } },
      valuesAtStatusChanges: [
        { batteryStatus: 'original', recordedAt: day(1), values: { ratedCapacityAh: 180, powerW: 150 } },
        { batteryStatus: 'repurposed', recordedAt: day(3), values: { ratedCapacityAh: 180, powerW: 140 } },
        { batteryStatus: 'repurposed', recordedAt: day(5), values: { ratedCapacityAh: 180, powerW: 120 } },
      ],
    })
  })

  test('of a predecessor changes with what it becomes, and what was made of it is not original', async () => {
    const first = await givenUnit()
    await units.record(first.id, { ...SOH, payload: { powerW: 120 } })
    const second = await units.given(first.passportId, {
      predecessorUnitId: first.id,
      predecessorStatus: 'REMANUFACTURED',
    })
    expect(await documentOf(first.id)).toMatchObject({
      batteryStatus: 'remanufactured',
      valuesAtStatusChanges: [{ batteryStatus: 'remanufactured', values: { powerW: 120 } }],
    })
    expect(await documentOf(second.id)).toMatchObject({ batteryStatus: 'remanufactured', valuesAtStatusChanges: [] })
  })

  test('is for whom point 4 is open: absent for the public, and in no form that is kept', async () => {
    const unit = await givenUnit()
    await units.record(unit.id, { ...SOH, payload: { stateOfChargePct: 63.25, accidents: 'Rear-end collision' } })
    for (const accept of ['application/ld+json', 'text/html']) {
      const { status, text } = await gateway.request('GET', `/unit/${unit.id}`, { headers: { accept } })
      expect([accept, status]).toEqual([accept, 200])
      expect(text).not.toMatch(/63[.,]25|Rear-end|batteryStatus/)
    }
    const { body } = await gateway.request('POST', '/api/v1/grants', {
      headers: workspace.as,
      json: { granteeName: 'R', scopeType: 'UNIT', batteryUnitId: unit.id, expiresAt: '2027-01-01T00:00:00Z' },
    })
    const seen = await gateway.request('GET', `/unit/${unit.id}?grant=${body.token}`)
    expect(seen.body).toMatchObject({ batteryStatus: 'original', condition: { stateOfChargePct: { value: 63.25 } } })
    const [stored] = await gateway.sqlAs<{ count: number }>(
      workspace.id,
      `select count(*)::int as count from unit_rendition where body like '%63.25%' or body like '%Rear-end%'`,
    )
    expect(stored?.count).toBe(0)
  })

  test('is not lost in JSON-LD: every member has a term', async () => {
    const unit = await givenUnit()
    await units.record(unit.id, { ...SOH, payload: { stateOfChargePct: 60 } })
    const document = await documentOf(unit.id)
    const { body: context } = await gateway.request('GET', '/context/v1')
    const documentLoader = async (url: string) => {
      if (url !== `${BASE_URL}/context/v1`) throw new Error(url)
      return { contextUrl: undefined, documentUrl: url, document: context }
    }
    const [expanded] = await jsonld.expand(document, { documentLoader, safe: true } as never)
    const term = (name: string) => `${BASE_URL}/ns/dpp#${name}`
    expect(expanded).toMatchObject({
      [term('batteryStatus')]: [{ '@value': 'original' }],
      [term('condition')]: [{ [term('stateOfChargePct')]: [{ [term('value')]: [{ '@value': 60 }] }] }],
    })
  })
})

test('the schema of a unit’s condition is served, and judges payloads as the gateway does', async () => {
  const { status, headers, body } = await gateway.request('GET', '/api/v1/schemas/battery-unit')
  expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/schema\+json/)])
  expect(JSON.stringify(body)).not.toContain('"x-')
  const ajv = new Ajv2020({ strict: true, strictTypes: false })
  addFormats.default(ajv)
  const matches = ajv.compile(body)
  expect(matches({ stateOfChargePct: 60, note: [] })).toBe(true)
  expect(matches({ stateOfChargePct: 160 })).toBe(false)
  for (const [key, { description }] of Object.entries(body.properties as Record<string, { description?: string }>)) {
    expect(description, key).toMatch(/\.$/)
  }
})
