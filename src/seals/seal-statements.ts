import type { JsonRecord } from '../domain/record.ts'
import { boundTo } from '../operators/bindings.ts'
import type { Session, Statement } from '../storage/statement.ts'

export interface SealRow {
  signature: string
  is_current: boolean
  status: string
  /** True if the workspace is bound to the operator of the seal. */
  is_bound: boolean
  operator: JsonRecord
  facility: JsonRecord | null
}

export type MasterData = Pick<SealRow, 'operator' | 'facility'>

const MAX_EARLIER = 100

/** SQL: times of master-data changes while the seal `s` of passport `p` was current, newest first. */
const CHANGE_TIMES = `select c.at from (
            select a.shown_until as at from operator_version a where a.operator_id = s.operator_id
            union
            select l.shown_until from passport_facility l where l.passport_id = p.id
            union
            select a.shown_until from facility_version a where a.facility_id = p.facility_id
              or a.facility_id in (select l.facility_id from passport_facility l where l.passport_id = p.id)
          ) as c
          where c.at > s.created_at and (s.id = p.seal_id
            or c.at <= (select max(v.shown_until) from sealed_version v where v.seal_id = s.id))
          order by c.at desc limit ${MAX_EARLIER}`
/** SQL: the operator before `moment.at`. */
const OPERATOR_BEFORE = `coalesce((
          select jsonb_build_object('name', a.name, 'role', a.role, 'contact', a.contact) from operator_version a
          where a.operator_id = s.operator_id and a.shown_until >= moment.at order by a.version limit 1
        ), jsonb_build_object('name', o.name, 'role', o.role, 'contact', o.contact))`
/** SQL: the facility before `moment.at`; 2147483647 sorts the present one last. */
const FACILITY_BEFORE = `(
          select jsonb_build_object('id', x.id, 'gln', x.gln, 'name', x.name, 'activity', x.activity, 'country', x.country)
          from (
            select a.facility_id as id, a.version, a.gln, a.name, a.activity, a.country from facility_version a
            where a.shown_until >= moment.at
            union all
            select n.id, 2147483647, n.gln, n.name, n.activity, n.country from facility n
          ) as x
          where x.id = case when exists (
              select from passport_facility l where l.passport_id = p.id and l.shown_until >= moment.at
            ) then (
              select l.facility_id from passport_facility l where l.passport_id = p.id and l.shown_until >= moment.at
              order by l.place limit 1
            ) else p.facility_id end
          order by x.version limit 1
        )`

const FROM_SEAL = `from seal s
      join passport p on p.id = s.passport_id
      join operator o on o.id = s.operator_id`
const WHERE_SEAL = 's.merkle_root = $1 and s.tenant_id = app_tenant() and s.passport_id::text = $2 limit 1'

const FIND: Statement = {
  name: 'find-seal',
  text: `select s.signature, s.id = p.seal_id as is_current, p.status,
      ${boundTo('s.operator_id', 's.tenant_id')} as is_bound,
      json_build_object('name', o.name, 'role', o.role, 'contact', o.contact) as operator,
      case when f.id is not null then json_build_object('id', f.id, 'gln', f.gln, 'name', f.name,
        'activity', f.activity, 'country', f.country) end as facility
    ${FROM_SEAL}
      left join facility f on f.id = p.facility_id
    where ${WHERE_SEAL}`,
}

const FIND_EARLIER: Statement = {
  name: 'find-earlier-master-data',
  text: `select coalesce((select json_agg(json_build_object('operator', e.operator, 'facility', e.facility)) from (
        select operator::jsonb as operator, facility::jsonb as facility from sealed_version where seal_id = s.id
        union
        select ${OPERATOR_BEFORE}, ${FACILITY_BEFORE} from (${CHANGE_TIMES}) as moment
        limit ${MAX_EARLIER}
      ) as e), '[]') as earlier
    ${FROM_SEAL}
    where ${WHERE_SEAL}`,
}

/** Returns the workspace's seal with this Merkle root, and the master data that its documents show. */
export async function findSeal(session: Session, root: string, passportId: string): Promise<SealRow | undefined> {
  const [row] = await session.run<SealRow>(FIND, [root, passportId])
  return row
}

/** Returns earlier master data with which the seal was public: of replaced versions, and before each later change. */
export async function findEarlier(session: Session, root: string, passportId: string): Promise<readonly MasterData[]> {
  const [row] = await session.run<{ earlier: MasterData[] }>(FIND_EARLIER, [root, passportId])
  return row?.earlier ?? []
}
