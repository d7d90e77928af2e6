import { afterAll, expect, test } from 'vitest'
import { REGISTRATIONS } from '../../plugins/modules/registry/registration-job.ts'
import { startMessageQueue } from '../../src/jobs/message-queue.ts'
import type { MessageQueue, MessageWorker } from '../../src/plugin/contracts.ts'
import { BASE_URL, MASTER_KEY } from '../support/gateway.ts'
import { expireHeartbeats } from '../support/jobs.ts'
import { expectStatus } from '../support/passport-client.ts'
import { startProcess } from '../support/process.ts'
import { givenRegistrable, openRegistry } from '../support/registry.ts'
import { useGateway } from '../support/use-gateway.ts'

const registry = await openRegistry()
afterAll(() => registry.close())
const NAMED = { REGISTRY_URL: registry.url, REGISTRY_TOKEN: 'registry-secret-0123456789' }
const { gateway, workspace } = await useGateway(NAMED)

test("a process that dies after the registry's response leaves nothing undone", { timeout: 120_000 }, async () => {
  const passport = await givenRegistrable(gateway, workspace)
  const path = `/api/v1/passports/${passport.id}/registration`
  const read = async () => expectStatus(200, await gateway.request('GET', path, { headers: workspace.as })).body
  // Leaves the job to the process that dies.
  const { cradle } = gateway.container
  await cradle.boss.offWork(REGISTRATIONS)
  const env = { BASE_URL, MASTER_KEY, DATABASE_URL: gateway.databaseUrl, RATE_LIMITS: 'off', DEMO: 'off' }
  const victim = await startProcess({ ...env, ...NAMED })
  try {
    await victim.printed('is ready at')
    let died: Promise<unknown> | undefined
    registry.before = async () => {
      // The response goes to a dead process and is never stored.
      died ??= victim.end('SIGKILL')
      await died
    }
    expectStatus(202, await gateway.request('POST', path, { headers: workspace.as }))
    await expect.poll(() => died).toBeDefined()
    await died
    expect((await read()).registration.state).toBe('PENDING')
  } finally {
    await victim.end('SIGKILL')
    const queue = cradle.plugins.queues.find(({ name }) => name === REGISTRATIONS) as MessageQueue
    await startMessageQueue(queue, gateway.container.resolve<MessageWorker>('registrations'), cradle)
  }
  await expireHeartbeats(gateway, REGISTRATIONS)
  await expect.poll(async () => (await read()).registration.state, { timeout: 60_000 }).toBe('REGISTERED')
  const registered = registry.registered.filter(({ entry }) => entry.upi === passport.digitalLinkUri)
  expect(registered).toHaveLength(2)
  expect(registered[1]).toEqual(registered[0])
  expect((await read()).registration).toMatchObject({ isCurrent: true, reason: null })
})
