import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { roleName } from '../src/storage/database-roles.ts'
import { openEmbeddedPostgres } from '../src/storage/embedded-postgres/index.ts'
import { endCluster } from '../test/support/left-cluster.ts'
import { preparedDataDir } from '../test/support/prepared-cluster.ts'

const STOPS_WITHIN_MS = 5000

export interface BenchDatabase {
  readonly url: string
  readonly version: string
  readonly pool: pg.Pool
  /** Escaped name of the role in which the gateway works for a workspace. */
  readonly appRole: string
  close(): Promise<void>
}

/**
 * Opens the empty database of `DATABASE_URL`, or a separate cluster in a temporary folder with durable commits.
 * @param options `isPrepared`: the separate cluster is a copy with a migrated database, without durable commits
 */
export async function openBenchDatabase({ isPrepared = false } = {}): Promise<BenchDatabase> {
  const given = process.env.DATABASE_URL
  if (given !== undefined && given !== '') {
    const database = await use(given, async () => {})
    await assertEmpty(database)
    return database
  }
  const folder = await mkdtemp(join(tmpdir(), 'dpp-gateway-bench-'))
  // If this runs as root, PostgreSQL runs as another user, who needs access.
  await chmod(folder, 0o711)
  if (isPrepared) await preparedDataDir(folder)
  const postgres = await openEmbeddedPostgres({ dataDir: folder, log: () => {}, fast: isPrepared })
  return use(postgres.url, async () => {
    await postgres.stop()
    await endCluster(folder)
    await rm(folder, { recursive: true, force: true })
  })
}

/** Begins a transaction with the gateway's rights in this workspace, under row-level security. */
export async function asWorkspace({ appRole }: BenchDatabase, client: pg.ClientBase, tenantId: string): Promise<void> {
  // The owner may grant the role to itself.
  await client.query(`grant ${appRole} to current_user`)
  await client.query('begin')
  await client.query(`set local role ${appRole}`)
  await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
}

/** Runs `work` in one transaction as the owner of the tables; closes the connection if it fails. */
export async function inTransaction({ pool }: BenchDatabase, work: (client: pg.ClientBase) => Promise<void>) {
  const client = await pool.connect()
  let isDone = false
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
    isDone = true
  } finally {
    client.release(!isDone)
  }
}

/** Creates an empty table of a baseline that the gateway's role can fill. */
export async function makeTable({ pool, appRole }: BenchDatabase, name: string, columns: string): Promise<void> {
  await pool.query(`
    create schema if not exists bench;
    drop table if exists bench.${name};
    create table bench.${name} (${columns});
    grant usage on schema bench to ${appRole};
    grant select, insert on bench.${name} to ${appRole}`)
}

/** Creates `bench.body`: finished responses by passport id. */
export const makeBodyTable = (database: BenchDatabase): Promise<void> =>
  makeTable(database, 'body', 'id uuid primary key, body text not null, etag text not null')

/** Creates `bench.passport`: columns, indexes and keys as in the gateway's table, without its other triggers. */
export async function makePassportTable(database: BenchDatabase): Promise<void> {
  await makeTable(database, 'passport', 'like public.passport including all')
  await database.pool.query(
    'create trigger passport_tells_keys before insert on bench.passport for each row execute function passport_tells_keys()',
  )
}

/** @throws Error unless `passport` and `bench.passport` have the same rows of these products */
export async function assertSameRows(database: BenchDatabase, tenantId: string, productIds: readonly string[]) {
  const client = await database.pool.connect()
  try {
    await asWorkspace(database, client, tenantId)
    const stored = async (table: string) => {
      const { rows } = await client.query(
        `select product_id, status, metadata::text, operator_id, tenant_id, category from ${table}
         where product_id = any($1) order by product_id`,
        [productIds],
      )
      if (rows.length !== productIds.length)
        throw new Error(`${table} has ${rows.length} of ${productIds.length} rows.`)
      return JSON.stringify(rows)
    }
    const [ours, theirs] = [await stored('public.passport'), await stored('bench.passport')]
    if (ours !== theirs) throw new Error(`The rows differ:\n${ours}\n${theirs}`)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function use(url: string, after: () => Promise<void>): Promise<BenchDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  const close = async () => {
    // Aborted work does not return its connection.
    await Promise.race([pool.end(), sleep(STOPS_WITHIN_MS, undefined, { ref: false })])
    await after()
  }
  try {
    const { rows } = await pool.query<{ version: string; name: string }>(
      `select current_setting('server_version') as version, current_database() as name`,
    )
    const { version = 'unknown', name = '' } = rows[0] ?? {}
    return { url, pool, version, appRole: pg.escapeIdentifier(roleName('app', name)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws Error and closes the database if it has a table */
async function assertEmpty({ pool, close }: BenchDatabase): Promise<void> {
  const { rows } = await pool.query(
    `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' limit 1`,
  )
  if (rows.length === 0) return
  await close()
  throw new Error('DATABASE_URL: the database is not empty. Create a separate one for the benchmark.')
}
