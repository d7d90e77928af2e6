import type { MediaKind, StoredImage } from '../domain/media.ts'
import type { Enrichment, Metadata, Words } from '../domain/metadata.ts'
import type { BrandView, ContactView, PassportStatus, RecallView, SealSubject } from '../domain/view.ts'
import { iso, type Session, type Statement } from './statement.ts'

/** A passport with everything that a reader can see of it, as one row. Timestamps are ISO 8601 in UTC. */
export interface PassportRow {
  readonly id: string
  readonly tenantId: string
  readonly operatorId: string
  readonly productId: string
  readonly status: PassportStatus
  readonly metadata: Metadata
  readonly enrichment: Enrichment | null
  readonly version: number
  readonly archivedAt: string | null
  readonly retentionUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly operator: {
    readonly id: string
    readonly name: string
    readonly regId: string
    readonly role: string
    readonly contact: ContactView | null
  }
  readonly recall: RecallView | null
  /** What a registry has said of it, once one was asked; null where none was. */
  readonly registration: StoredRegistration | null
  /** Pictures in their order, and then documents. */
  readonly media: readonly StoredMedia[]
  /** Of the workspace that issued it; seen by that workspace alone. */
  readonly brand: StoredBrand | null
  readonly facility: {
    readonly id: string
    readonly gln: string
    readonly name: string
    readonly activity: string | null
    readonly country: string
    readonly streetAddress: string | null
    readonly city: string | null
    readonly postalCode: string | null
  } | null
  readonly seal: {
    readonly merkleRoot: string
    readonly signature: string
    readonly publicKeyPem: string
    readonly leaves: Readonly<Record<string, { readonly hash: string; readonly salt: string }>>
    readonly createdAt: string
    readonly x5c: readonly string[] | null
    readonly rfc3161: { readonly genTime: string; readonly token: string } | null
    readonly subject: SealSubject | null
  } | null
}

/** A registration as it is kept; what the registry gives is null until it has given it. */
interface StoredRegistration {
  readonly registry: string | null
  readonly identifier: string | null
  readonly registeredAt: string | null
  readonly version: number | null
  readonly hash: string | null
  readonly hasProof: boolean
}

/** A picture or a document, as it is kept. */
export interface StoredMedia {
  readonly id: string
  readonly kind: MediaKind
  readonly mediaType: string
  readonly title: Words | null
  /** The file that is the whole of it. */
  readonly file: string
  readonly sizes: readonly StoredImage[]
}

interface StoredBrand {
  readonly accent: BrandView['accent']
  readonly logo: (StoredImage & { readonly id: string }) | null
}

// Every column is text or a number, so that no driver setting decides what a timestamp or a JSON value becomes.
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
          'file', m.file, 'sizes', m.sizes) order by m.kind desc, m.position)
        from media m where m.passport_id = p.id
      )::text`
const REGISTRATION = `(
        select json_build_object('registry', r.registry, 'identifier', r.identifier, 'registeredAt', ${iso('r.registered_at')},
          'version', r.version, 'hash', r.hash, 'hasProof', r.proof_type is not null)
        from registration r where r.passport_id = p.id
      )::text`
const CURRENT_COLUMNS = `p.id, p.tenant_id, p.operator_id, p.product_id, p.status, p.version,
      p.metadata::text as metadata, p.enrichment::text as enrichment,
      ${iso('p.archived_at')} as archived_at, ${iso('p.retention_until')} as retention_until,
      ${iso('p.created_at')} as created_at, ${iso('p.updated_at')} as updated_at,
      o.name as operator_name, o.reg_id as operator_reg_id, o.role as operator_role,
      o.contact::text as operator_contact, p.recall::text as recall, ${MEDIA} as media, ${BRAND} as brand,
      ${REGISTRATION} as registration,
      f.id as facility_id, f.gln, f.name as facility_name, f.activity, f.country, f.street_address, f.city, f.postal_code,
      ${SEAL_COLUMNS}`
const CURRENT_JOINS = `join operator o on o.id = p.operator_id
      left join facility f on f.id = p.facility_id
      left join seal s on s.id = p.seal_id`
const find = (name: string, where: string): Statement => ({
  name,
  text: `select ${CURRENT_COLUMNS} from passport p ${CURRENT_JOINS} where ${where}`,
})
const FIND = find('find-passport', 'p.id = $1')
const FIND_OF_UNIT = find('find-passport-of-unit', 'p.id = (select u.passport_id from battery_unit u where u.id = $1)')

/** One passport by id, or undefined. */
export async function loadPassport(session: Session, id: string): Promise<PassportRow | undefined> {
  const [row] = await session.run<RawRow>(FIND, [id])
  return row && toRow(row)
}

/** The passport of the product that a battery unit is one of, or undefined. */
export async function loadPassportOfUnit(session: Session, unitId: string): Promise<PassportRow | undefined> {
  const [row] = await session.run<RawRow>(FIND_OF_UNIT, [unitId])
  return row && toRow(row)
}

/** A sealed version as the public read it. */
export interface SealedVersion {
  /** What the passport was; its version is the one that its renditions had. */
  readonly row: PassportRow
  /** As the history counts. */
  readonly number: number
  /** When another took its place; null for what the passport is now. */
  readonly supersededAt: string | null
  /** The metadata keys that the public could not read then; those that it cannot read now are for whoever shows it. */
  readonly masked: readonly string[]
  /** What the passport is now. */
  readonly statusNow: PassportStatus
}

/** A version by its number, or by a time at which it was published. */
export type VersionName = { readonly version: number } | { readonly asOf: string }

const EARLIER_COLUMNS = `p.id, p.tenant_id, p.operator_id, p.product_id, v.status, v.passport_version,
      coalesce(w.metadata, p.metadata)::text, coalesce(v.enrichment, (
        select later.enrichment from sealed_version later
        where later.passport_id = v.passport_id and later.passport_version > v.passport_version
          and later.enrichment is not null
        order by later.passport_version limit 1
      ), p.enrichment)::text,
      ${iso('v.archived_at')}, ${iso('v.retention_until')}, ${iso('p.created_at')}, ${iso('v.shown_from')},
      v.operator ->> 'name', v.operator ->> 'regId', v.operator ->> 'role',
      v.operator ->> 'contact', v.recall::text, null, ${BRAND}, null,
      (v.facility ->> 'id')::uuid, v.facility ->> 'gln', v.facility ->> 'name', v.facility ->> 'activity',
      v.facility ->> 'country', null, null, null,
      ${SEAL_COLUMNS}`
const LATEST = 'coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1'
/** What the passport is now is the answer where it is `isNow`, else the last state that is `isEarlier`. */
const sealedVersion = (by: string, isNow: string, isEarlier: string): Statement => ({
  name: `find-sealed-version-by-${by}`,
  text: `with now as (
      select ${CURRENT_COLUMNS}, ${LATEST} as number, null as superseded_at, '[]' as masked, p.status as status_now
      from passport p ${CURRENT_JOINS}
      where p.id = $1 and p.status <> 'DRAFT' and p.seal_id is not null and ${isNow}
    ), earlier as (
      select ${EARLIER_COLUMNS}, v.version, ${iso('v.shown_until')}, to_json(v.masked)::text, p.status
      from (
        select * from sealed_version v where v.passport_id = $1 and ${isEarlier}
        order by v.passport_version desc limit 1
      ) as v
        join passport p on p.id = v.passport_id
        join seal s on s.id = v.seal_id
        left join passport_version w on w.passport_id = v.passport_id and w.version = v.version
      where p.status <> 'DRAFT' and not exists (select from now)
    )
    select * from now union all select * from earlier`,
})
const SEALED_VERSION = {
  version: sealedVersion('number', `${LATEST} = $2`, 'v.version = $2'),
  asOf: sealedVersion('time', 'p.updated_at <= $2', 'v.shown_from <= $2 and v.shown_until > $2'),
} as const

/** The sealed version of a published passport, or undefined: the last state of the version, or the state of the time. */
export async function findSealedVersion(
  session: Session,
  id: string,
  name: VersionName,
): Promise<SealedVersion | undefined> {
  const [statement, value] =
    'version' in name ? [SEALED_VERSION.version, name.version] : [SEALED_VERSION.asOf, name.asOf]
  const [row] = await session.run<RawSealedVersion>(statement, [id, value])
  return (
    row && {
      row: toRow(row),
      number: row.number,
      supersededAt: row.superseded_at,
      masked: JSON.parse(row.masked),
      statusNow: row.status_now,
    }
  )
}

/** A passport in a list, without what its proof and its facility hold, which has no place there. */
export interface ListedRow
  extends Pick<
    PassportRow,
    'id' | 'productId' | 'status' | 'version' | 'archivedAt' | 'retentionUntil' | 'createdAt' | 'updatedAt'
  > {
  readonly operator: Omit<PassportRow['operator'], 'contact'>
  readonly seal: Pick<NonNullable<PassportRow['seal']>, 'signature' | 'publicKeyPem'> | null
  /** As JSON, since most lists never look into it. */
  readonly metadataText: string
  /** Whether it may be repeated as it is, see `isRepeatable`. */
  readonly isRepeatable: boolean
}

/** A statement of listed passports; `where` is our own SQL and never input. */
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

/** What a statement made by {@link forList} gives of the rows that the workspace of `session` may see. */
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
  registration: string | null
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

function toRow(row: RawRow): PassportRow {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    operatorId: row.operator_id,
    productId: row.product_id,
    status: row.status,
    version: row.version,
    metadata: JSON.parse(row.metadata),
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
    media: parsed(row.media) ?? [],
    brand: parsed(row.brand),
    registration: parsed(row.registration),
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
            leaves: JSON.parse(row.leaves),
            createdAt: row.sealed_at,
            x5c: parsed(row.x5c),
            rfc3161: parsed(row.rfc3161),
            subject: parsed(row.subject),
          },
  }
}

const parsed = <T>(json: string | null): T | null => (json === null ? null : JSON.parse(json))
