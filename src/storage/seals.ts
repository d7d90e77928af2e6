import type { JsonRecord } from '../domain/record.ts'
import { boundTo } from './bindings.ts'
import type { Session, Statement } from './statement.ts'

/** A seal that was made here, with what is registered today beside what it covers. */
export interface SealRow {
  signature: string
  is_current: boolean
  status: string
  is_bound: boolean
  operator: JsonRecord
  facility: JsonRecord | null
  /** What stood beside it in the versions that it sealed and that were replaced. */
  earlier: readonly { readonly operator: JsonRecord; readonly facility: JsonRecord | null }[]
}

/** Names that stood beside a seal and that a document is compared with; their number has no other bound. */
const MOST_EARLIER = 100

const FIND: Statement = {
  name: 'find-seal',
  text: `select s.signature, s.id = p.seal_id as is_current, p.status,
      ${boundTo('s.operator_id', 's.tenant_id')} as is_bound,
      json_build_object('name', o.name, 'role', o.role, 'contact', o.contact) as operator,
      case when f.id is not null then json_build_object('id', f.id, 'gln', f.gln, 'name', f.name,
        'activity', f.activity, 'country', f.country) end as facility,
      coalesce((select json_agg(json_build_object('operator', e.operator, 'facility', e.facility))
        from (select distinct operator::jsonb as operator, facility::jsonb as facility from sealed_version
          where seal_id = s.id limit ${MOST_EARLIER}) as e), '[]') as earlier
    from seal s
      join passport p on p.id = s.passport_id
      join operator o on o.id = s.operator_id
      left join facility f on f.id = p.facility_id
    where s.merkle_root = $1 and s.tenant_id = app_tenant() and s.passport_id::text = $2 limit 1`,
}

/** The workspace's seal over this root, of this passport. */
export async function findSeal(session: Session, root: string, passportId: string): Promise<SealRow | undefined> {
  const [row] = await session.run<SealRow>(FIND, [root, passportId])
  return row
}
