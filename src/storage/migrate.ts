import { setTimeout as sleep } from 'node:timers/promises'
import { type Migration, Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { ConfigError } from '../start/config.ts'
import { withRoleNames } from './database-roles.ts'

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration

export interface NamedMigration {
  readonly name: string
  readonly class: MigrationClass
}

/**
 * Maximum wait for a table lock. Statements that need the table queue behind the migration, so it gives up and retries until a reader of
 * everything, such as a backup, has finished.
 */
const LOCKED_WITHIN_MS = 2000
const LOCK_RETRY_MS = 2000
const MAX_LOCK_ATTEMPTS = 60
const LOCK_NOT_AVAILABLE = '55P03'
/** A migration that only databases from before the first release have. */
const BEFORE_RELEASE = 'core/20261121-core'
const PROGRESS_INTERVAL_MS = 5000

/**
 * If none is missing, the migrator need not be loaded.
 * @throws ConfigError if the database is older than the first release
 */
export async function missingMigrations(
  client: pg.Client,
  migrations: readonly NamedMigration[],
): Promise<readonly NamedMigration[]> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('dpp_migration') is not null as "isThere"`,
  )
  if (rows[0]?.isThere !== true) return migrations
  const ran = await client.query<{ name: string }>('select name from dpp_migration')
  const names = new Set(ran.rows.map(({ name }) => name))
  if (names.has(BEFORE_RELEASE)) {
    throw new ConfigError(
      'DATABASE_URL: this database is older than 1.15.0, the first release, and cannot be migrated. Use an empty database, ' +
        'or an empty DATA_DIR.',
    )
  }
  return migrations.filter(({ name }) => !names.has(name))
}

/**
 * @param database part of the names of its roles
 * @returns names of the migrations that ran
 * @throws ConfigError if a transaction blocks a table for minutes
 */
export async function migrate(
  url: string,
  database: string,
  migrations: readonly NamedMigration[],
  report: (message: string) => void,
): Promise<string[]> {
  let reportedAt = Date.now()
  const onStart = (name: string) => {
    if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = Date.now()
    report(`… ${name}`)
  }
  const orm = new MikroORM({
    // Migrations need no entities.
    entities: [],
    discovery: { warnWhenNoEntities: false },
    clientUrl: url,
    // Parsed by pg, which knows all parameters of an address.
    driverOptions: { connectionString: url, application_name: 'dpp-gateway migration' },
    extensions: [Migrator],
    migrations: {
      tableName: 'dpp_migration',
      migrationsList: migrations.map(({ name, class: migration }) => ({
        name,
        class: inDatabase(migration, database, () => onStart(name)),
      })),
      snapshot: false,
    },
    logger: () => {},
  })
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const ran = await orm.migrator.up()
        return ran.map(({ name }) => name)
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
        if (attempt === MAX_LOCK_ATTEMPTS) throw blocked(error)
      }
      await sleep(LOCK_RETRY_MS)
    }
  } finally {
    await orm.close(true)
  }
}

const blocked = (cause: unknown) =>
  new ConfigError(
    'DATABASE_URL: the tables cannot be changed, because a long-running transaction has been reading them for minutes. ' +
      'Find it in pg_stat_activity, end it, and start again.',
    { cause },
  )

/** Adds role names and a lock timeout to every migration. */
function inDatabase(migration: MigrationClass, database: string, onStart: () => void): MigrationClass {
  const Given = migration as unknown as new (
    ...args: unknown[]
  ) => {
    addSql(sql: unknown): void
    up(): void | Promise<void>
  }
  class InDatabase extends Given {
    override up(): void | Promise<void> {
      onStart()
      this.addSql(`set local lock_timeout = '${LOCKED_WITHIN_MS}ms'`)
      return super.up()
    }

    override addSql(sql: unknown): void {
      super.addSql(typeof sql === 'string' ? withRoleNames(sql, database) : sql)
    }
  }
  return InDatabase as unknown as MigrationClass
}
