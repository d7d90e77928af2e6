import type { Tier } from '../domain/view.ts'
import { boundTo } from './bindings.ts'
import { CANDIDATE_COLUMNS, type Candidate } from './candidates.ts'
import type { Database } from './database.ts'
import type { Call, Session, Statement } from './statement.ts'

// Renditions of passports as they are stored: each of one version, one tier, and one generation of the code.

/** What is kept of a passport beside the default and signed forms; what comes after is rendered for every reader. */
export const MOST_KEPT_BYTES = 4 * 1024 * 1024

/** A rendition as it is stored: `body` of a text, `bytes` of anything else. */
export interface StoredRow {
  readonly body: string | null
  readonly bytes: Buffer | null
  readonly etag: string
  readonly content_type: string
}

/** Which of a passport's renditions: of whom it is signed, if at all, and for which tier. */
export interface Variant {
  readonly generation: string
  readonly representation: string
  /** A language where the text depends on one, or the profile of a credential. */
  readonly variant: string
  readonly tier: Tier
  /** Number of the key that signs; 0 for what is not signed. */
  readonly keyNumber: number
}

/** Where a passport is found: by its id, or by its product id and, where nobody has that, the key in its metadata. */
export type Column = 'id' | 'gtin' | 'grai'

/** What may not be stored, or is absent from a join. */
type Maybe<T> = { readonly [K in keyof T]: T[K] | null }

const STORED = 'r.body, r.bytes, r.etag, r.content_type'
const CURRENT_KEY = '(select k.number from tenant_key k where k.tenant_id = p.tenant_id and k.retired_at is null)'

const FOUND = 'p.id, p.tenant_id, p.category, p.version'
const byKey = (column: 'gtin' | 'grai') => {
  const ofProduct = `from passport p where p.product_id = $1 and p.status <> 'DRAFT'`
  return `select ${FOUND} ${ofProduct} union all
    select ${FOUND} from passport p where p.${column} = $1 and p.status <> 'DRAFT' and not exists (select 1 ${ofProduct})
    limit 2`
}
// One row is an answer; two are a choice, which is somebody else's to offer.
const PASSPORTS: Readonly<Record<Column, string>> = {
  id: `select ${FOUND} from passport p where p.id = $1 and p.status <> 'DRAFT'`,
  gtin: byKey('gtin'),
  grai: byKey('grai'),
}
const IS_KNOWN = 'p.id = $5 and r.etag = $6'
const publicBy = (column: Column, isSigned: boolean): Statement => ({
  name: `public-rendition-unless-known-by-${column}${isSigned ? '-signed' : ''}`,
  text: `select p.id, p.category, case when ${IS_KNOWN} then null else r.body end as body,
      case when ${IS_KNOWN} then null else r.bytes end as bytes, r.etag, r.content_type from (${PASSPORTS[column]}) p
    left join rendition r on r.passport_id = p.id and r.version = p.version and r.generation = $2
      and r.representation = $3 and r.variant = $4 and r.tier = 'public'
      and r.key_number = ${isSigned ? CURRENT_KEY : '0'}`,
})
const PUBLIC = {
  plain: { id: publicBy('id', false), gtin: publicBy('gtin', false), grai: publicBy('grai', false) },
  signed: { id: publicBy('id', true), gtin: publicBy('gtin', true), grai: publicBy('grai', true) },
} as const

/**
 * What the world gets of each of the passports, two at most, that have this value; a rendition that is not stored is null.
 * @param known a rendition whose content is at hand, and is not read again
 */
export const findPublicRenditions = (
  { lookup }: Database,
  column: Column,
  value: string,
  isSigned: boolean,
  { generation, representation, variant }: Pick<Variant, 'generation' | 'representation' | 'variant'>,
  known: { readonly id: string; readonly etag: string } | undefined,
): Promise<(Pick<Candidate, 'id' | 'category'> & Maybe<StoredRow>)[]> =>
  lookup.run(PUBLIC[isSigned ? 'signed' : 'plain'][column], [
    value,
    generation,
    representation,
    variant,
    known?.id,
    known?.etag,
  ])

const FIND: Statement = {
  name: 'find-rendition',
  text: `select ${STORED} from passport p
    join rendition r on r.passport_id = p.id and r.version = p.version and r.generation = $2 and r.representation = $3
      and r.variant = $4 and r.tier = $5 and r.key_number = $6
    where p.id = $1`,
}

/** A rendition of a passport's current version, drafts included; `session` sees what its role may see. */
export async function findRendition(
  session: Session,
  passportId: string,
  { generation, representation, variant, tier, keyNumber }: Variant,
): Promise<StoredRow | undefined> {
  const [row] = await session.run<StoredRow>(FIND, [passportId, generation, representation, variant, tier, keyNumber])
  return row
}

/** What a passport is named by. */
export type Name = 'id' | 'product_id'

const ownBy = (name: Name, isSigned: boolean): Statement => ({
  name: `own-rendition-by-${name}${isSigned ? '-signed' : ''}`,
  text: `select ${CANDIDATE_COLUMNS}, ${STORED} from passport p
    left join rendition r on r.passport_id = p.id and r.version = p.version and r.generation = $4
      and r.representation = $5 and r.variant = $6 and r.tier = $7 and r.key_number = ${isSigned ? CURRENT_KEY : '0'}
    where p.${name} = $1 and ${boundTo('p.operator_id', '$2')}
    order by p.operator_id is distinct from $3, p.created_at, p.id limit 2`,
})
const OWN = {
  plain: { id: ownBy('id', false), product_id: ownBy('product_id', false) },
  signed: { id: ownBy('id', true), product_id: ownBy('product_id', true) },
} as const

/**
 * Two at most of the passports that the value names and for whose operators the workspace may act, those of `operatorId`
 * first, with what its owner gets of each; a rendition that is not stored is null.
 */
export const findOwnRenditions = (
  session: Session,
  { tenantId, operatorId }: { readonly tenantId: string; readonly operatorId: string | null },
  { name, value }: { readonly name: Name; readonly value: string },
  isSigned: boolean,
  { generation, representation, variant, tier }: Omit<Variant, 'keyNumber'>,
): Promise<(Candidate & Maybe<StoredRow>)[]> =>
  session.run(OWN[isSigned ? 'signed' : 'plain'][name], [
    value,
    tenantId,
    operatorId,
    generation,
    representation,
    variant,
    tier,
  ])

// Of values in a table of their own, as large ones are, this reads the length alone.
const KEPT_BYTES = `(select coalesce(sum(coalesce(octet_length(k.body), octet_length(k.bytes))), 0) from rendition k
  where k.passport_id = $1 and k.key_number = 0 and k.representation <> $12)`

const insert = (name: string, where: string): Statement => ({
  name,
  text: `insert into rendition
      (passport_id, generation, representation, variant, tier, key_number, version, etag, content_type, body, bytes)
    select $1::uuid, $2, $3, $4, $5, $6::int, $7::int, $8, $9, $10::text, $11::bytea ${where}
    on conflict do nothing`,
})
const INSERT = insert('insert-rendition', '')
const INSERT_WITHIN = insert(
  'insert-rendition-within',
  `where ${KEPT_BYTES} + coalesce(octet_length($10::text), octet_length($11::bytea)) <= ${MOST_KEPT_BYTES}`,
)

/**
 * The call that stores a rendition of this version; whoever was first wins.
 * @param beside where given, nothing is stored that would take the plain forms beside this one beyond {@link MOST_KEPT_BYTES}
 */
export function insertingRendition(
  { id, version }: { readonly id: string; readonly version: number },
  { generation, representation, variant, tier, keyNumber }: Variant,
  { etag, content_type, body, bytes }: StoredRow,
  beside: string | undefined,
): Call {
  const values = [id, generation, representation, variant, tier, keyNumber, version, etag, content_type, body, bytes]
  return beside === undefined ? [INSERT, values] : [INSERT_WITHIN, [...values, beside]]
}

const FORGET_EARLIER: Statement = {
  name: 'forget-earlier-renditions',
  text: `delete from rendition where passport_id = $1 and version < $2
    and (representation <> $3 or tier <> 'public' or created_at < now() - interval '7 days' or version < $4)`,
}

/**
 * The call that forgets renditions of versions before this one; but the public default form is kept for a week from version
 * `keptFrom` on.
 */
export const forgetEarlierRenditions = (
  passportId: string,
  { version, defaultName, keptFrom }: { version: number; defaultName: string; keptFrom: number },
): Call => [FORGET_EARLIER, [passportId, version, defaultName, keptFrom]]

const FORGET_STALE: Statement = {
  name: 'forget-stale-renditions',
  text: `delete from rendition where passport_id = $1
    and (key_number between 1 and $2 or (generation <> $3 and created_at < now() - interval '1 day'))`,
}

/** The call that forgets what was signed by keys before this one, and, after a day, what other code has rendered. */
export const forgetStaleRenditions = (passportId: string, keyNumber: number, generation: string): Call => [
  FORGET_STALE,
  [passportId, keyNumber - 1, generation],
]
