import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allMigrations } from '../../src/gateway.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import { prepareDatabase } from '../../src/storage/database.ts'
import {
  BASE_URL,
  createDatabase,
  createWorkspace,
  MASTER_KEY,
  startTestGateway,
  superuserUrl,
  type TestGateway,
} from '../support/gateway.ts'
import { givenRows } from '../support/given-rows.ts'
import { laterPlugin } from '../support/later-plugin.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { startProcess } from '../support/process.ts'
import { addRows, emptyTables, lostRows, type Rows, rowsOf, rowsSince } from '../support/rows.ts'
import { steadyLoad } from '../support/steady-load.ts'
import { useGateway } from '../support/use-gateway.ts'

/**
 * The migration from which on a seal is of today's form, and the node has a certificate authority. One workspace is there from the
 * first migration on, whose seals have to be made anew; the other from this one on, whose seals have to hold.
 */
const SEALS_HOLD = 'core/20261123-seal-subject'

/** What migrations wrote anew that came before the first release; none does that comes later. */
const WRITTEN_ANEW = {
  // A moment became a list of moments; and when it became one again, with how often, the table was emptied.
  'core/20261121-idempotency-and-counts': ['access_audit'],
  'core/20261125-access-counts': ['access_audit'],
  // Counted anew, in more columns.
  'core/20261125-counts': ['passport_count'],
}

/** What versions that were before some columns wrote in others. */
const AS_THEN: Parameters<typeof addRows>[3] = {
  rendition: ({ variant, body }, columns) =>
    columns.includes('language') ? { language: variant, body: body ?? '' } : {},
  passport_history: ({ metadata }) => ({ metadata: metadata ?? {} }),
}

/** What a migration may do while an earlier version is at work (CONTRIBUTING.md, "Migrations"). */
const WIDER = [
  'alter table passport add column later int not null default 7',
  'alter table passport add column later_text text',
  'create index passport_later on passport (tenant_id, later)',
  'create table later (id bigint generated always as identity primary key, passport_id uuid references passport on delete cascade)',
  'alter table battery_unit drop constraint battery_unit_status_check',
  `create function later_counts() returns trigger language plpgsql security definer as
    'begin insert into later (passport_id) values (new.id); return null; end'`,
  'create trigger later_counts after insert on passport for each row execute function later_counts()',
]

const { gateway: today, workspace: early } = await useGateway()

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await superuserUrl(url) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

describe('a database that stood at any migration', () => {
  const lost: Record<string, string[]> = {}
  const empty: Record<string, string[]> = {}
  let late: typeof early
  let upgraded: TestGateway

  /** The rows of both workspaces, as today's gateway writes them; the node's own keys are with the second. */
  async function givenBoth(): Promise<{ first: Rows; second: Rows }> {
    const read = () => connected(today.databaseUrl, rowsOf)
    await givenRows(today, early)
    await today.sql(`insert into mail_count values ('\\x01', current_date, 1)`)
    await today.sql(`insert into media_gone (key) values ('gone')`)
    const first = new Map(await read())
    late = await createWorkspace(today)
    await givenRows(today, late)
    const second = new Map(rowsSince(first, await read()))
    second.set('node_key', first.get('node_key') as never)
    first.delete('node_key')
    return { first: withPassports(first), second: withPassports(second) }
  }

  /** The versions of deleted passports are left out: before there was an archive, versions had a passport. */
  function withPassports(rows: Rows): Rows {
    const valuesIn = (name: string, column: string) =>
      (rows.get(name)?.rows ?? []).map((text) => [JSON.parse(text)[column], text] as const)
    const deleted = new Set(valuesIn('deleted_passport', 'id').map(([id]) => id))
    const kept = valuesIn('passport_history', 'passport_id').filter(([id]) => !deleted.has(id))
    const { columns } = rows.get('passport_history') ?? { columns: [] }
    return new Map([...rows, ['passport_history', { columns, rows: kept.map(([, text]) => text) }]])
  }

  beforeAll(async () => {
    const { first, second } = await givenBoth()
    const url = await createDatabase()
    const migrations = await allMigrations(await loadPlugins(['plugins']))
    const ofPlugins = migrations.filter(({ name }) => !name.startsWith('core/'))
    const core = migrations.filter(({ name }) => name.startsWith('core/'))
    let before: Rows = new Map()
    for (const [index, { name }] of core.entries()) {
      // A plugin's tables were there with each of them.
      await prepareDatabase(url, MASTER_KEY, [...core.slice(0, index + 1), ...ofPlugins])
      before = await connected(url, async (client) => {
        const after = await rowsOf(client)
        lost[name] = Object.keys(lostRows(before, after))
        // What a migration has filled itself is left to it.
        const fresh = emptyTables(after).filter((table) => !before.has(table))
        if (name === SEALS_HOLD) {
          // The entries of that time were lists.
          await addRows(
            client,
            second,
            [...after.keys()].filter((table) => table !== 'access_audit'),
            AS_THEN,
          )
        } else if (fresh.length > 0) {
          await addRows(client, first, fresh, AS_THEN)
          if (name > SEALS_HOLD) await addRows(client, second, fresh, AS_THEN)
        } else return after
        return rowsOf(client)
      })
      empty[name] = emptyTables(before)
    }
    upgraded = await startTestGateway({ DATABASE_URL: url })
  }, 240_000)
  afterAll(() => upgraded?.close())

  test('had rows in every table', () => {
    for (const [name, tables] of Object.entries(empty)) {
      expect([name, tables]).toEqual([name, name < SEALS_HOLD ? ['node_key'] : []])
    }
  })

  test('keeps every row in every migration that follows', () => {
    const changed = Object.entries(lost).filter(([, tables]) => tables.length > 0)
    expect(Object.fromEntries(changed)).toEqual(WRITTEN_ANEW)
  })

  test('has every seal, key, status list and audit trail in order', async () => {
    const wrong: string[] = []
    const seen = new Set<string>()
    for await (const { kind, id, why } of upgraded.container.cradle.installationCheck.all()) {
      seen.add(kind)
      if (why !== undefined) wrong.push(`${kind} ${id}: ${why}`)
    }
    expect(wrong).toEqual([])
    expect([...seen].sort()).toEqual(['audit', 'credential', 'key', 'seal', 'status'])
  })

  test('is read as it was, byte for byte, in every list', async () => {
    const { operations } = today.container.cradle.contract
    const lists = [...operations.values()].filter(
      ({ operationId, method, path, isPublic }) =>
        // What was asked is in the audit log.
        method === 'GET' && !isPublic && !path.includes('{') && operationId !== 'listAuditLog',
    )
    expect(lists.length).toBeGreaterThan(10)
    for (const { path } of lists) {
      for (const { as } of [early, late]) {
        const [then, now] = await Promise.all(
          [today, upgraded].map((gateway) => gateway.request('GET', path, { headers: as })),
        )
        const asked = ({ text = '' } = {}) => text.replace(/"creationDate":"[^"]+"/, '')
        expect([path, now?.status, asked(now)]).toEqual([path, then?.status, asked(then)])
      }
    }
  })

  test('has seals that hold, and takes new ones where they are of before', async () => {
    const verdictOf = async (payload: unknown) =>
      (await upgraded.request('POST', '/api/v1/audit/verify', { json: { payload } })).body.verdict
    for (const [{ as }, verdict] of [
      [early, 'not valid'],
      [late, 'valid'],
    ] as const) {
      const passports = passportClient(upgraded, as)
      const { body } = await passports.list()
      const [{ id }] = body.passports
      const document = expectStatus(200, await passports.get(id)).body
      expect(document.digitalSeal).toEqual(expect.any(String))
      expect(await verdictOf(document)).toBe(verdict)
      const sealed = expectStatus(200, await passports.seal(id)).body.passport
      expect(await verdictOf(sealed)).toBe('valid')
      expectStatus(200, await upgraded.request('GET', `/passport/${id}`, { headers: { accept: 'application/vc+jwt' } }))
    }
  })
})

describe('a process of an earlier version', () => {
  test('serves on while the next one widens the schema, starts and takes over: no request fails', {
    timeout: 240_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpp-upgrade-'))
    const PLUGINS = await laterPlugin(folder, WIDER)
    const env = { DATABASE_URL: today.databaseUrl, MASTER_KEY, BASE_URL, RATE_LIMITS: 'off' }
    const { as } = await createWorkspace(today)
    const old = await startProcess(env)
    const running = [old]
    // Whoever backs up reads every table, and keeps it as it is for so long.
    const reader = new pg.Client({ connectionString: today.inspectorUrl })
    await reader.connect()
    try {
      await old.printed('is ready')
      const load = steadyLoad(old.url, as)
      await expect.poll(load.done).toBeGreaterThan(20)
      await reader.query('begin')
      await reader.query('lock table passport in access share mode')
      const next = await startProcess({ ...env, PLUGINS })
      running.push(next)
      const waiting = async () =>
        (
          await today.sql(
            `select from pg_locks where relation = 'passport'::regclass and not granted and mode ~ 'Exclusive'`,
          )
        ).length
      await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(0)
      // The migration gives way, and comes back.
      const before = load.done()
      await expect.poll(load.done).toBeGreaterThan(before + 20)
      await reader.query('commit')
      await next.printed('is ready')
      // Both serve now, the old one on the new schema.
      const beside = load.done()
      await expect.poll(load.done).toBeGreaterThan(beside + 50)
      await load.moveTo(next.url)
      expect(await old.end('SIGTERM')).toBe(0)
      const after = load.done()
      await expect.poll(load.done).toBeGreaterThan(after + 20)
      await load.stop()
      expect(load.failed).toEqual([])
      expect(await today.sql('select distinct later from passport')).toEqual([{ later: 7 }])
    } finally {
      await reader.end()
      await Promise.all(running.map((each) => each.end('SIGKILL')))
      await rm(folder, { recursive: true })
    }
  })

  test('does not where a migration takes something away, which this test sees', async () => {
    await today.sql('alter table passport rename column journey to voyage')
    const load = steadyLoad(today.origin, early.as)
    await expect.poll(() => load.failed.length).toBeGreaterThan(0)
    await load.stop()
    await today.sql('alter table passport rename column voyage to journey')
  })
})
