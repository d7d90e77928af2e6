import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { type Config, ConfigError } from '../config.ts'
import { momentOf } from '../domain/dates.ts'
import { VERSION } from '../root.ts'
import type { Progress } from '../storage/backup/dump.ts'
import type { Backup } from '../storage/backup/file.ts'
import { type Commands, type Outcome, text, UsageError, word, writeWhole } from './command.ts'

/** Owner alone: whoever has the file and MASTER_KEY has everything. */
const MODE = 0o600
/** Most of what is stored is text that shrinks to a fifth in any case. */
const LEVEL = 3

/** Everything in the database as one file, and back. */
export const BACKUP_COMMANDS: Commands = {
  backup: {
    summary: 'Write everything that is in the database to one encrypted file, while the gateway works on',
    words: ['FILE|-'],
    options: { force: { meaning: 'Take the place of a file that is there' } },
    notes: [
      'What had been answered when it began is in it. It opens with the MASTER_KEY of this installation alone, which is not in it: keep that elsewhere.',
      'Pictures and documents in a store of objects (MEDIA_S3_ENDPOINT) are not in it. "-" is standard output.',
    ],
    async run({ words, options, config: read }) {
      const file = word(words, 'FILE or -')
      if (file !== '-' && options.force !== true && existsSync(file)) {
        throw new UsageError(`${file} is there already. Name another file, or give --force.`)
      }
      const config = await read()
      return withDatabase(config, async (url, masterKey) => {
        const made = await backUp(config, { url, masterKey }, file)
        const line = `${made.rows} rows of ${made.tables} tables are in ${file}: ${made.bytes} bytes, as of ${made.createdAt}.`
        if (file !== '-') return { json: { file, ...made }, lines: [line] }
        console.error(line)
        return undefined
      })
    },
  },
  restore: {
    summary: 'Load the file of a back-up into an empty database: all of it, or nothing',
    words: ['FILE'],
    options: {
      'as-of': {
        value: 'ISO',
        meaning:
          'Without FILE: the database is a copy as of then, restored in another way; what was given since is not given again',
      },
    },
    notes: [
      'DATABASE_URL is the empty database, or DATA_DIR the empty folder; MASTER_KEY, or DATA_DIR/master.key, that of the installation that made the file. No gateway may run on it.',
      'What breaks off leaves nothing behind: run it again. The schema is brought up to date afterwards. Then run dpp verify-all.',
    ],
    async run({ words, options, config: read }) {
      const asOf = text(options, 'as-of')
      if (asOf !== undefined) return markedCopy(await read(), words, asOf)
      const file = word(words, 'FILE')
      const config = await read()
      const masterKey = await masterKeyOf(config)
      const { openBackup } = await import('../storage/backup/file.ts')
      const backup = await openBackup(file, masterKey)
      // Everything is looked at before anything is believed.
      const digest = await digestOf(backup)
      console.error(`${file} is whole: as of ${backup.head.createdAt}, by version ${backup.head.version}.`)
      return withDatabase(config, async (url) => {
        const { tables, rows, migrated } = await restore(config, { url, masterKey }, backup, digest)
        const { createdAt } = backup.head
        const next = 'Run dpp verify-all, then start the gateway.'
        return {
          json: { file, createdAt, tables, rows, migrated },
          lines: [
            `${rows} rows of ${tables} tables are restored, as of ${createdAt}. ${next}`,
            ...migrated.map((name) => `Migrated: ${name}`),
          ],
        }
      })
    },
  },
}

async function markedCopy(config: Config, words: readonly string[], asOf: string): Promise<Outcome> {
  if (words.length > 0) throw new UsageError('--as-of goes without FILE: a back-up knows its time.')
  const moment = momentOf(asOf)
  if (moment === undefined || Date.parse(moment) > Date.now()) {
    throw new UsageError('--as-of must be an ISO 8601 timestamp of the past, such as 2026-11-23T10:00:00Z.')
  }
  const { markCopy } = await import('../storage/backup/load.ts')
  await withDatabase(config, async (url, masterKey) => {
    await migrationsAre(config, url)
    await markCopy(url, masterKey, new Date(moment))
  })
  const line =
    'Places in status lists, numbers of keys and of rows go on after a gap. Run dpp verify-all, then start the gateway.'
  return { json: { asOf: new Date(moment).toISOString() }, lines: [line] }
}

interface Installation {
  readonly url: string
  readonly masterKey: string
}

async function backUp(config: Config, { url, masterKey }: Installation, file: string) {
  const [{ holdMoment }, { sealBackup }, { connectAsOwner }] = await Promise.all([
    import('../storage/backup/dump.ts'),
    import('../storage/backup/file.ts'),
    import('../storage/database.ts'),
  ])
  const owner = await connectAsOwner(url)
  let jobs: pg.Client | undefined
  try {
    await assertUpToDate(owner, config)
    jobs = await connectAsJobs(owner, { url, masterKey })
    const moment = await holdMoment(owner, jobs)
    const head = { version: VERSION, createdAt: moment.at, migrations: moment.migrations }
    const counted = { tables: 0, rows: 0 }
    const tell: Progress = ({ table, rows }) => {
      counted.tables += 1
      counted.rows += rows
      if (rows > 0) console.error(`${table}: ${rows} rows`)
    }
    const content = Readable.from(moment.content(tell), { objectMode: false })
    const packed = createGzip({ level: LEVEL })
    content.on('error', (error) => packed.destroy(error))
    const pieces = sealBackup(head, masterKey, content.pipe(packed))
    const bytes = file === '-' ? await toOutput(pieces) : await writeWhole(file, pieces, { option: 'FILE', mode: MODE })
    return { createdAt: moment.at, ...counted, bytes }
  } finally {
    await Promise.all([owner, jobs].map((client) => client?.end().catch(() => {})))
  }
}

async function restore(config: Config, { url, masterKey }: Installation, backup: Backup, digest: string) {
  const [{ assertEmpty, loadBackup }, { prepareDatabase, tellPlans }, { startBoss }, { createLog }] = await Promise.all(
    [
      import('../storage/backup/load.ts'),
      import('../storage/database.ts'),
      import('../jobs/boss.ts'),
      import('../log.ts'),
    ],
  )
  const all = await migrationsOf(config)
  const { migrations, version, createdAt } = backup.head
  const unknown = migrations.find((name) => !all.some((one) => one.name === name))
  if (unknown !== undefined) {
    throw new ConfigError(
      `The back-up was made by version ${version}, whose schema this one (${VERSION}) does not know (${unknown}). Restore it with that version or a newer one, and with the same PLUGINS.`,
    )
  }
  await assertEmpty(url, masterKey, migrations)
  // The schema as it was then; it is brought up to date with its rows in it, as an upgrade does it.
  const then = all.filter(({ name }) => migrations.includes(name))
  const { urls } = await prepareDatabase(url, masterKey, then)
  const boss = await startBoss(urls, createLog(config), config)
  await boss.stop({ graceful: true, timeout: 5000 })
  const tell: Progress = ({ table, rows }) => {
    if (rows > 0) console.error(`${table}: ${rows} rows`)
  }
  const hash = createHash('sha256')
  const { tables, rows } = await loadBackup(
    { url, jobsUrl: urls.jobs },
    unpacked(backup, hash),
    new Date(createdAt),
    tell,
    () => {
      if (hash.digest('hex') !== digest)
        throw new ConfigError('The file was changed while it was read. Restore it again.')
    },
  )
  const { migrated } = await prepareDatabase(url, masterKey, all, tellPlans)
  return { tables, rows, migrated }
}

/** Reads all of a back-up, so that each of its pieces has been checked. */
async function digestOf(backup: Backup): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of backup.plain()) hash.update(piece)
  return hash.digest('hex')
}

async function* unpacked(backup: Backup, hash: { update(piece: Buffer): unknown }): AsyncGenerator<Buffer> {
  async function* packed() {
    for await (const piece of backup.plain()) {
      hash.update(piece)
      yield piece
    }
  }
  const source = Readable.from(packed(), { objectMode: false })
  const unpacking = createGunzip()
  source.on('error', (error) => unpacking.destroy(error))
  yield* source.pipe(unpacking) as AsyncIterable<Buffer>
}

async function toOutput(pieces: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    await new Promise<void>((resolve, reject) =>
      process.stdout.write(piece, (error) => (error ? reject(error) : resolve())),
    )
  }
  return bytes
}

async function migrationsAre(config: Config, url: string): Promise<void> {
  const { connectAsOwner } = await import('../storage/database.ts')
  const owner = await connectAsOwner(url)
  try {
    await assertUpToDate(owner, config)
  } finally {
    await owner.end()
  }
}

/** What is kept of another version would be read by none. */
async function assertUpToDate(owner: pg.Client, config: Config): Promise<void> {
  const { rows: there } = await owner.query<{ is: boolean }>(`select to_regclass('dpp_migration') is not null as is`)
  if (there[0]?.is !== true)
    throw new ConfigError('There is nothing of a gateway in the database. Correct DATABASE_URL, or DATA_DIR.')
  const { rows } = await owner.query<{ name: string }>('select name from dpp_migration')
  const ran = new Set(rows.map(({ name }) => name))
  const known = new Set((await migrationsOf(config)).map(({ name }) => name))
  const missing = [...known.symmetricDifference(ran)][0]
  if (missing === undefined) return
  throw new ConfigError(
    `The schema of the database is not that of this version (${missing}). Use the version that the gateway has, and its PLUGINS.`,
  )
}

async function migrationsOf(config: Config) {
  const [{ allMigrations }, { loadPlugins }] = await Promise.all([
    import('../gateway.ts'),
    import('../plugin/loader.ts'),
  ])
  return allMigrations(await loadPlugins(config.plugins))
}

async function connectAsJobs(owner: pg.Client, { url, masterKey }: Installation): Promise<pg.Client> {
  const { loginsOf, urlAs } = await import('../storage/database-roles.ts')
  const { rows } = await owner.query<{ name: string }>('select current_database() as name')
  const login = loginsOf(masterKey, rows[0]?.name ?? '').jobs
  const jobs = new pg.Client({ connectionString: urlAs(url, login), application_name: 'dpp-gateway backup' })
  jobs.on('error', () => {})
  try {
    await jobs.connect()
    return jobs
  } catch (error) {
    throw new ConfigError(
      `MASTER_KEY does not open the role ${login.name}: ${(error as Error).message}. Set the one that the gateway has.`,
      { cause: error },
    )
  }
}

/** The key that there is: one that was made now would open nothing. */
async function masterKeyOf({ masterKey, dataDir }: Config): Promise<string> {
  const { readPrivateFile } = await import('../storage/embedded-postgres/private-file.ts')
  const file = join(dataDir, 'master.key')
  const kept = masterKey ?? (await readPrivateFile(file))?.trim()
  if (kept !== undefined) return kept
  throw new ConfigError(`${file} is missing. Put that of the installation there, or set MASTER_KEY.`)
}

async function withDatabase<T>(config: Config, work: (url: string, masterKey: string) => Promise<T>): Promise<T> {
  const masterKey = await masterKeyOf(config)
  if (config.databaseUrl !== undefined) return work(config.databaseUrl, masterKey)
  const { openEmbeddedPostgres } = await import('../storage/embedded-postgres/index.ts')
  const postgres = await openEmbeddedPostgres({ dataDir: config.dataDir, log: (message) => console.error(message) })
  try {
    return await work(postgres.url, masterKey)
  } finally {
    await postgres.stop()
  }
}
