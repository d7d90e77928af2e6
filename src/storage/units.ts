import type { UnitState, UnitStatus } from '../domain/unit.ts'
import { iso, type Session, type Statement } from './statement.ts'

/** A battery unit as one row. Timestamps are ISO 8601 in UTC. */
export interface UnitRow {
  readonly id: string
  readonly tenantId: string
  readonly passportId: string
  readonly operatorId: string
  readonly serialNumber: string
  readonly manufacturedAt: string | null
  readonly status: UnitStatus
  readonly ceasedAt: string | null
  readonly predecessorUnitId: string | null
  readonly version: number
  /** What was measured last; null before anything was. */
  readonly measured: UnitState | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The columns of a unit `u`. */
const COLUMNS = `u.id, u.tenant_id as "tenantId", u.passport_id as "passportId", u.operator_id as "operatorId",
  u.serial_number as "serialNumber", ${iso('u.manufactured_at')} as "manufacturedAt", u.status,
  ${iso('u.ceased_at')} as "ceasedAt", u.predecessor_unit_id as "predecessorUnitId", u.version,
  ${iso('u.created_at')} as "createdAt", ${iso('u.updated_at')} as "updatedAt"`

const FIND: Statement = {
  name: 'find-unit',
  text: `select ${COLUMNS}, u.state_of_health as "stateOfHealth", u.cycle_count::float8 as "cycleCount",
      u.remaining_capacity_ah as "remainingCapacityAh", u.temperature_c as "temperatureC",
      ${iso('u.measured_at')} as "recordedAt"
    from battery_unit u where u.id = $1`,
}

type Measured = { readonly [Key in keyof UnitState]: UnitState[Key] | null }

/** One unit by id, or undefined where the workspace sees none. */
export async function loadUnit(session: Session, id: string): Promise<UnitRow | undefined> {
  const [row] = await session.run<Omit<UnitRow, 'measured'> & Measured>(FIND, [id])
  if (row === undefined) return undefined
  const { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC, recordedAt, ...unit } = row
  const measures = { stateOfHealth, cycleCount, remainingCapacityAh, temperatureC }
  return { ...unit, measured: recordedAt === null ? null : { ...measures, recordedAt } }
}
