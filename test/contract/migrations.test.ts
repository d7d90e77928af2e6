import { Migration } from '@mikro-orm/migrations'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../src/start/config.ts'
import { missingMigrations, withDigest } from '../../src/storage/migrate.ts'
import { connected, createPreparedDatabase } from '../support/databases.ts'
import { MASTER_KEY, startTestGateway } from '../support/gateway.ts'

const rejectionOf = (name: string) =>
  new ConfigError(
    `DATABASE_URL: this database has the migration ${name}, which this version does not have, and cannot be migrated. ` +
      'Use an empty database or an empty DATA_DIR, or run the version that created it.',
  )

test('review-3-house H3: a database of a development state of the initial migration is rejected in one sentence', async () => {
  const DATABASE_URL = await createPreparedDatabase(MASTER_KEY)
  const name = 'core/20261127-initial'
  const { rowCount } = await connected(DATABASE_URL, (owner) =>
    owner.query(`update dpp_migration set name = $1 where name like $1 || '#%'`, [name]),
  )
  expect(rowCount).toBe(1)
  await expect(startTestGateway({ DATABASE_URL })).rejects.toThrow(rejectionOf(name))
})

describe('a database', async () => {
  const [initial, next, ofLabels] = [
    'core/20270101-initial#0',
    'core/20270301-next#0',
    'labels/20270101-labels#0',
  ] as const
  const url = await createPreparedDatabase(MASTER_KEY)

  /** Names of the missing migrations if `initial` and these ran. */
  async function missingAfter(...ran: string[]): Promise<string[]> {
    const migrations = [initial, next, ofLabels].map((name) => ({ name, class: Migration as never }))
    return connected(url, async (owner) => {
      await owner.query('truncate dpp_migration')
      await owner.query('insert into dpp_migration (name) select unnest($1::text[])', [[initial, ...ran]])
      return (await missingMigrations(owner, migrations)).map(({ name }) => name)
    })
  }

  test.each([
    ['without a digest', 'core/20270101-initial'],
    ['with other SQL', 'core/20270101-initial#1'],
    ['that is gone', 'core/20270201-gone#0'],
    ['that is older', 'core/20261121-core'],
    ['with other SQL of a module', 'labels/20270101-labels#1'],
  ])('that has a migration %s is rejected', async (_, name) => {
    await expect(missingAfter(name)).rejects.toThrow(rejectionOf(name))
  })

  test.each([
    ['of a later version', 'core/20270401-later#0'],
    ['of a later version of a module', 'labels/20270201-later#0'],
    ['of a module that is not loaded', 'media/20270101-media#0'],
  ])('that has a migration %s is accepted', async (_, name) => {
    expect(await missingAfter(name)).toEqual([next, ofLabels])
  })
})

test('the digest of a migration is of its SQL without its line ends', async () => {
  const named = (sql: string) => {
    class Given extends Migration {
      override up() {
        this.addSql(sql)
      }
    }
    return withDigest({ name: 'x/1', class: Given })
  }
  const [name, ofWindows, other] = await Promise.all(['select\n1', 'select\r\n1', 'select\n2'].map(named))
  expect(name?.name).toMatch(/^x\/1#[0-9a-f]{8}$/)
  expect(ofWindows?.name).toBe(name?.name)
  expect(other?.name).not.toBe(name?.name)
})
