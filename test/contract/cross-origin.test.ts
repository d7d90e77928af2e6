import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/start/config.ts'
import { startTestGateway, type TestGateway, textile } from '../support/gateway.ts'
import { sendAll } from '../support/odd-requests.ts'
import { type Call, givenSubjects, type Subjects, sampleCalls } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const APP = 'https://app.example'
const OTHER = 'https://other.example:8443'

const { gateway: closed, workspace } = await useGateway()
let open: TestGateway
let toAll: TestGateway
let subjects: Subjects

beforeAll(async () => {
  subjects = await givenSubjects(closed, workspace)
  const DATABASE_URL = closed.databaseUrl
  open = await startTestGateway({ DATABASE_URL, CORS_ORIGINS: `${APP}, ${OTHER}` })
  toAll = await startTestGateway({ DATABASE_URL, CORS_ORIGINS: '*' })
})
afterAll(() => Promise.all([open.close(), toAll.close()]))

const callOf = (operationId: string): Call => sampleCalls(subjects)[operationId] as Call
const operations = () => [...closed.container.cradle.contract.operations.values()]
const ofApi = () => operations().filter(({ isShared }) => !isShared)
const from = (origin: string) => ({ origin, ...workspace.as })
const preflight = (gateway: TestGateway, path: string, headers: Record<string, string>) =>
  gateway.client.send('OPTIONS', path.split('?')[0] ?? '', {
    headers: { 'access-control-request-method': 'GET', ...headers },
  })
const ofCors = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

describe('a gateway that names no origins', () => {
  // `coverage.test.ts` checks that no response depends on the origin.
  test('lets no page call the API', async () => {
    const answers = await sendAll(ofApi(), ({ operationId }) =>
      preflight(closed, callOf(operationId).path, { origin: APP }),
    )
    for (const [{ operationId }, { status, headers }] of answers)
      expect([operationId, status, ofCors(headers)]).toEqual([operationId, 405, []])
  })
})

const STRANGERS = ['https://app.example.com', 'http://app.example', `${APP}:443`, 'null', undefined]
const EXPOSED = ['ETag', 'Location', 'Retry-After', 'X-Request-Id', 'X-RateLimit-Remaining', 'idempotent-replayed']

describe('a gateway that names origins', () => {
  test('lets their pages read every answer of the API, errors included, and no other page', async () => {
    const requests = ofApi().flatMap(({ operationId, method }, place) => {
      const { path } = callOf(operationId)
      // All foreign origins, another one for each operation in turn.
      const origins = [APP, OTHER, STRANGERS[place % STRANGERS.length]]
      const queries = method === 'GET' ? ['', '?q=%00', '/nothing'] : ['']
      return queries.flatMap((more) =>
        origins.map((origin) => ({ operationId, method, path: `${path}${more}`, origin })),
      )
    })
    const answers = await sendAll(requests, ({ method, path, origin }) =>
      open.client.send(method, path, {
        // Writes are rejected without a key.
        headers: { ...(method === 'GET' ? workspace.as : {}), ...(origin === undefined ? {} : { origin }) },
      }),
    )
    for (const [{ operationId, origin }, { status, headers }] of answers) {
      // A cache must request it again for another origin.
      expect([operationId, headers.vary?.split(', ')]).toEqual([operationId, expect.arrayContaining(['Origin'])])
      if (origin !== APP && origin !== OTHER) {
        expect([operationId, origin, ofCors(headers)]).toEqual([operationId, origin, []])
        continue
      }
      expect([operationId, status, headers['access-control-allow-origin']]).toEqual([operationId, status, origin])
      expect(headers['access-control-expose-headers']?.split(', ')).toEqual(expect.arrayContaining(EXPOSED))
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  test('says which methods and headers each address takes', async () => {
    const names = (header: string | undefined) => header?.split(', ').sort()
    for (const { operationId, path: template, method, parameters } of ofApi()) {
      const answer = await preflight(open, callOf(operationId).path, {
        origin: APP,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      })
      expect([operationId, answer.status, answer.text]).toEqual([operationId, 204, ''])
      const methods = operations()
        .filter(({ path }) => path === template)
        .map((operation) => operation.method)
      expect(names(answer.headers['access-control-allow-methods'])).toEqual(
        [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort(),
      )
      const taken = names(answer.headers['access-control-allow-headers'])
      expect(taken).toEqual(expect.arrayContaining(['Accept', 'Authorization', 'Content-Type', 'X-Request-Id']))
      const own = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
      expect(taken).toEqual(expect.arrayContaining(own.filter((name) => name !== 'X-CSRF-Token')))
      expect(taken).not.toContain('X-CSRF-Token')
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': APP, 'access-control-max-age': '7200' })
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      expect(answer.headers.vary?.split(', ')).toContain('Origin')
    }
  })

  test('answers other pages, and what asks for nothing, as before', async () => {
    const path = '/api/v1/passports'
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}] as Record<string, string>[]) {
      const answer = await preflight(open, path, headers)
      expect([answer.status, ofCors(answer.headers)]).toEqual([405, []])
    }
    const options = await open.client.send('OPTIONS', path, { headers: { origin: APP } })
    expect([options.status, options.headers['access-control-allow-methods']]).toEqual([405, undefined])
    const nowhere = await preflight(open, '/api/v1/nothing', { origin: APP })
    expect([nowhere.status, nowhere.headers['access-control-allow-origin']]).toEqual([404, APP])
    const broken = await preflight(open, '/api/v1/passports/%zz', { origin: APP })
    expect(broken.status).toBeGreaterThanOrEqual(400)
    expect(broken.status).toBeLessThan(500)
  })

  test('leaves public addresses to every origin, byte for byte as before', async () => {
    for (const path of [
      `/passport/${subjects.passportId}`,
      `/01/${subjects.gtin}`,
      `/passport/${subjects.passportId}?x=1`,
    ]) {
      for (const origin of [APP, 'https://evil.example']) {
        const [here, there] = await Promise.all(
          [open, closed].map((gateway) => gateway.request('GET', path, { headers: { origin } })),
        )
        const { 'x-request-id': _, date: __, ...headers } = here?.headers ?? {}
        expect(headers['access-control-allow-origin']).toBe('*')
        expect(there?.headers).toMatchObject(headers)
        expect(here?.text).toBe(there?.text)
      }
    }
  })

  test('lets a page write with a key, and not with the cookie that a browser would add', async () => {
    const json = { productId: 'SKU-CORS', metadata: textile() }
    const created = await open.request('POST', '/api/v1/passports', { headers: from(APP), json })
    expect([created.status, created.headers['access-control-allow-origin']]).toEqual([201, APP])
    const read = await open.request('GET', '/api/v1/passports/SKU-CORS', { headers: from(APP) })
    expect([read.status, read.headers['access-control-allow-origin'], read.headers['cache-control']]).toEqual([
      200,
      APP,
      'private, no-store',
    ])
  })
})

test('a gateway that is open to all says so, and asks for no cookie', async () => {
  for (const headers of [from(APP), from('null'), workspace.as] as Record<string, string>[]) {
    const answer = await toAll.request('GET', '/api/v1/whoami', { headers })
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*'])
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers.vary).not.toContain('Origin')
  }
  const preflighted = await preflight(toAll, '/api/v1/whoami', { origin: 'https://anybody.example' })
  expect([preflighted.status, preflighted.headers['access-control-allow-origin']]).toEqual([204, '*'])
})

describe('CORS_ORIGINS', () => {
  const origins = (CORS_ORIGINS: string) => loadConfig({ CORS_ORIGINS }).corsOrigins

  test('is a list of origins, or * alone', () => {
    expect(loadConfig({}).corsOrigins).toEqual(new Set())
    expect(origins('*')).toBe('*')
    expect(origins('https://a.example,http://localhost:5173 ,')).toEqual(
      new Set(['https://a.example', 'http://localhost:5173']),
    )
  })

  test.each([
    ['https://a.example/', 'did you mean "https://a.example"?'],
    ['https://A.example', 'did you mean "https://a.example"?'],
    ['https://a.example:443', 'did you mean "https://a.example"?'],
    ['https://a.example/path', 'did you mean "https://a.example"?'],
    ['a.example', 'entry "a.example": set'],
    ['*.example', 'entry "*.example": set'],
    ['https://*.example', 'entry "https://*.example": set'],
    ['null', 'entry "null": set'],
    ['file:///x', 'entry "file:///x": set'],
    ['https://a.example,*', 'entry "*": set'],
  ])('%s is refused: %s', (value, message) => {
    expect(() => origins(value)).toThrow(/^Invalid CORS_ORIGINS entry/)
    expect(() => origins(value)).toThrow(message)
  })
})
