import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import type pg from 'pg'
import { ConfigError } from '../start/config.ts'
import { withRoleNames } from './database-roles.ts'

/** Members of a MikroORM migration that are used here. */
export type MigrationClass = new (
  ...args: never[]
) => {
  addSql(sql: unknown): void
  up(): void | Promise<void>
  getQueries(): unknown[]
}

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

export async function sqlOf(migration: MigrationClass): Promise<string[]> {
  const given = new migration()
  await given.up()
  return given.getQueries().map(String)
}

/** Adds a digest of its SQL to the name. Line ends depend on the checkout. */
export async function withDigest({ name, class: migration }: NamedMigration): Promise<NamedMigration> {
  const sql = (await sqlOf(migration)).join(';\n').replaceAll('\r\n', '\n')
  return { name: `${name}#${createHash('sha256').update(sql).digest('hex').slice(0, 8)}`, class: migration }
}

/** Returns the names of the migrations that ran. */
export async function ranMigrations(client: pg.Client): Promise<string[]> {
  const { rowCount } = await client.query(`select where to_regclass('dpp_migration') is not null`)
  if (rowCount === 0) return []
  const { rows } = await client.query<{ name: string }>('select name from dpp_migration')
  return rows.map(({ name }) => name)
}

/**
 * If none is missing, the migrator need not be loaded. Accepts unknown migrations of later versions and of plugins that are not loaded.
 * @throws ConfigError if a migration of the database is not one of this version, or had other SQL
 */
export async function missingMigrations(
  client: pg.Client,
  migrations: readonly NamedMigration[],
): Promise<readonly NamedMigration[]> {
  const ran = await ranMigrations(client)
  const known = migrations.map(({ name }) => name)
  const other = ran.find((name) => !known.includes(name) && known.some((own) => isUpTo(name, own)))
  if (other !== undefined) {
    throw new ConfigError(
      `DATABASE_URL: this database has the migration ${other}, which this version does not have, and cannot be migrated. ` +
        'Use an empty database or an empty DATA_DIR, or run the version that created it.',
    )
  }
  return migrations.filter(({ name }) => !ran.includes(name))
}

/** True if a migration has the plugin of another and is not later. A name is `plugin/file#digest`. */
function isUpTo(name: string, other: string): boolean {
  const [[plugin, file = ''], [otherPlugin, otherFile = '']] = [name.split(/[/#]/), other.split(/[/#]/)]
  return plugin === otherPlugin && file <= otherFile
}

/**
 * @param database part of the names of its roles
 * @returns names of the migrations that ran
 * @throws ConfigError if a transaction blocks a table for minutes
 */
export async function migrate(url: string, database: string, migrations: readonly NamedMigration[]): Promise<string[]> {
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
      migrationsList: migrations.map((each) => ({ name: each.name, class: inDatabase(each.class, database) as never })),
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
const inDatabase = (migration: MigrationClass, database: string) =>
  class extends migration {
    override up(): void | Promise<void> {
      this.addSql(`set local lock_timeout = '${LOCKED_WITHIN_MS}ms'`)
      return super.up()
    }

    override addSql(sql: unknown): void {
      super.addSql(typeof sql === 'string' ? withRoleNames(sql, database) : sql)
    }
  }
