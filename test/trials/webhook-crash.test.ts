import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WEBHOOK_DELIVERIES } from '../../src/jobs/outbox.ts'
import { createWorkspace, MASTER_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { expireHeartbeats } from '../support/jobs.ts'
import { passportClient } from '../support/passport-client.ts'
import { type GatewayProcess, startProcess } from '../support/process.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

// Processes that die during a delivery. Requests go to a gateway that delivers nothing itself.

let gateway: TestGateway
let webhooks: ReturnType<typeof webhookClient>
let passports: ReturnType<typeof passportClient>
let receiver: WebhookReceiver
/** Passport of the event that is delivered. */
let passport: string
let running: GatewayProcess | undefined

beforeAll(async () => {
  gateway = await startTestGateway()
  await gateway.container.cradle.webhookDelivery.stop(0)
  const workspace = await createWorkspace(gateway)
  webhooks = webhookClient(gateway, workspace.as)
  passports = passportClient(gateway, workspace.as)
})
afterEach(async () => {
  for (const { id } of (await webhooks.list()).body.subscriptions) await webhooks.remove(id)
  await receiver.close()
})
afterAll(async () => {
  await running?.end('SIGKILL')
  await gateway.close()
})

async function start(): Promise<GatewayProcess> {
  running = await startProcess({
    DATABASE_URL: gateway.databaseUrl,
    MASTER_KEY,
    BASE_URL: 'https://dpp.example.test',
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_PRIVATE: 'on',
  })
  await running.printed('is ready')
  return running
}

/** A process during a delivery to a silent receiver: the previous test's, if any. */
async function delivering(): Promise<GatewayProcess> {
  receiver = await startReceiver()
  receiver.mode = 'hang'
  receiver.verifyWith((await webhooks.given(receiver.url)).secret)
  const delivering = running ?? (await start())
  passport = (await passports.given()).id
  await expect.poll(() => receivedEvents().length, { timeout: 10_000 }).toBe(1)
  return delivering
}

/** Without events of an earlier test, which the process that was killed may have transferred and not recorded. */
const receivedEvents = () => receiver.received.filter(({ body }) => body.data.id === passport)

async function assertRedelivered(): Promise<void> {
  await expect.poll(() => receivedEvents().length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  // At-least-once delivery: a slow process may lose a started job.
  const [first] = receivedEvents()
  for (const { id, text } of receivedEvents()) expect([id, text]).toEqual([first?.id, first?.text])
  const delivery = async () =>
    (await webhooks.deliveries()).find(({ webhookId }: { webhookId: string }) => webhookId === first?.id)
  await expect.poll(async () => (await delivery()).status).toBe('DELIVERED')
  // An unrecorded attempt does not count.
  expect((await delivery()).attempts).toMatchObject([{ statusCode: 204 }])
}

const SLOW = { timeout: 90_000 }

test('a delivery whose process was killed is made by another, under the same id', SLOW, async () => {
  const victim = await delivering()
  await victim.end('SIGKILL')
  await expireHeartbeats(gateway, WEBHOOK_DELIVERIES)
  receiver.mode = 'ok'
  await start()
  await assertRedelivered()
})

test('a process that is stopped passes unfinished work to another', SLOW, async () => {
  const stopped = await delivering()
  expect(await stopped.end('SIGTERM')).toBe(0)
  const waiting = `select state from pgboss.job where name = 'webhook-delivery' and state < 'completed'`
  expect(await gateway.sql(waiting)).toEqual([{ state: 'retry' }])
  receiver.mode = 'ok'
  await start()
  await assertRedelivered()
})

test('an event of a process that was killed before the transfer is transferred by the next', SLOW, async () => {
  await running?.end('SIGKILL')
  receiver = await startReceiver()
  receiver.verifyWith((await webhooks.given(receiver.url)).secret)
  const { id } = await passports.given()
  expect(receiver.received).toEqual([])
  await start()
  // An event of the previous test may be repeated.
  await expect.poll(() => receiver.received.map(({ body }) => body.data.id), { timeout: 15_000 }).toContain(id)
})
