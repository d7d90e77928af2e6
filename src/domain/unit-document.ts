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

/** Terms that stand in the document itself, beside those of the context that it names. */
const TERMS = [
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

/** What a unit is: the specification names batteries (2.6), and other products have a word of ours. */
const typeOf = (isOfBatteries: boolean) => (isOfBatteries ? 'BatteryUnit' : 'ProductItem')

/** The unit as JSON-LD, as the view's audience may see it (specification 2.6): what may not be seen is said to be there. */
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

/** No text that is stored has U+0000. */
const MODEL = '\u0000'

/** The document as JSON text, in steps as those of {@link passportDocumentSteps}. */
export function* unitDocumentSteps(view: UnitView): Generator<void, string> {
  const [before = '', after = ''] = JSON.stringify(unitDocument(view, MODEL as never)).split(JSON.stringify(MODEL))
  yield
  return [before, yield* passportDocumentSteps(view.ofModel), after].join('')
}

/** What is left of a unit whose material has been recycled, as JSON-LD (specification 3.2). */
export function ceasedUnitDocument(view: CeasedUnitView): Schema<'CeasedUnitDocument'> {
  return {
    '@context': contextOf(view, [typeOf(view.isBattery), ...CEASED_TERMS]),
    '@type': typeOf(view.isBattery),
    '@id': view.digitalLinkUri,
    id: view.id,
    serialNumber: view.serialNumber,
    // Whatever was recorded after it: a unit that has ceased is not alive again (specification 3.2).
    status: 'RECYCLED',
    ceasedAt: view.ceasedAt,
    notice: `This ${view.isBattery ? 'battery' : 'item'} has been recycled, and its record has ended.`,
    ofModelUrl: `/passport/${view.passportId}`,
  }
}

/** The gateway's context, and what stands in the document itself. */
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

/** The batch that a unit names, where that has a record (Regulation (EU) 2026/1778, Article 8(4)). */
const batchReference = ({ batchId, batchNumber, digitalLinkUri }: BatchReference): Schema<'BatchReference'> => ({
  batchId,
  batchNumber,
  digitalLinkUri,
  batchUrl: `/batch/${batchId}`,
})

/** What Annex XIII, point 4, asks of a battery alone. */
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
      'State of health, use and events of this battery are for persons with a legitimate interest alone (Annex XIII, point 4), and this workspace keeps audiences strictly apart.',
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
      'What is recorded of this item in use is for persons with a legitimate interest alone, and this workspace keeps audiences strictly apart.',
  },
  others: {
    reference: 'Regulation (EU) 2024/1781, Article 9(2)(f)',
    description: 'What is recorded of this item in use is for persons with a legitimate interest and for authorities.',
  },
} as const

/** The four measures; of what is no battery those alone that were taken. */
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
  const said = {
    eventType: record.eventType,
    ...measures(record, isOfBatteries),
    payload: record.payload as Schema<'UnitRecord'>['payload'],
    recordedAt: record.recordedAt,
  }
  return isOfBatteries
    ? { '@type': 'BatteryUnitEvent' as const, ...said }
    : ({ '@type': 'ProductItemEvent', ...said } as Schema<'ItemRecord'>)
}
