import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startIssuingGateway, statusPlaceOf } from '../support/credentials.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import {
  BASE_URL,
  createDatabase,
  MASTER_KEY,
  newGtin,
  startTestGateway,
  superuserUrl,
  type TestGateway,
  textile,
} from '../support/gateway.ts'
import { laterPlugin } from '../support/later-plugin.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { dpp as run, startDpp } from '../support/process.ts'
import { unitClient } from '../support/unit-client.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const { gateway: original, workspace, passports, given, credential, facilityId } = await startIssuingGateway()
// Deliveries stay pending, so that the restored gateway has work.
await original.container.cradle.webhookDelivery.stop(0)
const receiver = await startReceiver()
const folder = await mkdtemp(join(tmpdir(), 'dpp-backup-'))
const file = join(folder, 'backup')
let isOriginalOpen = true
afterAll(async () => {
  if (isOriginalOpen) await original.close()
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

const envOf = (databaseUrl: string, more: object = {}) => ({
  DATABASE_URL: databaseUrl,
  MASTER_KEY,
  BASE_URL,
  NODE_NO_WARNINGS: '1',
  ...more,
})
const dpp = (databaseUrl: string, ...args: string[]) => run(args, envOf(databaseUrl))
const restore = (databaseUrl: string, from = file) => dpp(databaseUrl, 'restore', from, '--json')
const json = ({ stdout }: { stdout: string }) => JSON.parse(stdout)

/** Runs SQL as the superuser. */
async function sql<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: await superuserUrl(databaseUrl) })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** The whole schema: columns, keys, triggers, policies, privileges, indexes. */
const schemaOf = async (databaseUrl: string): Promise<string[]> => {
  const [row] = await sql<{ lines: string[] }>(
    databaseUrl,
    `select array_agg(line order by line collate "C") as lines from (
       select format('table %s %s %s', oid::regclass, relrowsecurity, relforcerowsecurity) as line from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       union all
       select format('constraint %s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       from pg_constraint where connamespace = 'public'::regnamespace
       union all
       select format('trigger %s %s %s', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
       union all
       select format('policy %s %s %s %s', polrelid::regclass, polname, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
       from pg_policy where polname <> 'backup'
       union all
       select format('index %s', indexdef) from pg_indexes where schemaname = 'public'
     ) as all_lines`,
  )
  return row?.lines ?? []
}
const isEmpty = async (databaseUrl: string) =>
  (await sql<{ is: boolean }>(databaseUrl, `select to_regclass('passport') is null as is`))[0]?.is === true ||
  (await sql(databaseUrl, 'select from passport')).length === 0

const VC = 'application/vc+jwt'

let sealedId: string
let revisedId: string
let revokedId: string
let unitId: string
const documents = new Map<string, string>()
const credentials = new Map<string, string>()
let acknowledged: string[]
let later: string[]
let made: { rows: number; tables: number; bytes: number }

beforeAll(async () => {
  sealedId = await given(textile())
  expectStatus(200, await passports.seal(sealedId))
  revisedId = await given(textile())
  expectStatus(200, await passports.seal(revisedId))
  expectStatus(200, await passports.revise(revisedId, { metadata: textile({ name: 'Second' }), changeReason: 'Again' }))
  revokedId = await given(textile())
  credentials.set(revokedId, await credential(revokedId, VC))
  expectStatus(200, await passports.setStatus(revokedId, 'RECALLED', { recallReason: 'It burns.' }))
  const batteryId = await given({ category: 'batteries', originCountry: 'PT' })
  const units = unitClient(original, workspace.as)
  unitId = (await units.given(batteryId)).id
  const subscription = await webhookClient(original, workspace.as).given(receiver.url, ['passport.ingested'])
  receiver.verifyWith(subscription.secret)
  for (const id of [sealedId, revisedId]) credentials.set(id, await credential(id, VC))
  await credential(sealedId, 'application/dc+sd-jwt')
  for (const id of [sealedId, revisedId, revokedId]) documents.set(id, (await passports.get(id)).text)

  // Four clients write during the backup.
  const written: string[] = []
  let isWriting = true
  const writers = Array.from({ length: 4 }, async () => {
    while (isWriting) written.push((await passports.given({ facilityId })).id)
  })
  await vi.waitUntil(() => written.length > 20, { timeout: 30_000 })
  acknowledged = [...written]
  made = json(await dpp(original.databaseUrl, 'backup', file, '--json'))
  const atEnd = written.length
  isWriting = false
  await Promise.all(writers)
  later = written.slice(atEnd)
  expect(atEnd).toBeGreaterThan(acknowledged.length)
}, 120_000)

describe('a back-up', () => {
  test('is one file for its owner alone, and says in clear of when and of what schema it is', async () => {
    const { size, mode } = await stat(file)
    expect(made).toMatchObject({ file, bytes: size })
    expect(mode & 0o777).toBe(0o600)
    const bytes = await readFile(file)
    expect(bytes.subarray(0, 13).toString()).toBe('dpp-backup 1\n')
    const head = JSON.parse(bytes.subarray(17, 17 + bytes.readUInt32BE(13)).toString())
    expect(head.migrations).toContainEqual(expect.stringMatching(/^core\/20261127-initial#/))
    expect(bytes.includes(workspace.id)).toBe(false)
    await expect(stat(`${file}.part`)).rejects.toThrow()
  })

  test('takes no other file’s place unasked', async () => {
    const before = await readFile(file)
    const refused = await dpp(original.databaseUrl, 'backup', file)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('add --force') })
    expect((await readFile(file)).equals(before)).toBe(true)
    const other = join(folder, 'other')
    await writeFile(other, 'something', { mode: 0o644 })
    expect((await dpp(original.databaseUrl, 'backup', other, '--force')).code).toBe(0)
    expect((await stat(other)).mode & 0o777).toBe(0o600)
    const nowhere = await dpp(original.databaseUrl, 'backup', join(folder, 'no', 'where'))
    expect(nowhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`FILE: Folder ${join(folder, 'no')} not found. Create it first.`),
    })
  })

  test('is of all workspaces, which no other role reads in this way', async () => {
    const owner = new pg.Client({ connectionString: original.databaseUrl })
    const app = new pg.Client({ connectionString: original.urlOf('app') })
    await Promise.all([owner.connect(), app.connect()])
    const count = async (client: pg.Client) => (await client.query('select from tenant_key')).rowCount
    expect(await count(owner)).toBe(0)
    await Promise.all([owner, app].map((client) => client.query(`set app.backup = 'on'`)))
    expect(await count(owner)).toBe(1)
    expect(await count(app)).toBe(0)
    // A security-definer function of the owner is not a session of the owner.
    await owner.query(
      `create function peeps() returns bigint language sql security definer as 'select count(*) from tenant_key'`,
    )
    await owner.query('grant execute on function peeps to public')
    expect((await app.query('select peeps() as count')).rows).toEqual([{ count: '0' }])
    await owner.query('drop function peeps')
    await Promise.all([owner.end(), app.end()])
  })

  test('needs the MASTER_KEY of the installation', async () => {
    const MASTER_KEY = Buffer.alloc(32, 9).toString('base64')
    const refused = await run(['backup', join(folder, 'wrong')], envOf(original.databaseUrl, { MASTER_KEY }))
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^MASTER_KEY is not the key of the role .* Set the MASTER_KEY of the gateway/m),
    })
  })
})

describe('an incomplete or foreign backup', () => {
  test('is rejected, and no part of it is loaded', async () => {
    const databaseUrl = await createDatabase()
    const bytes = await readFile(file)
    const altered = Buffer.from(bytes)
    altered[bytes.length - 100] = (altered[bytes.length - 100] as number) ^ 1
    const forged = join(folder, 'forged')
    for (const [content, why] of [
      [bytes.subarray(0, -1000), 'is incomplete: its end is missing'],
      [altered, 'was altered, or its parts are out of order'],
      [Buffer.concat([bytes, Buffer.from('x')]), 'has extra data after its end'],
      [Buffer.from('{}'), 'is not a backup'],
    ] as const) {
      await writeFile(forged, content)
      const refused = await restore(databaseUrl, forged)
      expect(refused.code, why).toBe(3)
      expect(json(refused).error).toContain(why)
    }
    const MASTER_KEY = Buffer.alloc(32, 9).toString('base64')
    const refused = await run(['restore', file], envOf(databaseUrl, { MASTER_KEY }))
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/^MASTER_KEY does not decrypt/) })
    expect(await sql(databaseUrl, `select from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([])
  })

  test('nor is a database in use', async () => {
    const refused = await restore(original.databaseUrl)
    expect(refused.code).toBe(1)
    expect(json(refused).error).toMatch(/^A gateway is running on the database .* Stop it/)
  })
})

describe('a restored copy', () => {
  let databaseUrl: string
  let copy: TestGateway
  let restored: Awaited<ReturnType<typeof restore>>
  const copied = () => passportClient(copy, workspace.as)

  beforeAll(async () => {
    databaseUrl = await createDatabase()
    restored = await restore(databaseUrl)
  })
  afterAll(() => copy?.close())

  test('has everything that the back-up has, in the same schema', async () => {
    expect(restored.code, restored.stderr).toBe(0)
    expect(json(restored)).toMatchObject({ tables: made.tables, rows: made.rows, migrated: [] })
    expect(await schemaOf(databaseUrl)).toEqual(await schemaOf(original.databaseUrl))
    const ids = (await sql<{ id: string }>(databaseUrl, 'select id from passport')).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(acknowledged))
    for (const id of later) expect(ids).not.toContain(id)
    // One snapshot: counters match the rows.
    const [counts] = await sql(
      databaseUrl,
      `select (select count(*) from passport) = (select sum(ready + not_ready) from passport_count) as counted,
        (select count(*) from pgboss.job where name = 'passport-event') > 0 as waiting`,
    )
    expect(counts).toEqual({ counted: true, waiting: true })
  })

  test('verifies, all of it, before a gateway has started', async () => {
    const verified = await dpp(databaseUrl, 'verify-all', '--json')
    expect(json(verified)).toMatchObject({ valid: true, failed: 0, failures: [] })
    expect(json(verified).checked).toMatchObject({ key: 1, audit: 1, status: 1 })
    expect(json(verified).checked.seal).toBeGreaterThanOrEqual(3)
    expect(json(verified).checked.credential).toBeGreaterThanOrEqual(3)
  })

  test('is refused as a place to restore to', async () => {
    const refused = await restore(databaseUrl)
    expect(refused.code).toBe(1)
    expect(json(refused).error).toMatch(/is not empty: .* Restore into a new database/)
  })

  test('delivers what waited, and reads, verifies and seals as the original did', async () => {
    copy = await startTestGateway({ DATABASE_URL: databaseUrl })
    const deliveries = () => receiver.received.map(({ body }) => body.data.id)
    await expect.poll(deliveries, { timeout: 30_000 }).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length)
    for (const [id, document] of documents) {
      expect((await copied().get(id)).text).toBe(document)
      const payload = JSON.parse(document)
      if (typeof payload.digitalSeal !== 'string') continue
      const { body } = await copy.request('POST', '/api/v1/audit/verify', { json: { payload } })
      expect(body).toMatchObject({ verdict: 'valid' })
    }
    for (const [id, compact] of credentials) {
      const { text } = await copy.request('GET', `/passport/${id}`, { headers: { accept: VC } })
      expect(statusPlaceOf(text)).toBe(statusPlaceOf(compact))
    }
    const fresh = await copied().given({ facilityId })
    expectStatus(200, await copied().seal(fresh.id))
    expect((await copy.request('GET', `/unit/${unitId}`)).status).toBe(200)
  })

  test('gives no place, key or number that the original has given since', async () => {
    const since = new Set<number>()
    for (const id of later.slice(0, 5)) since.add(statusPlaceOf(await credential(id, VC)))
    const rotate = (gateway: TestGateway) =>
      gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: workspace.as })
    for (let times = 0; times < 3; times += 1) expectStatus(200, await rotate(original))
    expectStatus(200, await rotate(copy))
    const numbers = async ({ databaseUrl: of }: TestGateway) =>
      (await sql<{ number: number }>(of, 'select number from tenant_key order by 1')).map(({ number }) => number)
    expect(await numbers(original)).toEqual([1, 2, 3, 4])
    expect(await numbers(copy)).toEqual([1, 22])
    for (let times = 0; times < 5; times += 1) {
      const { id } = await copied().given({ facilityId, productId: newGtin() })
      const { text } = await copy.request('GET', `/passport/${id}`, { headers: { accept: VC } })
      expect(statusPlaceOf(text)).toBeGreaterThanOrEqual(262_144)
    }
    expect(Math.max(...since)).toBeLessThan(262_144)
    const lasts = async ({ databaseUrl: of }: TestGateway) =>
      new Map(
        (
          await sql<{ name: string; last: string }>(
            of,
            `select sequencename as name, last_value as last from pg_sequences where schemaname = 'public' and last_value is not null`,
          )
        ).map(({ name, last }) => [name, Number(last)]),
      )
    const [before, after] = [await lasts(original), await lasts(copy)]
    expect(before.size).toBeGreaterThan(0)
    for (const [name, last] of before) expect(after.get(name), name).toBeGreaterThan(last)
    // The list still returns the same status at each index.
    expect((await dpp(databaseUrl, 'verify-all')).code).toBe(0)
  })

  test('is searched by verify-all, which finds and names altered entries', async () => {
    // The altered entry records a read of the copy: it must be in the chain.
    await copy.container.cradle.protectedReadAudit.flush()
    await copy.container.cradle.auditChaining.stop()
    const client = new pg.Client({ connectionString: await superuserUrl(databaseUrl) })
    await client.connect()
    // Disables triggers.
    await client.query('set session_replication_role = replica')
    const alter = (text: string, values: unknown[]) => client.query(text, values)
    await alter(`update passport set metadata = $2 where id = $1`, [
      sealedId,
      JSON.stringify(textile({ name: 'Forged' })),
    ])
    await alter('update status_entry set revoked = false where subject_id = $1', [revokedId])
    await alter(
      `update rendition set body = overlay(body placing 'AAAA' from length(body) - 10) where passport_id = $1
      and key_number > 0`,
      [revisedId],
    )
    await alter(`update audit_entry set actor = 'nobody' where subject_id = $1`, [sealedId])
    await client.end()
    const found = await dpp(databaseUrl, 'verify-all', '--json')
    expect(found.code).toBe(1)
    const { valid, failures } = json(found)
    expect(valid).toBe(false)
    const failuresOf = (kind: string) => failures.filter((failure: { kind: string }) => failure.kind === kind)
    expect(failuresOf('seal')).toMatchObject([
      { id: expect.stringContaining(sealedId), why: expect.stringMatching(/salt|root|leaf/i) },
    ])
    expect(failuresOf('status')[0]).toMatchObject({ id: expect.stringContaining(revokedId), workspaceId: workspace.id })
    expect(failuresOf('credential')[0].id).toContain(revisedId)
    expect(failuresOf('audit').length).toBeGreaterThan(0)
    expect((await dpp(databaseUrl, 'verify-all')).stdout).toMatch(/^FAIL {2}seal /m)
  })
})

test('a back-up of an earlier schema is brought up to date, and one of a later is refused', {
  timeout: 120_000,
}, async () => {
  // A later version, simulated by a plugin: a new table, and a column with a default.
  const plugin = await laterPlugin(folder, [
    'alter table passport add column later int not null default 7',
    'create table later (id bigint generated always as identity primary key, passport_id uuid references passport)',
  ])
  const env = (databaseUrl: string) => envOf(databaseUrl, { PLUGINS: plugin })
  const databaseUrl = await createDatabase()
  const restored = await run(['restore', file, '--json'], env(databaseUrl))
  expect(restored.code, restored.stdout).toBe(0)
  expect(json(restored).migrated).toEqual([expect.stringContaining('20990101-later')])
  expect(await sql(databaseUrl, 'select distinct later from passport')).toEqual([{ later: 7 }])
  expect((await run(['verify-all'], env(databaseUrl))).code).toBe(0)
  await sql(databaseUrl, 'insert into later (passport_id) values ($1)', [sealedId])

  const laterFile = join(folder, 'later')
  const without = await dpp(databaseUrl, 'backup', laterFile)
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('differs from this version') })
  expect((await run(['backup', laterFile], env(databaseUrl))).code).toBe(0)
  const other = await createDatabase()
  const refused = await restore(other, laterFile)
  expect(refused.code).toBe(1)
  expect(json(refused).error).toMatch(/has migrations unknown to this version .* or newer/)
  // A table outside the gateway's migrations is stored like any other, and its sequence continues.
  expect((await run(['restore', laterFile], env(other))).code).toBe(0)
  expect(await sql(other, 'select id, passport_id from later')).toEqual([{ id: '1', passport_id: sealedId }])
  // A schema newer than the file is rejected.
  const ahead = await createPreparedDatabase(MASTER_KEY)
  expect((await run(['migrate'], env(ahead))).code).toBe(0)
  expect(json(await run(['restore', file, '--json'], env(ahead))).error).toMatch(
    /is newer than that of the backup .* new database/,
  )
})

test('a restoration that breaks off leaves nothing, and the next one finishes it', { timeout: 120_000 }, async () => {
  const databaseUrl = await createPreparedDatabase(MASTER_KEY)
  expect((await dpp(databaseUrl, 'migrate')).code).toBe(0)
  // Slows the last table, to leave time for killing the process.
  await sql(databaseUrl, 'alter table workspace_usage add constraint slow check (pg_sleep(60) is not null)')
  const slow = await startDpp(['restore', file], envOf(databaseUrl))
  await slow.printed(/^workspace: 1 rows/m)
  await slow.end('SIGKILL')
  await sql(
    databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await sql(databaseUrl, 'alter table workspace_usage drop constraint slow')
  expect(await isEmpty(databaseUrl)).toBe(true)
  const again = await restore(databaseUrl)
  expect(again.code, again.stdout).toBe(0)
  expect(await schemaOf(databaseUrl)).toEqual(await schemaOf(original.databaseUrl))
  expect((await dpp(databaseUrl, 'verify-all')).code).toBe(0)
})

test('a database that is not empty is rejected even if unused', async () => {
  isOriginalOpen = false
  await original.close()
  const refused = await restore(original.databaseUrl)
  expect(refused.code).toBe(1)
  expect(json(refused).error).toMatch(/is not empty/)
  expect((await sql(original.databaseUrl, 'select from passport')).length).toBeGreaterThan(20)
})
