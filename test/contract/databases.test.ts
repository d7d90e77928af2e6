import pg from 'pg'
import { expect, test } from 'vitest'
import { ROLES, roleName } from '../../src/storage/database-roles.ts'
import { createDatabase, createPreparedDatabase, superuserUrl } from '../support/databases.ts'
import { MASTER_KEY, startTestGateway } from '../support/gateway.ts'

/** Owners and privileges as texts with role names. */
const WHO_MAY = `
  select 'table ' || oid::regclass || ' ' || relowner::regrole || ' ' || coalesce(relacl::text, '')
    || ' ' || relrowsecurity || relforcerowsecurity as line from pg_class where relnamespace::regnamespace::text !~ '^(pg_|information)'
  union all select 'column ' || attrelid::regclass || ' ' || attname || ' ' || attacl::text from pg_attribute where attacl is not null
    and attrelid >= 16384
  union all select 'routine ' || oid::regprocedure || ' ' || proowner::regrole || ' ' || coalesce(proacl::text, '') from pg_proc
    where pronamespace::regnamespace::text !~ '^(pg_|information)'
  union all select 'schema ' || nspname || ' ' || nspowner::regrole || ' ' || coalesce(nspacl::text, '') from pg_namespace
    where nspname !~ '^(pg_|information)'
  union all select 'type ' || oid::regtype || ' ' || typowner::regrole || ' ' || coalesce(typacl::text, '') from pg_type
    where typnamespace::regnamespace::text !~ '^(pg_|information)'
  union all select 'default ' || defaclrole::regrole || ' ' || defaclacl::text from pg_default_acl
  union all select 'policy ' || polrelid::regclass || ' ' || polname || ' ' || polcmd::text || ' ' || polpermissive || ' '
    || array(select case r when 0 then 'public' else r::regrole::text end from unnest(polroles) r order by 1)::text
    || ' ' || coalesce(pg_get_expr(polqual, polrelid), '') || ' ' || coalesce(pg_get_expr(polwithcheck, polrelid), '') from pg_policy
  union all select 'setting ' || s.setconfig::text from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database()`

async function whoMay(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: await superuserUrl(url) })
  await client.connect()
  const { rows } = await client.query<{ line: string }>(`${WHO_MAY} order by 1`)
  await client.end()
  const name = decodeURIComponent(new URL(url).pathname.slice(1))
  return rows
    .map(({ line }) => ROLES.reduce((text, role) => text.replaceAll(roleName(role, name), `dpp_${role}`), line))
    .sort()
}

test('a copy of the prepared database has the same privileges as a separately migrated one', async () => {
  const migrated = await startTestGateway({ DATABASE_URL: await createDatabase() })
  const own = await whoMay(migrated.databaseUrl)
  expect(await whoMay(await createPreparedDatabase(MASTER_KEY))).toEqual(own)
  expect(own.length).toBeGreaterThan(500)
  await migrated.close()
})
