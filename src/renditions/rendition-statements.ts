import type { Reader } from '../domain/audience.ts'
import type { LevelName, LevelRecord, ProductLevel } from '../domain/product-level.ts'
import { boundTo } from '../operators/bindings.ts'
import { CANDIDATE_COLUMNS, type Candidate } from '../resolution/candidates.ts'
import type { Call, Session, Statement } from '../storage/statement.ts'

// A rendition has one version, one reader (in the column `tier`, which an earlier release running in parallel reads) and one generation of
// the code.

/** Limit per subject, without default and signed formats; further formats are rendered for every reader. */
export const MAX_STORED_BYTES = 4 * 1024 * 1024

/** `body` of text, `bytes` of Zstandard. */
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
export type Column = 'id' | 'gtin' | 'grai' | 'unit' | LevelName

export interface Subject {
  readonly id: string
  readonly version: number
  readonly unit?: { readonly id: string; readonly version: number }
  /** Never changes, so it has no version. */
  readonly record?: LevelRecord
}

export type Maybe<T> = { readonly [K in keyof T]: T[K] | null }

export type SubjectKind = 'passport' | 'unit' | LevelName

export const kindOf = (subject: Pick<Subject, 'unit' | 'record'> | undefined): SubjectKind =>
  subject?.unit === undefined ? (subject?.record?.level ?? 'passport') : 'unit'

export const kindAt = (column: Column): SubjectKind =>
  column === 'id' || column === 'gtin' || column === 'grai' ? 'passport' : column

const STORED = 'r.body, r.bytes, r.etag, r.content_type'
const CURRENT_KEY = '(select k.number from tenant_key k where k.tenant_id = p.tenant_id and k.retired_at is null)'

/** Tables of a kind of subject. */
interface Tables {
  readonly renditions: string
  /** Key columns of a rendition. */
  readonly key: readonly [id: string, ...versions: string[]]
  /** @param id trusted SQL, never input */
  subject(id: string): string
  /** True if a rendition `r` is that of the subject `p` now. */
  readonly isCurrent: string
}

const FOUND = 'p.id, p.tenant_id, p.category, p.version'
const PASSPORT: Tables = {
  renditions: 'rendition',
  key: ['passport_id', 'version'],
  subject: (id) => `select ${FOUND}, null::uuid as unit_id from passport p where p.id = ${id}`,
  isCurrent: 'r.passport_id = p.id and r.version = p.version',
}
const UNIT: Tables = {
  renditions: 'unit_rendition',
  key: ['unit_id', 'unit_version', 'passport_version'],
  subject: (id) => `select ${FOUND}, u.id as unit_id, u.version as unit_version
    from battery_unit u join passport p on p.id = u.passport_id where u.id = ${id}`,
  isCurrent: 'r.unit_id = p.unit_id and r.unit_version = p.unit_version and r.passport_version = p.version',
}
const tablesOf = ({ name, table }: ProductLevel): Tables => ({
  renditions: `${name}_rendition`,
  key: [`${name}_id`, 'passport_version'],
  subject: (id) => `select ${FOUND}, null::uuid as unit_id, l.id as record_id
    from ${table} l join passport p on p.id = l.passport_id where l.id = ${id}`,
  isCurrent: `r.${name}_id = p.record_id and r.passport_version = p.version`,
})

const byKey = (column: 'gtin' | 'grai') => {
  const found = `select ${FOUND}, null::uuid as unit_id`
  const ofProduct = `from passport p where p.product_id = n.value and p.status <> 'DRAFT'`
  return `${found} ${ofProduct} union all
    ${found} from passport p where p.${column} = n.value and p.status <> 'DRAFT' and not exists (select 1 ${ofProduct})`
}
const isPublished = ({ subject }: Tables) => `${subject('n.value')} and p.status <> 'DRAFT'`

export type PublicRow = Pick<Candidate, 'id' | 'category'> &
  Maybe<StoredRow> & { readonly place: number; readonly unitId: string | null }

/**
 * One statement for many values costs PostgreSQL two thirds per value. The subquery hides the length of the array, or PostgreSQL would plan each
 * use. With `limit 2` it uses the indexes even if the tables were empty when a connection planned.
 */
function publicBy(column: Column, tables: Tables, published: string) {
  const type = column === 'gtin' || column === 'grai' ? 'text' : 'uuid'
  const statement = (isSigned: boolean): Statement => ({
    name: `public-renditions-by-${column}${isSigned ? '-signed' : ''}`,
    text: `select n.place::int, f.* from unnest((select $1::${type}[])) with ordinality as n (value, place) cross join lateral (
      select p.id, p.unit_id as "unitId", p.category, ${STORED}
      from (${published}) p
        left join ${tables.renditions} r on ${tables.isCurrent} and r.generation = $2
          and r.representation = $3 and r.variant = $4 and r.tier = 'public'
          and r.key_number = ${isSigned ? CURRENT_KEY : '0'}
      limit 2) f`,
  })
  return { plain: statement(false), signed: statement(true) }
}

interface KindStatements {
  readonly find: Statement
  readonly insert: { readonly freely: Statement; readonly within: Statement }
  readonly deleteEarlier: Statement
  readonly deleteStale: Statement
}

const DELETE_EARLIER: Statement = {
  name: 'forget-earlier-renditions',
  text: `delete from rendition where passport_id = $1 and version < $2
    and (representation <> $3 or tier <> 'public' or created_at < now() - interval '7 days' or version < $4)`,
}

function statementsOf(tables: Tables): KindStatements {
  const { renditions, key, subject, isCurrent } = tables
  const [id, ...versions] = key
  return {
    find: {
      name: `find-${renditions}`,
      text: `select ${STORED} from (${subject('$1')}) p join ${renditions} r on ${isCurrent}
      and r.generation = $2 and r.representation = $3 and r.variant = $4 and r.tier = $5 and r.key_number = $6`,
    },
    insert: { freely: insertInto(tables, false), within: insertInto(tables, true) },
    deleteEarlier:
      tables === PASSPORT
        ? DELETE_EARLIER
        : {
            name: `forget-earlier-${renditions}`,
            text: `delete from ${renditions} where ${id} = $1
              and (${versions.map((version, index) => `${version} < $${index + 2}`).join(' or ')})`,
          },
    deleteStale: {
      name: `forget-stale-${renditions}`,
      text: `delete from ${renditions} where ${id} = $1
    and (key_number between 1 and $2
      or (representation = $4 and generation <> $3 and created_at < now() - interval '1 day'))`,
    },
  }
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

function insertInto({ renditions, key: [id, ...versions] }: Tables, isBounded: boolean): Statement {
  const columns = [`${id}::uuid`, ...versions.map((version) => `${version}::int`), ...CONTENT]
  const [names, values] = [
    columns.map((column) => column.replace(/::.*/, '')),
    columns.map((column, index) => `$${index + 1}${/::.*/.exec(column)?.[0] ?? ''}`),
  ]
  const [body, bytes, excluded] = [...values.slice(-2), `$${columns.length + 1}`]
  // Reads only the length of large values, which are stored out of line.
  const within = `where coalesce(octet_length(${body}), octet_length(${bytes})) + (
      select coalesce(sum(coalesce(octet_length(k.body), octet_length(k.bytes))), 0) from ${renditions} k
      where k.${id} = $1 and k.key_number = 0 and k.representation <> ${excluded}) <= ${MAX_STORED_BYTES}`
  return {
    name: `insert-${renditions}${isBounded ? '-within' : ''}`,
    text: `insert into ${renditions} (${names}) select ${values} ${isBounded ? within : ''} on conflict do nothing`,
  }
}

function keyOf({ id, version, unit, record }: Subject): (string | number)[] {
  if (unit !== undefined) return [unit.id, unit.version, version]
  return [(record ?? { id }).id, version]
}

/** Statements on renditions of passports, units and records of `levels`. */
export function renditionStatements(levels: readonly ProductLevel[]) {
  const ofLevels = levels.map((level) => [level.name, tablesOf(level)] as const)
  const byKind = new Map<SubjectKind, KindStatements>([
    ['passport', statementsOf(PASSPORT)],
    ['unit', statementsOf(UNIT)],
    ...ofLevels.map(([name, tables]) => [name, statementsOf(tables)] as const),
  ])
  // Two rows are ambiguous; the caller offers a choice. Ceased units have only a notice.
  const byColumn = new Map<Column, ReturnType<typeof publicBy>>([
    ['id', publicBy('id', PASSPORT, isPublished(PASSPORT))],
    ['gtin', publicBy('gtin', PASSPORT, byKey('gtin'))],
    ['grai', publicBy('grai', PASSPORT, byKey('grai'))],
    ['unit', publicBy('unit', UNIT, `${isPublished(UNIT)} and u.ceased_at is null`)],
    ...ofLevels.map(([name, tables]) => [name, publicBy(name, tables, isPublished(tables))] as const),
  ])
  const forKind = (subject: Pick<Subject, 'unit' | 'record'>) => known(byKind.get(kindOf(subject)))

  return { findPublic, find, inserting, deleteEarlier, deleteStale }

  /** Returns at most two passports per value, which `place` counts from 1; a missing rendition is null. */
  function findPublic(
    session: Session,
    column: Column,
    values: readonly string[],
    isSigned: boolean,
    { generation, representation, variant }: Pick<Variant, 'generation' | 'representation' | 'variant'>,
  ): Promise<PublicRow[]> {
    const { plain, signed } = known(byColumn.get(column))
    return session.run(isSigned ? signed : plain, [values, generation, representation, variant])
  }

  /** Includes drafts; `session` limits visibility. */
  async function find(
    session: Session,
    subject: Pick<Subject, 'id' | 'unit' | 'record'>,
    { generation, representation, variant, reader, keyNumber }: Variant,
  ): Promise<StoredRow | undefined> {
    const { id } = subject.unit ?? subject.record ?? subject
    const values = [id, generation, representation, variant, reader, keyNumber]
    const [row] = await session.run<StoredRow>(forKind(subject).find, values)
    return row
  }

  /**
   * The first writer wins.
   * @param excluded format excluded from the limit {@link MAX_STORED_BYTES}; undefined means unlimited
   */
  function inserting(
    subject: Subject,
    { generation, representation, variant, reader, keyNumber }: Variant,
    { etag, content_type, body, bytes }: StoredRow,
    excluded: string | undefined,
  ): Call {
    const { freely, within } = forKind(subject).insert
    const content = [generation, representation, variant, reader, keyNumber, etag, content_type, body, bytes]
    const values = [...keyOf(subject), ...content]
    return excluded === undefined ? [freely, values] : [within, [...values, excluded]]
  }

  /** Retains a passport's public default format for a week, from version `firstStored` on. */
  function deleteEarlier(
    subject: Subject,
    { defaultName, firstStored }: { defaultName: string; firstStored: number },
  ): Call {
    const retained = kindOf(subject) === 'passport' ? [defaultName, firstStored] : []
    return [forKind(subject).deleteEarlier, [...keyOf(subject), ...retained]]
  }

  /** Deletes what earlier keys signed and, after a day, what other code rendered. */
  function deleteStale(subject: Subject, { keyNumber, generation, representation }: Variant): Call {
    return [forKind(subject).deleteStale, [keyOf(subject)[0], keyNumber - 1, generation, representation]]
  }
}

function known<T>(statements: T | undefined): T {
  if (statements === undefined) throw new Error('No module records this level.')
  return statements
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
