import { describe, expect, test } from 'vitest'
import { startTestGateway } from '../../../test/support/gateway.ts'
import { hurry } from '../../../test/support/jobs.ts'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { TOKEN, useRegistry } from '../../../test/support/registration-client.ts'
import { whole } from '../../../test/support/registry.ts'
import { REGISTRATIONS } from './registration-job.ts'

const {
  registry,
  gateway,
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
} = await useRegistry()

describe('a registry that misbehaves', () => {
  test.each([
    ['sends too much', 'The response has more than'],
    ['redirects', 'responded with 307'],
    ['sends no JSON', 'no valid registration identifier'],
    ['sends JSON of another kind', 'no valid registration identifier'],
    ['fails', 'responded with 500'],
  ] as const)('%s: it is asked again, and the reason is shown', async (mode, reason) => {
    registry.mode = mode
    const passport = await given()
    expectStatus(202, await ask(passport.id))
    await until(async () => (await read(passport.id)).registration.reason).toContain(reason)
    expect(await stateOf(passport.id)).toBe('PENDING')
    registry.mode = 'well'
    await untilHurried(passport.id, () => stateOf(passport.id)).toBe('REGISTERED')
    expect((await read(passport.id)).registration.reason).toBeNull()
    expect(registry.requests).not.toContain('POST /elsewhere')
  })

  test('one that fails once is asked again by itself', async () => {
    registry.mode = 'fails once'
    const passport = await given()
    expectStatus(202, await ask(passport.id))
    await untilHurried(passport.id, () => stateOf(passport.id)).toBe('REGISTERED')
    expect(auditDetails(passport)).toHaveLength(2)
    expect(auditDetails(passport)[1]).toEqual(auditDetails(passport)[0])
    expect((await read(passport.id)).registration.reason).toBeNull()
    expect(await failureNotifications(passport.id)).toEqual([])
  })

  test.each([
    ['refuses the credentials', 'The registry responded with 401: who are you?'],
    ['forbids it', 'The registry responded with 403: not you'],
  ] as const)('one that %s is not asked again, with a notification', async (mode, reason) => {
    registry.mode = mode
    const passport = await given()
    expectStatus(202, await ask(passport.id))
    await until(() => stateOf(passport.id)).toBe('FAILED')
    const expectedReason = `${reason} Contact the operator of the gateway to correct REGISTRY_TOKEN.`
    expect((await read(passport.id)).registration.reason).toBe(expectedReason)
    expect((await failureNotifications(passport.id)).map(({ message }) => message)).toEqual([
      expect.stringContaining(expectedReason),
    ])
    expect(auditDetails(passport)).toHaveLength(1)
    const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data ->> 'passportId' = $1`
    await until(() => gateway.sql(open, [passport.id])).toEqual([])
    // After a correction it is retried.
    registry.mode = 'well'
    expectStatus(202, await ask(passport.id))
    await until(() => stateOf(passport.id)).toBe('REGISTERED')
  })

  test('one that is slow with a passport holds up no other', async () => {
    const slow = await given()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    registry.before = async () => {
      if (registry.registered.at(-1)?.entry.upi === slow.digitalLinkUri) await released
    }
    expectStatus(202, await ask(slow.id))
    await until(() => auditDetails(slow).length).toBe(1)
    await registered()
    expect(await stateOf(slow.id)).toBe('PENDING')
    release()
    await until(() => stateOf(slow.id)).toBe('REGISTERED')
  })

  test('one that never answers is given up, and asked again', async () => {
    registry.mode = 'is slow'
    const { id } = await given()
    expectStatus(202, await ask(id))
    await until(async () => (await read(id)).registration.reason).toContain('no complete response')
    expect(await stateOf(id)).toBe('PENDING')
    registry.mode = 'well'
    await untilHurried(id, () => stateOf(id)).toBe('REGISTERED')
  })

  test('the last failing attempt sends a notification', async () => {
    registry.mode = 'fails'
    const { id } = await given()
    expectStatus(202, await ask(id))
    await until(async () => (await read(id)).registration.reason).toContain('500')
    const last = () => hurry(gateway, REGISTRATIONS, { passportId: id }, 'retry_count = retry_limit - 1')
    await until(last).toBe(1)
    await until(() => stateOf(id)).toBe('FAILED')
  })

  test('one that knows the passport already has registered it', async () => {
    registry.mode = 'knows it'
    const { id } = await registered()
    expect((await read(id)).registration).toMatchObject({ state: 'REGISTERED', isCurrent: true, proof: null })
    registry.mode = 'knows it and does not say as what'
    const { identifier } = (await read(id)).registration
    expectStatus(202, await ask(id))
    await until(() => stateOf(id)).toBe('REGISTERED')
    expect((await read(id)).registration.identifier).toBe(identifier)
    const unknown = await given()
    expectStatus(202, await ask(unknown.id))
    await until(() => stateOf(unknown.id)).toBe('FAILED')
  })

  test('a repeated secret is never shown', async () => {
    registry.mode = 'refuses and repeats the secret'
    const { id } = await given()
    expectStatus(202, await ask(id))
    await until(() => stateOf(id)).toBe('FAILED')
    const { registration } = await read(id)
    expect(registration.reason).toBe('The registry responded with 422.')
    const { text } = await gateway.request('GET', '/api/v1/notifications', { headers: workspace.as })
    expect(text).toContain('The registry responded with 422.')
    expect(text).not.toContain(TOKEN)
    // The queue's failure reasons contain it neither.
    const rows = await gateway.sql(`select output::text, data::text from pgboss.job where name = 'registration'`)
    expect(JSON.stringify(rows)).not.toContain(TOKEN)
  })

  test('a passport that changes during its registration is registered again', async () => {
    const passport = await given()
    let isFirst = true
    registry.before = async () => {
      if (!isFirst) return
      isFirst = false
      const json = { metadata: whole({ size: 'L' }), changeReason: 'Meanwhile' }
      expectStatus(200, await passports.revise(passport.id, json))
    }
    expectStatus(202, await ask(passport.id))
    await until(() => auditDetails(passport).length).toBe(2)
    await until(async () => (await read(passport.id)).registration.isCurrent).toBe(true)
    expect((await resolved(passport.id)).registration.hash).toBe((await read(passport.id)).hash)
  })
})

describe('several gateways with one registry', () => {
  test('two processes register each passport once, even concurrently', async () => {
    const second = await startTestGateway({
      DATABASE_URL: gateway.databaseUrl,
      REGISTRY_URL: registry.url,
      REGISTRY_TOKEN: TOKEN,
    })
    try {
      const several = []
      for (let made = 0; made < 6; made += 1) several.push(await given())
      const gatewayAt = (place: number) => (place % 2 === 0 ? gateway : second)
      const answers = await Promise.all(several.map(({ id }, place) => ask(id, { at: gatewayAt(place) })))
      expect(answers.map(({ status }) => status)).toEqual(several.map(() => 202))
      for (const { id } of several) await until(() => stateOf(id)).toBe('REGISTERED')
      expect(several.map((passport) => auditDetails(passport).length)).toEqual(several.map(() => 1))

      const one = await given()
      const both = await Promise.all([ask(one.id), ask(one.id, { at: second })])
      expect(both.map(({ status }) => status)).toEqual([202, 202])
      const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data ->> 'passportId' = $1`
      await until(() => gateway.sql(open, [one.id])).toEqual([])
      const { registration } = await read(one.id)
      expect(registration).toMatchObject({ state: 'REGISTERED', isCurrent: true })
      expect(await read(one.id, second)).toEqual(await read(one.id))
      expect(new Set(auditDetails(one).map(({ entry }) => JSON.stringify(entry))).size).toBe(1)
    } finally {
      await second.close()
    }
  })
})
