import { execFileSync } from 'node:child_process'
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { statusPlaceOf } from '../support/credentials.ts'
import { BASE_URL, createWorkspace, MASTER_KEY, newGln, startTestGateway, superuserUrl } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { dpp as run } from '../support/process.ts'

// The archive procedure of docs/guides/backup.md, with the binaries of the embedded server.

const folder = await mkdtemp(join(tmpdir(), 'dpp-point-in-time-'))
const [first, second, archive] = ['first', 'second', 'archive'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
/** Open resources, the latest first. */
const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true, force: true })
})

async function asSuperuser<T>(url: string, clusterDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await superuserUrl(url, clusterDir) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

test('a copy as of a moment verifies, has what there was then, and gives nothing again', {
  timeout: 120_000,
}, async () => {
  await chmod(folder, 0o755)
  await mkdir(archive)
  // PostgreSQL may run as another user.
  await chmod(archive, 0o777)
  await preparedDataDir(first)
  let postgres = await openEmbeddedPostgres({ dataDir: first, log: () => {} })
  await asSuperuser(postgres.url, first, async (client) => {
    await client.query(`alter system set archive_mode = on`)
    await client.query(`alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`)
  })
  await postgres.stop()
  postgres = await openEmbeddedPostgres({ dataDir: first, log: () => {} })
  closing.push(postgres.stop)
  const original = await startTestGateway({ DATABASE_URL: postgres.url }, { clusterDir: first })
  closing.push(original.close)
  const workspace = await createWorkspace(original)
  const passports = passportClient(original, workspace.as)
  const before = await passports.given()

  await asSuperuser(postgres.url, first, async (client) => {
    await client.query(`select pg_backup_start('base', true)`)
    execFileSync('cp', ['-a', first, second])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    await writeFile(join(second, 'postgres', 'backup_label'), rows[0]?.labelfile ?? '')
    await rm(join(second, 'postgres', 'pg_wal'), { recursive: true })
    await rm(join(second, 'postgres', 'postmaster.pid'))
  })
  const between = await passports.given()
  expectStatus(200, await passports.seal(between.id))
  const document = (await passports.get(between.id)).text
  const [moment] = await original.sql<{ now: Date }>('select clock_timestamp() as now')
  const asOf = moment?.now.toISOString() ?? ''
  const after = await passports.given()
  await asSuperuser(postgres.url, first, async (client) => {
    const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
    const isArchived = async () =>
      (await client.query('select last_archived_wal >= $1 as is from pg_stat_archiver', [rows[0]?.file])).rows[0]
        ?.is === true
    await vi.waitUntil(isArchived, { timeout: 30_000, interval: 100 })
  })
  for (const close of closing.splice(0).reverse()) await close()

  const cluster = join(second, 'postgres')
  execFileSync('sh', [
    '-c',
    `mkdir ${cluster}/pg_wal && chmod 700 ${cluster}/pg_wal && touch ${cluster}/recovery.signal`,
  ])
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `\narchive_mode = off\nrestore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${asOf.replace('Z', '+00')}'\nrecovery_target_action = promote\n`,
  )
  execFileSync('sh', ['-c', `chown -R --reference=${cluster}/PG_VERSION ${cluster}`])
  const restored = await openEmbeddedPostgres({ dataDir: second, log: () => {} })
  closing.push(restored.stop)
  await asSuperuser(restored.url, second, (client) =>
    vi.waitUntil(async () => !(await client.query('select pg_is_in_recovery() as is')).rows[0].is, {
      timeout: 30_000,
      interval: 100,
    }),
  )
  const env = { DATABASE_URL: restored.url, MASTER_KEY, BASE_URL }
  expect(await run(['restore', '--as-of', '2999-01-01T00:00:00Z'], env)).toMatchObject({ code: 2 })
  expect(await run(['restore', '--as-of', asOf], env)).toMatchObject({ code: 0 })
  expect(await run(['verify-all'], env)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 keys, 1 seals') })
  const copy = await startTestGateway({ DATABASE_URL: restored.url }, { clusterDir: second })
  closing.push(copy.close)
  const copied = passportClient(copy, workspace.as)
  expect((await copied.get(before.id)).status).toBe(200)
  expect((await copied.get(between.id)).text).toBe(document)
  expect((await copied.get(after.id)).status).toBe(404)
  const payload = JSON.parse(document)
  const { body } = await copy.request('POST', '/api/v1/audit/verify', { json: { payload } })
  expect(body).toMatchObject({ verdict: 'valid' })
  const { body: made } = await copy.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works', country: 'PT' },
  })
  const fresh = await copied.given({ facilityId: made.facility.id })
  const { text } = await copy.request('GET', `/passport/${fresh.id}`, { headers: { accept: 'application/vc+jwt' } })
  expect(statusPlaceOf(text)).toBeGreaterThanOrEqual(262_144)
})
