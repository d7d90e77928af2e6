import type { Session, Statement } from './statement.ts'

/** A unit that another was made of, or has become. */
export interface UnitReferenceRow {
  readonly id: string
  readonly serialNumber: string
  readonly productId: string
}

/** Of units that a unit has become, so many are shown. */
const MOST_SUCCESSORS = 500

const REFERENCE = `u.id, u.serial_number as "serialNumber", p.product_id as "productId"`
// A draft is as if it were not there, and so are its units.
const PUBLISHED = `join passport p on p.id = u.passport_id and p.status <> 'DRAFT'`

const FIND: Statement = {
  name: 'find-unit-references',
  text: `select true as "isPredecessor", ${REFERENCE}
    from battery_unit s join battery_unit u on u.id = s.predecessor_unit_id ${PUBLISHED} where s.id = $1
    union all
    (select false, ${REFERENCE} from battery_unit u ${PUBLISHED} where u.predecessor_unit_id = $1
      order by u.created_at, u.id limit ${MOST_SUCCESSORS})`,
}

/** The unit that this one was made of, if it is public, and those that it has become, oldest first. */
export async function loadUnitReferences(
  session: Session,
  unitId: string,
): Promise<{ readonly predecessor: UnitReferenceRow | undefined; readonly successors: readonly UnitReferenceRow[] }> {
  const rows = await session.run<UnitReferenceRow & { readonly isPredecessor: boolean }>(FIND, [unitId])
  return {
    predecessor: rows.find(({ isPredecessor }) => isPredecessor),
    successors: rows.filter(({ isPredecessor }) => !isPredecessor),
  }
}
