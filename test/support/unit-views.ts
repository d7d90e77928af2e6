import fc from 'fast-check'
import {
  type Json,
  type KeptCondition,
  LEGAL_STATUSES,
  type PassportView,
  UNIT_EVENT_TYPES,
  UNIT_STATUSES,
  type UnitReference,
  type UnitView,
} from '../../src/plugin/index.ts'

const measured = {
  stateOfHealth: 97.5,
  cycleCount: 120,
  remainingCapacityAh: null,
  temperatureC: null,
  recordedAt: '2026-06-01T10:00:00.000Z',
}

export const NO_CONDITION: KeptCondition = { condition: {}, batteryStatus: 'original', statusChanges: [] }

/** A unit of a product with the visibility of the product's reader. */
export const unitOf = (ofModel: PassportView, more: Partial<UnitView> = {}): UnitView => ({
  baseUrl: ofModel.baseUrl,
  audience: ofModel.audience,
  id: '5b0c6a52-0000-4000-8000-000000000042',
  serialNumber: 'SN-0042',
  batchNumber: null,
  digitalLinkUri: `${ofModel.digitalLinkUri}/21/SN-0042`,
  status: 'IN_SERVICE',
  manufacturedAt: '2026-02-18T00:00:00.000Z',
  placedOnMarketAt: null,
  ceasedAt: null,
  createdAt: '2026-02-19T08:00:00.000Z',
  updatedAt: '2026-06-01T10:00:01.000Z',
  version: 2,
  ofModel,
  repurposedFrom: null,
  successorUnits: [],
  ...(ofModel.audience === 'public'
    ? {}
    : {
        telemetry: {
          currentState: measured,
          dynamicData: [{ ...measured, eventType: 'SOH_MEASUREMENT', payload: { by: 'BMS' } }],
          kept: NO_CONDITION,
        },
      }),
  ...more,
})

/** Any unit that the specification admits (2.5, 2.6 and 4.4), with any records. */
export function anyUnit(ofModel: PassportView): fc.Arbitrary<UnitView> {
  const serialNumber = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/)
  const instant = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString())
  const reference = serialNumber.chain(
    (serial): fc.Arbitrary<UnitReference> =>
      fc.record({
        unitId: fc.uuid(),
        serialNumber: fc.constant(serial),
        digitalLinkUri: fc.constant(`${ofModel.digitalLinkUri}/21/${serial}`),
      }),
  )
  const double = (min: number, max: number) => fc.option(fc.double({ min, max, noNaN: true }))
  const state = {
    stateOfHealth: double(0, 100),
    cycleCount: fc.option(fc.maxSafeNat()),
    remainingCapacityAh: double(0, Number.MAX_SAFE_INTEGER),
    temperatureC: double(-273.15, 10_000),
    recordedAt: instant,
  }
  const record = fc.record({
    ...state,
    eventType: fc.constantFrom(...UNIT_EVENT_TYPES),
    payload: fc.oneof(
      fc.constant(null),
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
    ) as fc.Arbitrary<Json>,
  })
  const telemetry = fc.record({
    currentState: fc.option(fc.record(state)),
    dynamicData: fc.array(record, { maxLength: 8 }),
    kept: anyCondition(instant),
  })
  return serialNumber.chain((serial) =>
    fc
      .record({
        id: fc.uuid(),
        status: fc.constantFrom(...UNIT_STATUSES),
        manufacturedAt: fc.option(instant),
        repurposedFrom: fc.option(reference),
        successorUnits: fc.array(reference, { maxLength: 3 }),
        ...(ofModel.audience === 'public' ? {} : { telemetry }),
      })
      .map((more) =>
        unitOf(ofModel, { ...more, serialNumber: serial, digitalLinkUri: `${ofModel.digitalLinkUri}/21/${serial}` }),
      ),
  )
}

function anyCondition(recordedAt: fc.Arbitrary<string>): fc.Arbitrary<KeptCondition> {
  const batteryStatus = fc.constantFrom(...LEGAL_STATUSES)
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  const event = fc.record({ kind: fc.constantFrom('accident', 'other'), description: fc.string(), recordedAt })
  const values = fc.dictionary(fc.constantFrom('stateOfChargePct', 'fullCycles', 'powerW'), number)
  return fc.record({
    condition: fc.tuple(values, fc.string(), fc.array(event), recordedAt).map(([figures, accidents, events, at]) => ({
      ...Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, { value, recordedAt: at }])),
      accidents: { value: accidents, recordedAt: at },
      negativeEvents: { value: events, recordedAt: at },
    })),
    batteryStatus,
    statusChanges: fc.array(fc.record({ batteryStatus, recordedAt, values }), { maxLength: 3 }),
  })
}
