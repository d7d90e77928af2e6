import type { Database } from '../storage/database.ts'
import type { Statement } from '../storage/statement.ts'

interface SharingPassport {
  readonly id: string
  readonly tenantId: string
  readonly operatorId: string
  readonly productId: string
}

const IS_SERVED: Statement = {
  name: 'is-product-served-elsewhere',
  text: `select exists (
      select from passport where product_id = $1 and tenant_id <> $2 and status <> 'DRAFT'
    ) as "isServed"`,
}

export async function isServedElsewhere(database: Database, tenantId: string, productId: string): Promise<boolean> {
  const [row] = await database.batchedLookup.run<{ isServed: boolean }>(IS_SERVED, [productId, tenantId])
  return row?.isServed === true
}

const SHARING: Statement = {
  name: 'passports-of-same-products',
  text: `select distinct on (other.tenant_id, other.product_id) other.id, other.tenant_id as "tenantId",
      other.operator_id as "operatorId", other.product_id as "productId"
    from unnest($1::uuid[], $2::timestamptz[]) as published (id, at)
      join passport own on own.id = published.id and own.status <> 'DRAFT'
      join passport other on other.product_id = own.product_id and other.tenant_id <> own.tenant_id
        and other.status <> 'DRAFT' and other.created_at <= published.at
    where own.product_id ~ '^[0-9]{14}[0-9A-Za-z]{0,16}$'
    order by other.tenant_id, other.product_id, other.seal_id is null, other.created_at, other.id
    limit 1000`,
}

export interface Publication {
  readonly id: string
  readonly at: Date
}

/** Returns one earlier passport per workspace and product, sealed ones first. */
export const passportsOfSameProducts = (
  database: Database,
  published: readonly Publication[],
): Promise<SharingPassport[]> =>
  database.lookup.run(SHARING, [published.map(({ id }) => id), published.map(({ at }) => at)])
