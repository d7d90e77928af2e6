import type { Json, Metadata } from '../domain/metadata.ts'
import {
  type Condition,
  type KeptCondition,
  type LegalStatus,
  MAX_STATUS_CHANGES,
  type UnitEventType,
  type UnitMeasures,
  type UnitStatus,
} from '../domain/unit.ts'

export interface ConditionEvent extends UnitMeasures {
  readonly eventType: UnitEventType
  readonly status: UnitStatus | null
  readonly recordedAt: string
  readonly values: Metadata
}

const MAX_NEGATIVE_EVENTS = 20

const LEGAL: Readonly<Partial<Record<UnitStatus, LegalStatus>>> = {
  REPURPOSED: 'repurposed',
  REUSED: 're-used',
  REMANUFACTURED: 'remanufactured',
  WASTE: 'waste',
  RECYCLED: 'waste',
}

/**
 * Returns the legal status (Regulation (EU) 2023/1542, Annex XIII, point 4(c)). A battery in service, decommissioned or recalled retains
 * it: after repurposing, re-use or remanufacturing it is another operator's (Article 77(7)), never original again. Waste back in service is
 * `re-used`.
 */
export function legalStatusOf(status: UnitStatus, held: LegalStatus = 'original'): LegalStatus {
  if (status === 'IN_SERVICE' && held === 'waste') return 're-used'
  return LEGAL[status] ?? held
}

/**
 * @param status before the event
 * @param storedKeys of Annex XIII, point 4(a)
 * @returns the same object if unchanged
 */
export function conditionAfter(
  stored: KeptCondition,
  event: ConditionEvent,
  status: UnitStatus,
  storedKeys: ReadonlySet<string>,
): KeptCondition {
  const condition = withNegativeEvent(withValues(stored.condition, event), event)
  const moves = event.status !== null && event.status !== status
  // Without a status change: values at placing on the market.
  const isStatement =
    event.eventType === 'STATUS_CHANGE' && Object.keys(event.values).some((key) => storedKeys.has(key))
  if (!moves && !isStatement) return condition === stored.condition ? stored : { ...stored, condition }
  const batteryStatus =
    event.status !== null && moves ? legalStatusOf(event.status, stored.batteryStatus) : stored.batteryStatus
  const known = Object.entries(condition).map(([key, { value }]): [string, Json] => [key, value])
  const values = Object.fromEntries([...known, ...Object.entries(event.values)].filter(([key]) => storedKeys.has(key)))
  const changes = [...stored.statusChanges, { batteryStatus, recordedAt: event.recordedAt, values }]
    // Late records are sorted by time.
    .toSorted((a, b) => (a.recordedAt < b.recordedAt ? -1 : Number(a.recordedAt > b.recordedAt)))
  if (changes.length > MAX_STATUS_CHANGES) changes.splice(1, changes.length - MAX_STATUS_CHANGES)
  return { condition, batteryStatus, statusChanges: changes }
}

function withValues(
  before: Condition,
  { values, cycleCount, remainingCapacityAh, temperatureC, recordedAt }: ConditionEvent,
): Condition {
  let after: Record<string, Condition[string]> | undefined
  const keep = (key: string, value: Json) => {
    const known = (after ?? before)[key]
    if (known !== undefined && known.recordedAt > recordedAt) return
    if (known?.value === value && known.recordedAt === recordedAt) return
    after ??= { ...before }
    after[key] = { value, recordedAt }
  }
  for (const [key, value] of Object.entries(values)) if (!OF_EVENT.has(key)) keep(key, value)
  if (cycleCount !== null) keep('fullCycles', cycleCount)
  if (remainingCapacityAh !== null) keep('remainingCapacityAh', remainingCapacityAh)
  if (temperatureC !== null) keep('temperatureC', temperatureC)
  return after ?? before
}

const OF_EVENT: ReadonlySet<string> = new Set(['kind', 'description'])

function withNegativeEvent(before: Condition, { eventType, values, recordedAt }: ConditionEvent): Condition {
  if (eventType !== 'NEGATIVE_EVENT') return before
  const { kind = 'other', description } = values
  const event = { kind, ...(description === undefined ? {} : { description }), recordedAt }
  const earlier = (before.negativeEvents?.value ?? []) as unknown as readonly (typeof event)[]
  const place = earlier.findIndex((other) => other.recordedAt <= recordedAt)
  const events = earlier.toSpliced(place === -1 ? earlier.length : place, 0, event).slice(0, MAX_NEGATIVE_EVENTS)
  return {
    ...before,
    negativeEvents: { value: events as unknown as Json, recordedAt: events[0]?.recordedAt ?? recordedAt },
  }
}
