import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from '../support/exposition.ts'
import {
  bearer,
  createWorkspace,
  MASTER_KEY,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { childrenOf, freePort, type GatewayProcess, isAlive, startDpp, startProcess } from '../support/process.ts'

let setUp: TestGateway
let env: Record<string, string>
/** Key of a workspace without a limit per key. */
let headers: Record<string, string>
let workspaceId: string

beforeAll(async () => {
  setUp = await startTestGateway()
  const { id, as } = await createWorkspace(setUp)
  workspaceId = id
  headers = { ...as, 'content-type': 'application/json' }
  env = { DATABASE_URL: setUp.databaseUrl, MASTER_KEY, DEMO: 'off' }
})
afterAll(() => setUp.close())

async function startWorkers(workers: number, more: Record<string, string> = {}): Promise<GatewayProcess> {
  const started = await startProcess({ ...env, WORKERS: String(workers), ...more })
  await started.printed(`with ${workers} workers`)
  return started
}

const create = ({ url }: GatewayProcess, productId = newGtin()) =>
  fetch(`${url}/api/v1/passports`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ productId, metadata: textile() }),
  })

async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0)
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
}

/** A request that waits for a lock of this test. */
async function requestInFlight(group: GatewayProcess) {
  const holder = new pg.Client({ connectionString: setUp.inspectorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query(`select set_config('app.tenant', $1, true)`, [workspaceId])
  await holder.query('select 1 from workspace where id = $1 for update', [workspaceId])
  const answer = create(group)
  await expect
    .poll(() =>
      setUp.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and usename like 'dpp\\_app%'`),
    )
    .toHaveLength(1)
  return { answer, release: () => holder.end() }
}

describe('two workers', () => {
  let group: GatewayProcess
  let metricsPort: number

  beforeAll(async () => {
    metricsPort = await freePort()
    // The next one is for the second worker.
    await freePort()
    group = await startWorkers(2, { METRICS_PORT: String(metricsPort) })
  })
  afterAll(() => group.end('SIGKILL'))

  const whoami = (key: Record<string, string>) =>
    fetch(`${group.url}/api/v1/whoami`, { headers: key }).then(async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    })
  const newKey = async () => {
    const { id } = await createWorkspace(setUp, { plan: 'growth' })
    return bearer((await setUp.container.cradle.workspaces.createKey({ workspaceId: id, role: 'AUDITOR' })).key)
  }
  const answeredBy = (worker: number) =>
    sampleOf(
      { metricsOrigin: `http://127.0.0.1:${metricsPort + worker - 1}` },
      'dpp_http_request_duration_seconds_count',
      { operation: 'whoami' },
    )

  test('answer on one port and count rate limits together; each has its metrics', async () => {
    const key = await newKey()
    const statuses = await Promise.all(Array.from({ length: 300 }, () => whoami(key)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(180)
    for (const worker of [1, 2]) expect(await answeredBy(worker), `worker ${worker}`).toBeGreaterThan(0)
  })

  test('count on their own if the primary does not respond', async () => {
    const key = await newKey()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const status = () =>
      new Promise<number | undefined>((resolve, reject) => {
        get(`${group.url}/api/v1/whoami`, { agent, headers: key }, (answer) =>
          answer.resume().on('end', () => resolve(answer.statusCode)),
        ).on('error', reject)
      })
    expect(await status()).toBe(200)
    group.process.kill('SIGSTOP')
    try {
      expect(await status()).toBe(200)
    } finally {
      group.process.kill('SIGCONT')
      agent.destroy()
    }
  })

  const statusOnNewConnection = () =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${group.url}/health`, { agent: false }, (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode)),
      ).on('error', reject)
    })

  test('accept connections themselves: one that no longer responds gets no new ones', async () => {
    const [stalled] = (await childrenOf(group.process.pid)) as [number]
    process.kill(stalled, 'SIGSTOP')
    try {
      for (let connection = 0; connection < 4; connection += 1) expect(await statusOnNewConnection()).toBe(200)
    } finally {
      process.kill(stalled, 'SIGCONT')
    }
  })

  test('that a terminal interrupts finish requests in flight', async () => {
    const workers = await childrenOf(group.process.pid)
    const { answer, release } = await requestInFlight(group)
    for (const pid of workers) process.kill(pid, 'SIGINT')
    const ended = group.end('SIGINT')
    await group.printed('finishing requests in flight')
    for (const pid of workers) process.kill(pid, 'SIGINT')
    await release()
    expect((await answer).status).toBe(201)
    expect(await ended).toBe(0)
    expect(group.output()).not.toContain('replaced')
    await expectGone(workers)
  })
})

test('four workers under load never have more connections than DATABASE_CONNECTIONS, and a killed one is replaced without a lost write', async () => {
  const own = await startTestGateway()
  const workspaces = [await createWorkspace(own), await createWorkspace(own)]
  await own.stop()
  const watcher = new pg.Client({ connectionString: own.inspectorUrl })
  await watcher.connect()
  const group = await startWorkers(4, {
    ...{ DATABASE_URL: own.databaseUrl, DATABASE_CONNECTIONS: '24', RATE_LIMITS: 'off' },
  })
  let max = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { rows } = await watcher.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity
         where datname = current_database() and usename <> current_user`,
      )
      max = Math.max(max, rows[0]?.count ?? 0)
    }
  })()
  const acknowledged: string[] = []
  const failed: string[] = []
  const clients = Array.from({ length: 32 }, async (_, client) => {
    const { as } = workspaces[client % 2] as TestWorkspace
    /** Undefined if the connection was cut. */
    const send = async (method: string, path: string, json?: object) => {
      const answer = await fetch(`${group.url}${path}`, {
        method,
        headers: { ...as, 'content-type': 'application/json' },
        ...(json && { body: JSON.stringify(json) }),
      }).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer === undefined || text === undefined) return undefined
      if (answer.status >= 400) failed.push(`${answer.status} ${text}`)
      return JSON.parse(text) as { passport?: { id: string } }
    }
    while (!isOver) {
      const productId = newGtin()
      const created = await send('POST', '/api/v1/passports', { productId, metadata: textile() })
      if (created?.passport === undefined) continue
      acknowledged.push(productId)
      await send('POST', `/api/v1/passports/${created.passport.id}/seal`)
      await send('GET', '/api/v1/passports?limit=50')
      await send('GET', `/01/${productId}`)
    }
  })
  for (const rank of [0, 1]) {
    const workers = await childrenOf(group.process.pid)
    expect(workers).toHaveLength(4)
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 30)
    process.kill(workers[rank] as number, 'SIGKILL')
    await group.printed(new RegExp(`(?:Worker \\d ended \\(SIGKILL\\)[^]*){${rank + 1}}`))
    const killedAt = acknowledged.length
    await expect.poll(() => acknowledged.length).toBeGreaterThan(killedAt + 30)
    await expect.poll(async () => (await childrenOf(group.process.pid)).length).toBe(4)
  }
  isOver = true
  await Promise.all([watching, ...clients])
  await watcher.end()
  expect(failed).toEqual([])
  expect(max).toBeLessThanOrEqual(24)
  // Otherwise the load was too small to reach the limit.
  expect(max).toBeGreaterThan(16)
  const stored = await Promise.all(
    workspaces.map(({ id }) =>
      own.sqlAs(id, 'select 1 from passport where tenant_id = $1 and product_id = any($2)', [id, acknowledged]),
    ),
  )
  expect(stored.flat()).toHaveLength(acknowledged.length)
  expect(await group.end('SIGTERM')).toBe(0)
  await own.close()
})

describe('the end', () => {
  test('comes immediately with a second signal, and leaves no process', async () => {
    const group = await startWorkers(2)
    const workers = await childrenOf(group.process.pid)
    const { answer, release } = await requestInFlight(group)
    const lost = expect(answer).rejects.toThrow()
    const ended = group.end('SIGTERM')
    await group.printed('finishing requests in flight')
    group.process.kill('SIGTERM')
    expect(await ended).toBe(1)
    await expectGone(workers)
    await lost
    await release()
  })

  test('comes for the workers of dpp serve --workers if the primary is killed', async () => {
    const port = await freePort()
    const group = await startDpp(['serve', '--workers', '2'], { ...env, PORT: String(port), LOG_LEVEL: 'warn' })
    await group.printed('with 2 workers')
    const workers = await childrenOf(group.process.pid)
    expect(workers).toHaveLength(2)
    expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200)
    await group.end('SIGKILL')
    await expectGone(workers)
  })
})

describe('a group that cannot start ends with one sentence and code 1', () => {
  async function refusalOf(more: Record<string, string>): Promise<string> {
    const group = await startProcess({ ...env, WORKERS: '2', ...more })
    const code = await new Promise((resolve) => group.process.once('close', resolve))
    expect(code).toBe(1)
    const sentences = group.output().match(/dpp-gateway cannot start\..*/g)
    expect(sentences).toHaveLength(1)
    return sentences?.[0] ?? ''
  }

  test('that names too few connections', async () => {
    expect(await refusalOf({ DATABASE_CONNECTIONS: '11' })).toContain(
      'Invalid DATABASE_CONNECTIONS "11": set an integer from 12 ',
    )
  })

  test('that the first worker says', async () => {
    expect(await refusalOf({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' })).toMatch(
      /127\.0\.0\.1:1 cannot be reached/,
    )
  })

  test('that the second worker says', async () => {
    const port = await freePort()
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(port + 1, '127.0.0.1', resolve))
    expect(await refusalOf({ METRICS_PORT: String(port) })).toContain(
      `METRICS_PORT: ${port + 1} on 127.0.0.1 is in use`,
    )
    taken.close()
  })
})

test('two workers share the embedded PostgreSQL and the demo, which is shown once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-workers-'))
  await preparedDataDir(folder)
  const group = await startProcess({ DATA_DIR: folder, WORKERS: '2' })
  const output = await group.printed('Stop with Ctrl-C')
  expect(output).toContain('with 2 workers')
  const key = bearer(/dpp_key_\w{8}_[\w-]{43}/.exec(output)?.[0] ?? '')
  const sealed = await fetch(`${group.url}/api/v1/passports?limit=50`, { headers: key })
  expect(await sealed.json()).toMatchObject({ success: true })
  const workers = await childrenOf(group.process.pid)
  process.kill(workers[0] as number, 'SIGKILL')
  await group.printed('is replaced')
  await expect
    .poll(async () => (await childrenOf(group.process.pid)).filter((pid) => !workers.includes(pid)))
    .toHaveLength(1)
  for (let request = 0; request < 8; request += 1) {
    expect((await fetch(`${group.url}/01/09506000134352`, { headers: { connection: 'close' } })).status).toBe(200)
  }
  expect(await group.end('SIGTERM')).toBe(0)
  expect(group.output().match(/Stop with Ctrl-C/g)).toHaveLength(1)
  await expect(stat(join(folder, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  await rm(folder, { recursive: true, force: true })
})
