import type { Words } from '../../../src/plugin/index.ts'
import {
  type Audiences,
  CANDIDATE_COLUMNS,
  type Candidate,
  type Session,
  type Statement,
  type Transaction,
} from '../../../src/plugin/module.ts'
import type { Brand, MediaKind, StoredMedia } from './entities.ts'

const PIECE_BYTES = 256 * 1024

export interface NewFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Buffer
  readonly sha256: Buffer
}

/** A logo if it has no passport. */
export interface NewMedia extends StoredMedia {
  readonly tenantId: string
  readonly passportId: string | null
  readonly files: readonly NewFile[]
  readonly isObject: boolean
}

const INSERT: Statement = {
  name: 'insert-media',
  text: `insert into media (id, passport_id, tenant_id, kind, media_type, title, file, sizes, bytes, document_type, language,
      audience, position, created_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
      coalesce((select max(position) from media where passport_id = $2), 0) + 1, now()`,
}
const INSERT_FILE: Statement = {
  name: 'insert-media-file',
  text: `insert into media_file (media_id, name, tenant_id, media_type, bytes, sha256, is_object)
    values ($1, $2, $3, $4, $5, $6, $7)`,
}
const INSERT_PIECE: Statement = {
  name: 'insert-media-piece',
  text: `insert into media_piece (media_id, name, tenant_id, place, bytes) values ($1, $2, $3, $4, $5)`,
}

export function insertMedia(tx: Transaction, media: NewMedia): void {
  const { id, tenantId, files, isObject } = media
  tx.write(INSERT, [
    id,
    media.passportId,
    tenantId,
    media.kind,
    media.mediaType,
    titleOf(media.title),
    media.file,
    JSON.stringify(media.sizes),
    media.bytes,
    media.documentType,
    media.language,
    media.audience,
  ])
  for (const { name, mediaType, bytes, sha256 } of files) {
    tx.write(INSERT_FILE, [id, name, tenantId, mediaType, bytes.length, sha256, isObject])
    if (isObject) continue
    for (let place = 0; place * PIECE_BYTES < bytes.length; place += 1) {
      const piece = bytes.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES)
      tx.write(INSERT_PIECE, [id, name, tenantId, place, piece])
    }
  }
}

const ARRANGE: Statement = {
  name: 'arrange-media',
  text: `update media m set position = a.position, title = a.title
    from unnest($2::uuid[], $3::json[]) with ordinality as a (id, title, position)
    where m.id = a.id and m.passport_id = $1`,
}

export function arrangeMedia(
  tx: Transaction,
  passportId: string,
  media: readonly { readonly id: string; readonly title: Words | null }[],
): void {
  tx.write(ARRANGE, [passportId, media.map(({ id }) => id), media.map(({ title }) => titleOf(title))])
}

const DELETE: Statement = { name: 'delete-media', text: 'delete from media where id = $1 and tenant_id = app_tenant()' }

export function deleteMedia(tx: Transaction, id: string): void {
  tx.write(DELETE, [id])
}

const NAMED_BY: Statement = {
  name: 'version-that-names-media',
  // See the view `passport_version`. jsonb text has one spelling of each letter. Rows of older releases have no status and count as
  // published.
  text: `with stated as (
      select h.version, h.metadata, lag(h.version, 1, 0) over (order by h.version) as after
      from passport_history h where h.passport_id = $1 and h.metadata is not null
      union all
      select 2147483647, p.metadata, coalesce((
        select max(h.version) from passport_history h where h.passport_id = p.id and h.metadata is not null
      ), 0)
      from passport p where p.id = $1
    ), naming as (
      select version, after from stated where strpos(lower(metadata::jsonb::text), lower($2)) > 0
    ), version as (
      select h.version, h.status from passport_history h where h.passport_id = $1
      union all
      select coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1, p.status
      from passport p where p.id = $1
    )
    select max(v.version) as version from version v join naming n on v.version > n.after and v.version <= n.version
    where v.status is distinct from 'DRAFT'`,
}

/** Returns the last published version with the id anywhere in its metadata. */
export async function versionNaming(session: Session, passportId: string, mediaId: string): Promise<number | null> {
  const [found] = await session.run<{ version: number | null }>(NAMED_BY, [passportId, mediaId])
  return found?.version ?? null
}

/** Includes the first piece, if stored in pieces. */
export interface FileRow {
  readonly mediaId: string
  readonly name: string
  readonly tenantId: string
  readonly mediaType: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
  readonly isObject: boolean
  readonly first: Buffer | null
  /** Null for a logo. */
  readonly operatorId: string | null
  readonly isDraft: boolean
  /** Empty means public. */
  readonly audience: Audiences
}

const FIND_FILE: Statement = {
  name: 'find-media-file',
  text: `select f.media_id as "mediaId", f.name, f.tenant_id as "tenantId", f.media_type as "mediaType", f.bytes,
      encode(f.sha256, 'hex') as sha256, f.is_object as "isObject", c.bytes as first, p.operator_id as "operatorId",
      coalesce(p.status = 'DRAFT', false) as "isDraft", m.audience
    from media_file f
      join media m on m.id = f.media_id
      left join passport p on p.id = m.passport_id
      left join media_piece c on c.media_id = f.media_id and c.name = f.name and c.place = 0
    where f.media_id = $1 and f.name = $2`,
}

/** A public session sees only published passports. */
export async function findFile(session: Session, mediaId: string, name: string): Promise<FileRow | undefined> {
  const [row] = await session.run<FileRow>(FIND_FILE, [mediaId, name])
  return row
}

const CANDIDATE: Statement = {
  name: 'candidate-by-media',
  text: `select ${CANDIDATE_COLUMNS} from media m join passport p on p.id = m.passport_id where m.id = $1`,
}

/** Ignores the medium's audience. */
export async function candidateByMedia(lookup: Session, mediaId: string): Promise<Candidate | undefined> {
  const [row] = await lookup.run<Candidate>(CANDIDATE, [mediaId])
  return row
}

const PIECE: Statement = {
  name: 'media-piece',
  text: 'select bytes from media_piece where media_id = $1 and name = $2 and place = $3',
}

/**
 * Reads lazily.
 * @throws Error if the file is deleted meanwhile
 */
export async function* piecesOf(session: Session, { mediaId, name, bytes, first }: FileRow): AsyncIterable<Buffer> {
  let piece = first
  for (let place = 0, read = 0; read < bytes; place += 1) {
    if (place > 0) piece = (await session.run<{ bytes: Buffer }>(PIECE, [mediaId, name, place]))[0]?.bytes ?? null
    if (piece === null || piece.length === 0)
      throw new Error(`The file ${mediaId}/${name} was deleted while it was read.`)
    read += piece.length
    yield piece
  }
}

export const countOf = (media: readonly StoredMedia[], kind: MediaKind): number =>
  media.filter((medium) => medium.kind === kind).length

const titleOf = (title: Words | null): string | null => (title === null ? null : JSON.stringify(title))

interface WorkspaceBrand extends Pick<Brand, 'tenantId'> {
  readonly accent: string | null
  readonly logoId: string | null
}

const BRAND: Statement = {
  name: 'brand-of-workspace',
  text: `select w.id as "tenantId", b.accent, b.logo_id as "logoId"
    from workspace w left join brand b on b.tenant_id = w.id where w.id = $1`,
}

/** Undefined if the workspace does not exist. */
export async function brandOf(session: Session, workspaceId: string): Promise<WorkspaceBrand | undefined> {
  const [row] = await session.run<WorkspaceBrand>(BRAND, [workspaceId])
  return row
}

const LOGO: Statement = {
  name: 'logo-of-workspace',
  text: 'select m.id, m.file from brand b join media m on m.id = b.logo_id where b.tenant_id = $1',
}

/** File of the logo, if the workspace has one. */
export async function logoOf(
  session: Session,
  workspaceId: string,
): Promise<{ readonly id: string; readonly file: string } | undefined> {
  return (await session.run<{ id: string; file: string }>(LOGO, [workspaceId]))[0]
}

const STORE_BRAND: Statement = {
  name: 'store-brand',
  text: `insert into brand (tenant_id, accent, logo_id) values ($1, $2, $3)
    on conflict (tenant_id) do update set accent = excluded.accent, logo_id = excluded.logo_id`,
}

export function storeBrand(tx: Transaction, { tenantId, accent, logoId }: WorkspaceBrand): void {
  tx.write(STORE_BRAND, [tenantId, accent, logoId])
}
