import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/start/config.ts'
import { bearer, createWorkspace, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { freePort, type GatewayProcess, startProcess } from '../support/process.ts'
import { referenceTool } from '../support/reference-tools.ts'

const SERVER = referenceTool('valkey-server', 'redis-server')

describe.skipIf(SERVER === undefined)('rate limits in Valkey or Redis', () => {
  let folder: string
  let port: number
  let store: ChildProcess
  let gateway: TestGateway
  let processes: GatewayProcess[]

  const startStore = async () => {
    store = spawn(SERVER as string, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder])
    await new Promise<void>((resolve, reject) => {
      store.once('exit', () => reject(new Error('The store ended.')))
      store.stdout?.on('data', (chunk) => /ready to accept connections/i.test(String(chunk)) && resolve())
    })
  }
  const stopStore = async () => {
    store.removeAllListeners('exit')
    const gone = new Promise((resolve) => store.once('exit', resolve))
    store.kill('SIGKILL')
    await gone
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dpp-limits-'))
    port = await freePort()
    await startStore()
    // Without limits, for setup.
    gateway = await startTestGateway()
    const env = {
      DATABASE_URL: gateway.databaseUrl,
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      REDIS_URL: `redis://127.0.0.1:${port}`,
      DEMO: 'off',
    }
    processes = [await startProcess(env), await startProcess(env)]
    await Promise.all(processes.map(({ printed }) => printed('is ready')))
  })
  afterAll(async () => {
    await Promise.all(processes.map(({ end }) => end('SIGTERM')))
    await gateway.close()
    await stopStore()
    rmSync(folder, { recursive: true, force: true })
  })

  const whoami = (at: number, headers: Record<string, string>) =>
    fetch(`${processes[at % 2]?.url}/api/v1/whoami`, { headers }).then(async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    })
  const newKey = async () => {
    const { id } = await createWorkspace(gateway, { plan: 'growth' })
    return bearer((await gateway.container.cradle.workspaces.createKey({ workspaceId: id, role: 'AUDITOR' })).key)
  }

  test('two processes let a key through exactly as often as one', async () => {
    const key = await newKey()
    const statuses = await Promise.all(Array.from({ length: 300 }, (_, index) => whoami(index, key)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(statuses.filter((status) => status === 429)).toHaveLength(180)
  })

  test('without the store every process counts for itself, and together again when it is back', async () => {
    await stopStore()
    await processes[0]?.printed('rate limits are counted per process')
    await processes[1]?.printed('rate limits are counted per process')
    const single = await newKey()
    const statuses = await Promise.all(Array.from({ length: 300 }, (_, index) => whoami(index, single)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(240)
    await startStore()
    // Both must have reconnected.
    await expect
      .poll(
        async () => {
          const before = await newKey()
          const answered = await Promise.all(Array.from({ length: 250 }, (_, index) => whoami(index, before)))
          return answered.filter((status) => status === 200).length
        },
        { timeout: 60_000 },
      )
      .toBe(120)
  })

  test('a store that hangs costs a moment and refuses nothing', async () => {
    const key = await newKey()
    store.kill('SIGSTOP')
    try {
      expect(await Promise.all(Array.from({ length: 20 }, (_, index) => whoami(index, key)))).toEqual(
        Array(20).fill(200),
      )
    } finally {
      store.kill('SIGCONT')
    }
  })
})

test('a store that is not there does not keep the gateway from starting', async () => {
  const gateway = await startTestGateway({ REDIS_URL: `redis://127.0.0.1:${await freePort()}`, RATE_LIMITS: 'on' })
  expect((await gateway.request('GET', '/api/v1/version')).headers['x-ratelimit-remaining']).toBe('99')
  await gateway.close()
})

test('an invalid address is rejected without showing its password', () => {
  expect(() => loadConfig({ REDIS_URL: 'http://user:secret@cache.example' })).toThrow(/^Invalid REDIS_URL: set a redis/)
  expect(() => loadConfig({ REDIS_URL: 'http://user:secret@cache.example' })).not.toThrow(/secret/)
})
