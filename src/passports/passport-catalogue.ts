import type { Principal } from '../domain/principal.ts'
import { boundTo } from '../operators/bindings.ts'
import type { Session, Statement } from '../storage/statement.ts'
import { forList, type ListedRow, loadPassportsForList } from './listed-passports.ts'
import type { PassportRow } from './passport-columns.ts'

interface Page {
  readonly page: number
  readonly limit: number
}

export interface CatalogueFilters {
  readonly category?: string | undefined
  readonly originCountry?: string | undefined
}

export interface Named {
  readonly id: string
  readonly tenantId: string
  readonly productId: string
  readonly operatorId: string
  readonly category: string | null
}

/** Forces a generic plan: planning takes longer than reading, and PostgreSQL would replan each time, because it expects many rows. */
export const KEEP_PLAN: Statement = {
  name: 'keep-plan',
  text: `select set_config('plan_cache_mode', 'force_generic_plan', true)`,
}

export async function listPassports(
  session: Session,
  principal: Principal,
  filters: CatalogueFilters,
  page: Page,
): Promise<ListedRow[]> {
  const { shape, text, values } = idsOnPage(principal, filters, page)
  const statement = forList(`list-passports${shape}`, `p.id = any(${text}) order by p.created_at desc, p.id`)
  const [, rows] = await Promise.all([session.run(KEEP_PLAN), loadPassportsForList(session, statement, values)])
  return rows
}

export function passportsAfter(
  session: Session,
  { tenantId, operatorId }: Principal,
  { category, originCountry }: CatalogueFilters,
  { after, limit }: { readonly after: ListedRow | undefined; readonly limit: number },
): Promise<ListedRow[]> {
  return loadPassportsForList(session, AFTER, [
    ...[tenantId, operatorId, category ?? null, originCountry ?? null],
    ...[after?.createdAt ?? 'infinity', after?.id ?? null, limit],
  ])
}

// Reads the list index per operator, with timestamps in milliseconds.
const AFTER = forList(
  'passports-after',
  `p.id = any(array(
      select next.id from operator_binding b cross join lateral (
        select q.id, q.created_at from passport q
        where q.operator_id = b.operator_id and q.archived_at is null
          and ($3::text is null or q.category = $3) and ($4::text is null or q.origin_country = $4)
          and q.created_at <= $5::timestamptz and (q.created_at < $5::timestamptz or q.id > $6::uuid)
        order by q.created_at desc, q.id limit $7::int
      ) as next where b.tenant_id = $1 and ($2::uuid is null or b.operator_id = $2::uuid)
      order by next.created_at desc, next.id limit $7::int
    )) order by p.created_at desc, p.id`,
)

const readinessOf = (name: string, where: string): Statement => ({
  name,
  text: `select coalesce(sum(c.ready), 0)::int as ready, coalesce(sum(c.not_ready), 0)::int as not_ready,
      (select count(*)::int from facility f join passport c on c.facility_id = f.id
        where f.country <> all($2::text[]) and c.archived_at is null and ${boundTo('c.operator_id', '$1')} ${where}) as nowhere
    from passport_count c where ${boundTo('c.operator_id', '$1')} ${where}`,
})
const READINESS = readinessOf('count-ready', '')
const READINESS_OF_OPERATOR = readinessOf('count-ready-of-operator', 'and c.operator_id = $3')

interface Readiness {
  readonly ready: number
  readonly not_ready: number
  /** Passports counted as ready, with a facility outside of the given countries. */
  readonly nowhere: number
}

/**
 * Returns a page with countries (null without a facility), and how many passports of the catalogue have a facility in one of `countries`.
 */
export async function readReadiness(session: Session, principal: Principal, page: Page, countries: readonly string[]) {
  const { tenantId, operatorId } = principal
  const { shape, text, values } = idsOnPage(principal, {}, page)
  const onPage: Statement = {
    name: `list-readiness${shape}`,
    text: `select p.id, p.product_id, f.country from passport p
      left join facility f on f.id = p.facility_id
      where p.id = any(${text}) order by p.created_at desc, p.id`,
  }
  const [, [counts], rows] = await Promise.all([
    session.run(KEEP_PLAN),
    operatorId === null
      ? session.run<Readiness>(READINESS, [tenantId, countries])
      : session.run<Readiness>(READINESS_OF_OPERATOR, [tenantId, countries, operatorId]),
    session.run<{ id: string; product_id: string; country: string | null }>(onPage, values),
  ])
  const { ready, not_ready: notReady, nowhere } = counts ?? { ready: 0, not_ready: 0, nowhere: 0 }
  return { ready: ready - nowhere, notReady: notReady + nowhere, rows }
}

const named = (key: 'id' | 'product_id', scope: 'owned' | 'bound'): Statement => ({
  name: `find-${scope}-passport-by-${key}`,
  text: `select p.id, p.tenant_id as "tenantId", p.product_id as "productId", p.operator_id as "operatorId", p.category
    from passport p
    where p.${key} = $1 and ${scope === 'owned' ? 'p.tenant_id = $2' : boundTo('p.operator_id', '$2')}
    order by p.operator_id is distinct from $3, p.created_at, p.id limit 2`,
})
const NAMED = {
  owned: { id: named('id', 'owned'), product_id: named('product_id', 'owned') },
  bound: { id: named('id', 'bound'), product_id: named('product_id', 'bound') },
} as const

/** Returns at most two, those of the caller's operator first. */
export const findNamed = (
  session: Session,
  { tenantId, operatorId }: Principal,
  key: 'id' | 'product_id',
  value: string,
  scope: 'owned' | 'bound',
): Promise<Named[]> => session.run<Named>(NAMED[scope][key], [value, tenantId, operatorId])

const OF_PRODUCT: Statement = {
  name: 'find-passport-of-product',
  text: 'select id from passport where product_id = $1 and operator_id = $2',
}

/** Includes drafts. */
export async function findOfProduct(
  session: Session,
  { productId, operatorId }: Pick<PassportRow, 'productId' | 'operatorId'>,
): Promise<string | undefined> {
  const [found] = await session.run<{ id: string }>(OF_PRODUCT, [productId, operatorId])
  return found?.id
}

const USE_OF_OPERATOR: Statement = {
  name: 'use-of-operator',
  text: `select exists (select 1 from passport where operator_id = $1) as "hasPassports",
      (select count(*)::int from facility where operator_id = $1) as facilities`,
}

/** Includes drafts. */
export async function useOfOperator(
  session: Session,
  operatorId: string,
): Promise<{ hasPassports: boolean; facilities: number }> {
  const [row] = await session.run<{ hasPassports: boolean; facilities: number }>(USE_OF_OPERATOR, [operatorId])
  return row ?? { hasPassports: false, facilities: 0 }
}

/**
 * Each operator's newest come from the index of the filters, so that a page costs the same in any catalogue size. `shape` lists the filters
 * without values, for the statement name.
 */
function idsOnPage(
  { tenantId, operatorId }: Principal,
  { category, originCountry }: CatalogueFilters,
  { page, limit }: Page,
): { readonly shape: string; readonly text: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [tenantId, limit, (page - 1) * limit]
  let shape = ''
  const narrowed = (by: string, column: string, value: string | null = null): string => {
    if (value === null) return ''
    shape += `-by-${by}`
    return `and ${column} = $${values.push(value)}`
  }
  const filters = [
    narrowed('category', 'q.category', category),
    narrowed('country', 'q.origin_country', originCountry),
  ].join(' ')
  const operator = narrowed('operator', 'b.operator_id', operatorId)
  // An array forces lookups by id, regardless of the planner's estimate.
  const text = `array(
      select newest.id from operator_binding b cross join lateral (
        select q.id, q.created_at from passport q
        where q.operator_id = b.operator_id and q.archived_at is null ${filters}
        order by q.created_at desc, q.id limit $2::int + $3::int
      ) as newest where b.tenant_id = $1 ${operator}
      order by newest.created_at desc, newest.id limit $2::int offset $3::int
    )`
  return { shape, text, values }
}

const OPERATORS_OF: Statement = {
  name: 'operators-of-passports',
  text: `select p.id, o.name, coalesce(
      case when o.reg_id_scheme = 'EORI' then upper(left(o.reg_id, 2)) end,
      case when w.legal_name = o.name then w.country end) as country
    from passport p join operator o on o.id = p.operator_id left join workspace w on w.id = p.tenant_id
    where p.id = any($1::uuid[])`,
}

interface OperatorOfPassport {
  readonly id: string
  readonly name: string
  /** ISO 3166-1 alpha-2: from the EORI number, or from the workspace that is the operator. */
  readonly country: string | null
}

export const operatorsOf = (session: Session, ids: readonly string[]): Promise<OperatorOfPassport[]> =>
  session.run(OPERATORS_OF, [ids])

const WITH_SERIAL: Statement = {
  name: 'passports-with-serial',
  text: `select p.id from passport p where p.id = any($1::uuid[])
    and to_jsonb($2::text) in ((p.metadata -> 'serialNumber')::jsonb, (p.metadata -> '21')::jsonb)`,
}

export async function withSerial(
  session: Session,
  ids: readonly string[],
  serial: string,
): Promise<ReadonlySet<string>> {
  const rows = await session.run<{ id: string }>(WITH_SERIAL, [ids, serial])
  return new Set(rows.map(({ id }) => id))
}
