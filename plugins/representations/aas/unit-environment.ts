import {
  type CategoryDescription,
  CONDITION_FIELDS,
  type Condition,
  isBattery,
  type Json,
  type KeptCondition,
  type UnitRecord,
  type UnitState,
  type UnitView,
} from '../../../src/plugin/index.ts'
import {
  collection,
  type Element,
  jsonText,
  list,
  property,
  referenceElement,
  xmlText,
  xsdDateTime,
} from './elements.ts'
import { derivedShell, type Environment, environment, ownSubmodel, passportIdentifier, withId } from './environment.ts'
import { unitMetadata } from './idta.ts'

/**
 * Returns the environment of one unit (IDTA-01001): a shell of kind Instance, derived from the product shell, which is included.
 * ProductCondition (IDTA 02035-5) is not claimed: it requires a state of charge, which is not recorded.
 * @param elements metadata elements of the product, if already built
 */
export function unitEnvironment(
  unit: UnitView,
  category: CategoryDescription,
  elements?: readonly Element[],
): Environment {
  const type = environment(unit.ofModel, category, elements)
  const submodels = [
    ownSubmodel(
      unit,
      isBattery(unit.ofModel.metadata) ? 'BatteryUnitInformation' : 'ProductItemInformation',
      unitInformation(unit),
    ),
    withId(unit.id, unitMetadata(unit)),
    ...(unit.telemetry === undefined
      ? []
      : [ownSubmodel(unit, 'OperationalData', operationalData(unit.telemetry, unit))]),
  ].filter(({ submodelElements }) => submodelElements.length > 0)
  const { serialNumber, batchNumber } = unit
  const ids = [
    { name: 'serialNumber', value: xmlText(serialNumber) },
    passportIdentifier(`${unit.baseUrl}/unit/${unit.id}`),
    ...(batchNumber === null ? [] : [{ name: 'batchNumber', value: xmlText(batchNumber) }]),
  ]
  const shell = derivedShell(unit, { called: serialNumber, assetKind: 'Instance', ids }, submodels)
  return {
    assetAdministrationShells: [shell, ...type.assetAdministrationShells],
    submodels: [...submodels, ...type.submodels],
  }
}

function unitInformation(unit: UnitView): Element[] {
  const { id, serialNumber, batchNumber, ofBatch, status, manufacturedAt, repurposedFrom, createdAt, updatedAt } = unit
  const [first, ...others] = unit.successorUnits.map((other) => referenceElement(undefined, other.digitalLinkUri))
  return [
    property('unitId', 'xs:string', id),
    property('serialNumber', 'xs:string', serialNumber, '0112/2///61987#ABA951#009'),
    ...(batchNumber === null ? [] : [property('batchNumber', 'xs:string', xmlText(batchNumber))]),
    ...(ofBatch === undefined ? [] : [referenceElement('ofBatch', ofBatch.digitalLinkUri)]),
    property('passportId', 'xs:string', unit.ofModel.id),
    property('status', 'xs:string', status),
    ...(manufacturedAt === null ? [] : [property('manufacturedAt', 'xs:dateTime', xsdDateTime(manufacturedAt))]),
    ...(repurposedFrom === null ? [] : [referenceElement('repurposedFrom', repurposedFrom.digitalLinkUri)]),
    ...(first === undefined ? [] : [list('successorUnits', [first, ...others])]),
    property('createdAt', 'xs:dateTime', createdAt),
    property('updatedAt', 'xs:dateTime', updatedAt),
  ]
}

function operationalData(
  { currentState, dynamicData, kept }: NonNullable<UnitView['telemetry']>,
  { baseUrl, ofModel }: UnitView,
): Element[] {
  const [first, ...others] = dynamicData.map((record) => collection(undefined, recordElements(record, baseUrl)))
  return [
    ...(currentState === null ? [] : [collection('currentState', measures(currentState, baseUrl))]),
    ...(first === undefined ? [] : [list('dynamicData', [first, ...others])]),
    ...(isBattery(ofModel.metadata) ? annexElements(kept, baseUrl) : []),
  ]
}

function annexElements({ condition: known, batteryStatus, statusChanges }: KeptCondition, baseUrl: string): Element[] {
  const condition = conditionElements(known, baseUrl)
  return [
    property('batteryStatus', 'xs:string', batteryStatus, `${baseUrl}/ns/dpp#batteryStatus`),
    ...(condition.length === 0 ? [] : [collection('condition', condition)]),
    ...(statusChanges.length === 0
      ? []
      : [property('valuesAtStatusChanges', 'xs:string', jsonText(statusChanges as unknown as Json))]),
  ]
}

function conditionElements(condition: Condition, baseUrl: string): Element[] {
  return Object.entries(condition).map(([key, { value, recordedAt }]) => {
    const concept = CONDITION_FIELDS.get(key)?.concept ?? `${baseUrl}/ns/dpp#${key}`
    return collection(key, [
      typeof value === 'number'
        ? property('value', 'xs:double', JSON.stringify(value), concept)
        : property('value', 'xs:string', typeof value === 'string' ? xmlText(value) : jsonText(value), concept),
      property('recordedAt', 'xs:dateTime', xsdDateTime(recordedAt)),
    ])
  })
}

function recordElements(record: UnitRecord, baseUrl: string): Element[] {
  return [
    property('eventType', 'xs:string', record.eventType),
    ...measures(record, baseUrl),
    ...(record.payload === null ? [] : [property('payload', 'xs:string', jsonText(record.payload))]),
  ]
}

function measures(state: UnitState, baseUrl: string): Element[] {
  const measure = (idShort: keyof typeof TYPES) => {
    const value = state[idShort]
    if (value === null) return []
    return [property(idShort, TYPES[idShort], JSON.stringify(value), `${baseUrl}/ns/dpp#${idShort}`)]
  }
  return [
    property('recordedAt', 'xs:dateTime', xsdDateTime(state.recordedAt)),
    ...(Object.keys(TYPES) as (keyof typeof TYPES)[]).flatMap(measure),
  ]
}

const TYPES = {
  stateOfHealth: 'xs:double',
  cycleCount: 'xs:unsignedLong',
  remainingCapacityAh: 'xs:double',
  temperatureC: 'xs:double',
} as const
