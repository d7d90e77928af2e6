import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMeasurement, serialOf, unitsOf, validateUnit, validateUnitEvent } from '../../../src/units/unit-rules.ts'

const NOW = '2026-11-22T10:00:00.000Z'
const fine = () => []
const unit = (more: object = {}) => validateUnit({ serialNumber: 'A', ...more }, fine)
const event = (more: object = {}) => validateUnitEvent({ eventType: 'OTHER', ...more }, NOW)

describe('units', () => {
  test('are judged, whatever is sent, and never with a failure', () => {
    fc.assert(
      fc.property(fc.anything(), (given) => {
        const verdict = validateUnit(given, fine)
        if (typeof verdict === 'string') expect(verdict.length).toBeGreaterThan(0)
        else expect(verdict.serialNumber).toMatch(/^[A-Za-z0-9._-]{1,20}$/)
      }),
    )
  })

  test('have a serial number that the GS1 engine takes', () => {
    const checked: string[] = []
    const verdict = validateUnit({ serialNumber: ' A ' }, (serial) => {
      checked.push(serial)
      return ['AI 21: no', 'another']
    })
    expect([verdict, checked]).toEqual(['serialNumber: AI 21: no', ['A']])
    // Invalid ones are rejected before.
    expect(validateUnit({ serialNumber: 'A B' }, () => expect.fail('the engine is asked'))).toMatch(
      /^serialNumber must be/,
    )
  })

  test('are in service unless they say something else', () => {
    const plain = {
      serialNumber: 'A',
      status: 'IN_SERVICE',
      manufacturedAt: null,
      placedOnMarketAt: null,
      predecessor: null,
      batchNumber: null,
    }
    expect(unit()).toEqual(plain)
    const empty = {
      status: null,
      manufacturedAt: null,
      placedOnMarketAt: null,
      predecessorUnitId: null,
      predecessorStatus: null,
    }
    expect(unit(empty)).toEqual(plain)
    expect(unit({ predecessorStatus: 'REUSED' })).toEqual(plain)
    const id = '0B9F4E1C-0000-4000-8000-000000000001'
    expect(unit({ predecessorUnitId: id })).toMatchObject({
      predecessor: { id: id.toLowerCase(), status: 'REPURPOSED' },
    })
  })

  test.each([
    [{ units: [1, 2] }, [1, 2]],
    [{ units: 'x' }, [{ units: 'x' }]],
    [{ serialNumber: 'A' }, [{ serialNumber: 'A' }]],
    [{}, [{}]],
  ])('of %j are %j', (body, expected) => {
    expect(unitsOf(body)).toEqual(expected)
  })

  test.each([
    [{ serialNumber: ' A B ' }, 'A B'],
    [{ serialNumber: 5 }, null],
    [{}, null],
    [null, null],
    ['A', null],
  ])('serial number of %j', (given, expected) => {
    expect(serialOf(given)).toBe(expected)
  })
})

describe('events', () => {
  test('are judged, whatever is sent, and hold what the specification allows', () => {
    const values = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.boolean(),
      fc.maxSafeInteger(),
    )
    const given = fc.record(
      {
        eventType: fc.constantFrom('OTHER', 'CHARGE_CYCLE', 'x', null),
        stateOfHealth: values,
        cycleCount: values,
        remainingCapacityAh: values,
        temperatureC: values,
        recordedAt: fc.oneof(fc.string(), fc.constant(NOW)),
        payload: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const isWithin = (value: number | null, low: number, high: number) =>
      value === null || (value >= low && value <= high && !Object.is(value, -0))
    fc.assert(
      fc.property(given, (row) => {
        const verdict = validateUnitEvent(row, NOW)
        if (typeof verdict === 'string') return
        expect(isWithin(verdict.stateOfHealth, 0, 100)).toBe(true)
        expect(isWithin(verdict.cycleCount, 0, 2 ** 53 - 1)).toBe(true)
        expect(verdict.cycleCount === null || Number.isSafeInteger(verdict.cycleCount)).toBe(true)
        expect(isWithin(verdict.remainingCapacityAh, 0, 2 ** 53 - 1)).toBe(true)
        expect(isWithin(verdict.temperatureC, -273.15, 10_000)).toBe(true)
        expect(verdict.payload === null || typeof verdict.payload === 'object').toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test.each(['stateOfHealth', 'cycleCount', 'remainingCapacityAh', 'temperatureC'])(
    '%s: a value outside of its bounds',
    (name) => {
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1e300, 2 ** 53, '1', true, [], {}, 10n]) {
        expect(event({ [name]: value })).toMatch(new RegExp(`^${name} must be a number between `))
      }
      expect(event({ [name]: -0 })).toMatchObject({ [name]: 0 })
    },
  )

  test('happened now unless they say when', () => {
    expect(event()).toMatchObject({ recordedAt: NOW, status: null, payload: null })
    expect(event({ recordedAt: '2026-01-01' })).toMatchObject({ recordedAt: '2026-01-01T00:00:00.000Z' })
  })

  test('have a payload up to its bound, counted in bytes', () => {
    expect(event({ payload: ['é'.repeat(8190)] })).toMatchObject({ payload: ['é'.repeat(8190)] })
    expect(event({ payload: ['é'.repeat(8191)] })).toBe('payload must have at most 16384 bytes as JSON')
  })

  test('measure something where one measure is there, and zero is one', () => {
    const none = { stateOfHealth: null, cycleCount: null, remainingCapacityAh: null, temperatureC: null }
    expect(isMeasurement(none)).toBe(false)
    for (const name of Object.keys(none)) expect([name, isMeasurement({ ...none, [name]: 0 })]).toEqual([name, true])
  })
})
