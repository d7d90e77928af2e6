import type { Rel } from '../domain/links.ts'
import type { StoredImage } from '../domain/media.ts'
import type { BrandView, PassportStatus, VersionNumbers } from '../domain/view.ts'
import { yieldFor } from '../domain/yielding.ts'
import type { Facility, Operator } from '../entities/master-data.ts'
import type { Media } from '../entities/media.ts'
import type { Passport, Seal } from '../entities/passports.ts'
import type { Registration } from '../entities/registrations.ts'
import type { Row } from '../entities/row.ts'
import { iso, type Session, type Statement } from './statement.ts'

/** All data visible to readers. Timestamps are ISO 8601 in UTC. */
export interface PassportRow
  extends Row<
    Passport,
    | 'id'
    | 'tenantId'
    | 'operatorId'
    | 'productId'
    | 'status'
    | 'metadata'
    | 'enrichment'
    | 'version'
    | 'archivedAt'
    | 'retentionUntil'
    | 'createdAt'
    | 'updatedAt'
    | 'recall'
    | 'journey'
  > {
  readonly operator: Row<Operator, 'id' | 'name' | 'regId' | 'role' | 'contact'>
  /** Accepted links of either side, oldest first. */
  readonly links: readonly StoredLink[]
  /** Null until a registration is requested. */
  readonly registration: StoredRegistration | null
  /** Pictures in order, then documents. */
  readonly media: readonly StoredMedia[]
  /** Visible only to the issuing workspace. */
  readonly brand: StoredBrand | null
  readonly facility: Row<
    Facility,
    'id' | 'gln' | 'name' | 'activity' | 'country' | 'streetAddress' | 'city' | 'postalCode'
  > | null
  readonly seal: Row<
    Seal,
    'merkleRoot' | 'signature' | 'publicKeyPem' | 'leaves' | 'createdAt' | 'x5c' | 'rfc3161' | 'subject'
  > | null
}

/** Fields are null until the registry responds. */
export interface StoredRegistration
  extends Row<Registration, 'registry' | 'identifier' | 'registeredAt' | 'version' | 'hash'> {
  readonly hasProof: boolean
}

export interface StoredLink {
  /** Relation stated by the requesting passport. */
  readonly rel: Rel
  /** True for the target of the request. */
  readonly isAsked: boolean
  /** Null if external, at `url`. */
  readonly otherId: string | null
  readonly url: string | null
  readonly identifier: string
  readonly since: string
}

export interface StoredMedia
  extends Row<
    Media,
    'id' | 'kind' | 'mediaType' | 'title' | 'file' | 'sizes' | 'bytes' | 'documentType' | 'language' | 'audience'
  > {
  /** Hex, of a document's file. */
  readonly sha256: string | null
}

interface StoredBrand {
  readonly accent: BrandView['accent']
  readonly logo: (StoredImage & { readonly id: string }) | null
}

// Every column is text or a number, so that driver settings cannot change timestamps or JSON.
const SEAL_COLUMNS = `s.merkle_root, s.signature, s.public_key_pem, s.leaves::text as leaves, s.x5c::text as x5c,
      s.rfc3161::text as rfc3161, s.subject::text as subject, ${iso('s.created_at')} as sealed_at`
const BRAND = `(
        select json_build_object('accent', w.accent, 'logo', case when l.id is not null then json_build_object('id', l.id,
          'file', l.file, 'width', l.sizes -> 0 -> 'width', 'height', l.sizes -> 0 -> 'height') end)
        from workspace w left join media l on l.id = w.logo_id
        where w.id = p.tenant_id and (w.accent is not null or w.logo_id is not null)
      )::text`
const MEDIA = `(
        select json_agg(json_build_object('id', m.id, 'kind', m.kind, 'mediaType', m.media_type, 'title', m.title,
          'file', m.file, 'sizes', m.sizes, 'bytes', m.bytes, 'documentType', m.document_type, 'language', m.language,
          'audience', m.audience, 'sha256', case when m.kind = 'document' then (
            select encode(f.sha256, 'hex') from media_file f where f.media_id = m.id and f.name = m.file
          ) end) order by m.kind desc, m.position)
        from media m where m.passport_id = p.id
      )::text`
const REGISTRATION = `(
        select json_build_object('registry', r.registry, 'identifier', r.identifier, 'registeredAt', ${iso('r.registered_at')},
          'version', r.version, 'hash', r.hash, 'hasProof', r.proof_type is not null)
        from (select 1 from registration a where a.passport_id = p.id limit 1) as asked
          left join registration r on r.subject_id = p.id
      )::text`
const LINKS = `(
        select json_agg(json_build_object('rel', l.rel, 'isAsked', l.target_id is not distinct from p.id,
          'otherId', case when l.passport_id = p.id then l.target_id else l.passport_id end, 'url', l.target_url,
          'identifier', case when l.passport_id = p.id then l.identifier else l.product_id end,
          'since', ${iso('l.accepted_at')}) order by l.accepted_at, l.id)
        from passport_link l where (l.passport_id = p.id or l.target_id = p.id) and l.status = 'ACCEPTED'
      )::text`
type Source = (column: string) => string
const rowOf = (name: string): Source => {
  return (column) => (column === 'contact' ? `${name}.contact::text` : `${name}.${column}`)
}
/** Members hidden from the public were not stored and are null. */
function memberOf(document: string, names: Readonly<Record<string, string>>): Source {
  return (column) => {
    if (column === 'id') return `(${document} ->> 'id')::uuid`
    const name = names[column]
    return name === undefined ? 'null' : `${document} ->> '${name}'`
  }
}
const FACILITY_COLUMNS = ['activity', 'country', 'street_address', 'city', 'postal_code']
const masterColumns = (operator: Source, facility: Source, between: string) => `${operator('name')} as operator_name,
      ${operator('reg_id')} as operator_reg_id, ${operator('role')} as operator_role,
      ${operator('contact')} as operator_contact, ${between},
      ${facility('id')} as facility_id, ${facility('gln')} as gln, ${facility('name')} as facility_name,
      ${FACILITY_COLUMNS.map((column) => `${facility(column)} as ${column}`).join(', ')}`
const currentColumns = (
  operator: Source,
  facility: Source,
) => `p.id, p.tenant_id, p.operator_id, p.product_id, p.status, p.version,
      p.metadata::text as metadata, p.enrichment::text as enrichment,
      ${iso('p.archived_at')} as archived_at, ${iso('p.retention_until')} as retention_until,
      ${iso('p.created_at')} as created_at, ${iso('p.updated_at')} as updated_at,
      ${masterColumns(
        operator,
        facility,
        `p.recall::text as recall, ${MEDIA} as media, ${BRAND} as brand, ${LINKS} as links,
      ${REGISTRATION} as registration, p.journey::text as journey`,
      )},
      ${SEAL_COLUMNS}`
const CURRENT_COLUMNS = currentColumns(rowOf('o'), rowOf('f'))
const CURRENT_JOINS = `join operator o on o.id = p.operator_id
      left join facility f on f.id = p.facility_id
      left join seal s on s.id = p.seal_id`
const find = (name: string, where: string): Statement => ({
  name,
  text: `select ${CURRENT_COLUMNS} from passport p ${CURRENT_JOINS} where ${where}`,
})
const FIND = find('find-passport', 'p.id = $1')
const FIND_OF_UNIT = find('find-passport-of-unit', 'p.id = (select u.passport_id from battery_unit u where u.id = $1)')

const FIND_OF_BATCH = find(
  'find-passport-of-batch',
  'p.id = (select b.passport_id from product_batch b where b.id = $1)',
)

export async function loadPassport(session: Session, id: string): Promise<PassportRow | undefined> {
  const [row] = await session.run<RawRow>(FIND, [id])
  return row && toRow(row)
}

export async function loadPassportOfUnit(session: Session, unitId: string): Promise<PassportRow | undefined> {
  const [row] = await session.run<RawRow>(FIND_OF_UNIT, [unitId])
  return row && toRow(row)
}

export async function loadPassportOfBatch(session: Session, batchId: string): Promise<PassportRow | undefined> {
  const [row] = await session.run<RawRow>(FIND_OF_BATCH, [batchId])
  return row && toRow(row)
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
const earlierColumns = (
  operator: Source,
  facility: Source,
) => `p.id, p.tenant_id, p.operator_id, p.product_id, v.status,
      v.passport_version, coalesce(w.metadata, p.metadata)::text, coalesce(v.enrichment, (
        select later.enrichment from sealed_version later
        where later.passport_id = v.passport_id and later.passport_version > v.passport_version
          and later.enrichment is not null
        order by later.passport_version limit 1
      ), p.enrichment)::text,
      ${iso('v.archived_at')}, ${iso('v.retention_until')}, ${iso('p.created_at')}, ${iso('v.shown_from')},
      ${masterColumns(operator, facility, `v.recall::text, null, ${BRAND}, null, null, null`)},
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
const SEALED_VERSION = {
  version: sealedVersion('number', {
    isNow: `${LATEST} = $2`,
    isEarlier: 'v.version = $2',
    columns: { now: CURRENT_COLUMNS, earlier: earlierColumns(EARLIER.operator, EARLIER.facility) },
    archives: () => '',
  }),
  asOf: sealedVersion('time', {
    isNow: 'p.updated_at <= $2',
    isEarlier: 'v.shown_from <= $2 and v.shown_until > $2',
    columns: {
      now: currentColumns(asOf('oa', rowOf('o')), asOf('fa', rowOf('f'))),
      earlier: earlierColumns(asOf('oa', EARLIER.operator), asOf('fa', EARLIER.facility)),
    },
    archives: archivesOf,
  }),
} as const

/** Returns the last state of a number, or the state at a time, also of deleted passports and present drafts: the caller checks access. */
export async function findSealedVersion(
  session: Session,
  id: string,
  name: VersionName,
): Promise<SealedVersion | undefined> {
  const [statement, value] =
    'version' in name ? [SEALED_VERSION.version, name.version] : [SEALED_VERSION.asOf, name.asOf]
  const [row] = await session.run<RawSealedVersion>(statement, [id, value])
  return row && versionOf(row)
}

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

const ARCHIVED: Statement = {
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
      ${masterColumns(asOf('oa', rowOf('o')), asOf('fa', rowOf('f')), `v.recall::text as recall, null as media, ${BRAND} as brand, null as links, null as registration, null as journey`)},
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
}

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

export async function findArchivedVersion(
  session: Session,
  id: string,
  time: string,
): Promise<ArchivedVersion | undefined> {
  const [row] = await session.run<RawSealedVersion & { readonly wasPublished: boolean }>(ARCHIVED, [id, time])
  return row && { ...(await versionOf(row)), wasPublished: row.wasPublished }
}

const versionOf = async (row: RawSealedVersion): Promise<SealedVersion> => ({
  row: await toRow(row),
  number: row.number,
  supersededAt: row.superseded_at,
  masked: JSON.parse(row.masked),
  statusNow: row.status_now,
})

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
  return rows.map(({ operatorId: id, name, regId, role, signature, publicKeyPem, ...row }) => ({
    ...row,
    operator: { id, name, regId, role },
    seal: signature === null ? null : { signature, publicKeyPem },
  }))
}

interface RawSealedVersion extends RawRow {
  number: number
  superseded_at: string | null
  masked: string
  status_now: PassportStatus
}

interface RawRow {
  id: string
  tenant_id: string
  operator_id: string
  product_id: string
  status: PassportStatus
  version: number
  metadata: string
  enrichment: string | null
  archived_at: string | null
  retention_until: string | null
  created_at: string
  updated_at: string
  operator_name: string
  operator_reg_id: string
  operator_role: string
  operator_contact: string | null
  recall: string | null
  media: string | null
  brand: string | null
  links: string | null
  registration: string | null
  journey: string | null
  facility_id: string | null
  gln: string
  facility_name: string
  activity: string | null
  country: string
  street_address: string | null
  city: string | null
  postal_code: string | null
  merkle_root: string | null
  signature: string
  public_key_pem: string
  leaves: string
  x5c: string | null
  rfc3161: string | null
  subject: string | null
  sealed_at: string
}

async function parseYielding<T>(json: string): Promise<T> {
  await yieldFor(json)
  return JSON.parse(json)
}

async function toRow(row: RawRow): Promise<PassportRow> {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    operatorId: row.operator_id,
    productId: row.product_id,
    status: row.status,
    version: row.version,
    metadata: await parseYielding(row.metadata),
    enrichment: parsed(row.enrichment),
    archivedAt: row.archived_at,
    retentionUntil: row.retention_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    operator: {
      id: row.operator_id,
      name: row.operator_name,
      regId: row.operator_reg_id,
      role: row.operator_role,
      contact: parsed(row.operator_contact),
    },
    recall: parsed(row.recall),
    links: parsed(row.links) ?? [],
    media: parsed(row.media) ?? [],
    brand: parsed(row.brand),
    registration: parsed(row.registration),
    journey: parsed(row.journey),
    facility:
      row.facility_id === null
        ? null
        : {
            id: row.facility_id,
            gln: row.gln,
            name: row.facility_name,
            activity: row.activity,
            country: row.country,
            streetAddress: row.street_address,
            city: row.city,
            postalCode: row.postal_code,
          },
    seal:
      row.merkle_root === null
        ? null
        : {
            merkleRoot: row.merkle_root,
            signature: row.signature,
            publicKeyPem: row.public_key_pem,
            leaves: await parseYielding(row.leaves),
            createdAt: row.sealed_at,
            x5c: parsed(row.x5c),
            rfc3161: parsed(row.rfc3161),
            subject: parsed(row.subject),
          },
  }
}

const parsed = <T>(json: string | null): T | null => (json === null ? null : JSON.parse(json))
