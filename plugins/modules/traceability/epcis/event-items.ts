import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { type EventItem, type EventType, ITEM_FIELDS, type ItemField } from './event.ts'
import { itemKey } from './item-key.ts'

type Role = Pick<EventItem, 'isInput' | 'isOutput'>

const TAKEN: Role = { isInput: true, isOutput: false }
const MADE: Role = { isInput: false, isOutput: true }
/** Exists before and after the event. */
const UNCHANGED: Role = { isInput: true, isOutput: true }

/** Returns items once per field. An event that outputs an item is a parent of events that input it. */
export function itemsOf(event: JsonRecord, type: EventType): EventItem[] {
  const items = new Map<string, EventItem>()
  for (const field of ITEM_FIELDS) {
    const value = event[field]
    if (value === undefined) continue
    const role = roleOf(type, event.action, field)
    for (const uri of urisIn(value)) {
      const { key, level } = itemKey(uri)
      items.set(`${field} ${key}`, { field, key, level, ...role })
    }
  }
  return [...items.values()]
}

function urisIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  return value.map((one) => (isRecord(one) ? one.epcClass : one)).filter((one) => typeof one === 'string')
}

function roleOf(type: EventType, action: unknown, field: ItemField): Role {
  if (field.startsWith('input')) return TAKEN
  if (field.startsWith('output')) return MADE
  if (type === 'ObjectEvent') return action === 'ADD' ? MADE : UNCHANGED
  if (type === 'TransactionEvent' || action === 'OBSERVE') return UNCHANGED
  if (field !== 'parentID') return action === 'ADD' ? TAKEN : MADE
  // An asset persists if parts change; a box begins with its packing.
  if (type === 'AssociationEvent') return UNCHANGED
  return action === 'ADD' ? MADE : TAKEN
}
