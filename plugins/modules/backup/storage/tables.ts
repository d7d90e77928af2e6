import pg from 'pg'
import { ConfigError } from '../../../../src/plugin/installation.ts'
import type { Structure } from './frames.ts'

/** Migration table: recreated, not copied. */
export const MIGRATIONS = 'dpp_migration'

export interface OwnTable {
  readonly name: string
  readonly columns: readonly string[]
}

export async function ownTables(owner: pg.Client): Promise<OwnTable[]> {
  const { rows } = await owner.query<OwnTable>(
    `select c.relname as name, array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
      ) as columns
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and pg_has_role(c.relowner, 'usage') and c.relname <> $1
     order by c.relname`,
    [MIGRATIONS],
  )
  return rows
}

export async function partitionsOf(owner: pg.Client): Promise<Structure['partitions']> {
  const { rows } = await owner.query<Structure['partitions'][number]>(
    `select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1, 2`,
  )
  return rows
}

export async function lastNumbers(owner: pg.Client): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Disables timeouts and fixes text formats. */
export async function asOwner(client: pg.Client): Promise<void> {
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC';
    set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set client_encoding = 'UTF8';
    set app.backup = 'on'`)
}

/**
 * Creates missing `backup` policies: row-level security also applies to the owner, and lifting it would lock the table. They admit only a
 * session logged in as the owner, never a function that runs as the owner for another role. Created here, so that no migration can omit
 * them.
 * @throws ConfigError if a table stays locked
 */
export async function keeperPolicies(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relrowsecurity and pg_has_role(c.relowner, 'usage')
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup')`,
  )
  // Other queries queue behind this lock request.
  await owner.query(`set lock_timeout = '5s'`)
  for (const { name } of rows) {
    const policy = `create policy backup on ${pg.escapeIdentifier(name)} for select to current_user
      using (session_user = current_user and coalesce(current_setting('app.backup', true), '') = 'on')`
    await owner.query(policy).catch((error) => {
      if (error.code !== LOCK_NOT_AVAILABLE) throw error
      throw new ConfigError(`The table ${name} is locked by another process. Retry the backup.`)
    })
  }
  await owner.query('reset lock_timeout')
}

const LOCK_NOT_AVAILABLE = '55P03'
