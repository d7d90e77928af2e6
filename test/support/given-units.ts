import { randomUUID } from 'node:crypto'
import type { TestGateway, TestWorkspace } from './gateway.ts'

/** Units of a passport with these serial numbers, straight into the table. @returns their ids, in the same order */
export async function givenUnits(
  gateway: TestGateway,
  { id: tenantId, operatorId }: TestWorkspace,
  passportId: string,
  serialNumbers: readonly string[],
): Promise<string[]> {
  const ids = serialNumbers.map(() => randomUUID())
  await gateway.sql(
    `insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, status, created_at, updated_at)
     select u.id, $3, $4, $5, u.serial, 'IN_SERVICE', now(), now() from unnest($1::uuid[], $2::text[]) as u (id, serial)`,
    [ids, serialNumbers, tenantId, passportId, operatorId],
  )
  return ids
}
