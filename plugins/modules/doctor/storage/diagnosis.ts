import type pg from 'pg'
import {
  connectAsOwner,
  type EntityDescription,
  loginsOf,
  logsIn,
  type MasterKeys,
  type NamedMigration,
  ROLES,
  type Role,
  RoleClient,
  type RoleUrls,
  ranMigrations,
  urlAs,
} from '../../../../src/plugin/installation.ts'
import { schemaDrift } from './schema-drift.ts'

export interface DatabaseState {
  readonly version: string
  readonly versionNumber: number
  /** Connections that the server admits to users who are not superusers. */
  readonly maxConnections: number
  /** Lead of the database clock in seconds; a lower bound, because of the round trip. */
  readonly clockAhead: number
  /** Empty if no gateway has used the database. */
  readonly migrated: readonly string[]
  /** Empty unless exactly these migrations ran. */
  readonly drift: readonly string[]
  readonly roles: readonly RoleState[]
  /** True if the roles still have the passwords of the former key. */
  readonly isFormer: boolean
  readonly urls: RoleUrls
  /** Certificate of the newest seal CA, Base64 of DER. */
  readonly sealCa: string | null
  /** Overdue seconds; null without a queue. */
  readonly oldestJob: number | null
}

interface RoleState {
  readonly role: Role
  readonly name: string
  readonly exists: boolean
  /** True if the role bypasses row-level security. */
  readonly isUnbound: boolean
  /** True if the password of MASTER_KEY is accepted. */
  readonly opens: boolean
}

interface Facts {
  readonly database: string
  readonly version: string
  readonly versionNumber: number
  readonly maxConnections: number
  readonly now: number
}

/**
 * Changes nothing.
 * @throws ConfigError with the remedy if the database is unreachable
 */
export async function diagnoseDatabase(
  url: string,
  { masterKey, formerKey }: MasterKeys,
  migrations: readonly NamedMigration[],
  entitiesOfModules: readonly EntityDescription[],
): Promise<DatabaseState> {
  const owner = await connectAsOwner(url)
  try {
    await owner.query(`set statement_timeout = '5s'; set default_transaction_read_only = on`)
    const requestedAt = Date.now()
    const { rows } = await owner.query<Facts>(`select current_database() as database,
      current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now`)
    const { database, version, versionNumber, maxConnections, now } = rows[0] as Facts
    const clockAhead = (Math.max(0, now - Date.now()) + Math.min(0, now - requestedAt)) / 1000
    const ran = await ranMigrations(owner)
    const isCurrent = ran.length === migrations.length && migrations.every(({ name }) => ran.includes(name))
    const next = loginsOf(masterKey, database)
    const isFormer =
      formerKey !== undefined &&
      !(await logsIn(url, next.app)) &&
      (await logsIn(url, loginsOf(formerKey, database).app))
    const logins = isFormer ? loginsOf(formerKey, database) : next
    const { rows: known } = await owner.query<{ name: string; isUnbound: boolean }>(
      'select rolname as name, rolsuper or rolbypassrls as "isUnbound" from pg_roles where rolname = any($1)',
      [ROLES.map((role) => logins[role].name)],
    )
    const roles: RoleState[] = []
    for (const role of ROLES) {
      const { name } = logins[role]
      const found = known.find((one) => one.name === name)
      roles.push({
        ...{ role, name, exists: found !== undefined, isUnbound: found?.isUnbound === true },
        opens: found !== undefined && (await logsIn(url, logins[role])),
      })
    }
    const urls = Object.fromEntries(ROLES.map((role) => [role, urlAs(url, logins[role])])) as Record<Role, string>
    const hasQueue = ran.length > 0 && roles.every(({ opens }) => opens)
    return {
      ...{ version, versionNumber, maxConnections, clockAhead, roles, urls, isFormer },
      sealCa: ran.length > 0 ? await newestSealCa(owner) : null,
      migrated: ran,
      drift: isCurrent ? await schemaDrift(owner, migrations, entitiesOfModules) : [],
      oldestJob: hasQueue ? await oldestJob(urls.jobs) : null,
    }
  } finally {
    await owner.end().catch(() => {})
  }
}

async function newestSealCa(owner: pg.Client): Promise<string | null> {
  const { rows: there } = await owner.query(`select 1 from information_schema.columns
    where table_schema = current_schema() and table_name = 'node_key' and column_name = 'certificate'`)
  if (there.length === 0) return null
  const { rows } = await owner.query<{ certificate: string }>(
    `select certificate from node_key where purpose like 'seal-ca%' order by length(purpose) desc, purpose desc limit 1`,
  )
  return rows[0]?.certificate ?? null
}

async function oldestJob(url: string): Promise<number | null> {
  const jobs = new RoleClient({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 })
  try {
    await jobs.connect()
    const { rows } = await jobs.query<{ due: number }>(
      `select coalesce(extract(epoch from now() - min(j.start_after)), 0)::float8 as due
       from pgboss.job j where j.state < 'active' and not j.blocked and j.start_after <= now()`,
    )
    return rows[0]?.due ?? null
  } catch (error) {
    // No gateway has created the queues yet.
    if ((error as { code?: string }).code === '42P01' || (error as { code?: string }).code === '3F000') return null
    throw error
  } finally {
    await jobs.end().catch(() => {})
  }
}
