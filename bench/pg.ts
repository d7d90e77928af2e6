import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { roleName } from '../src/storage/database-roles.ts'
import { openEmbeddedPostgres } from '../src/storage/embedded-postgres/index.ts'

/** The database of a run. */
export interface BenchDatabase {
  readonly url: string
  readonly version: string
  readonly pool: pg.Pool
  /** The role in which the gateway works for a workspace, as an identifier. */
  readonly appRole: string
  close(): Promise<void>
}

/** A cluster of its own in a temporary folder, with what makes commits durable on; or the empty `DATABASE_URL`. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const given = process.env.DATABASE_URL
  if (given !== undefined && given !== '') return use(given, async () => {})
  const folder = await mkdtemp(join(tmpdir(), 'dpp-gateway-bench-'))
  // Where this runs as root, PostgreSQL runs as another user, who must be able to pass.
  await chmod(folder, 0o711)
  const postgres = await openEmbeddedPostgres({ dataDir: folder, log: () => {} })
  return use(postgres.url, async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })
}

/** Begins a transaction that may do what the gateway may do for this workspace, under row-level security. */
export async function asWorkspace({ appRole }: BenchDatabase, client: pg.ClientBase, tenantId: string): Promise<void> {
  // The owner is not a member of that role, but may make itself one.
  await client.query(`grant ${appRole} to current_user`)
  await client.query('begin')
  await client.query(`set local role ${appRole}`)
  await client.query(`select set_config('app.tenant', $1, true)`, [tenantId])
}

async function use(url: string, after: () => Promise<void>): Promise<BenchDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  const close = async () => {
    await pool.end()
    await after()
  }
  try {
    const { rows: tables } = await pool.query(
      `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'S') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' limit 1`,
    )
    if (tables.length > 0) throw new Error('DATABASE_URL names a database that is not empty. Give the bench its own.')
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
