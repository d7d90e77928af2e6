import { dictionary, isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { longWord, shortWord } from './cbv.ts'
import { EVENT_TYPES } from './event.ts'
import schema from './event-schema.json' with { type: 'json' }
import { zoneOffsetOf } from './event-time.ts'

/** Namespace of keys that EPCIS lacks. */
export const OWN_CONTEXT = { dpp: 'urn:dpp-gateway:epcis:' } as const
const OWN = 'dpp:'
const NAMES = `${OWN}names`

export interface Converted {
  readonly event: JsonRecord
  /** Input pointers by pointer into the event. */
  readonly places: ReadonlyMap<string, string>
}

/** EPCIS names of UNTP 0.6 keys. */
const RENAMED = dictionary({
  id: 'eventID',
  parentEPC: 'parentID',
  parentEpc: 'parentID',
  childEPCList: 'childEPCs',
  childEpcs: 'childEPCs',
  inputEpcList: 'inputEPCList',
  outputEpcList: 'outputEPCList',
})
const ITEM_LISTS = new Set(['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList'])
const QUANTITY_LISTS = new Set(['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'])
const PARTIES = dictionary({
  sourceParty: ['sourceList', 'source'],
  destinationParty: ['destinationList', 'destination'],
})
const EPCIS_KEYS = new Set<string>(EVENT_TYPES.flatMap((type) => namesOf(schema.$defs[type].propertyNames.if.anyOf)))

function namesOf(choices: readonly { readonly enum?: readonly string[] }[]): readonly string[] {
  return choices.flatMap((choice) => choice.enum ?? [])
}

/** Converts a UNTP 0.6 event to EPCIS 2.0 without validation. Keys that EPCIS lacks get the prefix `dpp:`, which {@link toUntp} removes. */
export function fromUntp(sent: JsonRecord): Converted {
  const type = typeIn(sent.type)
  const converted: Record<string, unknown> = { type, eventTimeZoneOffset: zoneOffsetOf(sent.eventTime) }
  const places = new Map<string, string>()
  const names = new Map<string, string>()
  for (const [key, value] of Object.entries(sent)) {
    if (key === 'type' || key.startsWith('_') || value === null || value === undefined) continue
    const name = RENAMED[key] ?? key
    if (name !== key) places.set(`/${name}`, `/${key}`)
    if (ITEM_LISTS.has(name)) converted[name] = itemsFrom(value, name, key, places, names)
    else if (QUANTITY_LISTS.has(name)) converted[name] = quantitiesFrom(value, key, places, names)
    else if (name === 'parentID') converted[name] = parentFrom(value, key, places, names)
    else if (name === 'action' && type === 'TransformationEvent') converted[`${OWN}action`] = value
    else if (name === 'action') converted.action = typeof value === 'string' ? value.toUpperCase() : value
    else if (name === 'bizStep' || name === 'disposition') converted[name] = mapText(value, shortWord)
    else if (name === 'readPoint' || name === 'bizLocation') converted[name] = placeFrom(value, name, places)
    else if (name === 'sensorElementList') converted[name] = sensorsFrom(value, places, names)
    else if (name === 'bizTransaction') {
      converted.bizTransactionList = [{ bizTransaction: value }]
      places
        .set('/bizTransactionList', '/bizTransaction')
        .set('/bizTransactionList/0/bizTransaction', '/bizTransaction')
    } else if (PARTIES[name] !== undefined) {
      const [list = '', of = ''] = PARTIES[name]
      converted[list] = [{ type: 'possessing_party', [of]: value }]
      places.set(`/${list}/0/${of}`, `/${name}`)
    } else converted[EPCIS_KEYS.has(name) || name.includes(':') ? name : `${OWN}${name}`] = value
  }
  // Events without action only observe.
  if (type !== 'TransformationEvent') converted.action ??= 'OBSERVE'
  if (names.size > 0) converted[NAMES] = Object.fromEntries(names)
  return { event: converted, places }
}

function typeIn(type: unknown): unknown {
  return [type].flat().find((one) => EVENT_TYPES.some((known) => known === one)) ?? type
}

const mapText = (value: unknown, change: (text: string) => string): unknown =>
  typeof value === 'string' ? change(value) : value

function idFrom(value: unknown, idKey: string, nameKey: string, names: Map<string, string>): unknown {
  if (!isRecord(value)) return value
  const { [idKey]: id, [nameKey]: name } = value
  if (typeof id === 'string' && typeof name === 'string' && name !== id && !names.has(id)) names.set(id, name)
  return id
}

function itemsFrom(
  value: unknown,
  name: string,
  key: string,
  places: Map<string, string>,
  names: Map<string, string>,
): unknown {
  if (!Array.isArray(value)) return value
  const items = new Map<unknown, true>()
  for (const [index, one] of value.entries()) {
    const id = idFrom(one, 'id', 'name', names)
    if (items.has(id)) continue
    places.set(`/${name}/${items.size}`, `/${key}/${index}${isRecord(one) ? '/id' : ''}`)
    items.set(id, true)
  }
  return [...items.keys()]
}

function quantitiesFrom(value: unknown, key: string, places: Map<string, string>, names: Map<string, string>): unknown {
  if (!Array.isArray(value)) return value
  return value.map((one, index) => {
    if (!isRecord(one) || one.epcClass !== undefined) return one
    places.set(`/${key}/${index}/epcClass`, `/${key}/${index}/productId`)
    const { type: _, productId, productName, ...rest } = one
    return withoutUndefined({
      epcClass: idFrom({ productId, productName }, 'productId', 'productName', names),
      ...rest,
    })
  })
}

function parentFrom(value: unknown, key: string, places: Map<string, string>, names: Map<string, string>): unknown {
  if (isRecord(value)) places.set('/parentID', `/${key}/id`)
  return idFrom(value, 'id', 'name', names)
}

function placeFrom(value: unknown, name: string, places: Map<string, string>): unknown {
  if (typeof value !== 'string') return value
  places.set(`/${name}/id`, `/${name}`)
  return { id: value }
}

function sensorsFrom(value: unknown, places: Map<string, string>, names: Map<string, string>): unknown {
  if (!Array.isArray(value)) return value
  return value.map((element, index) => {
    if (!isRecord(element)) return element
    const at = `/sensorElementList/${index}`
    const { type: _, sensorMetadata, sensorReport, ...rest } = element
    return withoutUndefined({
      ...prefixed(rest),
      sensorMetadata: isRecord(sensorMetadata) ? metadataFrom(sensorMetadata, at, places, names) : sensorMetadata,
      sensorReport: Array.isArray(sensorReport)
        ? sensorReport.map((report, number) => reportFrom(report, `${at}/sensorReport/${number}`, places))
        : sensorReport,
    })
  })
}

function metadataFrom(sent: JsonRecord, at: string, places: Map<string, string>, names: Map<string, string>) {
  const { type: _, device, ...rest } = sent
  if (device === undefined) return rest
  places.set(`${at}/sensorMetadata/deviceID`, `${at}/sensorMetadata/device/id`)
  return { ...rest, deviceID: idFrom(device, 'id', 'name', names) }
}

function reportFrom(sent: unknown, at: string, places: Map<string, string>): unknown {
  if (!isRecord(sent) || sent.sensorType === undefined) return sent
  places.set(`${at}/type`, `${at}/sensorType`)
  const { type: _, sensorType, ...rest } = sent
  return { ...rest, type: sensorType }
}

/** Inverse of {@link fromUntp}. */
export function toUntp(event: JsonRecord): JsonRecord {
  const {
    type,
    eventID,
    action,
    parentID,
    childEPCs,
    sensorElementList,
    [NAMES]: storedNames,
    '@context': _,
    ...rest
  } = event
  const names = isRecord(storedNames) ? storedNames : {}
  const item = (id: unknown) => ({ type: ['Item'], id, name: nameOf(id, names) })
  const untp: Record<string, unknown> = {
    type: [type, 'Event'],
    id: eventID,
    action: mapText(action, (text) => text.toLowerCase()),
    parentEPC: parentID === undefined ? undefined : item(parentID),
    childEPCList: Array.isArray(childEPCs) ? childEPCs.map(item) : undefined,
    sensorElementList: Array.isArray(sensorElementList)
      ? sensorElementList.map((element) => sensorTo(element, names))
      : undefined,
  }
  for (const [key, value] of Object.entries(rest)) {
    const [of, single] = SINGLE[key]?.(value) ?? []
    if (key === 'eventTimeZoneOffset' && value === zoneOffsetOf(rest.eventTime)) continue
    if (of !== undefined) untp[of] = single
    else if (ITEM_LISTS.has(key) && Array.isArray(value)) untp[key] = value.map(item)
    else if (QUANTITY_LISTS.has(key) && Array.isArray(value)) untp[key] = value.map((one) => quantityTo(one, names))
    else if (key === 'bizStep' || key === 'disposition') untp[key] = mapText(value, longWord)
    else if (isPlace(key, value)) untp[key] = value.id
    else untp[key.startsWith(OWN) ? key.slice(OWN.length) : key] = value
  }
  return withoutUndefined(untp)
}

const SINGLE = dictionary<(list: unknown) => readonly [string, unknown] | undefined>({
  sourceList: (list) => partyIn(list, 'source', 'sourceParty'),
  destinationList: (list) => partyIn(list, 'destination', 'destinationParty'),
  bizTransactionList: (list) => {
    const only = onlyIn(list)
    return only !== undefined && Object.keys(only).join() === 'bizTransaction'
      ? ['bizTransaction', only.bizTransaction]
      : undefined
  },
})

const onlyIn = (list: unknown): JsonRecord | undefined =>
  Array.isArray(list) && list.length === 1 && isRecord(list[0]) ? list[0] : undefined

function partyIn(list: unknown, of: string, key: string): readonly [string, unknown] | undefined {
  const only = onlyIn(list)
  return only?.type === 'possessing_party' ? [key, only[of]] : undefined
}

/** True for a place without extensions. */
const isPlace = (key: string, value: unknown): value is { readonly id: string } =>
  (key === 'readPoint' || key === 'bizLocation') && isRecord(value) && Object.keys(value).join() === 'id'

/** UNTP requires item names; the default is the identifier. */
const nameOf = (id: unknown, names: JsonRecord): unknown =>
  typeof id === 'string' && Object.hasOwn(names, id) ? names[id] : id

function quantityTo(element: unknown, names: JsonRecord): unknown {
  if (!isRecord(element)) return element
  const { epcClass, ...rest } = element
  return { productId: epcClass, productName: nameOf(epcClass, names), ...rest }
}

function sensorTo(element: unknown, names: JsonRecord): unknown {
  if (!isRecord(element)) return element
  const { sensorMetadata, sensorReport, ...rest } = element
  const { deviceID, ...metadata } = isRecord(sensorMetadata) ? sensorMetadata : {}
  const device = deviceID === undefined ? undefined : { type: ['Item'], id: deviceID, name: nameOf(deviceID, names) }
  return withoutUndefined({
    ...unprefixed(rest),
    sensorMetadata: isRecord(sensorMetadata) ? withoutUndefined({ ...metadata, device }) : undefined,
    sensorReport: Array.isArray(sensorReport) ? sensorReport.map(reportTo) : undefined,
  })
}

function reportTo(report: unknown): unknown {
  if (!isRecord(report)) return report
  const { type, ...rest } = report
  return { ...rest, sensorType: type }
}

const unprefixed = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key.startsWith(OWN) ? key.slice(OWN.length) : key, value]),
  )

const prefixed = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key.includes(':') ? key : `${OWN}${key}`, value]))

const withoutUndefined = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
