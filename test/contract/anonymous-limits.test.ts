import { describe, expect, test, vi } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { bearer, createWorkspace, newGtin } from '../support/gateway.ts'
import { expectRefusal, limitsOf, NONE, newAddress, repeat } from '../support/rate-limits.ts'
import { givenSubjects } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// Every test has its own addresses and workspaces, so that they share no budget.

const { gateway, workspace } = await useGateway({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
const subjects = await givenSubjects(gateway, workspace)

describe('a request without principal counts as anonymous, before any query', () => {
  /** Every database access of a request uses one of these. */
  const countStatements = () => {
    const { database } = gateway.container.cradle
    const spies = [
      vi.spyOn(database.lookup, 'run'),
      vi.spyOn(database, 'forTenant'),
      vi.spyOn(database, 'transaction'),
      vi.spyOn(database, 'ping'),
    ] as const
    return () => {
      const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
      for (const spy of spies) spy.mockRestore()
      return count
    }
  }
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)

  test('trap 8: a bad credential is 401, and counts like none: the rest of the minute is rejected without a lookup', async () => {
    const headers = { ...bearer(`dpp_key_AAAAAAAA_${'A'.repeat(43)}`), ...newAddress() }
    const call = () => gateway.request('GET', '/api/v1/whoami', { headers })
    expect(statuses(await repeat(100, call))).toEqual(Array(100).fill(401))
    const statements = countStatements()
    const refused = await repeat(50, call)
    expect(statements()).toBe(0)
    for (const answer of refused) expectRefusal(answer, 100)
  })

  test.each([
    ['an Authorization header of another scheme', { authorization: 'Basic x' }],
    ['an Authorization header without a scheme', { authorization: 'x' }],
    ['a session cookie', { cookie: 'dpp_session=x' }],
    ['a key that nobody has', bearer(`dpp_key_AAAAAAAA_${'B'.repeat(43)}`)],
  ])('%s buys nothing on a public operation', async (_, credential) => {
    const headers = { ...credential, ...newAddress() }
    const answers = await repeat(150, () => gateway.request('GET', '/api/v1/version', { headers }))
    expect(statuses(answers)).toEqual([...Array(100).fill(200), ...Array(50).fill(429)])
  })

  test('many bad credentials of one address are one budget, whichever operation they are sent to', async () => {
    const address = newAddress()
    const calls = ['/api/v1/passports', '/api/v1/whoami', '/nothing', '/api/v1/version']
    const answers: Answer[] = []
    for (let count = 0; count < 101; count += 1) {
      const credential = bearer(`dpp_key_${String(count).padStart(8, '0')}_${'C'.repeat(43)}`)
      answers.push(await gateway.request('GET', calls[count % 4] ?? '', { headers: { ...credential, ...address } }))
    }
    expect(statuses(answers).at(-1)).toBe(429)
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(1)
  })

  test("a client with successful requests continues when others use up its address's anonymous budget", async () => {
    const address = newAddress()
    const { as } = await createWorkspace(gateway)
    const call = () => gateway.request('GET', '/api/v1/whoami', { headers: { ...as, ...address } })
    expect((await call()).status).toBe(200)
    const bad = { ...bearer('dpp_key_x'), ...address }
    await repeat(101, () => gateway.request('GET', '/api/v1/whoami', { headers: bad }))
    const answers = await repeat(20, call)
    expect(statuses(answers)).toEqual(Array(20).fill(200))
    expect(limitsOf(answers[0]?.headers ?? {})).toEqual(NONE)
  })

  test('the burst of a new client costs one anonymous request, which is given back', async () => {
    const address = newAddress()
    const { as } = await createWorkspace(gateway)
    const call = () => gateway.request('GET', '/api/v1/whoami', { headers: { ...as, ...address } })
    expect(statuses(await Promise.all(Array.from({ length: 250 }, call)))).toEqual(Array(250).fill(200))
    const { headers } = await gateway.request('GET', '/api/v1/version', { headers: address })
    expect(limitsOf(headers)).toEqual({ limit: '100', remaining: '99' })
  })

  test('a key that lacks a permission is known all the same', async () => {
    const address = newAddress()
    const { id } = await createWorkspace(gateway)
    const { workspaces } = gateway.container.cradle
    const { key } = await workspaces.createKey({ workspaceId: id, role: 'AUDITOR', permissions: [] })
    const call = () => gateway.request('GET', '/api/v1/passports', { headers: { ...bearer(key), ...address } })
    expect(statuses(await repeat(120, call))).toEqual(Array(120).fill(403))
  })

  test('a key that is revoked counts as anonymous from then on', async () => {
    const address = newAddress()
    const { id } = await createWorkspace(gateway)
    const { workspaces } = gateway.container.cradle
    const created = await workspaces.createKey({ workspaceId: id, role: 'AUDITOR' })
    const call = () => gateway.request('GET', '/api/v1/whoami', { headers: { ...bearer(created.key), ...address } })
    expect((await call()).status).toBe(200)
    await workspaces.revokeKey(created.id)
    expect(statuses(await repeat(101, call))).toEqual([...Array(100).fill(401), 429])
  })

  test.each([
    ['in the lane', '', {}],
    ['in the pipeline', '?x=1', {}],
    ['with a bad key', '', bearer(`dpp_key_AAAAAAAA_${'D'.repeat(43)}`)],
    ['with a capability token', '', bearer(`dpp_li_${'d'.repeat(32)}`)],
  ])('a resolution that is refused asks nothing, %s', async (_, query, credential) => {
    const headers = { ...credential, ...newAddress() }
    // Absent passports are never cached.
    const call = () => gateway.request('GET', `/01/${newGtin()}${query}`, { headers })
    expect(statuses(await repeat(30, call))).toEqual(Array(30).fill(404))
    const statements = countStatements()
    expect(statuses(await repeat(100, call))).toEqual(Array(100).fill(429))
    expect(statements()).toBe(0)
  })

  test('a valid key on the public resolver counts for the key too', async () => {
    const { as } = await createWorkspace(gateway, { plan: 'growth' })
    for (let count = 0; count < 5; count += 1) {
      const headers = { ...as, ...newAddress() }
      const page = await repeat(24, () => gateway.request('GET', `/passport/${subjects.passportId}`, { headers }))
      expect(statuses(page)).toEqual(Array(24).fill(200))
      expect(limitsOf(page[0]?.headers ?? {})).toEqual(NONE)
    }
    const headers = { ...as, ...newAddress() }
    expect((await gateway.request('GET', `/passport/${subjects.passportId}`, { headers })).status).toBe(429)
  })

  test('the public verifier answers 30 requests a minute and an address, with headers and a code', async () => {
    const address = newAddress()
    const call = () =>
      gateway.request('POST', '/api/v1/audit/verify', { headers: { ...address, authorization: 'x' }, json: {} })
    const answers = await repeat(30, call)
    expect(statuses(answers)).toEqual(Array(30).fill(400))
    expect(limitsOf(answers[0]?.headers ?? {})).toEqual({ limit: '30', remaining: '29' })
    const statements = countStatements()
    expectRefusal(await call(), 30, { code: 'FW_ERR_RATE_LIMIT' })
    expect(statements()).toBe(0)
  })

  test('health answers every probe, and has an end', async () => {
    const headers = newAddress()
    const answers = await repeat(600, () => gateway.request('GET', '/health', { headers }))
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
    expect(limitsOf(answers[0]?.headers ?? {})).toEqual(NONE)
    const statements = countStatements()
    expectRefusal(await gateway.request('GET', '/health', { headers }), 600)
    expect(statements()).toBe(0)
  })

  test('a workspace makes ten keys a day', async () => {
    const { as, id } = await createWorkspace(gateway)
    const call = () => gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: { ...as, ...newAddress() } })
    expect(statuses(await repeat(10, call))).toEqual(Array(10).fill(200))
    const { status, headers } = await call()
    expect([status, headers['x-ratelimit-limit']]).toEqual([429, '10'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(80_000)
    const document = await gateway.request('GET', `/tenants/${id}/did.json`, { headers: newAddress() })
    expect(document.body.verificationMethod).toHaveLength(3 * 11)
  })
})
