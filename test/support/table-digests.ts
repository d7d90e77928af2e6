import type { TestGateway } from './gateway.ts'

/** What a workspace has in the database, as one digest for each table. */
export type TableDigests = Readonly<Record<string, string>>

/**
 * What these workspaces have in each table, and how many events wait to be sent. Two of them are equal when nothing was
 * written. Left out is `access_audit`, which counts those who read and is written later.
 */
export async function tableDigests(gateway: TestGateway, tenantIds: readonly string[]): Promise<TableDigests> {
  // Where a table names the workspace it is asked for, since the login role sees more than the workspace's own rows.
  const tables = await gateway.sql<{ name: string; named: boolean }>(
    `select relname as name, exists (
         select 1 from pg_attribute where attrelid = c.oid and attname = 'tenant_id' and not attisdropped) as named
     from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'access_audit'
     order by relname`,
  )
  const text = tables
    .map(({ name, named }) => {
      const own = named ? 'where tenant_id = $1' : name === 'workspace' ? 'where id = $1' : ''
      return `select '${name}' as name, md5(string_agg(r::text, chr(30) order by r::text)) as digest from ${name} r ${own}`
    })
    .join(' union all ')
  const digests: Record<string, string> = {}
  for (const tenantId of tenantIds) {
    const rows = await gateway.sqlAs<{ name: string; digest: string | null }>(tenantId, text, [tenantId])
    for (const { name, digest } of rows) digests[name] = `${digests[name] ?? ''} ${digest}`
    const [events] = await gateway.sql<{ count: string }>(
      `select count(*) from pgboss.job where name = 'passport-event' and data ->> 'tenantId' = $1`,
      [tenantId],
    )
    digests.event = `${digests.event ?? ''} ${events?.count}`
  }
  return digests
}

/** The tables whose digests differ. */
export const changedTables = (before: TableDigests, after: TableDigests): string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name])
