import { describe, expect, test } from 'vitest'
import { battery } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const DUPLICATE = 'A unit with this serial already exists for this passport'
const givenBattery = () => passports.given({ metadata: battery() })
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const serials = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => ({ serialNumber: `S${String(from + n).padStart(4, '0')}` }))

describe('concurrent serialisation', () => {
  test('the same serial numbers in any order: each is created once, and returned to all others', async () => {
    const { id } = await givenBattery()
    const [there, back] = [serials(0, 100), serials(0, 100).toReversed()]
    const answers = await times(6, (index) => units.serialise(id, { units: index % 2 === 0 ? there : back }))
    const made = answers.flatMap(({ body }) => body.units ?? []).map(({ serialNumber }) => serialNumber)
    expect(made.toSorted()).toEqual(there.map(({ serialNumber }) => serialNumber))
    for (const { status, body } of answers) {
      expect([201, 400]).toContain(status)
      expect((body.units?.length ?? 0) + (body.errors?.length ?? 0)).toBe(100)
      for (const error of body.errors ?? []) expect(error).toBe(DUPLICATE)
    }
    expect((await units.list(id)).body.total).toBe(100)
  })

  test('overlapping serial numbers: each request gets only new ones', async () => {
    const { id } = await givenBattery()
    const answers = await times(4, (index) => units.serialise(id, { units: serials(index * 30, index * 30 + 60) }))
    // A request whose units all exist is rejected.
    for (const { status } of answers) expect([201, 400]).toContain(status)
    const made = answers.flatMap(({ body }) => body.units ?? []).map(({ serialNumber }) => serialNumber)
    expect(made.toSorted()).toEqual(serials(0, 150).map(({ serialNumber }) => serialNumber))
    expect((await units.list(id)).body.total).toBe(150)
  })

  test('successors of one predecessor: each has its event, and the last states the outcome', async () => {
    const { id } = await givenBattery()
    const predecessor = await units.given(id)
    const answers = await times(8, (index) =>
      units.serialise(id, {
        serialNumber: `N${index}`,
        predecessorUnitId: predecessor.id,
        predecessorStatus: ['REPURPOSED', 'REUSED', 'REMANUFACTURED'][index % 3],
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    const { events } = (await units.events(predecessor.id)).body
    expect(
      new Set(events.map(({ payload }: { payload: { successorSerial: string } }) => payload.successorSerial)).size,
    ).toBe(8)
    const [row] = await gateway.sqlAs<{ version: number }>(
      workspace.id,
      'select version from battery_unit where id = $1',
      [predecessor.id],
    )
    expect(row?.version).toBe(9)
  })

  test('crosswise predecessors, and the deletion of the draft that they are under, end without a failure', async () => {
    const draft = await passports.given({ metadata: battery(), draft: true })
    const { id } = await givenBattery()
    const olds = await times(6, () => units.given(draft.id))
    const give = (index: number) =>
      units.serialise(index % 2 === 0 ? id : draft.id, {
        units: (index % 4 < 2 ? olds : olds.toReversed()).map((old, n) => ({
          serialNumber: `X${index}-${n}`,
          predecessorUnitId: old.id,
        })),
      })
    const [deleted, ...answers] = await Promise.all([passports.remove(draft.id), ...[0, 1, 2, 3, 4, 5].map(give)])
    expect(deleted.status).toBe(200)
    for (const { status } of answers) expect([201, 400, 404]).toContain(status)
    expect((await units.get(olds[0].id)).status).toBe(404)
    const [left] = await gateway.sqlAs<{ count: number }>(
      workspace.id,
      'select count(*)::int from battery_unit where passport_id = $1 and predecessor_unit_id is not null',
      [id],
    )
    expect(left?.count).toBe(0)
  })
})

describe('concurrent events', () => {
  test('with the deletion of their unit: each is recorded or not found, and nothing is left', async () => {
    const { id } = await givenBattery()
    const unit = await units.given(id)
    const event = { eventType: 'SOH_MEASUREMENT', stateOfHealth: 90, status: 'WASTE' }
    const [removed, ...answers] = await Promise.all([
      units.remove(unit.id),
      ...Array.from({ length: 8 }, () => units.record(unit.id, event)),
      ...Array.from({ length: 4 }, () => units.recordAll([{ unitId: unit.id, ...event }])),
    ])
    expect(removed.status).toBe(200)
    for (const { status } of answers) expect([201, 400, 404]).toContain(status)
    const left = await gateway.sqlAs(workspace.id, 'select 1 from battery_unit_event where unit_id = $1', [unit.id])
    expect(left).toEqual([])
  })

  test('of the same units in any order leave the latest measurement, and every event', async () => {
    const { id } = await givenBattery()
    const { units: made } = (await units.serialise(id, { units: serials(0, 20) })).body
    const minute = (number: number) => new Date(Date.UTC(2026, 5, 1, 0, number)).toISOString()
    const rows = (index: number) =>
      (index % 2 === 0 ? made : made.toReversed()).map((unit: { id: string }) => ({
        unitId: unit.id,
        eventType: 'CHARGE_CYCLE',
        cycleCount: index,
        recordedAt: minute(index),
      }))
    const answers = await times(10, (index) => units.recordAll(rows(index)))
    expect(answers.map(({ status, body }) => [status, body.count])).toEqual(Array(10).fill([201, 20]))
    for (const unit of made) {
      const { body } = await units.get(unit.id)
      expect([body.currentState.cycleCount, body.dynamicData.length]).toEqual([9, 10])
    }
  })

  test('that recycle a unit stamp the time once', async () => {
    const unit = await units.given((await givenBattery()).id)
    await times(6, () => units.record(unit.id, { eventType: 'STATUS_CHANGE', status: 'RECYCLED' }))
    const [first] = (await units.list(unit.passportId)).body.units
    await units.record(unit.id, { eventType: 'STATUS_CHANGE', status: 'RECYCLED' })
    const [second] = (await units.list(unit.passportId)).body.units
    expect([first.ceasedAt, second.ceasedAt]).toEqual([first.updatedAt, first.ceasedAt])
  })
})

describe('stored summaries', () => {
  test('counts and charges are what counting gives, whatever was done', async () => {
    const { id } = await givenBattery()
    const { units: made } = (await units.serialise(id, { units: serials(0, 30) })).body
    await Promise.all([
      ...made.slice(0, 10).map((unit: { id: string }) => units.remove(unit.id)),
      units.serialise(id, { units: serials(20, 60) }),
      units.recordAll(
        made.map((unit: { id: string }) => ({ unitId: unit.id, eventType: 'OTHER', payload: { a: 'ä' } })),
      ),
    ])
    const [row] = await gateway.sqlAs<Record<string, string>>(
      workspace.id,
      `select (select sum(total) from battery_unit_count where passport_id = $1)::int as counted,
        (select count(*) from battery_unit where passport_id = $1)::int as there,
        (select sum(rows) from workspace_usage)::int as rows,
        (select count(*) from battery_unit)::int + (select count(*) from passport)::int
          + (select count(*) from operator where tenant_id = $2)::int as "rowsThere"`,
      [id, workspace.id],
    )
    expect([row?.counted, row?.rows]).toEqual([row?.there, row?.rowsThere])
  })
})
