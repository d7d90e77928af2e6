import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import type { Role } from '../../src/storage/database-roles.ts'
import { MASTER_KEY, startTestGateway, superuserUrl } from '../support/gateway.ts'
import { startProcess } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace } = await useGateway()

const ready = async () => {
  const { status, headers, body } = await gateway.request('GET', '/ready')
  return { status, retryAfter: headers['retry-after'], reason: body.message ?? body.status }
}
const READY = { status: 200, retryAfter: undefined, reason: 'READY' }
const POLLED = { timeout: 60_000, interval: 100 }

/** Runs `work` while a role cannot log in and has no sessions. */
async function withoutRole(role: Role, work: () => Promise<void>): Promise<void> {
  const name = new URLSearchParams(gateway.urlOf(role).split('?')[1]).get('user') ?? ''
  const superuser = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
  await superuser.connect()
  try {
    await superuser.query(`alter role ${pg.escapeIdentifier(name)} nologin`)
    await superuser.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [name])
    await work()
  } finally {
    await superuser.query(`alter role ${pg.escapeIdentifier(name)} login`)
    await superuser.end()
  }
}

describe('/ready', () => {
  test('answers 200 while database and queue answer', async () => {
    expect(await ready()).toEqual(READY)
  })

  test.each([
    ['app', 'The database does not respond.', 503],
    ['lookup', 'The database does not respond.', 503],
    ['jobs', 'The job queue does not respond.', 200],
  ] as const)('answers 503 without the role %s: %s', async (role, reason, health) => {
    await withoutRole(role, async () => {
      await expect.poll(ready, POLLED).toEqual({ status: 503, retryAfter: '2', reason })
      // Liveness is a separate check.
      expect((await gateway.request('GET', '/health')).status).toBe(health)
    })
    await expect.poll(ready, POLLED).toEqual(READY)
  })

  test('asks once a second, however many ask', async () => {
    const { database, boss } = gateway.container.cradle
    const spies = [vi.spyOn(database, 'ping'), vi.spyOn(boss.getDb(), 'executeSql')]
    await Promise.all(Array.from({ length: 100 }, ready))
    for (const spy of spies) {
      // Without the queue's own statements.
      expect(spy.mock.calls.filter(([text]) => !/insert|update|delete|with/i.test(String(text))).length).toBeLessThan(
        10,
      )
      spy.mockRestore()
    }
  })

  test('says that the gateway stops, before it stops to answer', async () => {
    const stopping = await startTestGateway({ DATABASE_URL: gateway.databaseUrl, DRAIN_SECONDS: '3' })
    expect((await stopping.request('GET', '/ready')).status).toBe(200)
    const stopped = stopping.stop()
    const { status, body } = await stopping.request('GET', '/ready')
    expect([status, body]).toEqual([503, { error: 'Service Unavailable', message: 'The gateway is shutting down.' }])
    expect((await stopping.request('GET', '/health')).status).toBe(200)
    expect((await stopping.request('GET', '/api/v1/whoami', { headers: workspace.as })).status).toBe(200)
    await stopped
    await expect(stopping.request('GET', '/ready')).rejects.toThrow('ECONNREFUSED')
  })
})

test('SIGTERM: not ready, still serving, and then exit code 0', async () => {
  const env = { DATABASE_URL: gateway.databaseUrl, MASTER_KEY, DRAIN_SECONDS: '4', LOG_LEVEL: 'silent' }
  const running = await startProcess(env)
  await running.printed('is ready at')
  const statusOf = async (path: string) => (await fetch(running.url + path)).status
  expect(await statusOf('/ready')).toBe(200)
  const ended = running.end('SIGTERM')
  await expect.poll(() => statusOf('/ready'), { timeout: 4000, interval: 20 }).toBe(503)
  expect(await statusOf('/health')).toBe(200)
  expect(await ended).toBe(0)
})
