import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import publicCache from '../../src/renditions/public-cache.ts'
import { BOUNDS } from '../../src/start/bounds.ts'
import { connectionShares } from '../../src/storage/connection-shares.ts'
import { Database } from '../../src/storage/database.ts'
import { isPassing } from '../../src/storage/database-errors.ts'
import { ROLES, type RoleUrls } from '../../src/storage/database-roles.ts'
import { pgCtl } from '../../src/storage/embedded-postgres/cluster.ts'
import { openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { prepare } from '../../src/storage/embedded-postgres/place.ts'
import type { Answer } from '../support/contract-client.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import { openProxy, type ProxiedDatabase } from '../support/faults.ts'
import {
  createWorkspace,
  MASTER_KEY,
  startTestGateway,
  superuserUrl,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { startProcess } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'

const ONE = { name: 'one', text: 'select 1' }

const WRITERS = 8
let product = 0

const { gateway, workspace } = await useGateway({ LOG_LEVEL: 'silent' })

const create = (of: TestGateway, by: TestWorkspace): Promise<Answer> => {
  product += 1
  return of.request('POST', '/api/v1/passports', {
    headers: by.as,
    json: { productId: `LOST-${product}`, metadata: textile() },
  })
}

/** Clients that write until stopped and record the results. */
function writers(of: TestGateway, by: TestWorkspace) {
  const answers: Answer[] = []
  let isStopped = false
  let wake = () => {}
  const work = Array.from({ length: WRITERS }, async () => {
    while (!isStopped) {
      answers.push(await create(of, by))
      wake()
    }
  })
  return {
    answers,
    /** Next response, of any status. */
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve
      }),
    stop: async () => {
      isStopped = true
      await Promise.all(work)
    },
  }
}

const cut = (of: TestGateway) =>
  of.sql(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'dpp-gateway%'`)

function assertHonest(answers: readonly Answer[]): void {
  for (const { status, headers, body, text } of answers) {
    expect([201, 503], text).toContain(status)
    if (status === 201) continue
    expect(headers['retry-after']).toMatch(/^\d+$/)
    expect(body).toMatchObject({ success: false, error: 'Service Unavailable', message: expect.any(String) })
  }
}

/** URLs of the roles through a proxy. */
const urlsBy = (proxy: ProxiedDatabase) =>
  Object.fromEntries(
    ROLES.map((role) => [role, gateway.urlOf(role).replace(/@?127\.0\.0\.1:\d+/, new URL(proxy.url).host)]),
  ) as unknown as RoleUrls

async function assertNothingLost(of: TestGateway, by: TestWorkspace, answers: readonly Answer[]): Promise<void> {
  const stored = await of.sqlAs<{ id: string }>(by.id, 'select id from passport where tenant_id = $1', [by.id])
  const ids = new Set(stored.map(({ id }) => id))
  const acknowledged = answers.filter(({ status }) => status === 201).map(({ body }) => body.passport.id)
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
}

describe('connections that are lost inside transactions', () => {
  test('are replaced, 20 times over: nothing acknowledged is lost, nothing hangs, no connection is leaked', async () => {
    const writing = writers(gateway, workspace)
    for (let round = 0; round < 20; round += 1) {
      await cut(gateway)
      await writing.next()
    }
    await expect.poll(async () => (await create(gateway, workspace)).status, { timeout: 5000, interval: 20 }).toBe(201)
    await writing.stop()
    assertHonest(writing.answers)
    expect(writing.answers.some(({ status }) => status === 503)).toBe(true)
    await assertNothingLost(gateway, workspace, writing.answers)
    const { database } = gateway.container.cradle
    const idle = expect.objectContaining({ busy: 0, waiting: 0 })
    await expect.poll(() => database.connections()).toEqual({ app: idle, lookup: idle })
    expect(database.connectionsOf(workspace.id)).toBe(0)
  })

  test('are answered with 503 in the form of the route, and asked for by no credential', async () => {
    const [row] = await gateway.sql<{ name: string }>('select current_database() as name')
    await gateway.sql(`alter database ${row?.name} connection limit 0`)
    try {
      await cut(gateway)
      const answers = await Promise.all([
        create(gateway, workspace),
        gateway.request('GET', '/api/v1/whoami', { headers: workspace.as }),
        gateway.request('GET', '/passport/00000000-0000-4000-8000-000000000000', { headers: { accept: 'text/html' } }),
        gateway.request('GET', '/passport/00000000-0000-4000-8000-000000000000'),
      ])
      for (const { status, headers } of answers) expect([status, headers['retry-after']]).toEqual([503, '2'])
      const [, whoami, page, json] = answers
      expect(whoami?.body).toEqual({
        success: false,
        error: 'Service Unavailable',
        message: 'The database is temporarily unavailable. Retry later.',
        requestId: expect.any(String),
      })
      expect(page?.headers['content-type']).toMatch(/^text\/html/)
      expect(json?.body).not.toHaveProperty('success')
      await expect.poll(async () => (await gateway.request('GET', '/health')).status).toBe(503)
    } finally {
      await gateway.sql(`alter database ${row?.name} connection limit -1`)
    }
    await expect.poll(async () => (await gateway.request('GET', '/health')).status, { timeout: 5000 }).toBe(200)
    expect((await create(gateway, workspace)).status).toBe(201)
  })

  test('do not keep a gateway from closing', async () => {
    const short = await startTestGateway({ LOG_LEVEL: 'silent' })
    const owner = await createWorkspace(short)
    const writing = writers(short, owner)
    for (let round = 0; round < 12; round += 1) {
      await writing.next()
      await cut(short)
    }
    await writing.stop()
    await short.close()
  })

  test('do not keep a process from ending after SIGTERM', async () => {
    const running = await startProcess({
      DATABASE_URL: gateway.databaseUrl,
      MASTER_KEY,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'silent',
      BASE_URL: 'https://dpp.example.test',
    })
    await running.printed('is ready')
    const send = () => {
      product += 1
      return fetch(`${running.url}/api/v1/passports`, {
        method: 'POST',
        headers: { ...workspace.as, 'content-type': 'application/json' },
        body: JSON.stringify({ productId: `TERM-${product}`, metadata: textile() }),
      }).then(({ status }) => status)
    }
    for (let round = 0; round < 12; round += 1) {
      const sent = Promise.all(Array.from({ length: WRITERS }, send))
      await cut(gateway)
      for (const status of await sent) expect([201, 503]).toContain(status)
    }
    const tooLate = new Promise((resolve) => setTimeout(resolve, 10_000, 'still running').unref())
    expect(await Promise.race([running.end('SIGTERM'), tooLate])).toBe(0)
  })
})

describe('/health', () => {
  test('asks the way that writes go: reads alone are no health', async () => {
    const role = new URLSearchParams(gateway.urlOf('app').split('?')[1]).get('user')
    const superuser = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
    await superuser.connect()
    try {
      await superuser.query(`alter role ${role} nologin`)
      await superuser.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role])
      await gateway.container.cradle.database.lookup.run(ONE)
      await expect.poll(async () => (await gateway.request('GET', '/health')).status, { timeout: 5000 }).toBe(503)
    } finally {
      await superuser.query(`alter role ${role} login`)
      await superuser.end()
    }
    await expect.poll(async () => (await gateway.request('GET', '/health')).status, { timeout: 5000 }).toBe(200)
  })

  test('asks the database once a second, however many ask', async () => {
    const ping = vi.spyOn(gateway.container.cradle.database, 'ping')
    await Promise.all(Array.from({ length: 100 }, () => gateway.request('GET', '/health')))
    expect(ping.mock.calls.length).toBeLessThan(10)
    ping.mockRestore()
  })
})

test('a database that goes silent does not keep a gateway from closing', { timeout: 60_000 }, async () => {
  const proxy = await openProxy(await createPreparedDatabase(MASTER_KEY))
  const behind = await startTestGateway({ DATABASE_URL: proxy.url, LOG_LEVEL: 'silent' })
  const owner = await createWorkspace(behind)
  expect((await create(behind, owner)).status).toBe(201)
  proxy.silence()
  const unanswered = create(behind, owner).catch(() => 'cut off')
  const { database } = behind.container.cradle
  await expect.poll(() => database.connections().lookup.busy).toBeGreaterThan(0)
  const tooLate = new Promise((resolve) => setTimeout(resolve, 25_000, 'still open').unref())
  expect(await Promise.race([behind.stop(), tooLate])).toBe(undefined)
  await unanswered
  await proxy.close()
})

/** Message of PostgreSQL to a terminated session. */
function terminated(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const head = Buffer.from('E....')
  head.writeInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, fields])
}

test('a connection that the server ends as soon as it opens fails its work, not the process', async () => {
  const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')
  let ended = 0
  const proxy = await openProxy(gateway.databaseUrl, () => ({
    received: (chunk) => {
      if (!chunk.includes(READY)) return chunk
      ended += 1
      return Buffer.concat([chunk, terminated()])
    },
  }))
  const database = new Database({
    urls: urlsBy(proxy),
    log: gateway.container.cradle.log,
    connectionWait: BOUNDS.connectionWait,
    connections: connectionShares(gateway.container.cradle.config),
  })
  const unhandled: Error[] = []
  const note = (error: Error) => unhandled.push(error)
  process.prependListener('uncaughtException', note)
  const error = await database.lookup.run(ONE).catch((error) => error)
  process.off('uncaughtException', note)
  expect(unhandled).toEqual([])
  expect(isPassing(error), String(error)).toBe(true)
  expect(ended).toBeGreaterThan(0)
  await database.close()
  await proxy.close()
})

test('an ended listener leaves no connection behind while a lost one is being replaced', async () => {
  let stopAtOnce = () => {}
  const proxy = await openProxy(gateway.databaseUrl, () => ({
    sent: (chunk) => {
      if (chunk.includes('listen passport_changed')) stopAtOnce()
      return chunk
    },
  }))
  const database = new Database({
    urls: urlsBy(proxy),
    log: gateway.container.cradle.log,
    connectionWait: BOUNDS.connectionWait,
    connections: connectionShares(gateway.container.cradle.config),
  })
  const connections = async () => {
    const [{ count = -1 } = {}] = await gateway.sql<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and query = 'listen passport_changed'`,
    )
    return count
  }
  const before = await connections()
  const stop = publicCache({ ...gateway.container.cradle, database }).follow()
  await expect.poll(connections).toBe(before + 1)
  const stopped = new Promise<void>((resolve) => {
    stopAtOnce = () => resolve(stop())
  })
  proxy.cut()
  await stopped
  await expect.poll(connections).toBe(before)
  await Promise.all([database.close(), proxy.close()])
})

test('a statement that a silent database never answers is given up, and its connection with it', async () => {
  const proxy = await openProxy(gateway.databaseUrl)
  const database = new Database({
    urls: urlsBy(proxy),
    log: gateway.container.cradle.log,
    answeredWithin: 200,
    connectionWait: BOUNDS.connectionWait,
    connections: connectionShares(gateway.container.cradle.config),
  })
  await database.ping()
  proxy.silence()
  const [written, read] = await Promise.all([
    database
      .forTenant(workspace.id)
      .run(ONE)
      .catch((error) => error),
    database.lookup.run(ONE).catch((error) => error),
  ])
  for (const error of [written, read]) expect(isPassing(error), String(error)).toBe(true)
  const none = { open: 0, busy: 0, waiting: 0 }
  expect(database.connections()).toEqual({ app: none, lookup: none })
  expect(database.connectionsOf(workspace.id)).toBe(0)
  await database.close()
  await proxy.close()
})

test('PostgreSQL is restarted under load: the gateway works again within five seconds, and nothing is lost', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dpp-restart-'))
  await chmod(dataDir, 0o711)
  await preparedDataDir(dataDir)
  const options = { dataDir, log: () => {} }
  const postgres = await openEmbeddedPostgres(options)
  try {
    const own = await startTestGateway({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' }, { clusterDir: dataDir })
    const owner = await createWorkspace(own)
    const writing = writers(own, owner)
    const place = await prepare(dataDir, options)
    for (const mode of ['immediate', 'fast']) {
      await writing.next()
      await pgCtl(place, ['restart', '-m', mode, '-w', '-l', place.logFile])
      await expect.poll(async () => (await create(own, owner)).status, { timeout: 5000, interval: 20 }).toBe(201)
      await expect
        .poll(async () => (await own.request('GET', '/health')).status, { timeout: 5000, interval: 20 })
        .toBe(200)
    }
    await writing.stop()
    assertHonest(writing.answers)
    await assertNothingLost(own, owner, writing.answers)
    await own.close()
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
