import type { Metadata } from '../domain/metadata.ts'
import type { PassportStatus } from '../domain/view.ts'
import { iso, type Session, type Statement } from './statement.ts'

/** Bytes of metadata after which a page has no further versions; it has some in any case. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** A version of a passport, with its whole metadata. Timestamps are ISO 8601 in UTC. */
export interface VersionRow {
  readonly version: number
  readonly metadata: Metadata
  /** The last status and the last seal that it had; null where that was not recorded. */
  readonly status: PassportStatus | null
  /** By which version of its schema the metadata was checked; null where there was none, or nobody kept it. */
  readonly schemaVersion: string | null
  readonly seal: { readonly id: string; readonly createdAt: string } | null
  /** The change that has ended it; null for what the passport is now. */
  readonly ended: { readonly by: string; readonly reason: string; readonly at: string } | null
}

/** Versions, and what decides what of them may be seen: what the passport is now. */
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

// One statement, so that what the passport is now and its history are of one moment. The metadata of a version is that of
// the next one where the history has none, see the view `passport_version`.
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

/**
 * Versions of a passport before `before`, newest first: `limit` of them and one more, from which the last has come; fewer
 * where they are large.
 */
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
