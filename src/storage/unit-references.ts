import type { Session, Statement } from './statement.ts'

/** A unit that another was made of, or has become. */
export interface UnitReferenceRow {
  readonly id: string
  readonly serialNumber: string
  readonly productId: string
}

/** Of units that a unit has become, so many are shown. */
const MAX_SUCCESSORS = 500

const FIND: Statement = {
  name: 'find-unit-references',
  text: `select id, serial_number as "serialNumber", product_id as "productId", is_predecessor as "isPredecessor"
    from unit_relatives($1, ${MAX_SUCCESSORS})`,
}

/** The unit that this one was made of, if it is public, and those that it has become, oldest first, whosever they are. */
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
