import { iso, type Session, type Statement } from '../storage/statement.ts'
import type { PassportRow } from './passport-columns.ts'

/** Omits the contents of proof and facility. */
export interface ListedRow
  extends Pick<
    PassportRow,
    'id' | 'productId' | 'status' | 'version' | 'archivedAt' | 'retentionUntil' | 'createdAt' | 'updatedAt'
  > {
  readonly operator: Omit<PassportRow['operator'], 'contact'>
  readonly seal: Pick<NonNullable<PassportRow['seal']>, 'signature' | 'publicKeyPem'> | null
  /** JSON; most lists never parse it. */
  readonly metadataText: string
  /** See `isRepeatable`. */
  readonly isRepeatable: boolean
}

/** `where` is trusted SQL, never input. */
export const forList = (name: string, where: string): Statement => ({
  name,
  text: `select p.id, p.product_id as "productId", p.status, p.version, p.metadata::text as "metadataText",
      p.is_repeatable as "isRepeatable",
      ${iso('p.archived_at')} as "archivedAt", ${iso('p.retention_until')} as "retentionUntil",
      ${iso('p.created_at')} as "createdAt", ${iso('p.updated_at')} as "updatedAt",
      o.id as "operatorId", o.name, o.reg_id as "regId", o.role, s.signature, s.public_key_pem as "publicKeyPem"
    from passport p
      join operator o on o.id = p.operator_id
      left join seal s on s.id = p.seal_id
    where ${where}`,
})

type FlatRow = Omit<ListedRow, 'operator' | 'seal'> & {
  readonly operatorId: string
  readonly name: string
  readonly regId: string
  readonly role: string
  readonly signature: string | null
  readonly publicKeyPem: string
}

export async function loadPassportsForList(
  session: Session,
  statement: Statement,
  values: readonly unknown[],
): Promise<ListedRow[]> {
  const rows = await session.run<FlatRow>(statement, values)
  return rows.map((row) => ({
    ...row,
    operator: { id: row.operatorId, name: row.name, regId: row.regId, role: row.role },
    seal: row.signature === null ? null : { signature: row.signature, publicKeyPem: row.publicKeyPem },
  }))
}
