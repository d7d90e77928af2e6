import pg from 'pg'
import { ConfigError } from '../../config.ts'
import type { Structure } from './frames.ts'

/** Where it is kept which migrations ran; they are made anew, and not copied. */
export const MIGRATIONS = 'dpp_migration'

/** A table of the owner, partitions apart. */
export interface OwnTable {
  readonly name: string
  /** Those that hold something: what is generated is generated again. */
  readonly columns: readonly string[]
}

/** Every table of ours but that of the migrations, by name. */
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

/** Every partition of ours, with its table and the expression of its bounds. */
export async function partitionsOf(owner: pg.Client): Promise<Structure['partitions']> {
  const { rows } = await owner.query<Structure['partitions'][number]>(
    `select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1, 2`,
  )
  return rows
}

/** The last number of each sequence that has given one; of a bigint, so in letters. */
export async function lastNumbers(owner: pg.Client): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Bounds of a statement are for those who wait; texts of times and numbers are the same everywhere. */
export async function asOwner(client: pg.Client): Promise<void> {
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set timezone = 'UTC';
    set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set client_encoding = 'UTF8';
    set app.backup = 'on'`)
}

/**
 * Row-level security holds for the owner too, and whoever lifts it locks the table. So each table has a policy by which the
 * owner sees it who has logged in himself and says that it is for a back-up: never a function that works as the owner for
 * somebody else. It is made where it is missing, so that no migration can forget it.
 * @throws ConfigError where a table is held for long
 */
export async function keeperPolicies(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relrowsecurity and pg_has_role(c.relowner, 'usage')
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'backup')`,
  )
  // Whoever waits for the table waits behind this: not for long.
  await owner.query(`set lock_timeout = '5s'`)
  for (const { name } of rows) {
    const policy = `create policy backup on ${pg.escapeIdentifier(name)} for select to current_user
      using (session_user = current_user and coalesce(current_setting('app.backup', true), '') = 'on')`
    await owner.query(policy).catch((error) => {
      if (error.code !== LOCK_NOT_AVAILABLE) throw error
      throw new ConfigError(`The table ${name} is held by somebody for seconds. Make the back-up again in a moment.`)
    })
  }
  await owner.query('reset lock_timeout')
}

const LOCK_NOT_AVAILABLE = '55P03'
