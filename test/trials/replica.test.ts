import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pgCtl, startServer } from '../../src/storage/embedded-postgres/cluster.ts'
import { lockFile, type Place, prepare } from '../../src/storage/embedded-postgres/place.ts'
import { connected } from '../support/databases.ts'
import {
  createWorkspace,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { PREPARED_DATABASE, preparedDataDir } from '../support/prepared-cluster.ts'

// A primary with a hot standby that streams from it, as Patroni runs them; the tests fail over in order.

let folders: string[]
let primary: Place
let standby: Place
let urls: { primary: string; standby: string }
let gateway: TestGateway
let workspace: TestWorkspace

beforeAll(async () => {
  folders = await Promise.all(['primary', 'standby'].map((name) => mkdtemp(join(tmpdir(), `dpp-gateway-${name}-`))))
  for (const folder of folders) {
    await chmod(folder, 0o711)
    await preparedDataDir(folder)
    await writeFile(lockFile(folder), '')
  }
  const [first = '', second = ''] = folders
  primary = await prepare(first, { dataDir: first, log: () => {} })
  const port = await startServer(primary)
  standby = await prepare(second, { dataDir: second, log: () => {} })
  const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${primary.password}`
  await appendFile(join(standby.cluster, 'postgresql.auto.conf'), `\nprimary_conninfo = '${conninfo}'\n`)
  const signal = join(standby.cluster, 'standby.signal')
  await writeFile(signal, '')
  const { uid, gid } = standby.identity
  if (uid !== undefined && gid !== undefined) await chown(signal, uid, gid)
  const standbyPort = await startServer(standby)
  const password = encodeURIComponent(primary.password)
  const asSuperuser = (host: string) => `postgres://postgres:${password}@${host}/${PREPARED_DATABASE}`
  urls = { primary: asSuperuser(`127.0.0.1:${port}`), standby: asSuperuser(`127.0.0.1:${standbyPort}`) }
  gateway = await startTestGateway(
    {
      DATABASE_URL: asSuperuser(`127.0.0.1:${port},127.0.0.1:${standbyPort}`),
      DATABASE_REPLICA_URL: `postgres://127.0.0.1:${standbyPort}/${PREPARED_DATABASE}`,
      LOG_LEVEL: 'silent',
    },
    { clusterDir: first },
  )
  workspace = await createWorkspace(gateway)
})
afterAll(async () => {
  await gateway?.close()
  for (const place of [primary, standby]) await pgCtl(place, ['stop', '-m', 'immediate']).catch(() => {})
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const on = (url: string, text: string) =>
  connected(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows)
const passports = () => passportClient(gateway, workspace.as)
const read = (id: string, accept = 'application/ld+json', lang = 'en') =>
  gateway.request('GET', `/passport/${id}`, { headers: { accept, 'accept-language': lang } })

let known: string
let unread: string

test('the standby serves public reads', async () => {
  known = (await passports().given({ metadata: textile() })).id
  unread = (await passports().given({ metadata: textile() })).id
  await expect.poll(async () => (await read(known)).status).toBe(200)
  for (let count = 0; count < 3; count += 1) expectStatus(200, await read(known))
  await expect
    .poll(() => on(urls.standby, `select 1 from pg_stat_activity where usename like 'dpp_lookup%'`))
    .not.toHaveLength(0)
})

test('a change shows immediately, although the standby is behind, in lists too', async () => {
  await on(urls.standby, 'select pg_wal_replay_pause()')
  expectStatus(200, await passports().setStatus(known, 'RECALLED'))
  const { body } = expectStatus(200, await read(known))
  expect(JSON.stringify(body)).toContain('RECALLED')
  const { id } = await passports().given({ productId: newGtin(), metadata: textile() })
  const listed = expectStatus(200, await passports().list('?limit=100'))
  expect(listed.body.passports.map((passport: { id: string }) => passport.id)).toContain(id)
  await on(urls.standby, 'select pg_wal_replay_resume()')
})

test('reads survive the primary, and writes are rejected', async () => {
  for (let count = 0; count < 3; count += 1) expectStatus(200, await read(known))
  const [{ lsn } = {}] = await on(urls.primary, 'select pg_current_wal_lsn()::text as lsn')
  await expect
    .poll(() => on(urls.standby, `select pg_last_wal_replay_lsn() >= '${lsn}' as "isCurrent"`))
    .toEqual([{ isCurrent: true }])
  await pgCtl(primary, ['stop', '-m', 'immediate'])
  for (const id of [known, unread]) {
    expectStatus(200, await read(id))
    expectStatus(200, await read(id, 'text/html', 'pl'))
  }
  expectStatus(200, await passports().list())
  expectStatus(503, await passports().create({ productId: newGtin(), metadata: textile() }))
  await expect.poll(async () => (await gateway.request('GET', '/ready')).status).toBe(503)
  const ready = expectStatus(200, await gateway.request('GET', '/ready?for=read'))
  expect(ready.body).toEqual({ status: 'READY', reads: 'READY', writes: 'UNAVAILABLE' })
})

test('the promoted standby takes the writes', async () => {
  await pgCtl(standby, ['promote', '-w'])
  const productId = newGtin()
  await expect
    .poll(async () => (await passports().create({ productId, metadata: textile() })).status, { timeout: 20_000 })
    .toBe(201)
  await expect.poll(async () => (await gateway.request('GET', '/ready')).status).toBe(200)
})
