import { randomUUID } from 'node:crypto'
import type { UnitStatus } from '../../src/domain/unit.ts'
import type { TestGateway, TestWorkspace } from './gateway.ts'

let counter = 0

/** Battery units in the name of one workspace. */
export function unitClient(gateway: TestGateway, { id: tenantId }: Pick<TestWorkspace, 'id'>) {
  const run = (text: string, values: unknown[]) => gateway.sqlAs<{ id: string }>(tenantId, text, values)
  return {
    /** A unit that exists: of a new serial unless `of` says otherwise. */
    given: async (
      passportId: string,
      of: { serialNumber?: string; status?: UnitStatus; predecessorUnitId?: string } = {},
    ) => {
      counter += 1
      const { serialNumber = `SN-${counter}`, status = 'IN_SERVICE', predecessorUnitId = null } = of
      const id = randomUUID()
      await run(
        `insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, status, ceased_at,
           predecessor_unit_id, created_at, updated_at)
         select $1, p.tenant_id, p.id, p.operator_id, $3, $4, case when $4 = 'RECYCLED' then now() end, $5, now(), now()
         from passport p where p.id = $2`,
        [id, passportId, serialNumber, status, predecessorUnitId],
      )
      if (predecessorUnitId !== null) {
        await run(`update battery_unit set status = 'REPURPOSED', updated_at = now() where id = $1`, [
          predecessorUnitId,
        ])
      }
      return { id, serialNumber }
    },
    setStatus: (id: string, status: UnitStatus) =>
      run(
        `update battery_unit set status = $2, updated_at = now(),
           ceased_at = coalesce(ceased_at, case when $2 = 'RECYCLED' then now() end) where id = $1`,
        [id, status],
      ),
    measure: async (id: string, stateOfHealth: number, recordedAt: string, payload: unknown = null) => {
      await run(
        `insert into battery_unit_event (id, unit_id, tenant_id, event_type, state_of_health, recorded_at, created_at, payload)
         values ($1, $2, $3, 'SOH_MEASUREMENT', $4, $5, now(), $6)`,
        [randomUUID(), id, tenantId, stateOfHealth, recordedAt, JSON.stringify(payload)],
      )
      await run('update battery_unit set state_of_health = $2, measured_at = $3 where id = $1', [
        id,
        stateOfHealth,
        recordedAt,
      ])
    },
    remove: (id: string) => run('delete from battery_unit where id = $1', [id]),
  }
}
