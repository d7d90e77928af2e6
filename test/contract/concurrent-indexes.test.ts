import { Migration } from '@mikro-orm/migrations'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { withDigest } from '../../src/storage/migrate.ts'
import { prepareDatabase } from '../../src/storage/prepare-database.ts'
import { connected, createPreparedDatabase } from '../support/databases.ts'
import { MASTER_KEY } from '../support/gateway.ts'

const ROWS = 20_000
const url = await createPreparedDatabase(MASTER_KEY)
const owner = new pg.Client({ connectionString: url })
await owner.connect()
afterAll(() => owner.end())

const migration = (name: string, sql: string) => {
  class Given extends Migration {
    override up() {
      this.addSql(sql)
    }
  }
  return withDigest({ name, class: Given })
}
const prepare = async (...named: [name: string, sql: string][]) =>
  (await prepareDatabase(url, MASTER_KEY, await Promise.all(named.map(([name, sql]) => migration(name, sql))))).migrated
const index = async (name: string) => {
  const { rows } = await owner.query(
    `select indexrelid::int as id, indisvalid as valid from pg_index where indexrelid = to_regclass($1)`,
    [name],
  )
  return rows[0]
}
const recorded = async (name: string) => {
  const { rowCount } = await owner.query(`select 1 from dpp_migration where name like $1 || '#%'`, [name])
  return rowCount
}
/** Process id of the backend that builds, once it waits for older transactions. */
const builder = async (): Promise<number | undefined> => {
  const { rows } = await owner.query(
    `select pid from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'
      and wait_event_type = 'Lock'`,
  )
  return rows[0]?.pid
}
/** A transaction that has written to the table, for whose end a build waits. */
async function longTransaction(table: string): Promise<{ end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`begin; update ${table} set b = b + 1 where a = 1`)
  return { end: () => client.query('commit').then(() => client.end()) }
}
const table = (name: string) =>
  owner.query(`create table ${name} as select a, a % 7 as b from generate_series(1, ${ROWS}) as a`)
const building = (name: string) =>
  [`${name}/20270102-index`, `-- concurrently\ncreate index concurrently ${name}_b_idx on ${name} (b);\n`] as [
    string,
    string,
  ]

test('others write and start while an index is built, and it has what they wrote', async () => {
  await table('written')
  const steps: [string, string][] = [
    ['written/20270101-first', 'alter table written add column c int'],
    building('written'),
    ['written/20270103-last', 'alter table written add column d int'],
  ]
  expect(await prepare(steps[0] as [string, string])).toHaveLength(1)
  const holder = await longTransaction('written')
  const migrating = prepare(...steps)
  await expect.poll(builder, { timeout: 20_000 }).toBeGreaterThan(0)
  const waiting = prepare(...steps)
  await connected(url, async (writer) => {
    await writer.query(`set lock_timeout = '2s'`)
    for (let row = 1; row <= 100; row += 1) await writer.query('insert into written (a, b) values ($1, 100)', [-row])
  })
  expect(await index('written_b_idx')).toMatchObject({ valid: false })
  await holder.end()
  expect((await migrating).map((name) => name.split('#')[0])).toEqual([
    'written/20270102-index',
    'written/20270103-last',
  ])
  expect(await waiting).toEqual([])
  expect(await index('written_b_idx')).toMatchObject({ valid: true })
  await owner.query('set enable_seqscan = off')
  const { rows } = await owner.query('select count(*)::int as count from written where b = 100')
  await owner.query('reset enable_seqscan')
  expect(rows).toEqual([{ count: 100 }])
})

test('a build that was interrupted is repeated without what it left, and recorded once', async () => {
  await table('interrupted')
  const step = building('interrupted')
  const long = await longTransaction('interrupted')
  const first = prepare(step).then(
    () => 'built',
    (error: Error) => error.message,
  )
  await expect.poll(builder, { timeout: 20_000 }).toBeGreaterThan(0)
  await owner.query('select pg_terminate_backend($1)', [await builder()])
  expect(await first).toMatch(/terminat/)
  const left = await index('interrupted_b_idx')
  expect(left).toMatchObject({ valid: false })
  await long.end()

  expect(await prepare(step)).toHaveLength(1)
  const built = await index('interrupted_b_idx')
  expect(built).toMatchObject({ valid: true })
  expect(built.id).not.toBe(left.id)
  expect(await recorded('interrupted/20270102-index')).toBe(1)
  expect(await prepare(step)).toEqual([])

  // The process ended before it recorded the index.
  await owner.query(`delete from dpp_migration where name like 'interrupted/%'`)
  expect(await prepare(step)).toHaveLength(1)
  expect(await index('interrupted_b_idx')).toEqual(built)
})

test('other statements are rejected before anything runs', async () => {
  await table('other')
  const step: [string, string] = [
    'other/20270104-other',
    '-- concurrently\ncreate index concurrently other_b_idx on other (b);\nupdate other set b = 1;',
  ]
  await expect(prepare(step)).rejects.toThrow(
    'after -- concurrently, write only statements "create index concurrently NAME on …", not: update other set b = 1',
  )
  expect([await index('other_b_idx'), await recorded('other/20270104-other')]).toEqual([undefined, 0])
})
