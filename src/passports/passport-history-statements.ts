import type { Metadata } from '../domain/metadata.ts'
import type { PassportStatus } from '../domain/view.ts'
import { iso, type Session, type Statement } from '../storage/statement.ts'

/** A page has at least one version. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** Timestamps are ISO 8601 in UTC. */
export interface VersionRow {
  readonly version: number
  readonly metadata: Metadata
  /** Last status of the version; null if not recorded. */
  readonly status: PassportStatus | null
  readonly schemaVersion: string | null
  readonly seal: { readonly id: string; readonly createdAt: string } | null
  /** Null for the current version. */
  readonly ended: { readonly by: string; readonly reason: string; readonly at: string } | null
}

/** `now` decides the visibility of the versions. */
export interface HistoryPage {
  readonly versions: readonly VersionRow[]
  readonly now: Pick<RawVersion, 'category' | 'statusNow' | 'passportCreatedAt'> | undefined
}

interface RawVersion {
  readonly version: number
  readonly metadata: string | null
  readonly status: PassportStatus | null
  readonly schemaVersion: string | null
  readonly sealId: string | null
  readonly sealedAt: string
  readonly by: string | null
  readonly reason: string
  readonly at: string
  readonly category: string | null
  readonly statusNow: PassportStatus
  readonly passportCreatedAt: string
}

// One statement, so that current state and history share a snapshot. A version without metadata has that of the next one, see the view
// `passport_version`.
const HISTORY: Statement = {
  name: 'history-of-passport',
  text: `with latest as (
      select p.id, coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0)
        + case when p.is_deleted then 0 else 1 end as version
      from known_passport p where p.id = $1
    ), top as (
      select id, least(version, $2::int - 1) as version from latest
    ), page as (
      select h.version, case when h.version = top.version and h.metadata is null
          then (select w.metadata from passport_version w where w.passport_id = top.id and w.version = top.version)
          else h.metadata end as metadata,
        h.status, h.seal_id, h.changed_by, h.change_reason, h.created_at, h.schema_version
      from top join passport_history h on h.passport_id = top.id
        and h.version between top.version - $3::int and top.version
      union all
      select latest.version, p.metadata, p.status, p.seal_id, null, null, null, p.schema_version
      from latest join top on top.version = latest.version join passport p on p.id = latest.id
    ), measured as (
      select *, coalesce(sum(octet_length(metadata::text)) over (
        order by version desc rows between unbounded preceding and 1 preceding), 0) as ahead
      from page
    )
    select m.version, m.metadata::text as metadata, m.status, m.seal_id as "sealId",
      m.schema_version as "schemaVersion",
      ${iso('s.created_at')} as "sealedAt", m.changed_by as by, m.change_reason as reason, ${iso('m.created_at')} as at,
      p.category, p.status as "statusNow", ${iso('p.created_at')} as "passportCreatedAt"
    from measured m join known_passport p on p.id = $1 left join seal s on s.id = m.seal_id
    where m.ahead <= ${MAX_PAGE_BYTES} order by m.version desc`,
}

/** Newest first: `limit` versions and the predecessor of the last; fewer if they are large. */
export async function readHistory(
  session: Session,
  id: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<HistoryPage> {
  const rows = await session.run<RawVersion>(HISTORY, [id, before, limit])
  let metadata: Metadata = {}
  const versions = rows.map((row) => {
    if (row.metadata !== null) metadata = JSON.parse(row.metadata)
    return {
      version: row.version,
      metadata,
      status: row.status,
      schemaVersion: row.schemaVersion,
      seal: row.sealId === null ? null : { id: row.sealId, createdAt: row.sealedAt },
      ended: row.by === null ? null : { by: row.by, reason: row.reason, at: row.at },
    }
  })
  return { versions, now: rows[0] }
}
