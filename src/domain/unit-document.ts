import { passportDocument } from './passport-document.ts'
import type { Schema } from './schema.ts'
import type { CeasedUnitView, UnitRecord, UnitReference, UnitState, UnitView } from './unit.ts'

/** Terms that stand in the document itself, beside those of the context that it names. */
const TERMS = [
  'BatteryUnit',
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
const CEASED_TERMS = ['BatteryUnit', 'serialNumber', 'ceasedAt'] as const

/** The unit as JSON-LD, as the view's audience may see it (specification 2.6): what may not be seen is said to be there. */
export function unitDocument(view: UnitView): Schema<'UnitDocument'> {
  const { telemetry } = view
  return {
    '@context': contextOf(view, TERMS),
    '@type': 'BatteryUnit',
    '@id': view.digitalLinkUri,
    id: view.id,
    granularity: 'item',
    serialNumber: view.serialNumber,
    digitalLinkUri: view.digitalLinkUri,
    status: view.status,
    manufacturedAt: view.manufacturedAt,
    placedOnMarketAt: view.placedOnMarketAt ?? undefined,
    repurposedFrom: view.repurposedFrom === null ? null : reference(view.repurposedFrom),
    successorUnits: view.successorUnits.map(reference),
    ofModel: passportDocument(view.ofModel),
    ...(telemetry === undefined
      ? { restrictedData: restrictedData(view) }
      : {
          currentState: telemetry.currentState === null ? null : state(telemetry.currentState),
          dynamicData: telemetry.dynamicData.map(entry),
          batteryStatus: telemetry.kept.batteryStatus,
          condition: telemetry.kept.condition as Schema<'UnitCondition'>,
          valuesAtStatusChanges: telemetry.kept.statusChanges as Schema<'UnitStatusChange'>[],
        }),
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  }
}

/** What is left of a unit whose material has been recycled, as JSON-LD (specification 3.2). */
export function ceasedUnitDocument(view: CeasedUnitView): Schema<'CeasedUnitDocument'> {
  return {
    '@context': contextOf(view, CEASED_TERMS),
    '@type': 'BatteryUnit',
    '@id': view.digitalLinkUri,
    id: view.id,
    serialNumber: view.serialNumber,
    // Whatever was recorded after it: a unit that has ceased is not alive again (specification 3.2).
    status: 'RECYCLED',
    ceasedAt: view.ceasedAt,
    notice: 'This battery has been recycled, and its record has ended.',
    ofModelUrl: `/passport/${view.passportId}`,
  }
}

function contextOf(
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

const restrictedData = ({ id, audience }: UnitView): Schema<'RestrictedData'> => ({
  reason: 'LEGITIMATE_INTEREST_REQUIRED',
  reference: 'Regulation (EU) 2023/1542, Annex XIII(2)-(4)',
  description:
    audience === 'authority'
      ? 'State of health, use and events of this battery are for persons with a legitimate interest alone (Annex XIII, point 4), and this workspace keeps audiences strictly apart.'
      : 'State of health, use and events of this battery are for persons with a legitimate interest and for authorities.',
  howToRequest: `/request-access?unit=${id}`,
})

const measures = ({ stateOfHealth, cycleCount, remainingCapacityAh, temperatureC }: UnitState) => ({
  stateOfHealth,
  cycleCount,
  remainingCapacityAh,
  temperatureC,
})

const state = (measured: UnitState): Schema<'UnitState'> => ({ ...measures(measured), recordedAt: measured.recordedAt })

const entry = (record: UnitRecord): Schema<'UnitRecord'> => ({
  '@type': 'BatteryUnitEvent',
  eventType: record.eventType,
  ...measures(record),
  payload: record.payload as Schema<'UnitRecord'>['payload'],
  recordedAt: record.recordedAt,
})
