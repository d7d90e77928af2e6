import type { BatchReference } from './batch.ts'
import { passportDocument, passportDocumentSteps } from './passport-document.ts'
import type { Schema } from './schema.ts'
import {
  type CeasedUnitView,
  isBattery,
  type KeptCondition,
  type UnitMeasures,
  type UnitRecord,
  type UnitReference,
  type UnitState,
  type UnitView,
} from './unit.ts'

const TERMS = [
  'uniqueProductIdentifier',
  'serialNumber',
  'ofModel',
  'currentState',
  'dynamicData',
  'stateOfHealth',
  'cycleCount',
  'restrictedData',
  'repurposedFrom',
  'successorUnits',
] as const
const CEASED_TERMS = ['serialNumber', 'ceasedAt'] as const

/** Specification 2.6 names only batteries. */
const typeOf = (isOfBatteries: boolean) => (isOfBatteries ? 'BatteryUnit' : 'ProductItem')

/** `restrictedData` announces hidden data (specification 2.6). */
export function unitDocument(
  view: UnitView,
  ofModel: Schema<'Passport'> = passportDocument(view.ofModel),
): Schema<'UnitDocument'> {
  const { telemetry, batchNumber, ofBatch } = view
  const isOfBatteries = isBattery(view.ofModel.metadata)
  const type = typeOf(isOfBatteries)
  return {
    '@context': contextOf(view, [
      type,
      ...TERMS,
      ...(batchNumber === null ? [] : ['batchNumber']),
      ...(ofBatch === undefined ? [] : ['ofBatch']),
    ]),
    '@type': type,
    '@id': view.digitalLinkUri,
    id: view.id,
    granularity: 'item',
    serialNumber: view.serialNumber,
    batchNumber: batchNumber ?? undefined,
    digitalLinkUri: view.digitalLinkUri,
    uniqueProductIdentifier: view.digitalLinkUri,
    status: view.status,
    manufacturedAt: view.manufacturedAt,
    placedOnMarketAt: view.placedOnMarketAt ?? undefined,
    repurposedFrom: view.repurposedFrom === null ? null : reference(view.repurposedFrom),
    successorUnits: view.successorUnits.map(reference),
    ofBatch: ofBatch && batchReference(ofBatch),
    ofModel,
    ...(telemetry === undefined
      ? { restrictedData: restrictedData(view, isOfBatteries) }
      : {
          currentState: telemetry.currentState === null ? null : state(telemetry.currentState, isOfBatteries),
          dynamicData: telemetry.dynamicData.map((record) => entry(record, isOfBatteries)),
          ...(isOfBatteries ? conditionOf(telemetry.kept) : {}),
        }),
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  }
}

/** Stored texts never contain U+0000. */
const MODEL = '\u0000'

/** Renders in steps, like {@link passportDocumentSteps}. */
export function* unitDocumentSteps(view: UnitView): Generator<void, string> {
  const [before = '', after = ''] = JSON.stringify(unitDocument(view, MODEL as never)).split(JSON.stringify(MODEL))
  yield
  return [before, yield* passportDocumentSteps(view.ofModel), after].join('')
}

/** Specification 3.2. */
export function ceasedUnitDocument(view: CeasedUnitView): Schema<'CeasedUnitDocument'> {
  return {
    '@context': contextOf(view, [typeOf(view.isBattery), ...CEASED_TERMS]),
    '@type': typeOf(view.isBattery),
    '@id': view.digitalLinkUri,
    id: view.id,
    serialNumber: view.serialNumber,
    // Permanent (specification 3.2).
    status: 'RECYCLED',
    ceasedAt: view.ceasedAt,
    notice: `This ${view.isBattery ? 'battery' : 'item'} has been recycled. Its record has ended.`,
    ofModelUrl: `/passport/${view.passportId}`,
  }
}

export function contextOf(
  { baseUrl }: { readonly baseUrl: string },
  terms: readonly string[],
): [string, Record<string, string>] {
  return [`${baseUrl}/context/v1`, Object.fromEntries(terms.map((term) => [term, `${baseUrl}/ns/dpp#${term}`]))]
}

const reference = ({ unitId, serialNumber, digitalLinkUri }: UnitReference): Schema<'UnitReference'> => ({
  unitId,
  serialNumber,
  digitalLinkUri,
  unitUrl: `/unit/${unitId}`,
})

/** Batch record (Regulation (EU) 2026/1778, Article 8(4)). */
const batchReference = ({ batchId, batchNumber, digitalLinkUri }: BatchReference): Schema<'BatchReference'> => ({
  batchId,
  batchNumber,
  digitalLinkUri,
  batchUrl: `/batch/${batchId}`,
})

/** Regulation (EU) 2023/1542, Annex XIII, point 4. */
const conditionOf = ({ batteryStatus, condition, statusChanges }: KeptCondition) => ({
  batteryStatus,
  condition: condition as Schema<'UnitCondition'>,
  valuesAtStatusChanges: statusChanges as Schema<'UnitStatusChange'>[],
})

const restrictedData = ({ id, audience }: UnitView, isOfBatteries: boolean): Schema<'RestrictedData'> => ({
  reason: 'LEGITIMATE_INTEREST_REQUIRED',
  ...(isOfBatteries ? OF_BATTERIES : OF_ITEMS)[audience === 'authority' ? 'authority' : 'others'],
  howToRequest: `/request-access?unit=${id}`,
})

const OF_BATTERIES = {
  authority: {
    reference: 'Regulation (EU) 2023/1542, Annex XIII(2)-(4)',
    description:
      'State of health, use and events of this battery are only for persons with a legitimate interest (Annex XIII, point 4); this workspace separates audiences strictly.',
  },
  others: {
    reference: 'Regulation (EU) 2023/1542, Annex XIII(2)-(4)',
    description:
      'State of health, use and events of this battery are for persons with a legitimate interest and for authorities.',
  },
} as const
const OF_ITEMS = {
  authority: {
    reference: 'Regulation (EU) 2024/1781, Article 9(2)(f)',
    description:
      'Records of the use of this item are only for persons with a legitimate interest; this workspace separates audiences strictly.',
  },
  others: {
    reference: 'Regulation (EU) 2024/1781, Article 9(2)(f)',
    description: 'Records of the use of this item are for persons with a legitimate interest and for authorities.',
  },
} as const

function measures(
  { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC }: UnitMeasures,
  isOfBatteries: boolean,
): UnitMeasures {
  const all = { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC }
  return isOfBatteries
    ? all
    : (Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as typeof all)
}

const state = (measured: UnitState, isOfBatteries: boolean) => ({
  ...measures(measured, isOfBatteries),
  recordedAt: measured.recordedAt,
})

function entry(record: UnitRecord, isOfBatteries: boolean) {
  const members = {
    eventType: record.eventType,
    ...measures(record, isOfBatteries),
    payload: record.payload as Schema<'UnitRecord'>['payload'],
    recordedAt: record.recordedAt,
  }
  return isOfBatteries
    ? { '@type': 'BatteryUnitEvent' as const, ...members }
    : ({ '@type': 'ProductItemEvent', ...members } as Schema<'ItemRecord'>)
}
