import type {
  BatchView,
  CeasedUnitView,
  Json,
  KeptCondition,
  PassportView,
  UnitEventType,
  UnitRecord,
  UnitView,
} from '../../src/plugin/index.ts'
import { REDACTED } from '../../src/plugin/index.ts'
import { NO_CONDITION, unitOf } from '../support/unit-views.ts'
import { fixtures, hostileView } from './fixtures.ts'

const { battery, batteryRestricted, draft, longWords, textile } = fixtures
const DAY_MS = 86_400_000
const START = Date.parse('2027-03-20T06:30:00.000Z')

const at = (days: number) => new Date(START + days * DAY_MS).toISOString()

const record = (days: number, more: Partial<UnitRecord> = {}): UnitRecord => ({
  eventType: 'SOH_MEASUREMENT',
  stateOfHealth: null,
  cycleCount: null,
  remainingCapacityAh: null,
  temperatureC: null,
  recordedAt: at(days),
  payload: null,
  ...more,
})

/** Typical battery records: all measures at each interval, newest first. */
const history = (count: number, days: number): UnitRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const share = count === 1 ? 0 : index / (count - 1)
    return record(share * days, {
      eventType: index % 5 === 0 ? 'SOH_MEASUREMENT' : 'CHARGE_CYCLE',
      stateOfHealth: index % 5 === 0 ? Number((99.8 - 6.5 * share - Math.sin(index) * 0.2).toFixed(2)) : null,
      cycleCount: Math.round(412 * share),
      remainingCapacityAh: index % 5 === 0 ? Number((78.2 - 5 * share).toFixed(1)) : null,
      temperatureC: Number((18 + 12 * Math.sin(index / 9) + 3 * Math.sin(index)).toFixed(1)),
    })
  }).reverse()

const known = (value: Json, recordedAt = '2028-05-03T08:00:00.000Z') => ({ value, recordedAt })

/** Maximum stored condition of a battery in use. */
const conditionNow: KeptCondition = {
  batteryStatus: 'repurposed',
  condition: {
    stateOfCertifiedEnergyPct: known(92.1),
    capacityFadePct: known(6.2),
    fullCycles: known(412),
    stateOfChargePct: known(64),
    timeExtremeHighMinutes: known(42),
    selfDischargeEvolutionPctPerMonth: known(1.4, '2028-04-01T08:00:00.000Z'),
    accidents: known('None'),
    negativeEvents: known([
      { kind: 'deep-discharge', recordedAt: '2028-01-09T00:00:00.000Z' },
      { kind: 'accident', description: 'Rear-end collision', recordedAt: '2027-11-02T00:00:00.000Z' },
    ]),
  },
  statusChanges: [
    {
      batteryStatus: 'original',
      recordedAt: '2027-03-01T00:00:00.000Z',
      values: { ratedCapacityAh: 78.2, capacityFadePct: 0, powerW: 150000 },
    },
    {
      batteryStatus: 'repurposed',
      recordedAt: '2028-03-01T00:00:00.000Z',
      values: { ratedCapacityAh: 78.2, capacityFadePct: 6, powerW: 146000 },
    },
  ],
}

const seen = (ofModel: PassportView, dynamicData: readonly UnitRecord[], more: Partial<UnitView> = {}): UnitView =>
  unitOf(ofModel, {
    // The latest measurements.
    telemetry: {
      currentState: dynamicData.find(({ cycleCount }) => cycleCount !== null) ?? null,
      dynamicData,
      kept: dynamicData.length === 0 ? NO_CONDITION : conditionNow,
    },
    ...more,
  })

const reference = (serialNumber: string) => ({
  unitId: '5b0c6a52-0000-4000-8000-0000000000aa',
  serialNumber,
  digitalLinkUri: `${battery.digitalLinkUri}/21/${serialNumber}`,
})

/** Batteries for every test of their page. */
export const unitFixtures = {
  public: unitOf(battery, { repurposedFrom: reference('NZ-2027-000017') }),
  history: seen(
    batteryRestricted,
    [
      record(702, {
        eventType: 'STATUS_CHANGE',
        payload: { status: 'REPURPOSED', successorUnitId: reference('').unitId, successorSerial: 'NZ-HOME-0003' },
      }),
      record(700.5, {
        eventType: 'NEGATIVE_EVENT',
        temperatureC: 71.5,
        payload: {
          type: 'Overheating',
          durationMinutes: 12,
          workshop: 'Werkstatt Süd',
          measures: ['Cooled', 'Tested'],
        },
      }),
      ...history(48, 700),
    ],
    { status: 'REPURPOSED', successorUnits: [reference('NZ-HOME-0003'), reference('NZ-HOME-0004')] },
  ),
  'as many records as there can be': seen(batteryRestricted, history(500, 1400)),
  'one record': seen(batteryRestricted, history(1, 0)),
  'two records within a day': seen(batteryRestricted, history(2, 0.4)),
  'equal values': seen(
    batteryRestricted,
    [0, 30, 90].map((day) =>
      record(day, { stateOfHealth: 100, cycleCount: 0, remainingCapacityAh: 78.2, temperatureC: -0 }),
    ),
  ),
  'huge values': seen(
    batteryRestricted,
    [0, 500, 2000].map((day) =>
      record(day, {
        stateOfHealth: day === 0 ? 0 : 100,
        cycleCount: Number.MAX_SAFE_INTEGER - day,
        remainingCapacityAh: day * 4.5e12,
        temperatureC: day === 0 ? -273.15 : 10_000,
      }),
    ),
  ),
  'nothing measured': seen(draft, []),
  recalled: unitOf(battery, { status: 'RECALLED' }),
  waste: unitOf(battery, { status: 'WASTE' }),
  'long words': seen(longWords, history(12, 60), { serialNumber: 'W'.repeat(20) }),
} satisfies Record<string, UnitView>

const textileBatch = {
  batchId: '5b0c6a52-0000-4000-8000-000000000044',
  batchNumber: 'L-2026/07',
  digitalLinkUri: `${textile.digitalLinkUri}/10/L-2026%2F07`,
}

/** An item other than a battery, of a batch with a record. */
export const item: UnitView = unitOf(textile, {
  serialNumber: 'MR-2026-0042',
  status: 'WASTE',
  batchNumber: textileBatch.batchNumber,
  ofBatch: textileBatch,
})

/** A batch that differs from its product, optionally with masked parts. */
const batchOf = (
  ofModel: PassportView,
  metadata: PassportView['metadata'],
  maskedKeys: readonly string[],
): BatchView => ({
  baseUrl: ofModel.baseUrl,
  audience: ofModel.audience,
  id: textileBatch.batchId,
  batchNumber: textileBatch.batchNumber,
  digitalLinkUri: `${ofModel.digitalLinkUri}/10/L-2026%2F07`,
  manufacturedAt: '2026-07-01T00:00:00.000Z',
  createdAt: '2026-07-02T08:00:00.000Z',
  metadata,
  maskedKeys,
  grantableKeys: maskedKeys,
  privilegedKeys: [],
  ofModel,
})

export const batchFixtures = {
  'of textiles': batchOf(
    textile,
    {
      originCountry: 'TR',
      materialComposition: [
        { material: 'Cotton', percentage: 92, countryOfOrigin: 'TR' },
        { material: 'Elastane', percentage: 8, countryOfOrigin: 'DE' },
      ],
      careInstructions: { en: 'Wash at 30 °C.', de: 'Bei 30 °C waschen.' },
      recycledContentPercentage: 42,
    },
    [],
  ),
  'of batteries, masked': batchOf(battery, { batteryMass: 411.5, detailedPerformance: REDACTED }, [
    'detailedPerformance',
  ]),
  'that says nothing': batchOf(battery, {}, []),
} satisfies Record<string, BatchView>

export const ceasedUnit: CeasedUnitView = {
  baseUrl: battery.baseUrl,
  id: unitFixtures.public.id,
  serialNumber: 'NZ-2027-000042',
  digitalLinkUri: unitFixtures.public.digitalLinkUri,
  status: 'RECYCLED',
  ceasedAt: '2041-05-06T07:08:09.000Z',
  passportId: battery.id,
  isBattery: true,
}

/** A unit with the payload in every string. */
export function hostileUnit(payload: string): UnitView {
  const record: UnitRecord = {
    eventType: payload as UnitEventType,
    stateOfHealth: 1,
    cycleCount: 2,
    remainingCapacityAh: 3,
    temperatureC: 4,
    recordedAt: payload,
    payload: { [payload]: payload, name: payload, list: [payload, { [payload]: [payload] }] },
  }
  const reference = { unitId: payload, serialNumber: payload, digitalLinkUri: payload }
  return unitOf(hostileView(payload), {
    id: payload,
    serialNumber: payload,
    digitalLinkUri: payload,
    manufacturedAt: payload,
    createdAt: payload,
    updatedAt: payload,
    repurposedFrom: reference,
    successorUnits: [reference, reference],
    telemetry: {
      currentState: record,
      dynamicData: [
        record,
        { ...record, recordedAt: '2027-01-01T00:00:00.000Z', payload: [payload, [payload]] },
        {
          ...record,
          eventType: 'STATUS_CHANGE',
          payload: { status: payload, successorUnitId: payload, successorSerial: payload },
        },
        { ...record, eventType: 'STATUS_CHANGE', payload: { status: 'WASTE', successorSerial: payload } },
      ],
      kept: {
        batteryStatus: 'waste',
        condition: {
          accidents: known(payload, payload),
          negativeEvents: known([{ kind: payload, description: payload, recordedAt: payload }], payload),
        },
        statusChanges: [{ batteryStatus: 'waste', recordedAt: payload, values: { [payload]: payload } }],
      },
    },
  })
}
