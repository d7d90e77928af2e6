import type { Cradle } from '../cradle.ts'
import type { PassportStatus, VersionNumbers } from '../domain/view.ts'
import { iso, type Session, type Statement } from '../storage/statement.ts'
import {
  CURRENT_JOINS,
  currentColumns,
  masterColumns,
  memberOf,
  type PassportRow,
  parsed,
  partsColumn,
  type RawRow,
  rowOf,
  SEAL_COLUMNS,
  type Source,
  toRow,
} from './passport-columns.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passportVersions: ReturnType<typeof passportVersions>
  }
}

/** Loads earlier states of passports. */
export default function passportVersions({ plugins }: Pick<Cradle, 'plugins'>) {
  const parts = { now: partsColumn(plugins.passportParts), earlier: partsColumn(plugins.passportParts, true) }
  const sealed = sealedVersions(parts)
  const archive = archived(parts.earlier)

  return { findSealed, findArchived }

  /** Returns the last state of a number, or the state at a time, also of deleted passports and present drafts: the caller checks access. */
  async function findSealed(session: Session, id: string, name: VersionName): Promise<SealedVersion | undefined> {
    const [statement, value] = 'version' in name ? [sealed.version, name.version] : [sealed.asOf, name.asOf]
    const [row] = await session.run<RawSealedVersion>(statement, [id, value])
    return row && versionOf(row)
  }

  async function findArchived(session: Session, id: string, time: string): Promise<ArchivedVersion | undefined> {
    const [row] = await session.run<RawSealedVersion & { readonly wasPublished: boolean }>(archive, [id, time])
    return row && { ...(await versionOf(row)), wasPublished: row.wasPublished }
  }
}

export interface SealedVersion {
  readonly row: PassportRow
  readonly number: number
  readonly supersededAt: string | null
  /** Hidden from the public then; the caller applies current masking. */
  readonly masked: readonly string[]
  readonly statusNow: PassportStatus
}

export type VersionName = { readonly version: number } | { readonly asOf: string }

/** Joins the data of time `$2`; the database archives replaced values. */
const archivesOf = (facilityId: string) => `left join lateral (
        select * from operator_version a where a.operator_id = p.operator_id and a.shown_until > $2 order by a.version limit 1
      ) oa on true
      left join lateral (
        select * from passport_facility l where l.passport_id = p.id and l.shown_until > $2 order by l.place limit 1
      ) la on true
      left join lateral (
        select * from facility_version a
        where a.facility_id = case when la.place is null then ${facilityId} else la.facility_id end and a.shown_until > $2
        order by a.version limit 1
      ) fa on true`
const asOf = (archive: 'oa' | 'fa', source: Source): Source => {
  return (column) => {
    // reg_id never changes; only the archive knows a deleted facility's id.
    if (column === 'reg_id') return source(column)
    const archived = column === 'id' ? `${archive}.facility_id` : rowOf(archive)(column)
    return `case when ${archive}.version is null then ${source(column)} else ${archived} end`
  }
}

const EARLIER = {
  operator: memberOf('v.operator', { name: 'name', reg_id: 'regId', role: 'role', contact: 'contact' }),
  facility: memberOf('v.facility', { gln: 'gln', name: 'name', activity: 'activity', country: 'country' }),
}
const earlierColumns = (operator: Source, facility: Source, parts: string) =>
  `p.id, p.tenant_id, p.operator_id, p.product_id, v.status,
      v.passport_version, coalesce(w.metadata, p.metadata)::text, coalesce(v.enrichment, (
        select later.enrichment from sealed_version later
        where later.passport_id = v.passport_id and later.passport_version > v.passport_version
          and later.enrichment is not null
        order by later.passport_version limit 1
      ), p.enrichment)::text,
      ${iso('v.archived_at')}, ${iso('v.retention_until')}, ${iso('p.created_at')}, ${iso('v.shown_from')},
      ${masterColumns(operator, facility, `v.recall::text, ${parts}, null`)},
      ${SEAL_COLUMNS}`
const LATEST = 'coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1'
const sealedVersion = (
  by: string,
  { isNow, isEarlier, columns, archives }: { isNow: string; isEarlier: string; columns: Columns; archives: Archives },
): Statement => ({
  name: `sealed-version-by-${by}`,
  text: `with now as (
      select ${columns.now}, ${LATEST} as number, null as superseded_at, '[]' as masked, p.status as status_now
      from passport p ${CURRENT_JOINS} ${archives('p.facility_id')}
      where p.id = $1 and p.status <> 'DRAFT' and p.seal_id is not null and ${isNow}
    ), earlier as (
      select ${columns.earlier}, v.version, ${iso('v.shown_until')}, to_json(v.masked)::text, p.status
      from (
        select * from sealed_version v where v.passport_id = $1 and ${isEarlier}
        order by v.passport_version desc limit 1
      ) as v
        join known_passport p on p.id = v.passport_id
        join seal s on s.id = v.seal_id
        left join passport_version w on w.passport_id = v.passport_id and w.version = v.version
        ${archives(`(v.facility ->> 'id')::uuid`)}
      where not exists (select from now)
    )
    select * from now union all select * from earlier`,
})
type Archives = (facilityId: string) => string
interface Columns {
  readonly now: string
  readonly earlier: string
}
interface PartColumns {
  readonly now: string
  readonly earlier: string
}
const sealedVersions = (parts: PartColumns) => ({
  version: sealedVersion('number', {
    isNow: `${LATEST} = $2`,
    isEarlier: 'v.version = $2',
    columns: {
      now: currentColumns(rowOf('o'), rowOf('f'), parts.now),
      earlier: earlierColumns(EARLIER.operator, EARLIER.facility, parts.earlier),
    },
    archives: () => '',
  }),
  asOf: sealedVersion('time', {
    isNow: 'p.updated_at <= $2',
    isEarlier: 'v.shown_from <= $2 and v.shown_until > $2',
    columns: {
      now: currentColumns(asOf('oa', rowOf('o')), asOf('fa', rowOf('f')), parts.now),
      earlier: earlierColumns(asOf('oa', EARLIER.operator), asOf('fa', EARLIER.facility), parts.earlier),
    },
    archives: archivesOf,
  }),
})

const MAX_LISTED_VERSIONS = 20

const VERSION_NUMBERS: Statement = {
  name: 'sealed-version-numbers',
  text: `select case when p.seal_id is not null and p.status <> 'DRAFT' then ${LATEST} end as shown,
      (
        select json_agg(json_build_object('number', e.version, 'until', ${iso('e.shown_until')}) order by e.version desc)
        from (
          select v.version, max(v.shown_until) as shown_until from sealed_version v
          where v.passport_id = p.id and not (v.version = ${LATEST} and p.seal_id is not null)
          group by v.version order by v.version desc limit ${MAX_LISTED_VERSIONS}
        ) as e
      )::text as earlier
    from passport p where p.id = $1`,
}

export async function loadVersionNumbers(session: Session, id: string): Promise<VersionNumbers | undefined> {
  const [row] = await session.run<{ shown: number | null; earlier: string | null }>(VERSION_NUMBERS, [id])
  return row && { shown: row.shown, earlier: parsed(row.earlier) ?? [] }
}

const archived = (parts: string): Statement => ({
  name: 'archived-version',
  // A version ends with the change in its row; a seal makes no version. Its seal was made during it, was carried over with it, or is still
  // that of the version before.
  text: `with ended as (
      select h.version, h.status, h.seal_id, h.recall, h.archived_at, h.retention_until, h.created_at as ended_at
      from passport_history h where h.passport_id = $1 and h.created_at > $2 order by h.version limit 1
    ), told as (
      select * from ended
      union all
      select ${LATEST}, p.status, p.seal_id, p.recall, p.archived_at, p.retention_until, null
      from passport p where p.id = $1 and not exists (select from ended)
    ), v as (
      select t.*, coalesce(b.created_at, p.created_at) as began_at, (
        select s.id from seal s
        where s.passport_id = p.id and t.seal_id is not null and s.created_at <= $2
          and (s.created_at >= coalesce(b.created_at, p.created_at) or s.id in (t.seal_id, b.seal_id))
        order by s.created_at desc limit 1
      ) as sealed_by
      from told t join known_passport p on p.id = $1
        left join passport_history b on b.passport_id = p.id and b.version = t.version - 1
    )
    select p.id, p.tenant_id, p.operator_id, p.product_id, coalesce(v.status, p.status) as status, v.version,
      coalesce(w.metadata, p.metadata)::text as metadata, null as enrichment,
      ${iso('case when v.archived_at <= $2 then v.archived_at end')} as archived_at,
      ${iso(`case when v.archived_at <= $2 or v.status = 'DECOMMISSIONED' then v.retention_until end`)} as retention_until,
      ${iso('p.created_at')} as created_at, ${iso('greatest(v.began_at, s.created_at)')} as updated_at,
      ${masterColumns(asOf('oa', rowOf('o')), asOf('fa', rowOf('f')), `v.recall::text as recall, ${parts} as parts, null as journey`)},
      ${SEAL_COLUMNS}, v.version as number, ${iso('v.ended_at')} as superseded_at, '[]' as masked,
      p.status as status_now, v.status is distinct from 'DRAFT' as "wasPublished"
    from v
      join known_passport p on p.id = $1
      join operator o on o.id = p.operator_id
      left join seal s on s.id = v.sealed_by
      left join passport_version w on w.passport_id = p.id and w.version = v.version
      ${archivesOf('p.facility_id')}
      left join facility f on f.id = case when la.place is null then p.facility_id else la.facility_id end
    where p.created_at <= $2`,
})

const LAST_MOMENT: Statement = {
  name: 'last-moment-of-version',
  text: `select ${iso("(h.created_at - interval '1 ms')")} as moment from passport_history h
    where h.passport_id = $1 and h.version = $2`,
}

export async function lastMomentOf(session: Session, id: string, version: number): Promise<string | undefined> {
  const [row] = await session.run<{ readonly moment: string }>(LAST_MOMENT, [id, version])
  return row?.moment
}

interface ArchivedVersion extends SealedVersion {
  /** True if readers other than the owner could read it. */
  readonly wasPublished: boolean
}

const versionOf = async (row: RawSealedVersion): Promise<SealedVersion> => ({
  row: await toRow(row),
  number: row.number,
  supersededAt: row.superseded_at,
  masked: JSON.parse(row.masked),
  statusNow: row.status_now,
})

interface RawSealedVersion extends RawRow {
  number: number
  superseded_at: string | null
  masked: string
  status_now: PassportStatus
}
