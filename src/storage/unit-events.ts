import type { Json } from '../domain/metadata.ts'
import type { UnitMeasures } from '../domain/unit.ts'
import type { Row } from '../entities/row.ts'
import type { BatteryUnitEvent } from '../entities/units.ts'
import { iso, type Session, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** One entry of a unit's record. Timestamps are ISO 8601 in UTC. */
export interface UnitEventRow
  extends UnitMeasures,
    Row<BatteryUnitEvent, 'id' | 'unitId' | 'tenantId' | 'eventType' | 'recordedAt' | 'createdAt'> {
  readonly payload: Json
}

/**
 * Ordered as the partitions are, a reading ends with the one in which the last of the newest is found. The planner, which
 * expects few rows, would rather take all and sort them; and planning so many partitions takes longer than reading them.
 */
export const READ_IN_ORDER: Statement = {
  name: 'read-in-order',
  text: `select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'off', true),
    set_config('enable_bitmapscan', 'off', true)`,
}
const NEWEST: Statement = {
  name: 'newest-unit-events',
  text: `select e.id, e.unit_id as "unitId", e.tenant_id as "tenantId", e.event_type as "eventType",
      e.state_of_health as "stateOfHealth", e.cycle_count::float8 as "cycleCount",
      e.remaining_capacity_ah as "remainingCapacityAh", e.temperature_c as "temperatureC",
      e.payload::text as payload, ${iso('e.recorded_at')} as "recordedAt", ${iso('e.created_at')} as "createdAt"
    from battery_unit_event e where e.unit_id = $1 order by e.recorded_at desc, e.place desc limit $2`,
}

/** So many entries of a unit's record, newest first; of those of the same time the one that came last. */
export async function newestUnitEvents(session: Session, unitId: string, most: number): Promise<UnitEventRow[]> {
  const [, rows] = await Promise.all([
    session.run(READ_IN_ORDER),
    session.run<Omit<UnitEventRow, 'payload'> & { payload: string | null }>(NEWEST, [unitId, most]),
  ])
  return rows.map((row) => ({ ...row, payload: row.payload === null ? null : JSON.parse(row.payload) }))
}

/** An event of a unit that is held, and so known to be the workspace's; the operator is the unit's. */
export type NewUnitEvent = UnitEventRow & { readonly operatorId: string }

/** What an event has besides its id and its unit: the column, its type, and its value. */
const COLUMNS: readonly (readonly [name: string, type: string, valueIn: (event: NewUnitEvent) => unknown])[] = [
  ['operator_id', 'uuid', ({ operatorId }) => operatorId],
  ['event_type', 'text', ({ eventType }) => eventType],
  ['state_of_health', 'float8', ({ stateOfHealth }) => stateOfHealth],
  ['cycle_count', 'bigint', ({ cycleCount }) => cycleCount],
  ['remaining_capacity_ah', 'float8', ({ remainingCapacityAh }) => remainingCapacityAh],
  ['temperature_c', 'float8', ({ temperatureC }) => temperatureC],
  ['payload', 'json', ({ payload }) => (payload === null ? null : JSON.stringify(payload))],
  ['recorded_at', 'timestamptz', ({ recordedAt }) => recordedAt],
  ['created_at', 'timestamptz', ({ createdAt }) => createdAt],
]
const NAMES = COLUMNS.map(([name]) => name).join(', ')
// Of each column the one value that all events have, or a list of theirs: see `oneOrEach`.
const INSERT: Statement = {
  name: 'insert-unit-events-by-column',
  text: `insert into battery_unit_event (id, unit_id, tenant_id, ${NAMES})
    select r.id, r.unit_id, app_tenant(), ${COLUMNS.map(([name], index) => `coalesce(r.${name}, $${3 + 2 * index})`).join(', ')}
    from unnest($1::uuid[], $2::uuid[], ${COLUMNS.map(([, type], index) => `$${4 + 2 * index}::${type}[]`).join(', ')})
      as r (id, unit_id, ${NAMES})`,
}

/** Records events of held units, in their order. */
export function insertUnitEvents(tx: Transaction, events: readonly NewUnitEvent[]): void {
  if (events.length === 0) return
  tx.write(INSERT, [
    events.map(({ id }) => id),
    events.map(({ unitId }) => unitId),
    ...COLUMNS.flatMap(([, , valueIn]) => oneOrEach(events.map(valueIn))),
  ])
}

/** A value that all rows have goes once: most of a thousand measurements differ in little, and each value is written here and read there. */
function oneOrEach(values: readonly unknown[]): readonly [one: unknown, each: readonly unknown[]] {
  const [first] = values
  return values.every((value) => value === first) ? [first, []] : [null, values]
}
