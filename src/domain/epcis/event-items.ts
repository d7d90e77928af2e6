import { isRecord, type JsonRecord } from '../record.ts'
import { type EventItem, type EventType, ITEM_FIELDS, type ItemField } from './event.ts'
import { itemKey } from './item-key.ts'

/** Whether an event takes the items of a field in, puts them out, or both. */
type Role = Pick<EventItem, 'isInput' | 'isOutput'>

const TAKEN: Role = { isInput: true, isOutput: false }
const MADE: Role = { isInput: false, isOutput: true }
/** What passes through: it was there before, and is there after. */
const KEPT: Role = { isInput: true, isOutput: true }

/**
 * The items of an event with their roles, which is what lineage follows: an event is a parent of another where an item
 * that it put out is one that the other took in. Each item once for each field.
 */
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

/** The identifiers of a field, whether it has one, a list of them or quantities of classes. */
function urisIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return []
  return value.map((one) => (isRecord(one) ? one.epcClass : one)).filter((one) => typeof one === 'string')
}

function roleOf(type: EventType, action: unknown, field: ItemField): Role {
  if (field.startsWith('input')) return TAKEN
  if (field.startsWith('output')) return MADE
  // What is seen for the first time comes from nowhere.
  if (type === 'ObjectEvent') return action === 'ADD' ? MADE : KEPT
  if (type === 'TransactionEvent' || action === 'OBSERVE') return KEPT
  if (field !== 'parentID') return action === 'ADD' ? TAKEN : MADE
  // An asset stays what it is when parts are put into it or taken out; a box comes into being with what is packed.
  if (type === 'AssociationEvent') return KEPT
  return action === 'ADD' ? MADE : TAKEN
}
