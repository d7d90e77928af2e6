import { expect, test } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { BASE_URL, bearer, createWorkspace, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { expectRefusal, limitsOf, NONE, newAddress, repeat } from '../support/rate-limits.ts'
import { givenSubjects } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// Every test has its own addresses and workspaces, so that they share no budget.

const { gateway, workspace } = await useGateway({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
const subjects = await givenSubjects(gateway, workspace)

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
