import type { Principal } from '../domain/principal.ts'
import { boundTo } from './bindings.ts'
import { loadPassportsForList, type PassportRow } from './passport-rows.ts'
import type { Session, Statement } from './statement.ts'

// What a workspace reads of its catalogue: the passports of the operators for which it may act.

/** One page, the first is 1. */
interface Page {
  readonly page: number
  readonly limit: number
}

/** What a list may be narrowed down to. */
interface Filters {
  readonly category?: string | undefined
  readonly originCountry?: string | undefined
}

/** A passport that an id or a product names. */
interface Named {
  readonly id: string
  readonly operatorId: string
}

/** One page of the catalogue, newest first, without what proofs hold. */
export function listPassports(
  session: Session,
  principal: Principal,
  { category, originCountry }: Filters,
  page: Page,
): Promise<PassportRow[]> {
  const onPage = idsOnPage(principal, { category, origin_country: originCountry }, page)
  return loadPassportsForList(
    session,
    numbered(`p.id in (${onPage.sql}) order by p.created_at desc, p.id`),
    onPage.params,
  )
}

/** Whether each passport of one page has what credentials need, and how many of the whole catalogue have it. */
export async function readReadiness(session: Session, principal: Principal, page: Page) {
  const onPage = idsOnPage(principal, {}, page)
  const counted = {
    name: '',
    text: numbered(
      `select coalesce(sum(ready), 0)::int as ready, coalesce(sum(not_ready), 0)::int as not_ready from passport_count c
       where ${boundTo('c.operator_id', '?')} ${principal.operatorId === null ? '' : 'and operator_id = ?'}`,
    ),
  }
  const listed = {
    name: '',
    text: numbered(`select p.id, p.product_id, p.facility_id is not null as ready from passport p
       where p.id in (${onPage.sql}) order by p.created_at desc, p.id`),
  }
  const [[counts], rows] = await Promise.all([
    session.run<{ ready: number; not_ready: number }>(
      counted,
      principal.operatorId === null ? [principal.tenantId] : [principal.tenantId, principal.operatorId],
    ),
    session.run<{ id: string; product_id: string; ready: boolean }>(listed, onPage.params),
  ])
  return { ready: counts?.ready ?? 0, notReady: counts?.not_ready ?? 0, rows }
}

const named = (key: 'id' | 'product_id', scope: 'owned' | 'bound'): Statement => ({
  name: `find-${scope}-passport-by-${key}`,
  text: `select p.id, p.operator_id as "operatorId" from passport p
    where p.${key} = $1 and ${scope === 'owned' ? 'p.tenant_id = $2' : boundTo('p.operator_id', '$2')}
    order by p.operator_id is distinct from $3, p.created_at, p.id limit 2`,
})
const NAMED = {
  owned: { id: named('id', 'owned'), product_id: named('product_id', 'owned') },
  bound: { id: named('id', 'bound'), product_id: named('product_id', 'bound') },
} as const

/** Two at most of the passports that the value names in the caller's scope, those of its own operator first. */
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

/** The id of the passport of a product and operator, drafts included. */
export async function findOfProduct(
  session: Session,
  { productId, operatorId }: Pick<PassportRow, 'productId' | 'operatorId'>,
): Promise<string | undefined> {
  const [found] = await session.run<{ id: string }>(OF_PRODUCT, [productId, operatorId])
  return found?.id
}

const ANY_OF_OPERATOR: Statement = {
  name: 'any-passport-of-operator',
  text: 'select exists (select 1 from passport where operator_id = $1) as "isUsed"',
}

/** Whether an operator has passports, drafts included. */
export async function hasPassports(session: Session, operatorId: string): Promise<boolean> {
  const [row] = await session.run<{ isUsed: boolean }>(ANY_OF_OPERATOR, [operatorId])
  return row?.isUsed === true
}

/**
 * The ids of one page of the passports that are listed: of operators that are bound to the workspace, and not archived.
 * Each operator's newest come from the index alone, so that a page costs the same in a catalogue of any size.
 */
function idsOnPage(
  principal: Principal,
  filters: Readonly<Record<string, string | undefined>>,
  { page, limit }: Page,
): { sql: string; params: (string | number)[] } {
  const equal = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const operators = principal.operatorId === null ? [] : [principal.operatorId]
  const offset = (page - 1) * limit
  return {
    sql: `select newest.id from operator_binding b cross join lateral (
        select q.id, q.created_at from passport q where q.operator_id = b.operator_id and q.archived_at is null
        ${equal.map(([column]) => `and q.${column} = ?`).join(' ')}
        order by q.created_at desc, q.id limit ?
      ) as newest where b.tenant_id = ? ${operators.map(() => 'and b.operator_id = ?').join('')}
      order by newest.created_at desc, newest.id limit ? offset ?`,
    params: [...equal.map(([, value]) => value), offset + limit, principal.tenantId, ...operators, limit, offset],
  }
}

const OPERATOR_NAMES: Statement = {
  name: 'operator-names',
  text: 'select p.id, o.name from passport p join operator o on o.id = p.operator_id where p.id = any($1::uuid[])',
}

/** The names of the economic operators of passports, by the passport's id. */
export const operatorNames = (session: Session, ids: readonly string[]): Promise<{ id: string; name: string }[]> =>
  session.run(OPERATOR_NAMES, [ids])

function numbered(sql: string): string {
  let index = 0
  return sql.replaceAll('?', () => `$${++index}`)
}
