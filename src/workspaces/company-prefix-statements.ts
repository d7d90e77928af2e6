import { boundTo } from '../operators/bindings.ts'
import type { Database } from '../storage/database.ts'
import type { Session, Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'

export interface PrefixClaim {
  readonly prefix: string
  readonly workspaceId: string
  readonly workspace: string
  readonly claimedAt: Date
}

export interface Squatter {
  readonly id: string
  readonly workspaceId: string
  readonly productId: string
}

const ADD: Statement = {
  name: 'claim-prefix',
  text: 'insert into company_prefix (prefix, tenant_id) values ($1, app_tenant())',
}

export async function claimPrefix(session: Session, prefix: string): Promise<void> {
  await session.run(ADD, [prefix])
}

const ALL: Statement = {
  name: 'claimed-prefixes',
  text: `select c.prefix, c.tenant_id as "workspaceId", w.name as workspace, c.claimed_at as "claimedAt"
    from company_prefix c join workspace w on w.id = c.tenant_id order by c.prefix`,
}

export const claimedPrefixes = (database: Database): Promise<PrefixClaim[]> => database.lookup.run(ALL)

const REMOVE: Statement = { name: 'release-prefix', text: 'delete from company_prefix where prefix = $1 returning 1' }

export async function releasePrefix(session: Session, prefix: string): Promise<boolean> {
  return (await session.run(REMOVE, [prefix])).length > 0
}

/** SQLSTATE: another workspace claims the prefix. */
export const CLAIMED = 'DP409'

const EXPECT_UNCLAIMED: Statement = {
  name: 'expect-passport-unclaimed',
  text: `select expect(company_prefix_refuses(k.keys, array_fill(p.id, array[cardinality(k.keys)]),
      array_fill(p.operator_id, array[cardinality(k.keys)])) = '{}', '${CLAIMED}')
    from passport p, lateral (
      select array(
        select key from unnest(array[p.product_id, p.gtin, p.grai]) as k (key)
        where key ~ '^[0-9]{14}[0-9A-Za-z]{0,16}$'
      ) as keys
    ) as k
    where p.id = $1 and p.status <> 'DRAFT'`,
}

/** Fails with {@link CLAIMED} if another workspace claims a key of the published passport. */
export function expectUnclaimed(tx: Transaction, passportId: string): void {
  tx.write(EXPECT_UNCLAIMED, [passportId])
}

const SQUATTERS: Statement = {
  name: 'squatters-of-prefix',
  text: `select p.id, p.tenant_id as "workspaceId", p.product_id as "productId" from passport p
    where p.status <> 'DRAFT' and p.tenant_id <> $2
      and exists (
        select 1 from unnest(array[p.product_id, p.gtin, p.grai]) as k (key)
        where starts_with(substr(k.key, 2), $1) and k.key ~ '^[0-9]{14}[0-9A-Za-z]{0,16}$'
      )
      and not ${boundTo('p.operator_id', '$2')}
    order by p.created_at, p.id limit 1000`,
}

/** Excludes operators that the workspace acts for. */
export const squattersOf = (database: Database, prefix: string, workspaceId: string): Promise<Squatter[]> =>
  database.lookup.run(SQUATTERS, [prefix, workspaceId])
