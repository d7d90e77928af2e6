import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { PLANS } from '../domain/plans.ts'
import { dictionary } from '../domain/record.ts'
import { ConfigError } from '../start/config.ts'
import { buildConcurrently, concurrentIndexes } from './concurrent-indexes.ts'
import { ensureRoles, type RoleUrls } from './database-roles.ts'
import { hostsIn, onSomeHost } from './hosts.ts'
import { migrate, missingMigrations, type NamedMigration } from './migrate.ts'
import { assertSessions } from './pooling.ts'
import { RoleClient } from './role-client.ts'

interface PrepareOptions {
  /** Last step of the owner, while other processes still wait. */
  readonly finish?: (owner: pg.Client) => Promise<void>
  /** Roles with its passwords keep them. */
  readonly formerKey?: string | undefined
  readonly report?: (message: string) => void
  /** True if a pooler may be in front of the server. */
  readonly isForeign?: boolean
}

const CONNECTED_WITHIN_MS = 10_000
/** Advisory lock of the process that migrates. */
const MIGRATION_LOCK = 7031
const LOCK_RETRY_MS = 100

/**
 * Runs as the owner, who is not needed afterwards. One of several starting processes does this while the others wait.
 * @returns the address of each role, and the names of the migrations that ran
 * @throws ConfigError if the owner lacks privileges, or other processes use another MASTER_KEY
 */
export async function prepareDatabase(
  url: string,
  masterKey: string,
  migrations: readonly NamedMigration[],
  { finish = async () => {}, formerKey, report = () => {}, isForeign = false }: PrepareOptions = {},
): Promise<{ urls: RoleUrls; migrated: string[] }> {
  const client = await connectAsOwner(url)
  try {
    if (isForeign) await assertSessions(url)
    await waitForLock(client)
    const urls = await ensureRoles(client, url, { masterKey, formerKey })
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const missing = await missingMigrations(client, migrations)
    if (missing.length > 0) report(`Migrating the database (pending migrations: ${missing.length}) …`)
    const migrated = await migrateAll(client, hostsIn(url).url, rows[0]?.name ?? '', missing)
    await finish(client)
    return { urls, migrated }
  } catch (error) {
    throw isDenied(error) ? notOwner(error) : error
  } finally {
    await client.end()
  }
}

/** Polls: a waiting statement would have a snapshot, for whose end a concurrent index build waits. */
async function waitForLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as locked`)
    if (rows[0].locked) return
    await sleep(LOCK_RETRY_MS)
  }
}

/** Runs migrations in order, those without concurrent indexes in common transactions. */
async function migrateAll(client: pg.Client, url: string, database: string, missing: readonly NamedMigration[]) {
  const migrated: string[] = []
  let waiting: NamedMigration[] = []
  const runWaiting = async () => {
    if (waiting.length > 0) migrated.push(...(await migrate(url, database, waiting)))
    waiting = []
  }
  for (const migration of missing) {
    const indexes = await concurrentIndexes(migration)
    if (indexes === undefined) waiting.push(migration)
    else {
      await runWaiting()
      await buildConcurrently(client, migration.name, indexes)
      migrated.push(migration.name)
    }
  }
  await runWaiting()
  return migrated
}

/** @throws ConfigError with the remedy if the database is unreachable; never with the address, which contains a password */
export async function connectAsOwner(url: string): Promise<pg.Client> {
  let place = 'the server'
  try {
    return await onSomeHost(url, async () => {
      const client = new RoleClient({
        connectionString: url,
        application_name: 'dpp-gateway migration',
        connectionTimeoutMillis: CONNECTED_WITHIN_MS,
      })
      place = `${client.host}:${client.port}`
      return client.connect()
    })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const advice =
      ADVICE[code] ?? ADVICE[code.slice(0, 2)] ?? (/password must be a string/.test(message) ? NO_PASSWORD : '')
    throw new ConfigError(
      `DATABASE_URL: PostgreSQL at ${place} cannot be reached: ${message || code}. ${advice}`.trimEnd(),
      { cause: error },
    )
  }
}

const NO_PASSWORD = 'Add the password to the address: postgres://user:password@host:5432/database'

/** Remedies by SQLSTATE, its class (PostgreSQL, appendix A), or error code of the socket. */
const ADVICE = dictionary<string>({
  ECONNREFUSED: 'Start the server, or correct host and port.',
  ENOTFOUND: 'Correct the host.',
  EAI_AGAIN: 'Correct the host, or fix name resolution on this machine.',
  ETIMEDOUT: 'Correct host and port, or open the firewall for this machine.',
  ERR_INVALID_URL: 'Percent-encode special characters in user and password.',
  '28': 'Correct user and password, or allow the user in pg_hba.conf.',
  '3D': 'Create the database, owned by that user: create database … owner …',
  '53': 'Allow more connections (max_connections), or close some.',
  '57': 'The server is starting or stopping; start the gateway again shortly.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Set its certificate authority: ?sslrootcert=FILE&sslmode=verify-full',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Set its certificate: ?sslrootcert=FILE&sslmode=verify-full',
})

function isDenied(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof ConfigError) && (error as { code?: string }).code === '42501'
}

const notOwner = (cause: Error) =>
  new ConfigError(
    `DATABASE_URL: its user lacks a privilege on the tables of the gateway: ${cause.message}. As a superuser run: ` +
      'alter database <that database> owner to <that user>',
    { cause },
  )

/** The database enforces these limits. */
export async function storePlans(client: pg.Client): Promise<void> {
  const plans = Object.entries(PLANS)
  await client.query(
    `insert into plan as p (name, storage_limit, row_limit) select * from unnest($1::text[], $2::bigint[], $3::bigint[])
     on conflict (name) do update set storage_limit = excluded.storage_limit, row_limit = excluded.row_limit
     where (p.storage_limit, p.row_limit) is distinct from (excluded.storage_limit, excluded.row_limit)`,
    [
      plans.map(([name]) => name),
      plans.map(([, { storageLimit }]) => storageLimit),
      plans.map(([, { rowLimit }]) => rowLimit),
    ],
  )
}
