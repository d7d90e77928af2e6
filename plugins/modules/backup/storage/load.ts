import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { ConfigError, connectAsOwner, loginsOf } from '../../../../src/plugin/installation.ts'
import type { Progress } from './dump.ts'
import { UnreadableBackup } from './file.ts'
import { type Ending, type Frame, readFrames, type Structure, type TableFrame } from './frames.ts'
import { asOwner, lastNumbers, MIGRATIONS, ownTables, partitionsOf } from './tables.ts'

/** Sequence gap: exceeds the numbers issued since the backup, so that no number is reused. */
const SKIPPED = 1_000_000
/** Limit of key rotations per workspace and day. */
const KEYS_A_DAY = 10
const FILLED_BY_MIGRATIONS = new Set(['plan'])

/** @throws ConfigError with the remedy if the database is not empty, is in use, or is newer than the backup */
export async function assertEmpty(url: string, masterKey: string, migrations: readonly string[]): Promise<void> {
  const owner = await connectAsOwner(url)
  try {
    const database = await assertUnused(owner, masterKey)
    const { rows } = await owner.query<{ migrated: boolean }>('select to_regclass($1) is not null as migrated', [
      MIGRATIONS,
    ])
    if (rows[0]?.migrated !== true) return
    await asOwner(owner)
    await owner.query('begin')
    await liftRules(owner)
    for (const { name } of await ownTables(owner)) {
      if (FILLED_BY_MIGRATIONS.has(name)) continue
      const { rowCount: found } = await owner.query(`select 1 from ${pg.escapeIdentifier(name)} limit 1`)
      if (found === 0) continue
      throw new ConfigError(
        `The database ${database} is not empty: table ${name} has rows. Restore into a new database: create database … owner … (or another DATA_DIR).`,
      )
    }
    const { rows: ran } = await owner.query<{ name: string }>(`select name from ${MIGRATIONS}`)
    const beyond = ran.find(({ name }) => !migrations.includes(name))
    if (beyond !== undefined) {
      throw new ConfigError(
        `The schema of the database ${database} is newer than that of the backup (${beyond.name}). Restore into a new database, which is then migrated.`,
      )
    }
  } finally {
    await owner.query('rollback').catch(() => {})
    await owner.end()
  }
}

/**
 * Loads a backup atomically into an empty database with its schema. Places, keys and numbers issued since are not reused.
 * @param beforeCommit throws to discard everything loaded
 */
export async function loadBackup(
  { url, jobsUrl }: { readonly url: string; readonly jobsUrl: string },
  { content, takenAt }: { readonly content: AsyncIterable<Buffer>; readonly takenAt: Date },
  progress: Progress,
  beforeCommit: () => void,
): Promise<{ readonly tables: number; readonly rows: number }> {
  const owner = await connectAsOwner(url)
  const jobs = new pg.Client({ connectionString: jobsUrl, application_name: 'dpp-gateway restore' })
  jobs.on('error', () => {})
  try {
    await jobs.connect()
    await asOwner(owner)
    await asOwner(jobs)
    // Blocks starting gateways, see `prepareDatabase`.
    await owner.query('select pg_advisory_lock(7031)')
    await owner.query('begin')
    await jobs.query('begin')
    const restoreRules = await liftRules(owner)
    const keys = await dropForeignKeys(owner)
    const ending = await loadFrames(readFrames(content), owner, jobs, progress)
    await skipNumbers(owner, ending.sequences, takenAt)
    for (const { table, name, definition } of keys) {
      await owner.query(`alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
    }
    await restoreRules()
    beforeCommit()
    // Jobs first: if the other commit fails, the tables stay empty and the next attempt deletes these jobs.
    await jobs.query('commit')
    await owner.query('commit')
    await owner.query('analyze')
    return ending
  } finally {
    await Promise.all([owner, jobs].map((client) => client.end().catch(() => {})))
  }
}

/**
 * Marks a restored copy: identifiers issued after `asOf` are not reused.
 * @throws ConfigError if the database is in use
 */
export async function markCopy(url: string, masterKey: string, asOf: Date): Promise<void> {
  const owner = await connectAsOwner(url)
  try {
    await assertUnused(owner, masterKey)
    await owner.query('begin')
    const restoreRules = await liftRules(owner)
    await skipNumbers(owner, await lastNumbers(owner), asOf)
    await restoreRules()
    await owner.query('commit')
  } finally {
    await owner.end()
  }
}

async function assertUnused(owner: pg.Client, masterKey: string): Promise<string> {
  const { rows } = await owner.query<{ database: string }>('select current_database() as database')
  const database = rows[0]?.database ?? ''
  const names = Object.values(loginsOf(masterKey, database)).map(({ name }) => name)
  const { rowCount } = await owner.query('select 1 from pg_stat_activity where usename = any($1) limit 1', [names])
  if (rowCount === 0) return database
  throw new ConfigError(`A gateway is running on the database ${database}. Stop it first.`)
}

/**
 * Disables row-level security and triggers, which locks every table.
 * @returns a function that restores them
 */
async function liftRules(owner: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await owner.query<{ name: string; forced: boolean }>(
    `select c.oid::regclass::text as name, c.relforcerowsecurity as forced from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')
       and c.relname <> $1 order by c.relname`,
    [MIGRATIONS],
  )
  for (const { name } of rows) {
    await owner.query(`alter table ${name} no force row level security, disable trigger user`)
  }
  return async () => {
    // Partitions created since then already have their rules.
    const { rows: still } = await owner.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.oid = any(select to_regclass(n) from unnest($1::text[]) n)`,
      [rows.map(({ name }) => name)],
    )
    const there = new Set(still.map(({ name }) => name))
    for (const { name, forced } of rows) {
      if (!there.has(name)) continue
      await owner.query(`alter table ${name} ${forced ? 'force row level security, ' : ''}enable trigger user`)
    }
  }
}

/** Foreign keys are checked once at the end, because a valid row order may not exist. */
async function dropForeignKeys(owner: pg.Client): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await owner.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`,
  )
  for (const { table, name } of rows)
    await owner.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`)
  return rows
}

async function loadFrames(
  frames: AsyncIterable<Frame>,
  owner: pg.Client,
  jobs: pg.Client,
  progress: Progress,
): Promise<Ending> {
  const known = new Map((await ownTables(owner)).map(({ name, columns }) => [name, columns]))
  let table: TableFrame | undefined
  let copying: CopyStreamQuery | undefined
  let ending: Ending | undefined
  for await (const frame of frames) {
    if (frame.type === 'structure') await makePartitions(owner, frame.detail)
    else if (frame.type === 'table') {
      table = frame.detail
      await begin(table, known, { owner, jobs })
      const target =
        table.kind === 'jobs' ? 'restored_job (job)' : `${pg.escapeIdentifier(table.table)} (${listed(table.columns)})`
      copying = (table.kind === 'jobs' ? jobs : owner).query(copyFrom(`copy ${target} from stdin`))
      copying.on('error', () => {})
    } else if (frame.type === 'data') {
      if (copying === undefined) throw unreadable()
      if (copying.errored !== null) throw copying.errored
      if (!copying.write(Buffer.from(frame.data))) await once(copying, 'drain')
    } else if (frame.type === 'rows') {
      if (copying === undefined || table === undefined) throw unreadable()
      copying.end()
      await finished(copying)
      if (copying.rowCount !== frame.detail.rows) throw unreadable()
      if (table.kind === 'jobs') await takeJobs(jobs, table.columns)
      progress({ table: table.table, rows: frame.detail.rows })
      copying = undefined
    } else ending = frame.detail
  }
  if (ending === undefined) throw unreadable()
  return ending
}

async function begin(
  { table, kind, columns }: TableFrame,
  known: ReadonlyMap<string, readonly string[]>,
  { owner, jobs }: { owner: pg.Client; jobs: pg.Client },
): Promise<void> {
  if (kind === 'jobs') {
    await jobs.query('create temporary table restored_job (job jsonb) on commit drop')
    return
  }
  const there = known.get(table)
  if (there === undefined || columns.some((column) => !there.includes(column))) {
    throw new ConfigError(
      `The backup has a table ${table}, or a column of it, that is missing in this database. Set the PLUGINS of the installation that made the backup.`,
    )
  }
  if (FILLED_BY_MIGRATIONS.has(table)) await owner.query(`delete from ${pg.escapeIdentifier(table)}`)
}

/** Inserts the jobs of existing queues. A job active at the snapshot becomes a retry. */
async function takeJobs(jobs: pg.Client, columns: readonly string[]): Promise<void> {
  const { rows } = await jobs.query<{ name: string }>(
    `select attname::text as name from pg_attribute where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped`,
  )
  const both = listed(rows.map(({ name }) => name).filter((name) => columns.includes(name)))
  await jobs.query('delete from pgboss.job')
  await jobs.query(
    `insert into pgboss.job (${both}) select ${both} from restored_job, jsonb_populate_record(null::pgboss.job,
       case when job ->> 'state' = 'active' then job || '{"state": "retry"}' else job end)
     where job ->> 'name' in (select name from pgboss.queue)`,
  )
}

async function makePartitions(owner: pg.Client, { partitions }: Structure): Promise<void> {
  const there = await partitionsOf(owner)
  if (JSON.stringify(there) === JSON.stringify(partitions)) return
  for (const { name } of there) await owner.query(`drop table ${pg.escapeIdentifier(name)}`)
  for (const { parent, name, bounds } of partitions) {
    // FOR VALUES FROM ('2026-11-01 00:00:00+00') TO ('2026-12-01 00:00:00+00'); MINVALUE and MAXVALUE at open sides.
    const [first, next] = bounds
      .split(' TO ')
      .map((side) => /\('(\d{4,6}-\d\d-\d\d) 00:00:00\+00'\)$/.exec(side)?.[1] ?? null)
    await owner.query('select month_partition($1, $2, $3, $4)', [parent, name, first, next])
  }
}

/**
 * Skips identifiers issued after the backup, which are in use elsewhere: places come from an unused part of the status lists; key and row
 * numbers continue after a gap.
 */
async function skipNumbers(owner: pg.Client, sequences: Ending['sequences'], takenAt: Date): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    await owner.query(`select setval(to_regclass($1), $2::bigint + ${SKIPPED})`, [
      `public.${pg.escapeIdentifier(name)}`,
      last,
    ])
  }
  const days = Math.max(0, Math.ceil((Date.now() - takenAt.getTime()) / 86_400_000)) + 1
  await owner.query(
    `update workspace w set
       status_floor = status_floor + 2 * (2 ^ ceil(log(2, greatest(131072, 1 - status_floor
         + coalesce((select max(e.index) from status_entry e where e.tenant_id = w.id), 0)))))::int,
       key_floor = $1::int + greatest(key_floor,
         coalesce((select max(k.number) from tenant_key k where k.tenant_id = w.id), 0))`,
    [days * KEYS_A_DAY],
  )
}

const listed = (columns: readonly string[]) => columns.map((column) => pg.escapeIdentifier(column)).join()

const unreadable = () =>
  new UnreadableBackup('The backup is incomplete, although it was not altered. Make another one.')
