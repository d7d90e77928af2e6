import pg from 'pg'
import { superuserUrl } from './databases.ts'
import type { TestGateway } from './gateway.ts'

/** Data of a workspace, one digest per table. */
export type TableDigests = Readonly<Record<string, string>>

/** Column conditions that select the rows of a workspace; the first existing column counts. */
const OWN_ROWS: Readonly<Record<string, string>> = {
  tenant_id: 'tenant_id = $1::uuid',
  passport_id: 'passport_id in (select id from passport where tenant_id = $1::uuid)',
  unit_id: 'unit_id in (select id from battery_unit where tenant_id = $1::uuid)',
  batch_id: 'batch_id in (select id from product_batch where tenant_id = $1::uuid)',
  operator_id: 'operator_id in (select operator_id from operator_binding where tenant_id = $1::uuid)',
  person_id: 'person_id in (select person_id from console_membership where tenant_id = $1::uuid)',
  id: 'id = $1::uuid',
}

/** Excludes read entries of the audit trail, which are written later. */
export const IS_NO_READING = `action !~ '[.](read|listed)$'`

/**
 * Digests of every tenant table and the number of pending events; equal if nothing was written. Omits `access_audit`
 * and `resolution_count`, which count readers later, and their audit entries. `audit_entry` covers all other records,
 * chained or not.
 */
export async function tableDigests(gateway: TestGateway, tenantId: string): Promise<TableDigests> {
  const looker = lookers.get(gateway) ?? openLooker(gateway)
  lookers.set(gateway, looker)
  const { client, text } = await looker
  const { rows } = await client.query<{ name: string; digest: string | null }>({
    name: 'digests',
    text,
    values: [tenantId],
  })
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest ?? 'empty']))
}

interface Looker {
  readonly client: pg.Client
  readonly text: string
}

/**
 * Reads as the superuser, who bypasses policies, with a prepared statement: planning sixty tables with policies takes
 * ten times as long as reading them.
 */
const lookers = new WeakMap<TestGateway, Promise<Looker>>()

async function openLooker({ databaseUrl }: TestGateway): Promise<Looker> {
  const client = new pg.Client({
    connectionString: await superuserUrl(databaseUrl),
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  // Ends with the database.
  client.on('error', () => {})
  await client.connect()
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select relname as name, array_agg(attname::text) as columns
     from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relrowsecurity
       and relname not in ('access_audit', 'resolution_count', 'audit_entry', 'audit_inbox', 'audit_head')
     group by relname order by relname`,
  )
  const each = tables.map(({ name, columns }) => {
    const column = Object.keys(OWN_ROWS).find((candidate) => columns.includes(candidate))
    // Location and writer of a row change with every write, and are read without its content.
    return `select '${name}' as name,
        sum(hashtextextended(concat_ws(' ', r.tableoid, r.ctid, r.xmin), 0))::text as digest
      from ${name} r where ${column === undefined ? 'true' : OWN_ROWS[column]}`
  })
  each.push(
    `select 'audit_entry', md5(string_agg(r::text, chr(30) order by r::text)) from (
      select action, subject_id, actor, detail::text, created_at from audit_entry where tenant_id = $1::uuid
      union all select action, subject_id, actor, detail::text, created_at from audit_inbox where tenant_id = $1::uuid) as r
      where ${IS_NO_READING}`,
    `select 'event', count(*)::text from pgboss.job where name = 'passport-event' and data ->> 'tenantId' = $1::text`,
  )
  return { client, text: each.join(' union all ') }
}

/** Names of differing tables, sorted. */
export const changedTables = (before: TableDigests, after: TableDigests): string[] =>
  Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .toSorted()
