import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createWorkspace,
  MASTER_KEY,
  newGtin,
  startTestGateway,
  type TestGateway,
  textile,
} from '../support/gateway.ts'
import { type GatewayProcess, startProcess } from '../support/process.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

// A process with a jumping clock, next to a reference with the right clock. The database's clock is right too.

const HOUR_MS = 3_600_000
const folder = await mkdtemp(join(tmpdir(), 'dpp-clock-'))
const clockFile = join(folder, 'clock')

let gateway: TestGateway
let jumping: GatewayProcess
let receiver: WebhookReceiver
let as: Record<string, string>
let workspaceId: string
let secret: string

beforeAll(async () => {
  gateway = await startTestGateway()
  await gateway.container.cradle.webhookDelivery.stop(0)
  const workspace = await createWorkspace(gateway)
  as = workspace.as
  workspaceId = workspace.id
  receiver = await startReceiver()
  secret = (await webhookClient(gateway, as).given(receiver.url)).secret
  jumping = await startProcess({
    DATABASE_URL: gateway.databaseUrl,
    MASTER_KEY,
    BASE_URL: 'https://dpp.example.test',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: 'on',
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '../support/shifted-clock.mjs')}`,
    CLOCK_FILE: clockFile,
  })
  await jumping.printed('is ready')
})
afterAll(async () => {
  expect(await jumping.end('SIGTERM')).toBe(0)
  await receiver.close()
  await gateway.close()
  await rm(folder, { recursive: true })
})

/** Shifts the process's clock by this many milliseconds and waits until it applies. */
async function jump(ahead: number): Promise<void> {
  await writeFile(clockFile, String(ahead))
  jumping.process.kill('SIGUSR2')
  const isThere = async () => {
    const { timestamp } = await call('GET', '/health')
    return Math.abs(Date.parse(timestamp) - Date.now() - ahead) < 10_000
  }
  await expect.poll(isThere, { timeout: 10_000 }).toBe(true)
}

// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they hold.
async function call(method: string, path: string, json?: object, accept = 'application/json'): Promise<any> {
  const answer = await fetch(`${jumping.url}${path}`, {
    method,
    headers: { ...as, accept, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true)
  return /json/.test(accept) ? JSON.parse(text) : text
}

/** A passport's life cycle at the process with the wrong clock. */
async function live(): Promise<string> {
  const { passport } = await call('POST', '/api/v1/passports', { productId: newGtin(), metadata: textile() })
  const at = `/api/v1/passports/${passport.id}`
  await call('PUT', at, { metadata: textile({ remarks: 'changed' }), changeReason: 'A word was wrong.' })
  await call('POST', `${at}/seal`)
  return passport.id
}

/** Verdict of the reference gateway on the seal. */
async function verdictOf(id: string): Promise<string> {
  const payload = (await gateway.request('GET', `/passport/${id}`, { headers: { accept: 'application/ld+json' } })).body
  return (await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })).body.verdict
}

test('for any clock, requests succeed, history keeps its order and the audit trail its chain', {
  timeout: 180_000,
}, async () => {
  const ids: string[] = []
  for (const ahead of [0, 2 * HOUR_MS, -2 * HOUR_MS, 26 * HOUR_MS, 0]) {
    await jump(ahead)
    const id = await live()
    ids.push(id)
    const { versions } = await call('GET', `/api/v1/passports/${id}/history`)
    const numbers = versions.map(({ version }: { version: number }) => version)
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a))
    expect(numbers.length).toBeGreaterThan(1)
    // Seals dated in the future or before the creation of their key are rejected.
    expect(await verdictOf(id), `${ahead} ms ahead`).toBe(ahead === 0 ? 'valid' : 'not valid')
  }
  // A passport changed while the clock went back keeps its order too.
  for (const ahead of [2 * HOUR_MS, -2 * HOUR_MS]) {
    await jump(ahead)
    const text = { metadata: textile({ remarks: `${ahead}` }), changeReason: 'Again.' }
    await call('POST', `/api/v1/passports/${ids[0]}/revisions`, text)
  }
  const { versions } = await call('GET', `/api/v1/passports/${ids[0]}/history`)
  const numbers = versions.map(({ version }: { version: number }) => version)
  expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a))
  const latest = await call('GET', `/passport/${ids[0]}`, undefined, 'application/ld+json')
  expect(latest.remarks).toBe(`${-2 * HOUR_MS}`)
  const sealedIn = () =>
    receiver.received.filter(({ body }) => body.event === 'passport.sealed' || body.type === 'passport.sealed')
  await expect
    .poll(() => new Set(sealedIn().map(({ body }) => body.data.id)).size, { timeout: 60_000 })
    .toBe(ids.length)
  for await (const { faults, entries } of gateway.container.cradle.auditTrail.verify(workspaceId)) {
    expect(faults).toEqual([])
    // Each passport was read at least once, in addition to the entries of setup.
    expect(entries).toBeGreaterThan(ids.length)
  }
  expect(jumping.output()).not.toMatch(/"level":(50|60)/)
})

test('a clock set back a minute at each read delays no notification', async () => {
  await writeFile(clockFile, '0 60000')
  jumping.process.kill('SIGUSR2')
  // A polling interval measured by this clock would become minutes.
  for (let round = 0; round < 3; round += 1) {
    const { passport } = await call('POST', '/api/v1/passports', { productId: newGtin(), metadata: textile() })
    await expect.poll(() => receiver.received.map(({ body }) => body.data.id)).toContain(passport.id)
  }
  await jump(0)
})

test('records of a clock that is off by less than a minute are accepted by the others', {
  timeout: 120_000,
}, async () => {
  receiver.verifyWith(secret)
  for (const ahead of [45_000, -45_000]) {
    await jump(ahead)
    const id = await live()
    expect(await verdictOf(id), `${ahead} ms ahead`).toBe('valid')
    const arrived = () => receiver.received.some(({ body: event }) => event.data.id === id)
    await expect.poll(arrived, { timeout: 60_000 }).toBe(true)
  }
})
