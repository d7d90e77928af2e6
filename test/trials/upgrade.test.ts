import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { BASE_URL, createWorkspace, MASTER_KEY } from '../support/gateway.ts'
import { laterPlugin } from '../support/later-plugin.ts'
import { startProcess } from '../support/process.ts'
import { steadyLoad } from '../support/steady-load.ts'
import { useGateway } from '../support/use-gateway.ts'

/** Allowed migrations while an earlier version runs (CONTRIBUTING.md, "Migrations"). */
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
    // A backup holds locks on every table for its duration.
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
      // The migration times out and retries.
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
