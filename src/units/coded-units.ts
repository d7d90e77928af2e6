import { boundTo } from '../operators/bindings.ts'
import type { Session, Statement } from '../storage/statement.ts'

const UNIT: Statement = {
  name: 'coded-unit',
  text: `select u.id, u.serial_number as "serialNumber", p.product_id as "productId", p.operator_id as "operatorId"
    from battery_unit u join passport p on p.id = u.passport_id
    where u.id = $1 and ${boundTo('p.operator_id', '$2')}`,
}

interface CodedUnit {
  readonly id: string
  readonly serialNumber: string
  readonly productId: string
  readonly operatorId: string
}

export async function codedUnit(session: Session, tenantId: string, id: string): Promise<CodedUnit | undefined> {
  const [row] = await session.run<CodedUnit>(UNIT, [id, tenantId])
  return row
}
