import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import {
  allMigrations,
  type Config,
  ConfigError,
  connectAsOwner,
  createLog,
  existingMasterKeysOf,
  type Installation,
  loadPlugins,
  loginsOf,
  logsIn,
  prepareDatabase,
  type ReportProgress,
  startBoss,
  storePlans,
  urlAs,
  VERSION,
  withDatabase,
} from '../../../src/plugin/installation.ts'
import { holdMoment, type Progress } from './storage/dump.ts'
import { type Backup, openBackup, sealBackup } from './storage/file.ts'
import { assertEmpty, loadBackup, markCopy } from './storage/load.ts'

const LEVEL = 3

/**
 * @param write returns the number of bytes written
 * @throws ConfigError with the remedy
 */
export function backUp(
  config: Config,
  write: (pieces: AsyncIterable<Buffer>) => Promise<number>,
  report: ReportProgress,
) {
  return withDatabase(config, report, async (installation) => {
    const { url, masterKey } = installation
    const owner = await connectAsOwner(url)
    let jobs: pg.Client | undefined
    try {
      await assertUpToDate(owner, config)
      jobs = await connectAsJobs(owner, installation)
      const { at, migrations, content } = await holdMoment(owner, jobs)
      const counted = { tables: 0, rows: 0 }
      const progress: Progress = ({ table, rows }) => {
        counted.tables += 1
        counted.rows += rows
        toProgress(report)({ table, rows })
      }
      const packed = through(content(progress), createGzip({ level: LEVEL }))
      const bytes = await write(sealBackup({ version: VERSION, createdAt: at, migrations }, masterKey, packed))
      return { createdAt: at, ...counted, bytes }
    } finally {
      await Promise.all([owner, jobs].map((client) => client?.end().catch(() => {})))
    }
  })
}

/**
 * Requires an empty database and migrates the schema.
 * @throws UnreadableBackup if the file is invalid, incomplete or from another MASTER_KEY; ConfigError if the database is not empty
 */
export async function restore(config: Config, file: string, report: ReportProgress) {
  const { masterKey: key, formerKey: former } = await existingMasterKeysOf(config)
  const backup = await openBackup(file, ...(former === undefined ? [key] : [key, former]))
  const { version, createdAt, migrations } = backup.head
  // The complete file is verified first; the loaded content must match.
  const looked = createHash('sha256')
  for await (const piece of backup.plain()) looked.update(piece)
  const digest = looked.digest('hex')
  report(`${file} is complete: created ${createdAt} by version ${version}.`)
  return withDatabase(config, report, async ({ url, masterKey }) => {
    const plugins = await loadPlugins(config.plugins)
    const all = await allMigrations(plugins)
    const unknown = migrations.find((name) => !all.some((one) => one.name === name))
    if (unknown !== undefined) {
      throw new ConfigError(
        `The backup of version ${version} has migrations unknown to this version (${VERSION}): ${unknown}. Restore it with version ${version} or newer, and with the same PLUGINS.`,
      )
    }
    await assertEmpty(url, masterKey, migrations)
    // Schema of the backup, migrated later with its rows.
    const then = all.filter(({ name }) => migrations.includes(name))
    const { urls } = await prepareDatabase(url, masterKey, then)
    const boss = await startBoss(urls, createLog(config), config, plugins)
    await boss.stop({ graceful: true, timeout: 5000 })
    const loading = createHash('sha256')
    const { tables, rows } = await loadBackup(
      { url, jobsUrl: urls.jobs },
      { content: through(hashed(backup, loading), createGunzip()), takenAt: new Date(createdAt) },
      toProgress(report),
      () => {
        if (loading.digest('hex') !== digest)
          throw new ConfigError('The file changed during the restore. Restore it again.')
      },
    )
    const { migrated } = await prepareDatabase(url, masterKey, all, { finish: storePlans, report })
    return { createdAt, tables, rows, migrated }
  })
}

/**
 * Marks the database as restored by other means.
 * @throws ConfigError if a gateway is running, or the schema differs
 */
export async function markRestored(config: Config, asOf: Date): Promise<void> {
  await withDatabase(
    config,
    () => {},
    async ({ url, masterKey }) => {
      const owner = await connectAsOwner(url)
      try {
        await assertUpToDate(owner, config)
      } finally {
        await owner.end()
      }
      await markCopy(url, masterKey, asOf)
    },
  )
}

const toProgress =
  (report: ReportProgress): Progress =>
  ({ table, rows }) => {
    if (rows > 0) report(`${table}: ${rows} rows`)
  }

function through(bytes: AsyncIterable<Buffer>, packing: NodeJS.ReadWriteStream & { destroy(error: Error): unknown }) {
  const source = Readable.from(bytes, { objectMode: false })
  source.on('error', (error) => packing.destroy(error))
  return source.pipe(packing) as unknown as AsyncIterable<Buffer>
}

async function* hashed(backup: Backup, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of backup.plain()) {
    hash.update(piece)
    yield piece
  }
}

/** No version could read a backup with another version's schema. */
async function assertUpToDate(owner: pg.Client, config: Config): Promise<void> {
  const { rows: there } = await owner.query<{ is: boolean }>(`select to_regclass('dpp_migration') is not null as is`)
  if (there[0]?.is !== true)
    throw new ConfigError('The database has no gateway schema. Correct DATABASE_URL, or DATA_DIR.')
  const { rows } = await owner.query<{ name: string }>('select name from dpp_migration')
  const ran = new Set(rows.map(({ name }) => name))
  const known = new Set((await migrationsOf(config)).map(({ name }) => name))
  const missing = [...known.symmetricDifference(ran)][0]
  if (missing === undefined) return
  throw new ConfigError(
    `The schema of the database differs from this version (${missing}). Use the version and PLUGINS of the gateway.`,
  )
}

async function migrationsOf(config: Config) {
  return allMigrations(await loadPlugins(config.plugins))
}

async function connectAsJobs(owner: pg.Client, { url, masterKey, formerKey }: Installation): Promise<pg.Client> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  const login = loginsOf(masterKey, rows[0]?.name ?? '').jobs
  const former = formerKey === undefined ? undefined : loginsOf(formerKey, rows[0]?.name ?? '').jobs
  const jobs = new pg.Client({
    connectionString: urlAs(url, former !== undefined && !(await logsIn(url, login)) ? former : login),
    application_name: 'dpp-gateway backup',
  })
  jobs.on('error', () => {})
  try {
    await jobs.connect()
    return jobs
  } catch (error) {
    throw new ConfigError(
      `MASTER_KEY is not the key of the role ${login.name}: ${(error as Error).message}. Set the MASTER_KEY of the gateway.`,
      { cause: error },
    )
  }
}
