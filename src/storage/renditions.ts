import type { Reader } from '../domain/audience.ts'
import { boundTo } from './bindings.ts'
import { CANDIDATE_COLUMNS, type Candidate } from './candidates.ts'
import type { Database } from './database.ts'
import type { Call, Session, Statement } from './statement.ts'

// A rendition has one version, one reader (in the column `tier`, which an earlier release running in parallel reads) and one generation of
// the code.

/** Limit per subject, without default and signed formats; further formats are rendered for every reader. */
export const MAX_STORED_BYTES = 4 * 1024 * 1024

/** `body` of text, `bytes` of other content. */
export interface StoredRow {
  readonly body: string | null
  readonly bytes: Buffer | null
  readonly etag: string
  readonly content_type: string
}

export interface Variant {
  readonly generation: string
  readonly representation: string
  /** Language if the text depends on one, or profile of a credential. */
  readonly variant: string
  readonly reader: Reader
  /** 0 if unsigned. */
  readonly keyNumber: number
}

/** Product ids have a metadata key as fallback. */
export type Column = 'id' | 'gtin' | 'grai' | 'unit' | 'batch'

export interface Subject {
  readonly id: string
  readonly version: number
  readonly unit?: { readonly id: string; readonly version: number }
  /** Never changes, so it has no version. */
  readonly batch?: { readonly id: string }
}

type Maybe<T> = { readonly [K in keyof T]: T[K] | null }

export type SubjectKind = 'passport' | 'unit' | 'batch'

export function kindOf(subject: Pick<Subject, 'unit' | 'batch'> | undefined): SubjectKind {
  if (subject?.unit !== undefined) return 'unit'
  return subject?.batch === undefined ? 'passport' : 'batch'
}

const STORED = 'r.body, r.bytes, r.etag, r.content_type'
const CURRENT_KEY = '(select k.number from tenant_key k where k.tenant_id = p.tenant_id and k.retired_at is null)'
const CURRENT: Readonly<Record<SubjectKind, string>> = {
  passport: 'rendition r on r.passport_id = p.id and r.version = p.version',
  unit: 'unit_rendition r on r.unit_id = p.unit_id and r.unit_version = p.unit_version and r.passport_version = p.version',
  batch: 'batch_rendition r on r.batch_id = p.batch_id and r.passport_version = p.version',
}

const FOUND = 'p.id, p.tenant_id, p.category, p.version'
const OF_PASSPORT = `select ${FOUND}, null::uuid as unit_id from passport p where p.id = $1`
const OF_UNIT = `select ${FOUND}, u.id as unit_id, u.version as unit_version
  from battery_unit u join passport p on p.id = u.passport_id where u.id = $1`
const OF_BATCH = `select ${FOUND}, null::uuid as unit_id, b.id as batch_id
  from product_batch b join passport p on p.id = b.passport_id where b.id = $1`
const byKey = (column: 'gtin' | 'grai') => {
  const found = `select ${FOUND}, null::uuid as unit_id`
  const ofProduct = `from passport p where p.product_id = $1 and p.status <> 'DRAFT'`
  return `${found} ${ofProduct} union all
    ${found} from passport p where p.${column} = $1 and p.status <> 'DRAFT' and not exists (select 1 ${ofProduct})
    limit 2`
}
// Two rows are ambiguous; the caller offers a choice. Ceased units have only a notice.
const PUBLISHED: Readonly<Record<Column, string>> = {
  id: `${OF_PASSPORT} and p.status <> 'DRAFT'`,
  gtin: byKey('gtin'),
  grai: byKey('grai'),
  unit: `${OF_UNIT} and p.status <> 'DRAFT' and u.ceased_at is null`,
  batch: `${OF_BATCH} and p.status <> 'DRAFT'`,
}

export const kindAt = (column: Column): SubjectKind => (column === 'unit' || column === 'batch' ? column : 'passport')
const publicBy = (column: Column, isSigned: boolean): Statement => ({
  name: `public-rendition-by-${column}${isSigned ? '-signed' : ''}`,
  text: `select p.id, p.unit_id as "unitId", p.category, ${STORED}
    from (${PUBLISHED[column]}) p
      left join ${CURRENT[kindAt(column)]} and r.generation = $2
        and r.representation = $3 and r.variant = $4 and r.tier = 'public'
        and r.key_number = ${isSigned ? CURRENT_KEY : '0'}`,
})
const publicByColumn = (isSigned: boolean) => ({
  id: publicBy('id', isSigned),
  gtin: publicBy('gtin', isSigned),
  grai: publicBy('grai', isSigned),
  unit: publicBy('unit', isSigned),
  batch: publicBy('batch', isSigned),
})
const PUBLIC = { plain: publicByColumn(false), signed: publicByColumn(true) } as const

/** Returns at most two passports; a missing rendition is null. */
export const findPublicRenditions = (
  { batchedLookup }: Database,
  column: Column,
  value: string,
  isSigned: boolean,
  { generation, representation, variant }: Pick<Variant, 'generation' | 'representation' | 'variant'>,
): Promise<(Pick<Candidate, 'id' | 'category'> & { readonly unitId: string | null } & Maybe<StoredRow>)[]> =>
  batchedLookup.run(PUBLIC[isSigned ? 'signed' : 'plain'][column], [value, generation, representation, variant])

const findOf = (name: string, kind: SubjectKind, found: string): Statement => ({
  name,
  text: `select ${STORED} from (${found}) p join ${CURRENT[kind]}
      and r.generation = $2 and r.representation = $3 and r.variant = $4 and r.tier = $5 and r.key_number = $6`,
})
const FIND: Readonly<Record<SubjectKind, Statement>> = {
  passport: findOf('find-rendition', 'passport', OF_PASSPORT),
  unit: findOf('find-unit-rendition', 'unit', OF_UNIT),
  batch: findOf('find-batch-rendition', 'batch', OF_BATCH),
}

/** Includes drafts; `session` limits visibility. */
export async function findRendition(
  session: Session,
  subject: Pick<Subject, 'id' | 'unit' | 'batch'>,
  { generation, representation, variant, reader, keyNumber }: Variant,
): Promise<StoredRow | undefined> {
  const values = [(subject.unit ?? subject.batch ?? subject).id, generation, representation, variant, reader, keyNumber]
  const [row] = await session.run<StoredRow>(FIND[kindOf(subject)], values)
  return row
}

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

/** Returns at most two passports, those of `operatorId` first; a missing rendition is null. */
export const findOwnRenditions = (
  session: Session,
  { tenantId, operatorId }: { readonly tenantId: string; readonly operatorId: string | null },
  { name, value }: { readonly name: Name; readonly value: string },
  isSigned: boolean,
  { generation, representation, variant, reader }: Omit<Variant, 'keyNumber'>,
): Promise<(Candidate & Maybe<StoredRow>)[]> =>
  session.run(OWN[isSigned ? 'signed' : 'plain'][name], [
    value,
    tenantId,
    operatorId,
    generation,
    representation,
    variant,
    reader,
  ])

const KEYS: Readonly<Record<SubjectKind, readonly [id: string, ...versions: string[]]>> = {
  passport: ['passport_id', 'version'],
  unit: ['unit_id', 'unit_version', 'passport_version'],
  batch: ['batch_id', 'passport_version'],
}
const TABLES: Readonly<Record<SubjectKind, string>> = {
  passport: 'rendition',
  unit: 'unit_rendition',
  batch: 'batch_rendition',
}
function keyOf({ id, version, unit, batch }: Subject): (string | number)[] {
  if (unit !== undefined) return [unit.id, unit.version, version]
  return [(batch ?? { id }).id, version]
}

const CONTENT = [
  'generation',
  'representation',
  'variant',
  'tier',
  'key_number',
  'etag',
  'content_type',
  'body::text',
  'bytes::bytea',
]

const insertInto = (kind: SubjectKind, isBounded: boolean): Statement => {
  const [id, ...versions] = KEYS[kind]
  const columns = [`${id}::uuid`, ...versions.map((version) => `${version}::int`), ...CONTENT]
  const [names, values] = [
    columns.map((column) => column.replace(/::.*/, '')),
    columns.map((column, index) => `$${index + 1}${/::.*/.exec(column)?.[0] ?? ''}`),
  ]
  const [body, bytes, excluded] = [...values.slice(-2), `$${columns.length + 1}`]
  // Reads only the length of large values, which are stored out of line.
  const within = `where coalesce(octet_length(${body}), octet_length(${bytes})) + (
      select coalesce(sum(coalesce(octet_length(k.body), octet_length(k.bytes))), 0) from ${TABLES[kind]} k
      where k.${id} = $1 and k.key_number = 0 and k.representation <> ${excluded}) <= ${MAX_STORED_BYTES}`
  return {
    name: `insert-${TABLES[kind]}${isBounded ? '-within' : ''}`,
    text: `insert into ${TABLES[kind]} (${names}) select ${values} ${isBounded ? within : ''} on conflict do nothing`,
  }
}
const INSERT: Readonly<Record<SubjectKind, { readonly freely: Statement; readonly within: Statement }>> = {
  passport: { freely: insertInto('passport', false), within: insertInto('passport', true) },
  unit: { freely: insertInto('unit', false), within: insertInto('unit', true) },
  batch: { freely: insertInto('batch', false), within: insertInto('batch', true) },
}

/**
 * The first writer wins.
 * @param excluded format excluded from the limit {@link MAX_STORED_BYTES}; undefined means unlimited
 */
export function insertingRendition(
  subject: Subject,
  { generation, representation, variant, reader, keyNumber }: Variant,
  { etag, content_type, body, bytes }: StoredRow,
  excluded: string | undefined,
): Call {
  const { freely, within } = INSERT[kindOf(subject)]
  const content = [generation, representation, variant, reader, keyNumber, etag, content_type, body, bytes]
  const values = [...keyOf(subject), ...content]
  return excluded === undefined ? [freely, values] : [within, [...values, excluded]]
}

const DELETE_EARLIER: Statement = {
  name: 'forget-earlier-renditions',
  text: `delete from rendition where passport_id = $1 and version < $2
    and (representation <> $3 or tier <> 'public' or created_at < now() - interval '7 days' or version < $4)`,
}
const DELETE_EARLIER_OF_UNIT: Statement = {
  name: 'forget-earlier-unit-renditions',
  text: 'delete from unit_rendition where unit_id = $1 and (unit_version < $2 or passport_version < $3)',
}
const DELETE_EARLIER_OF_BATCH: Statement = {
  name: 'forget-earlier-batch-renditions',
  text: 'delete from batch_rendition where batch_id = $1 and passport_version < $2',
}

/** Retains a passport's public default format for a week, from version `firstStored` on. */
export function deleteEarlierRenditions(
  subject: Subject,
  { defaultName, firstStored }: { defaultName: string; firstStored: number },
): Call {
  const key = keyOf(subject)
  if (subject.unit !== undefined) return [DELETE_EARLIER_OF_UNIT, key]
  return subject.batch === undefined
    ? [DELETE_EARLIER, [...key, defaultName, firstStored]]
    : [DELETE_EARLIER_OF_BATCH, key]
}

const deleteStale = (kind: SubjectKind): Statement => ({
  name: `forget-stale-${TABLES[kind]}`,
  text: `delete from ${TABLES[kind]} where ${KEYS[kind][0]} = $1
    and (key_number between 1 and $2 or (generation <> $3 and created_at < now() - interval '1 day'))`,
})
const DELETE_STALE: Readonly<Record<SubjectKind, Statement>> = {
  passport: deleteStale('passport'),
  unit: deleteStale('unit'),
  batch: deleteStale('batch'),
}

/** Deletes what earlier keys signed and, after a day, what other code rendered. */
export const deleteStaleRenditions = (subject: Subject, keyNumber: number, generation: string): Call => [
  DELETE_STALE[kindOf(subject)],
  [keyOf(subject)[0], keyNumber - 1, generation],
]

const DEFAULT_TEXTS: Statement = {
  name: 'default-renditions-of-versions',
  text: `select distinct on (r.passport_id, r.version) r.passport_id as id, r.version, r.body
    from unnest($2::uuid[], $3::int[]) as n (id, version)
    join rendition r on r.passport_id = n.id and r.version = n.version and r.representation = $1 and r.variant = ''
      and r.tier = 'public' and r.key_number = 0 and r.body is not null
    order by r.passport_id, r.version, r.created_at desc`,
}

/** Returns the last stored texts of any code, by `id version`. */
export async function findDefaultTexts(
  session: Session,
  defaultName: string,
  named: readonly { readonly id: string; readonly version: number }[],
): Promise<ReadonlyMap<string, string>> {
  if (named.length === 0) return new Map()
  const rows = await session.run<{ id: string; version: number; body: string }>(DEFAULT_TEXTS, [
    defaultName,
    named.map(({ id }) => id),
    named.map(({ version }) => version),
  ])
  return new Map(rows.map(({ id, version, body }) => [`${id} ${version}`, body]))
}
