import type { Session, Statement } from '../storage/statement.ts'

export interface UnitReferenceRow {
  readonly id: string
  readonly serialNumber: string
  readonly productId: string
}

const MAX_SUCCESSORS = 500

const FIND: Statement = {
  name: 'find-unit-references',
  text: `select id, serial_number as "serialNumber", product_id as "productId", is_predecessor as "isPredecessor"
    from unit_relatives($1, ${MAX_SUCCESSORS})`,
}

/** The predecessor must be public; successors are of any workspace, oldest first. */
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
