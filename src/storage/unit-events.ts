import type { Json } from '../domain/metadata.ts'
import type { UnitEventType, UnitMeasures } from '../domain/unit.ts'
import { iso, type Session, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

/** One entry of a unit's record. Timestamps are ISO 8601 in UTC. */
export interface UnitEventRow extends UnitMeasures {
  readonly id: string
  readonly unitId: string
  readonly tenantId: string
  readonly eventType: UnitEventType
  readonly payload: Json
  readonly recordedAt: string
  readonly createdAt: string
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

const INSERT: Statement = {
  name: 'insert-unit-events',
  text: `insert into battery_unit_event (id, unit_id, tenant_id, operator_id, event_type, state_of_health, cycle_count,
      remaining_capacity_ah, temperature_c, payload, recorded_at, created_at)
    select r.id, r.unit_id, app_tenant(), r.operator_id, r.event_type, r.state_of_health, r.cycle_count,
      r.remaining_capacity_ah, r.temperature_c, r.payload, r.recorded_at, coalesce(r.created_at, $1)
    from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::float8[], $7::bigint[], $8::float8[], $9::float8[],
        $10::json[], $11::timestamptz[], $12::timestamptz[])
      as r (id, unit_id, operator_id, event_type, state_of_health, cycle_count, remaining_capacity_ah, temperature_c, payload,
        recorded_at, created_at)`,
}

/** An event of a unit that is held, and so known to be the workspace's; the operator is the unit's. */
export type NewUnitEvent = UnitEventRow & { readonly operatorId: string }

/** Records events of held units, in their order. */
export function insertUnitEvents(tx: Transaction, events: readonly NewUnitEvent[]): void {
  const [first] = events
  if (first === undefined) return
  const isAtOnce = events.every(({ createdAt }) => createdAt === first.createdAt)
  tx.write(INSERT, [
    first.createdAt,
    events.map(({ id }) => id),
    events.map(({ unitId }) => unitId),
    events.map(({ operatorId }) => operatorId),
    events.map(({ eventType }) => eventType),
    events.map(({ stateOfHealth }) => stateOfHealth),
    events.map(({ cycleCount }) => cycleCount),
    events.map(({ remainingCapacityAh }) => remainingCapacityAh),
    events.map(({ temperatureC }) => temperatureC),
    events.map(({ payload }) => (payload === null ? null : JSON.stringify(payload))),
    events.map(({ recordedAt }) => recordedAt),
    isAtOnce ? [] : events.map(({ createdAt }) => createdAt),
  ])
}
