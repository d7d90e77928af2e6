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
  /** What they said while it was there: of versions that were replaced, and of the archive. */
  earlierOperators: readonly JsonRecord[]
  earlierFacilities: readonly JsonRecord[]
}

/** Names that stood beside a seal and that a document is compared with; their number has no other bound. */
const MOST_EARLIER = 100

const told = (states: string) =>
  `coalesce((select json_agg(e.said) from (select said from (${states}) as state limit ${MOST_EARLIER}) as e), '[]')`

const FIND: Statement = {
  name: 'find-seal',
  text: `select s.signature, s.id = p.seal_id as is_current, p.status,
      ${boundTo('s.operator_id', 's.tenant_id')} as is_bound,
      json_build_object('name', o.name, 'role', o.role, 'contact', o.contact) as operator,
      case when f.id is not null then json_build_object('id', f.id, 'gln', f.gln, 'name', f.name,
        'activity', f.activity, 'country', f.country) end as facility,
      ${told(`
        select v.operator::jsonb as said from sealed_version v where v.seal_id = s.id
        union
        select jsonb_build_object('name', a.name, 'role', a.role, 'contact', a.contact) from operator_version a
        where a.operator_id = s.operator_id and a.shown_until > s.created_at`)} as "earlierOperators",
      ${told(`
        select v.facility::jsonb as said from sealed_version v where v.seal_id = s.id and v.facility is not null
        union
        select jsonb_build_object('id', a.facility_id, 'gln', a.gln, 'name', a.name, 'activity', a.activity,
          'country', a.country)
        from facility_version a
        where a.shown_until > s.created_at and (a.facility_id = p.facility_id or a.facility_id in (
          select l.facility_id from passport_facility l where l.passport_id = p.id and l.shown_until > s.created_at))`)}
        as "earlierFacilities"
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
