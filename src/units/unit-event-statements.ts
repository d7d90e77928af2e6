import type { Json } from '../domain/metadata.ts'
import type { UnitMeasures } from '../domain/unit.ts'
import type { Row } from '../storage/row.ts'
import { iso, type Session, type Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { BatteryUnitEvent } from './entities.ts'

export interface UnitEventRow
  extends UnitMeasures,
    Row<BatteryUnitEvent, 'id' | 'unitId' | 'tenantId' | 'eventType' | 'recordedAt' | 'createdAt'> {
  readonly payload: Json
}

/**
 * Reads in partition order, so that reading ends with the last of the newest rows. The planner would sort all, and
 * planning all partitions takes longer than reading them.
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

/** Newest first; at the same time, the latest arrival first. */
export async function newestUnitEvents(session: Session, unitId: string, limit: number): Promise<UnitEventRow[]> {
  const [, rows] = await Promise.all([
    session.run(READ_IN_ORDER),
    session.run<Omit<UnitEventRow, 'payload'> & { payload: string | null }>(NEWEST, [unitId, limit]),
  ])
  return rows.map((row) => ({ ...row, payload: row.payload === null ? null : JSON.parse(row.payload) }))
}

/** The unit must be locked, and so of the workspace. */
export type NewUnitEvent = UnitEventRow & { readonly operatorId: string }

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
// Each column is one common value or a list: see `oneOrEach`.
const INSERT: Statement = {
  name: 'insert-unit-events-by-column',
  text: `insert into battery_unit_event (id, unit_id, tenant_id, ${NAMES})
    select r.id, r.unit_id, app_tenant(), ${COLUMNS.map(([name], index) => `coalesce(r.${name}, $${3 + 2 * index})`).join(', ')}
    from unnest($1::uuid[], $2::uuid[], ${COLUMNS.map(([, type], index) => `$${4 + 2 * index}::${type}[]`).join(', ')})
      as r (id, unit_id, ${NAMES})`,
}

/** Units must be locked. */
export function insertUnitEvents(tx: Transaction, events: readonly NewUnitEvent[]): void {
  if (events.length === 0) return
  tx.write(INSERT, [
    events.map(({ id }) => id),
    events.map(({ unitId }) => unitId),
    ...COLUMNS.flatMap(([, , valueIn]) => oneOrEach(events.map(valueIn))),
  ])
}

/** Sends a common value once: most of a thousand measurements differ little. */
function oneOrEach(values: readonly unknown[]): readonly [one: unknown, each: readonly unknown[]] {
  const [first] = values
  return values.every((value) => value === first) ? [first, []] : [null, values]
}
