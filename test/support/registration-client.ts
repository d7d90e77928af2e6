import { afterAll, beforeEach, expect } from 'vitest'
import { REGISTRATIONS } from '../../plugins/modules/registry/registration-job.ts'
import { createWorkspace, startTestGateway } from './gateway.ts'
import { hurry, wake } from './jobs.ts'
import { expectStatus, passportClient } from './passport-client.ts'
import { givenRegistrable, openRegistry } from './registry.ts'

export const TOKEN = 'registry-secret-0123456789'

/** Named, because the library exports no type for it. */
interface Polled extends ReturnType<typeof expect.poll> {}

/**
 * Starts a registry, a gateway that registers with it, and one of the same database without a registry. Closed after
 * the last test; the registry is reset before each test.
 */
export async function useRegistry() {
  const registry = await openRegistry()
  const gateway = await startTestGateway(
    { REGISTRY_URL: registry.url, REGISTRY_TOKEN: TOKEN },
    // A response takes a fraction of it; a silent registry takes all of it.
    { bounds: { registryTimeout: 1000 } },
  )
  const without = await startTestGateway({ DATABASE_URL: gateway.databaseUrl })
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  afterAll(async () => {
    await without.close()
    await gateway.close()
    await registry.close()
  })
  beforeEach(() => {
    registry.mode = 'well'
    registry.before = async () => {}
  })

  const given = (more: object = {}) => givenRegistrable(gateway, workspace, more)

  const read = async (id: string, at = gateway) =>
    expectStatus(200, await at.request('GET', `/api/v1/passports/${id}/registration`, { headers: workspace.as })).body
  const ask = (id: string, { at = gateway, as = workspace.as } = {}) =>
    at.request('POST', `/api/v1/passports/${id}/registration`, { headers: as })
  const resolved = async (id: string) => (await gateway.request('GET', `/passport/${id}`)).body
  const auditDetails = (passport: { digitalLinkUri: string }) =>
    registry.registered.filter(({ entry }) => entry.upi === passport.digitalLinkUri)
  const stateOf = async (id: string) => (await read(id)).registration?.state
  /** Failure notifications of the workspace. */
  async function failureNotifications(id: string): Promise<{ message: string }[]> {
    const { body } = await gateway.request('GET', '/api/v1/notifications?limit=200', { headers: workspace.as })
    return body.notifications.filter(
      ({ type, subjectId }: { type: string; subjectId: string }) => type === 'registration.failed' && subjectId === id,
    )
  }
  /** Polls `check` and wakes every worker each time. */
  const until = (check: () => unknown): Polled =>
    expect.poll(
      () => {
        wake(gateway, REGISTRATIONS)
        return check()
      },
      { timeout: 60_000, interval: 20 },
    )
  /** Like `until`, and lets retry delays of a passport expire. */
  const untilHurried = (passportId: string, check: () => unknown) =>
    until(async () => {
      await hurry(gateway, REGISTRATIONS, { passportId })
      return check()
    })

  async function registered() {
    const passport = await given()
    expectStatus(202, await ask(passport.id))
    await until(() => stateOf(passport.id)).toBe('REGISTERED')
    return passport
  }

  return {
    registry,
    gateway,
    without,
    workspace,
    passports,
    given,
    read,
    ask,
    resolved,
    auditDetails,
    stateOf,
    failureNotifications,
    until,
    untilHurried,
    registered,
  }
}
