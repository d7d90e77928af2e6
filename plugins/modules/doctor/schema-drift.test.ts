import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadPlugins } from '../../../src/plugin/loader.ts'
import { allMigrations } from '../../../src/start/gateway.ts'
import { superuserUrl } from '../../../test/support/gateway.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { schemaDrift } from './storage/schema-drift.ts'

const { gateway } = await useGateway()
const plugins = await loadPlugins(['plugins'])
const migrations = await allMigrations(plugins)
let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
  await client.connect()
})
afterAll(() => client.end())

describe('review-3-house M1: entities and migrations', () => {
  test('describe every table, column and index of a migrated database', async () => {
    expect(await schemaDrift(client, migrations, plugins.entities)).toEqual([])
  })

  test.each([
    ['alter table passport add column added text', 'Column passport.added is unknown.'],
    ['alter table passport drop column journey', 'Column passport.journey is missing.'],
    [
      'alter table passport alter column version type bigint',
      'Column passport.version is bigint not null, not int not null.',
    ],
    ['alter table operator alter column name drop not null', 'Column operator.name is text, not text not null.'],
    ['create index added on passport (version)', 'Index added is unknown.'],
    ['alter table passport add constraint added unique (id, version)', 'Index added is unknown.'],
    ['drop index passport_list', 'Index passport_list is missing.'],
    ['create table added (id int)', 'Table added is unknown.'],
    ['alter table plan rename to former', 'Table plan is missing.'],
  ])('report a change by hand: %s', async (statement, expected) => {
    await client.query('begin')
    await client.query(statement)
    const drift = await schemaDrift(client, migrations, plugins.entities)
    await client.query('rollback')
    expect(drift).toContain(expected)
  })
})
