import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type KeptCondition, LEGAL_STATUSES, UNIT_STATUSES, type UnitStatus } from '../../../src/domain/unit.ts'
import { type ConditionEvent, conditionAfter, legalStatusOf } from '../../../src/units/unit-condition.ts'

const NOTHING: KeptCondition = { condition: {}, batteryStatus: 'original', statusChanges: [] }
const STORED_KEYS = new Set(['ratedCapacityAh', 'powerW'])

const event = (more: Partial<ConditionEvent> = {}): ConditionEvent => ({
  eventType: 'SOH_MEASUREMENT',
  status: null,
  recordedAt: day(1),
  values: {},
  stateOfHealth: null,
  cycleCount: null,
  remainingCapacityAh: null,
  temperatureC: null,
  ...more,
})
const day = (number: number) => new Date(Date.UTC(2027, 0, number)).toISOString()
const foldOf = (events: readonly ConditionEvent[], stored = NOTHING, status: UnitStatus = 'IN_SERVICE') =>
  events.reduce(
    (state, one) => ({
      kept: conditionAfter(state.kept, one, state.status, STORED_KEYS),
      status: one.status ?? state.status,
    }),
    { kept: stored, status },
  ).kept

test('every status has a legal word but three, which keep the one before', () => {
  const words = Object.fromEntries(UNIT_STATUSES.map((status) => [status, legalStatusOf(status, 're-used')]))
  expect(words).toEqual({
    IN_SERVICE: 're-used',
    DECOMMISSIONED: 're-used',
    RECALLED: 're-used',
    REPURPOSED: 'repurposed',
    REMANUFACTURED: 'remanufactured',
    REUSED: 're-used',
    WASTE: 'waste',
    RECYCLED: 'waste',
  })
})

test('a battery is never original again, and waste that is in service again is re-used', () => {
  for (const held of LEGAL_STATUSES) {
    const expected = { original: 'original', waste: 're-used' }[held as string] ?? held
    expect([held, legalStatusOf('IN_SERVICE', held)]).toEqual([held, expected])
  }
  expect(legalStatusOf('IN_SERVICE')).toBe('original')
})

describe('the condition', () => {
  test('is the latest of each value, in whatever order events come', () => {
    const dated = fc.array(
      fc.record({ at: fc.integer({ min: 1, max: 60 }), key: fc.constantFrom('a', 'b', 'c'), value: fc.double() }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(dated, (stated) => {
        const { condition } = foldOf(
          stated.map(({ at, key, value }) => event({ recordedAt: day(at), values: { [key]: value } })),
        )
        for (const key of ['a', 'b', 'c']) {
          const own = stated.filter((one) => one.key === key)
          const last = own.toSorted((one, other) => one.at - other.at).at(-1)
          expect(condition[key]).toEqual(last && { value: last.value, recordedAt: day(last.at) })
        }
      }),
    )
  })

  test('takes the measures of the event too, and knows nothing of what was not measured', () => {
    const { condition } = foldOf([
      event({ cycleCount: 12, temperatureC: -4 }),
      event({ recordedAt: day(2), cycleCount: 13 }),
    ])
    expect(condition).toEqual({
      fullCycles: { value: 13, recordedAt: day(2) },
      temperatureC: { value: -4, recordedAt: day(1) },
    })
  })

  test('has the newest negative events, late ones in their place', () => {
    const harm = (at: number, kind: string) =>
      event({ eventType: 'NEGATIVE_EVENT', recordedAt: day(at), values: { kind, description: `on ${at}` } })
    const { condition } = foldOf([harm(5, 'accident'), harm(9, 'overcharge'), harm(7, 'other')])
    expect(condition.negativeEvents).toEqual({
      recordedAt: day(9),
      value: [
        { kind: 'overcharge', description: 'on 9', recordedAt: day(9) },
        { kind: 'other', description: 'on 7', recordedAt: day(7) },
        { kind: 'accident', description: 'on 5', recordedAt: day(5) },
      ],
    })
    expect(condition).not.toHaveProperty('kind')
    const many = foldOf(Array.from({ length: 30 }, (_, index) => harm(index + 1, 'other'))).condition.negativeEvents
    expect(many?.value).toHaveLength(20)
    expect(many?.recordedAt).toBe(day(30))
  })

  test('stays the same object if an event changes no part of it', () => {
    expect(foldOf([event({ eventType: 'OTHER' })])).toBe(NOTHING)
    expect(foldOf([event({ eventType: 'STATUS_CHANGE', status: 'IN_SERVICE' })])).toBe(NOTHING)
  })
})

describe('a change of status', () => {
  test('keeps the values of point 4(a) that are known, and no others', () => {
    const { statusChanges, batteryStatus } = foldOf([
      event({ values: { ratedCapacityAh: 180, stateOfChargePct: 40 } }),
      event({ recordedAt: day(2), status: 'REPURPOSED', values: { powerW: 90 } }),
    ])
    expect(batteryStatus).toBe('repurposed')
    expect(statusChanges).toEqual([
      { batteryStatus: 'repurposed', recordedAt: day(2), values: { ratedCapacityAh: 180, powerW: 90 } },
    ])
  })

  test('is kept where values are stated for the status that it has, as when it is placed on the market', () => {
    const statement = event({ eventType: 'STATUS_CHANGE', values: { powerW: 90 } })
    expect(foldOf([statement]).statusChanges).toEqual([
      { batteryStatus: 'original', recordedAt: day(1), values: { powerW: 90 } },
    ])
    // A battery made from another keeps its own status.
    expect(foldOf([statement], { ...NOTHING, batteryStatus: 'repurposed' }).batteryStatus).toBe('repurposed')
  })

  test('is one of the first and the last twenty, in the order of their time', () => {
    const statuses = fc.array(fc.tuple(fc.constantFrom(...UNIT_STATUSES), fc.integer({ min: 1, max: 300 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(statuses, (moves) => {
        const { statusChanges, batteryStatus } = foldOf(
          moves.map(([status, at]) => event({ status, recordedAt: day(at), values: { powerW: at } })),
        )
        expect(statusChanges.length).toBeLessThanOrEqual(20)
        const times = statusChanges.map(({ recordedAt }) => recordedAt)
        expect(times).toEqual(times.toSorted())
        expect(LEGAL_STATUSES).toContain(batteryStatus)
      }),
    )
    const moves = Array.from({ length: 40 }, (_, index) =>
      event({ status: index % 2 === 0 ? 'WASTE' : 'REUSED', recordedAt: day(index + 1) }),
    )
    const stored = foldOf(moves).statusChanges.map(({ recordedAt }) => recordedAt)
    expect([stored.length, stored[0], stored[1], stored.at(-1)]).toEqual([20, day(1), day(22), day(40)])
  })
})
