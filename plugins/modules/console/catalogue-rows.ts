import type { PassportStatus } from '../../../src/plugin/index.ts'
import { iso, type Session, type Statement } from '../../../src/plugin/module.ts'

interface Writer {
  write(statement: Statement, values?: readonly unknown[]): void
}

/** First translation, if the name is translated. */
const TEXT_OF = (key: string) => `case json_typeof(m."${key}")
      when 'string' then m."${key}" #>> '{}'
      when 'object' then (select t.value from json_each_text(m."${key}") t limit 1)
      when 'array' then m."${key}" -> 0 ->> 'value' end`

// The metadata is parsed once: each operator on it would parse all of it.
const ROWS = `select p.id, p.tenant_id, p.operator_id, p.version, p.product_id,
      left(coalesce(nullif(${TEXT_OF('productName')}, ''), nullif(${TEXT_OF('modelIdentifier')}, ''), p.product_id), 200),
      left(lower(concat_ws(' ', p.product_id, m."productName" #>> '{}', m."modelIdentifier" #>> '{}', m.brand, p.gtin, p.grai)), 600),
      p.category, p.status, p.seal_id is not null, p.archived_at is not null, p.created_at, p.updated_at
    from passport p
      cross join lateral json_to_record(p.metadata) as m ("productName" json, "modelIdentifier" json, brand text)`

const STORE = `on conflict (passport_id) do update set operator_id = excluded.operator_id, version = excluded.version,
      title = excluded.title, search = excluded.search, category = excluded.category, status = excluded.status,
      is_sealed = excluded.is_sealed, is_archived = excluded.is_archived, updated_at = excluded.updated_at`

const FOLLOW: Statement = {
  name: 'console-follow-passports',
  text: `insert into console_passport ${ROWS} where p.id = any($1::uuid[]) ${STORE}`,
}

/** Copies changed passports to the catalogue of the console. */
export const follow = (tx: Writer, ids: readonly string[]): void => tx.write(FOLLOW, [ids])

const SYNCHRONISE: Statement = {
  name: 'console-synchronise-passports',
  text: `insert into console_passport ${ROWS}
    where p.operator_id = any(array(select b.operator_id from operator_binding b where b.tenant_id = $1))
      and not exists (select from console_passport c where c.passport_id = p.id and c.version = p.version)
    ${STORE}`,
}

/** Copies passports that changed while the console was off. */
export const synchronise = (session: Session, tenantId: string): Promise<unknown> =>
  session.run(SYNCHRONISE, [tenantId])

export const SORTS = ['updated', 'created', 'title', 'product'] as const
type Sort = (typeof SORTS)[number]

/** Sort key of each index, and its direction. */
const ORDER: Readonly<Record<Sort, readonly [key: string, direction: string]>> = {
  updated: ['c.updated_at', 'desc'],
  created: ['c.created_at', 'desc'],
  title: ['lower(c.title)', 'asc'],
  product: ['c.product_id', 'asc'],
}

/** More are not counted. */
export const MAX_COUNTED = 1000

export interface CatalogueQuery {
  readonly text: string
  readonly status: string | null
  readonly category: string | null
  readonly operatorId: string | null
  readonly isSealed: boolean | null
  readonly sort: Sort
  readonly limit: number
  readonly offset: number
}

interface CatalogueRow {
  readonly id: string
  readonly productId: string
  readonly title: string
  readonly category: string | null
  readonly status: PassportStatus
  readonly isSealed: boolean
  readonly updatedAt: string
  readonly operator: string
  readonly total: number
}

const OWN =
  'array(select b.operator_id from operator_binding b where b.tenant_id = $1 and ($2::uuid is null or b.operator_id = $2))'

/**
 * Without words: reads the index of the order per operator, until enough are found. With words: a table scan, which a comparison with one
 * pattern first makes four times faster than one with a list.
 */
function pageBy(sort: Sort, hasWords: boolean): Statement {
  const [key, direction] = ORDER[sort]
  return {
    name: `console-${hasWords ? 'search' : 'passports'}-by-${sort}`,
    text: `with found as materialized (
      select next.* from unnest(${OWN}) as own(id) cross join lateral (
        select c.passport_id, ${key} as key from console_passport c
        where c.operator_id = own.id and not c.is_archived
          and ($3::text is null or c.status = $3) and ($4::text is null or c.category = $4)
          and ($5::boolean is null or c.is_sealed = $5)
          ${hasWords ? `and c.search like $8 and ($9::text[] = '{}' or c.search like all($9::text[]))` : ''}
        order by ${key} ${direction}, c.passport_id limit $7::int + ${MAX_COUNTED + 1}
      ) as next
    ), page as (select * from found f order by f.key ${direction}, f.passport_id limit $6::int offset $7::int)
    select c.passport_id as id, c.product_id as "productId", c.title, c.category, c.status, c.is_sealed as "isSealed",
      ${iso('c.updated_at')} as "updatedAt", o.name as operator, (select count(*)::int from found) as total
    from page p join console_passport c on c.passport_id = p.passport_id join operator o on o.id = c.operator_id
    order by p.key ${direction}, p.passport_id`,
  }
}
const pagesBy = (hasWords: boolean) => ({
  updated: pageBy('updated', hasWords),
  created: pageBy('created', hasWords),
  title: pageBy('title', hasWords),
  product: pageBy('product', hasWords),
})
const PAGES = pagesBy(false)
const SEARCHES = pagesBy(true)

/** Finds passports with all words of the text. */
export function findPassports(session: Session, tenantId: string, query: CatalogueQuery): Promise<CatalogueRow[]> {
  const words = query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .slice(0, 8)
  const [first, ...others] = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  const { operatorId, status, category, isSealed, sort, limit, offset } = query
  const values = [tenantId, operatorId, status, category, isSealed, limit, offset]
  return first === undefined
    ? session.run(PAGES[sort], values)
    : session.run(SEARCHES[sort], [...values, first, others])
}

const counted = (where: string) => `(select count(*)::int from console_passport c
      where c.operator_id = any(${OWN}) and not c.is_archived and ${where})`

const STATES: Statement = {
  name: 'console-count-states',
  text: `select ${counted(`c.status = 'DRAFT'`)} as drafts, ${counted(`c.status = 'ACTIVE' and not c.is_sealed`)} as unsealed`,
}

export async function countStates(
  session: Session,
  tenantId: string,
  operatorId: string | null,
): Promise<{ readonly drafts: number; readonly unsealed: number }> {
  const [row] = await session.run<{ drafts: number; unsealed: number }>(STATES, [tenantId, operatorId])
  return row ?? { drafts: 0, unsealed: 0 }
}

const NEXT_CATEGORY = `select min(p.category) from passport p where p.archived_at is null and p.operator_id`

// Reads one index entry per operator and category.
const USED: Statement = {
  name: 'console-used-categories',
  text: `with recursive used (operator_id, name) as (
      select b.operator_id, (${NEXT_CATEGORY} = b.operator_id) from operator_binding b where b.tenant_id = $1
      union all
      select u.operator_id, (${NEXT_CATEGORY} = u.operator_id and p.category > u.name) from used u where u.name is not null
    ) select distinct u.name from used u where u.name = any($2::text[])`,
}

/** Returns the categories that have passports of the workspace. */
export async function usedCategories(
  session: Session,
  tenantId: string,
  categories: readonly string[],
): Promise<readonly string[]> {
  return (await session.run<{ name: string }>(USED, [tenantId, categories])).map(({ name }) => name)
}
