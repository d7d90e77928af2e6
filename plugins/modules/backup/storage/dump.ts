import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { ConfigError } from '../../../../src/plugin/installation.ts'
import { type Frame, type TableFrame, written } from './frames.ts'
import { asOwner, keeperPolicies, lastNumbers, MIGRATIONS, type OwnTable, ownTables, partitionsOf } from './tables.ts'

export type Progress = (done: { readonly table: string; readonly rows: number }) => void

interface Moment {
  /** Time of the snapshot: ISO 8601 in UTC. */
  readonly at: string
  readonly migrations: readonly string[]
  /** Readable once. */
  content(progress: Progress): AsyncGenerator<Buffer>
}

/**
 * Opens a snapshot. It blocks only migrations and the nightly partition change, which retries.
 * @param jobs connection of the owner of the queues
 * @throws ConfigError if the schema changes at the same time
 */
export async function holdMoment(owner: pg.Client, jobs: pg.Client): Promise<Moment> {
  await keeperPolicies(owner)
  await asOwner(owner)
  const tables = await ownTables(owner)
  await owner.query('begin isolation level repeatable read read only')
  // The locks precede the snapshot (taken by the first query), so no table is truncated or dropped after it.
  await owner.query(`lock table ${tables.map(({ name }) => pg.escapeIdentifier(name)).join()} in access share mode`)
  const { rows } = await owner.query<{ at: Date; snapshot: string; names: string[] }>(
    `select now() as at, pg_export_snapshot() as snapshot, array(select name from ${MIGRATIONS} order by id) as names`,
  )
  const [{ at, snapshot, names }] = rows as [(typeof rows)[number]]
  if (!isDeepStrictEqual(await ownTables(owner), tables)) {
    throw new ConfigError('The schema changed while the backup started. Repeat the backup after the upgrade.')
  }
  await asOwner(jobs)
  await jobs.query('begin isolation level repeatable read read only')
  await jobs.query(`set transaction snapshot '${snapshot}'`)
  return { at: at.toISOString(), migrations: names, content: (progress) => contentOf(owner, jobs, tables, progress) }
}

async function* contentOf(
  owner: pg.Client,
  jobs: pg.Client,
  tables: readonly OwnTable[],
  progress: Progress,
): AsyncGenerator<Buffer> {
  let rows = 0
  let count = tables.length
  yield* written({ type: 'structure', detail: { partitions: await partitionsOf(owner) } })
  for (const { name, columns } of tables) {
    const listed = columns.map((column) => pg.escapeIdentifier(column)).join()
    const copy = `copy (select ${listed} from ${pg.escapeIdentifier(name)}) to stdout`
    rows += yield* tableOf(owner, { table: name, kind: 'rows', columns }, copy, progress)
  }
  if (await hasQueues(jobs)) {
    const { rows: named } = await jobs.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = 'pgboss.job'::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum`,
    )
    const columns = named.map(({ name }) => name)
    const copy = `copy (select to_jsonb(j) from pgboss.job j where j.state < 'completed') to stdout`
    count += 1
    rows += yield* tableOf(jobs, { table: 'pgboss.job', kind: 'jobs', columns }, copy, progress)
  }
  // Read after the rows: a sequence may skip numbers issued in the meantime but repeats none.
  const sequences = await lastNumbers(owner)
  yield* written({ type: 'end', detail: { sequences, tables: count, rows } })
}

async function* tableOf(
  client: pg.Client,
  detail: TableFrame,
  copy: string,
  progress: Progress,
): AsyncGenerator<Buffer, number> {
  yield* written({ type: 'table', detail })
  const copying = client.query(copyTo(copy))
  for await (const data of copying as AsyncIterable<Buffer>) yield* written({ type: 'data', data } satisfies Frame)
  const rows = copying.rowCount
  yield* written({ type: 'rows', detail: { rows } })
  progress({ table: detail.table, rows })
  return rows
}

async function hasQueues(jobs: pg.Client): Promise<boolean> {
  const { rows } = await jobs.query<{ has: boolean }>(`select to_regclass('pgboss.job') is not null as has`)
  return rows[0]?.has === true
}
