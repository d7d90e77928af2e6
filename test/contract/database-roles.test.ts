import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { PASSPORT_EVENTS } from '../../src/jobs/outbox.ts'
import { loadConfig } from '../../src/start/config.ts'
import { openGateway } from '../../src/start/gateway.ts'
import { ROLES, type Role, roleName, urlAs } from '../../src/storage/database-roles.ts'
import { connected, createPreparedDatabase } from '../support/databases.ts'
import { MASTER_KEY, superuserUrl } from '../support/gateway.ts'
import { dpp } from '../support/process.ts'
import { DENIED, outcome } from '../support/role-outcomes.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, passports } = await useGateway()
await passports.given()
const database = decodeURIComponent(new URL(gateway.databaseUrl).pathname.slice(1))

const as = (role: Role, text: string) => connected(gateway.urlOf(role), (client) => outcome(client, text))
const named = (role: Role) => pg.escapeIdentifier(roleName(role, database))

describe('the roles of the gateway', () => {
  test('log in, can do nothing that a role can do to others, and are members of nothing', async () => {
    const names = ROLES.map((role) => roleName(role, database))
    const roles = await gateway.sql(
      `select rolname, rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
       from pg_roles where rolname = any($1) order by rolname`,
      [names],
    )
    expect(roles).toEqual(
      [...names].sort().map((rolname) => ({
        rolname,
        rolcanlogin: true,
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
      })),
    )
    const memberships = await gateway.sql(
      `select m.member::regrole::text from pg_auth_members m where m.member::regrole::text = any($1)`,
      [names],
    )
    expect(memberships).toEqual([])
    // The creator of a role may grant it (PostgreSQL 16), but neither inherits it nor becomes it.
    const [owner] = await gateway.sql(
      `select bool_or(pg_has_role('dpp_owner', name, 'usage') or pg_has_role('dpp_owner', name, 'set')) as is_any
       from unnest($1::text[]) as name`,
      [names],
    )
    expect(owner).toEqual({ is_any: false })
  })

  test('own nothing but the queues', async () => {
    const owned = await gateway.sql(
      `select distinct n.nspname as schema, pg_get_userbyid(c.relowner) as owner from pg_class c
       join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'pgboss') order by 1`,
    )
    expect(owned).toEqual([
      { schema: 'pgboss', owner: roleName('jobs', database) },
      { schema: 'public', owner: 'dpp_owner' },
    ])
  })

  test('cannot become another: not the one that logged in, not the owner, not each other', async () => {
    for (const role of ROLES) {
      await connected(gateway.urlOf(role), async (client) => {
        await client.query('set role none')
        const { rows } = await client.query('select current_user as name, session_user as login')
        expect(rows).toEqual([{ name: roleName(role, database), login: roleName(role, database) }])
        for (const other of ['dpp_owner', 'postgres', ...ROLES.filter((name) => name !== role).map(named)]) {
          expect(await outcome(client, `set role ${other}`), `${role} → ${other}`).toBe(DENIED)
          expect(await outcome(client, `set session authorization ${other}`)).toBe(DENIED)
          expect(await outcome(client, `grant ${other} to ${named(role)}`)).toBe(DENIED)
        }
      })
    }
  })

  test.each([
    ['alter table passport no force row level security'],
    ['alter table passport disable row level security'],
    ['create policy mine on passport using (true)'],
    ['drop policy passport_see on passport'],
    ['create table mine ()'],
    ['select 1 from local_signing_key'],
    [`insert into local_signing_key (id, label, public_jwk, nonce, ciphertext) values ('a', 'b', '{}', '', '')`],
    [`insert into node_key (purpose, signer_key, public_jwk) values ('session', 'mine', '{}')`],
    [`update node_key set public_jwk = '{}'`],
    ['select 1 from node_key'],
    ['select 1 from pgboss.job'],
    ['select data from pgboss.job_common'],
    ['select id from pgboss.job_common'],
    ['update pgboss.job_common set data = null'],
    ['delete from pgboss.job_common'],
    ['select queued_count from pgboss.queue'],
    ['select 1 from pgboss.schedule'],
    [`select pg_read_file('PG_VERSION')`],
    ['select 1 from pg_authid'],
  ])('the application may not: %s', async (text) => {
    expect(await as('app', text)).toBe(DENIED)
    // The statement succeeds for the superuser, so only the privilege is missing.
    expect(await connected(await superuserUrl(gateway.databaseUrl), (client) => inVain(client, text))).not.toBe(DENIED)
  })

  test('the signer has its keys and names those of the node, and the queues see no workspace', async () => {
    expect(await as('signer', 'select 1 from local_signing_key')).toBeGreaterThan(0)
    for (const text of ['select 1 from passport', 'select 1 from api_key', 'update node_key set signer_key = null']) {
      expect(await as('signer', text), text).toBe(DENIED)
    }
    expect(await as('jobs', `select 1 from pgboss.job where name = '${PASSPORT_EVENTS}'`)).toBeGreaterThan(0)
    for (const table of ['passport', 'api_key', 'node_key', 'local_signing_key', 'workspace']) {
      expect(await as('jobs', `select 1 from ${table}`), table).toBe(DENIED)
    }
    expect(await as('lookup', 'select 1 from pgboss.queue')).toBe(DENIED)
  })

  test('are held to their limits by the server, without a statement or a start-up option', async () => {
    for (const role of ['app', 'lookup'] as const) {
      await connected(gateway.urlOf(role), async (client) => {
        const { rows } = await client.query(`select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`)
        expect(rows).toEqual([{ statement: '30s', idle: '30s' }])
      })
    }
  })

  test('have passwords that no other MASTER_KEY, role or database has, and that no statement carries', async () => {
    const urls = ROLES.map((role) => new URLSearchParams(gateway.urlOf(role).split('?')[1]).get('password'))
    expect(new Set(urls).size).toBe(ROLES.length)
    const wrong = urlAs(gateway.databaseUrl, { name: roleName('app', database), password: urls[1] ?? '' })
    await expect(connected(wrong, async () => {})).rejects.toMatchObject({ code: '28P01' })
    const { rows } = await connected(await superuserUrl(gateway.databaseUrl), (client) =>
      client.query('select rolpassword from pg_authid where rolname = $1', [roleName('app', database)]),
    )
    expect(rows[0].rolpassword).toMatch(/^SCRAM-SHA-256\$4096:[^$]+\$[^:]+:.+$/)
  })
})

/** Outcome of a statement that is rolled back. */
async function inVain(client: pg.Client, text: string): Promise<string | number> {
  await client.query('begin')
  try {
    return await outcome(client, text)
  } finally {
    await client.query('rollback')
  }
}

test('a wrong MASTER_KEY locks no running process out, and the right one still opens', async () => {
  const other = randomBytes(32).toString('base64')
  const { code, stderr } = await dpp(['key', 'list'], { DATABASE_URL: gateway.databaseUrl, MASTER_KEY: other })
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('MASTER_KEY differs from')])
  expect(code).not.toBe(0)
  expect((await dpp(['key', 'list'], { DATABASE_URL: gateway.databaseUrl, MASTER_KEY })).code).toBe(0)
  expect((await passports.list()).status).toBe(200)
})

test('another MASTER_KEY is accepted once no process uses the old one', async () => {
  const databaseUrl = await createPreparedDatabase(MASTER_KEY)
  for (const masterKey of [MASTER_KEY, randomBytes(32).toString('base64')]) {
    const config = loadConfig({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey, LOG_LEVEL: 'silent' })
    const opened = await openGateway(config, { report: () => {}, isServer: false })
    await opened.container.cradle.database.ping()
    await opened.close()
    // A server process ends shortly after its connection.
    await connected(databaseUrl, (client) =>
      expect
        .poll(async () => {
          const { rows } = await client.query(
            `select 1 from pg_stat_activity where datname = current_database() and usename <> current_user`,
          )
          return rows.length
        })
        .toBe(0),
    )
  }
})

test('an owner who may not create roles gets instructions', async () => {
  const name = `plain_${randomBytes(4).toString('hex')}`
  const url = await connected(await superuserUrl(gateway.databaseUrl), async (client) => {
    await client.query(`create role ${name} login password 'p'`)
    await client.query(`create database ${name} owner ${name}`)
    return urlAs(gateway.databaseUrl.replace(/[^/]*$/, name), { name, password: 'p' })
  })
  const { stderr, code } = await dpp(['migrate'], { DATABASE_URL: url, MASTER_KEY })
  expect(code).not.toBe(0)
  expect(stderr).toContain(`may not create the role dpp_app_${name}`)
  expect(stderr).toContain('createrole')
  expect(stderr).not.toMatch(/\n\s+at /)
})
