import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { BASE_URL, bearer, createWorkspace, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { givenSubjects } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// Every test has its own addresses and workspaces, so that they share no budget.

const { gateway, workspace } = await useGateway({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
const subjects = await givenSubjects(gateway, workspace)

let addresses = 0
const newAddress = () => {
  addresses += 1
  return { 'x-forwarded-for': `198.18.${addresses >> 8}.${addresses & 255}` }
}

const repeat = async (times: number, call: () => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (let count = 0; count < times; count += 1) answers.push(await call())
  return answers
}

const limitsOf = (headers: IncomingHttpHeaders) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
})

const NONE = { limit: undefined, remaining: undefined }

function expectRefusal({ status, headers, body }: Answer, limit: number, more: object = {}): void {
  expect([status, limitsOf(headers)]).toEqual([429, { limit: String(limit), remaining: '0' }])
  const seconds = Number(headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(headers['x-ratelimit-reset']).toBe(headers['retry-after'])
  expect(body).toEqual({
    statusCode: 429,
    ...more,
    error: 'Too Many Requests',
    message: `Rate limit exceeded, retry in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
  })
}

test('a growth key has 120 requests a minute, and the response states the remainder', async () => {
  const { as } = await createWorkspace(gateway, { plan: 'growth' })
  const call = () => gateway.request('GET', '/api/v1/whoami', { headers: { ...as, ...newAddress() } })
  const answers = await repeat(120, call)
  expect(answers.map(({ status }) => status)).toEqual(Array(120).fill(200))
  expect(limitsOf(answers[0]?.headers ?? {})).toEqual({ limit: '120', remaining: '119' })
  expect(limitsOf(answers[119]?.headers ?? {})).toEqual({ limit: '120', remaining: '0' })
  expectRefusal(await call(), 120)
})

test('the keys of a workspace share three times the budget of one', async () => {
  const { id, as } = await createWorkspace(gateway, { plan: 'growth' })
  const { workspaces } = gateway.container.cradle
  const newKey = async () => bearer((await workspaces.createKey({ workspaceId: id, role: 'AUDITOR' })).key)
  const call = (key: object) => () => gateway.request('GET', '/api/v1/whoami', { headers: { ...key, ...newAddress() } })
  // Registering the operator of the workspace was the first request.
  const answers = await repeat(119, call(as))
  for (const key of [await newKey(), await newKey()]) answers.push(...(await repeat(120, call(key))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expectRefusal(await call(await newKey())(), 360)
})

test('an enterprise key has no budget and no rate-limit headers', async () => {
  const { as } = await createWorkspace(gateway)
  const [{ status, headers } = { status: 0, headers: {} }] = (
    await repeat(150, () => gateway.request('GET', '/api/v1/whoami', { headers: { ...as, ...newAddress() } }))
  ).slice(-1)
  expect([status, limitsOf(headers)]).toEqual([200, NONE])
})

test('an address without credentials has 100 requests a minute', async () => {
  const address = newAddress()
  const call = () => gateway.request('GET', '/api/v1/version', { headers: address })
  const answers = await repeat(100, call)
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200))
  expect(limitsOf(answers[99]?.headers ?? {})).toEqual({ limit: '100', remaining: '0' })
  expectRefusal(await call(), 100)
  expect((await gateway.request('GET', '/health', { headers: address })).status).toBe(200)
  expect((await gateway.request('GET', '/api/v1/version', { headers: newAddress() })).status).toBe(200)
})

test('an address that nothing answers counts too', async () => {
  const address = newAddress()
  const answers = await repeat(101, () => gateway.request('GET', '/nothing', { headers: address }))
  expect(answers.map(({ status }) => status)).toEqual([...Array(100).fill(404), 429])
  expect((await gateway.request('GET', '/api/v1/version', { headers: address })).status).toBe(429)
})

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

test.each([
  ['in the public lane', ''],
  ['in the pipeline', '?x=1'],
])('the public resolver answers 30 requests a minute and an address, without headers, %s', async (_, query) => {
  const address = newAddress()
  const call = () => gateway.request('GET', `/passport/${subjects.passportId}${query}`, { headers: address })
  const answers = await repeat(30, call)
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200))
  const refused = await call()
  expect([refused.status, limitsOf(refused.headers), refused.headers['retry-after']]).toEqual([429, NONE, undefined])
  expect(refused.headers['x-ratelimit-reset']).toBeUndefined()
  expect(limitsOf(answers[0]?.headers ?? {})).toEqual(NONE)
})

test('the public resolver counts both lanes, and every form of its addresses, together', async () => {
  const address = newAddress()
  const paths = [`/passport/${subjects.passportId}`, `/01/${subjects.gtin}?x=1`, `/8003/${subjects.grai}`]
  for (let count = 0; count < 30; count += 1) {
    const { status } = await gateway.request('GET', paths[count % 3] ?? '', { headers: address })
    expect([count, status]).toEqual([count, 200])
  }
  for (const path of paths) {
    const page = await gateway.request('GET', path, { headers: { ...address, accept: 'text/html' } })
    expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
  }
})

test.each([
  ['in the public lane', ''],
  ['in the pipeline', '?grant=x'],
])('a redirect and its target are one scan, and redirects have an end too, %s', async (_, query) => {
  const link = `/01/${subjects.gtin}/21/${subjects.unitSerial}${query}`
  const scanner = newAddress()
  for (let count = 0; count < 30; count += 1) {
    const { status, headers } = await gateway.request('GET', link, { headers: scanner })
    expect([count, status]).toEqual([count, 302])
    const target = String(headers.location).slice(BASE_URL.length)
    expect([count, (await gateway.request('GET', target, { headers: scanner })).status]).toEqual([count, 200])
  }
  expect((await gateway.request('GET', link, { headers: scanner })).status).toBe(429)
  const other = newAddress()
  const answers = await repeat(61, () => gateway.request('GET', link, { headers: other }))
  expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(302), 429])
})

test('trap 36: the resolver refuses an authenticated read without headers, the budget of the key with them', async () => {
  const { as } = await createWorkspace(gateway, { plan: 'growth' })
  const { id: passportId } = await passportClient(gateway, as).given()
  const address = newAddress()
  const read = (where: object) => () =>
    gateway.request('GET', `/api/v1/passports/${passportId}`, { headers: { ...as, ...where } })
  const answers = await repeat(30, read(address))
  expect(limitsOf(answers[0]?.headers ?? {}).limit).toBe('120')
  const forwarded = await read(address)()
  expect([forwarded.status, limitsOf(forwarded.headers), forwarded.headers['retry-after']]).toEqual([
    429,
    NONE,
    undefined,
  ])
  // One request created the passport, 31 read it.
  await repeat(120 - 32, () => gateway.request('GET', '/api/v1/whoami', { headers: { ...as, ...newAddress() } }))
  expectRefusal(await read(newAddress())(), 120)
})

test('the public validator answers 10 requests a minute and an address, with headers and a code', async () => {
  const { as } = await createWorkspace(gateway)
  const address = newAddress()
  const call = () =>
    gateway.request('POST', '/api/v1/passports/validate-only-public', {
      headers: { ...as, ...address },
      json: { productId: newGtin(), metadata: textile() },
    })
  const answers = await repeat(10, call)
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(limitsOf(answers[0]?.headers ?? {})).toEqual({ limit: '10', remaining: '9' })
  expectRefusal(await call(), 10, { code: 'FW_ERR_RATE_LIMIT' })
})

test('a client cannot choose its address in front of the trusted proxy', async () => {
  const call = (forged: number) =>
    gateway.request('GET', `/passport/${subjects.passportId}`, {
      headers: { 'x-forwarded-for': `203.0.113.${forged}, 198.51.100.250` },
    })
  const answers: Answer[] = []
  for (let forged = 0; forged < 31; forged += 1) answers.push(await call(forged))
  expect(answers.map(({ status }) => status)).toEqual([...Array(30).fill(200), 429])
})

test('without a trusted proxy no caller chooses an address or a host', async () => {
  const direct = await startTestGateway({ RATE_LIMITS: 'on', DATABASE_URL: gateway.databaseUrl })
  const forged = (count: number) => ({
    'x-forwarded-for': `203.0.113.${count}`,
    forwarded: `for=203.0.113.${count};host=evil.example`,
    'x-real-ip': `203.0.113.${count}`,
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'ftp',
  })
  const path = `/passport/${subjects.passportId}?x=1`
  const answers: Answer[] = []
  for (let count = 0; count < 31; count += 1)
    answers.push(await direct.request('GET', path, { headers: forged(count) }))
  expect(answers.map(({ status }) => status)).toEqual([...Array(30).fill(200), 429])
  for (const { text, rawHeaders } of answers) expect(text + rawHeaders).not.toMatch(/evil|ftp:/)
  await direct.close()
})

test('requests for access are answered 10 times a minute and an address, with headers and a code', async () => {
  const address = newAddress()
  const call = () =>
    gateway.request('POST', `/request-access?passport=${subjects.passportId}`, {
      headers: address,
      form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example' },
    })
  const answers = await repeat(10, call)
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
  expectRefusal(await call(), 10, { code: 'FW_ERR_RATE_LIMIT' })
})

test('review-3-security S2: an address gets six new PDFs a minute, in addition to the stored ones', async () => {
  const { id } = await passportClient(gateway, workspace.as).given({ metadata: textile() })
  const address = newAddress()
  const draw = (lang: string, headers: object = address) =>
    gateway.request('GET', `/passport/${id}?format=pdf&lang=${lang}`, { headers: { ...headers } })
  const languages = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'da']
  const answers: Answer[] = []
  for (const lang of languages) answers.push(await draw(lang))
  expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(200), 429, 429])
  expect(answers[7]?.body).toMatchObject({ statusCode: 429, message: expect.stringMatching(/^Rate limit exceeded/) })
  expect((await draw('fr')).status).toBe(200)
  expect((await draw('nl', newAddress())).status).toBe(200)
  expect((await draw('da', { ...address, ...workspace.as })).status).toBe(200)
})
