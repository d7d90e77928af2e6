import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { urlAs } from '../../src/storage/database-roles.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { CORE_PLUGINS } from './test-plugins.ts'

const ROOT = join(import.meta.dirname, '../..')
const CACHE = join(ROOT, 'node_modules/.cache/prepared-cluster')
const RETENTION_MS = 24 * 3_600_000

/** Sources of everything that a first start writes. */
const SOURCES = [
  'migrations/**/*.{ts,sql}',
  'plugins/*/*/migrations/*.{ts,sql}',
  'src/jobs/*.ts',
  'src/domain/plans.ts',
  'src/storage/{database-roles,migrate,prepare-database}.ts',
  'src/storage/embedded-postgres/*.ts',
  'test/support/prepared-cluster.ts',
  'package-lock.json',
]

export const PREPARED_DATABASE = 'dpp'

/**
 * Fills `folder` with a stopped PostgreSQL cluster for `DATA_DIR=folder` or `openEmbeddedPostgres`. Its database `dpp`
 * is migrated and empty: queues and roles exist, but no workspace, demo, node key or `master.key`. The first gateway
 * sets the master key and the passwords. Saves about 4 s of CPU. Cached in `node_modules/.cache/prepared-cluster`. Not
 * for tests of `initdb`, of a first migration or of the message "Creating a PostgreSQL cluster".
 */
export async function preparedDataDir(folder: string, { modules = true } = {}): Promise<void> {
  const cached = join(CACHE, `${await keyOfSources()}${modules ? '' : '-core'}`)
  if (!(await exists(cached))) await build(cached, modules ? {} : { PLUGINS: CORE_PLUGINS })
  await mkdir(folder, { recursive: true })
  await copy(cached, folder)
}

async function keyOfSources(): Promise<string> {
  // Migrations create partitions of the next months, the job queue those of the next days.
  const key = createHash('sha256').update(
    `${new Date().toISOString().slice(0, 10)} ${process.platform} ${process.arch}`,
  )
  for (const pattern of SOURCES) {
    for (const name of globSync(pattern, { cwd: ROOT }).toSorted()) {
      key.update(`\n${name}\n`).update(await readFile(join(ROOT, name)))
    }
  }
  return key.digest('hex').slice(0, 16)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** `cp` takes a tenth of the CPU of `fs.cp`. */
const copy = (from: string, to: string) =>
  promisify(execFile)('cp', ['-a', join(from, 'postgres'), join(from, 'postgres.password'), to])

async function build(cached: string, plugins: { PLUGINS?: string }): Promise<void> {
  const made = await mkdtemp(join(tmpdir(), 'dpp-gateway-prepared-'))
  await chmod(made, 0o711)
  try {
    const postgres = await openEmbeddedPostgres({
      dataDir: made,
      log: () => {},
      fast: true,
      settings: { autovacuum: 'off', wal_recycle: 'off', max_wal_size: '2GB' },
    })
    try {
      await fill(postgres, made, plugins)
    } finally {
      await postgres.stop()
    }
    await removeOld()
    const complete = await mkdtemp(`${cached}.`)
    await copy(made, complete)
    // Another process may have been faster.
    await rename(complete, cached).catch(() => rm(complete, { recursive: true, force: true }))
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

async function fill(postgres: EmbeddedPostgres, dataDir: string, plugins: { PLUGINS?: string }): Promise<void> {
  const { loadConfig } = await import('../../src/start/config.ts')
  const { startGateway } = await import('../../src/start/gateway.ts')
  const url = postgres.urlFor(PREPARED_DATABASE)
  const MASTER_KEY = randomBytes(32).toString('base64')
  const env = { PORT: '0', DATABASE_URL: url, MASTER_KEY, LOG_LEVEL: 'fatal', ...plugins }
  await (await startGateway(loadConfig(env), () => {})).close()
  const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim()
  const superuser = new pg.Client({ connectionString: urlAs(url, { name: 'postgres', password }) })
  await superuser.connect()
  await superuser.query('truncate node_key, seal_revocation')
  await superuser.end()
}

async function removeOld(): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  for (const name of globSync('*', { cwd: CACHE })) {
    const { mtimeMs } = await stat(join(CACHE, name))
    if (Date.now() - mtimeMs > RETENTION_MS) await rm(join(CACHE, name), { recursive: true, force: true })
  }
}
