import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { PgBoss } from 'pg-boss'
import { describe, expect, test } from 'vitest'
import { allMigrations } from '../../src/gateway.ts'
import { PASSPORT_EVENTS } from '../../src/jobs/outbox.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import type { Role } from '../../src/storage/database-roles.ts'
import { connected } from '../support/databases.ts'
import { createDatabase, createWorkspace, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { DENIED, outcome } from '../support/role-outcomes.ts'
import { useGateway } from '../support/use-gateway.ts'

type Migrations = Awaited<ReturnType<typeof allMigrations>>

const { gateway } = await useGateway()

describe('a database from before these roles', () => {
  /** As the gateway made them: without log-in, shared by all databases, and taken by the owner. */
  const makeFormerRoles = (url: string) =>
    connected(url, async (client) => {
      for (const role of ['dpp_app', 'dpp_lookup', 'dpp_signer']) {
        await client.query(`do $$ begin
          if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
          grant ${role} to current_user; end $$`)
      }
    })
  /** Makes it as the gateway left it with these roles: the owner kept the queues as well. */
  async function fill(url: string, migrations: Migrations): Promise<void> {
    const orm = new MikroORM({
      entities: [],
      discovery: { warnWhenNoEntities: false },
      clientUrl: url,
      extensions: [Migrator],
      migrations: { tableName: 'dpp_migration', migrationsList: migrations, snapshot: false },
      logger: () => {},
    })
    await orm.migrator.up()
    await orm.close(true)
    const boss = new PgBoss({ connectionString: url, max: 1 })
    await boss.start()
    await boss.createQueue(PASSPORT_EVENTS, { heartbeatSeconds: 10, retryLimit: 10, retryBackoff: true })
    await boss.send(PASSPORT_EVENTS, { event: 'passport.sealed' })
    await boss.stop({ graceful: false })
    await connected(url, (client) =>
      client.query(`grant insert on node_key to dpp_app; grant usage on schema pgboss to dpp_app;
        grant select, insert, update on all tables in schema pgboss to dpp_app`),
    )
  }
  async function formerDatabases(): Promise<[string, string]> {
    const migrations = (await allMigrations(await loadPlugins(['plugins']))).filter(
      ({ name }) => name < 'core/20261123' || !name.startsWith('core/'),
    )
    const urls: [string, string] = [await createDatabase(), await createDatabase()]
    // Any gateway that starts in this cluster drops roles that no database needs: the databases come soon after them.
    await makeFormerRoles(urls[0])
    await Promise.all(urls.map((url) => fill(url, migrations)))
    return urls
  }
  const formerRoles = (of: TestGateway) =>
    of.sql(`select rolname from pg_roles where rolname in ('dpp_app', 'dpp_lookup', 'dpp_signer')`)

  test('starts, keeps its jobs, gives the old roles nothing, and the last one drops them', async () => {
    const [first, second] = await formerDatabases()
    const one = await startTestGateway({ DATABASE_URL: first })
    expect(await formerRoles(one)).toHaveLength(3)
    const held = await one.sql(
      `select c.oid::regclass::text as name from pg_class c, aclexplode(c.relacl) a
       where a.grantee in (select oid from pg_roles where rolname in ('dpp_app', 'dpp_lookup', 'dpp_signer'))`,
    )
    expect(held).toEqual([])
    const owner = await createWorkspace(one)
    const passports = passportClient(one, owner.as)
    const { id } = await passports.given()
    expect((await passports.seal(id)).status).toBe(200)
    expect((await one.request('GET', `/passport/${id}`)).status).toBe(200)
    const jobs = (role: Role) =>
      connected(one.urlOf(role), (client) =>
        outcome(client, `select 1 from pgboss.job where name = '${PASSPORT_EVENTS}'`),
      )
    expect(await jobs('jobs')).toBe(3)
    expect(await jobs('app')).toBe(DENIED)

    // Grants and policies are those of a database that is made anew.
    const rights = (of: TestGateway) =>
      of.sql(`select replace(x.line, current_database(), '') as line from (
          select format('%s %s %s', c.relname, a.privilege_type, a.grantee::regrole) as line
          from pg_class c, aclexplode(c.relacl) a where c.relnamespace = 'public'::regnamespace and a.grantee <> 0
          union all
          select format('%s.%s %s %s', t.attrelid::regclass, t.attname, a.privilege_type, a.grantee::regrole)
          from pg_attribute t, aclexplode(t.attacl) a where a.grantee <> 0 and t.attrelid::regclass::text !~ '^pg_'
          union all
          select format('%s %s %s %s %s', tablename, policyname, array_to_string(roles, ','), qual, with_check) from pg_policies
        ) as x where x.line not like '%inspector%' and x.line not like 'dpp_migration%' order by 1`)
    expect(await rights(one)).toEqual(await rights(gateway))

    const two = await startTestGateway({ DATABASE_URL: second })
    expect(await formerRoles(two)).toEqual([])
    await passportClient(two, (await createWorkspace(two)).as).given()
    await Promise.all([one.close(), two.close()])
  })
})
