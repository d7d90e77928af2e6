import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/http/contract.ts'
import { cachingFaults, PUBLIC_CACHING } from '../support/answer-rules.ts'
import type { RequestOptions } from '../support/contract-client.ts'
import { withoutTable } from '../support/faults.ts'
import { bearer, createWorkspace, newGtin, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { sendAll } from '../support/odd-requests.ts'
import { battery } from '../support/passport-client.ts'
import {
  absentSubjects,
  type Call,
  givenSubjects,
  inDays,
  type Subjects,
  sampleCalls,
} from '../support/sample-calls.ts'
import { servedContract } from '../support/served-contract.ts'
import { useGateway } from '../support/use-gateway.ts'

const { operations } = await servedContract()
let limited: TestGateway
let subjects: Subjects
let cookie: { cookie: string; 'x-csrf-token': string }

const { gateway, workspace, passports } = await useGateway()

beforeAll(async () => {
  subjects = await givenSubjects(gateway, workspace)
  const { workspaces } = gateway.container.cradle
  const user = { workspaceId: workspace.id, user: 'u', role: 'BRAND_OPERATOR', mfa: true }
  const session = await workspaces.createSession(user)
  cookie = { cookie: session.cookie, 'x-csrf-token': session.csrf }
  limited = await startTestGateway({ DATABASE_URL: gateway.databaseUrl, RATE_LIMITS: 'on' })
})
afterAll(() => limited.close())

function callOf(operationId: string, on = subjects): Call {
  const call = sampleCalls(on)[operationId]
  if (call === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
  return call
}

/** Special credentials and headers that `coverage.test.ts` does not use. */
const ways: Record<string, () => Record<string, string>> = {
  'with a cookie': () => cookie,
  'with nothing': () => ({}),
  'with a bad key': () => bearer('dpp_key_x'),
  'with a bad version': () => ({ ...workspace.as, accept: 'application/vc+jwt;profile="none"' }),
  'for a page': () => ({ ...workspace.as, accept: 'text/html' }),
}
const isLetIn = (way: string) => way === 'with a cookie' || way === 'for a page'

describe('every operation says how its answers may be stored', () => {
  const all = [...operations.values()]
  const hasForms = (operationId: string) =>
    gateway.client.promised().some((row) => row.startsWith(`${operationId} 406 `))

  test.each(Object.keys(ways))('%s', async (way) => {
    const headers = ways[way]?.() ?? {}
    const absent = absentSubjects()
    // Operations with one representation do not read the version.
    const called = way === 'with a bad version' ? all.filter(({ operationId }) => hasForms(operationId)) : all
    const calls = called.flatMap((operation) =>
      [absent, subjects]
        // A write would change the subjects.
        .filter((on) => on === absent || operation.method === 'GET' || !isLetIn(way))
        .map((on) => ({ operation, call: callOf(operation.operationId, on) })),
    )
    const send = ({ call: { method, path, json, form, file } }: (typeof calls)[number]) =>
      gateway.client.send(method, path, { headers, json, form, file })
    const answers = await sendAll(calls, send)
    expect(answers.flatMap(([{ operation }, answer]) => cachingFaults(answer, operation))).toEqual([])
  })

  test('in errors of every kind', async () => {
    const requests = all.flatMap(
      ({ operationId, isShared }): { method: string; path: string; options: RequestOptions }[] => {
        const { method, path } = callOf(operationId)
        return [
          { method, path: path.replace(/[^/]*$/, '%zz'), options: { headers: workspace.as } },
          { method: 'TRACE', path, options: {} },
          ...(isShared ? [] : [{ method: 'OPTIONS', path, options: {} }]),
          { method, path, options: { headers: { host: 'a b' } } },
          { method, path, options: { headers: { expect: 'x' } } },
          { method, path: `${path}/nothing`, options: {} },
        ]
      },
    )
    const answers = await sendAll(requests, ({ method, path, options }) => gateway.client.send(method, path, options))
    expect(answers.flatMap(([, answer]) => cachingFaults(answer))).toEqual([])
    expect(answers.filter(([, { status }]) => status < 400 || status >= 500)).toEqual([])
  })

  test.each(['passport', 'api_key', 'tenant_key'])('if the table %s fails', async (table) => {
    const headers = { ...workspace.as, 'idempotency-key': 'fault' }
    const send = ({ operationId }: Operation) => {
      const { method, path, json, form, file } = callOf(operationId)
      return gateway.client.send(method, path, { headers, json, form, file })
    }
    const answers = await withoutTable(gateway, table, () => sendAll(all, send))
    const failures = answers.filter(([, { status }]) => status >= 500)
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.flatMap(([, answer]) => cachingFaults(answer))).toEqual([])
  })
})

test('a used-up budget says it, in both lanes', async () => {
  const paths = [
    `/passport/${subjects.passportId}`,
    `/passport/${subjects.passportId}?x=1`,
    '/api/v1/version',
    '/nothing',
  ]
  const requests = Array.from({ length: 150 }, () => paths).flat()
  const answers = await sendAll(requests, (path) => limited.client.send('GET', path, {}))
  expect(answers.flatMap(([, answer]) => cachingFaults(answer))).toEqual([])
  const refused = new Map(answers.filter(([, { status }]) => status === 429))
  expect([...refused.keys()].sort()).toEqual([...paths].sort())
  expect(refused.get(paths[0] ?? '')?.headers['access-control-allow-origin']).toBe('*')
})

describe('malformed requests', () => {
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const { port, hostname } = new URL(gateway.origin)
      const socket = connect(Number(port), hostname, () => socket.end(text))
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(answer))
    })

  test.each([
    'HELLO\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET * HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET ftp://x/ HTTP/1.1\r\nHost: a\r\n\r\n',
  ])('%j', async (text) => {
    const answer = await raw(text)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r$/m)
    expect(answer).toMatch(/^Cache-Control: private, no-store\r$/m)
    expect(answer).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m)
    expect(answer).toMatch(/^Connection: close\r$/m)
  })

  test('OPTIONS * tells what the server can do (RFC 9110, 9.3.7)', async () => {
    const answer = await gateway.client.send('OPTIONS', '*', { headers: { 'x-request-id': 'Ping-1' } })
    expect([answer.status, answer.text, answer.headers['x-request-id']]).toEqual([204, '', 'Ping-1'])
    expect(answer.headers.allow?.split(', ')).toContain('GET')
    expect(cachingFaults(answer)).toEqual([])
  })
})

describe('the tier of an answer', () => {
  test('is returned by every address, with every credential, and only the owner may read masked values', async () => {
    const { id, productId } = await passports.given({ metadata: battery() })
    const { grants } = gateway.container.cradle
    const { token } = await grants.issueAuthority({ scope: 'PASSPORT', target: id, expires: inDays(1) })
    const other = await createWorkspace(gateway)
    const expected: [Record<string, string>, string, string][] = [
      [{}, '', 'public'],
      [bearer('dpp_key_x'), '', 'public'],
      [bearer(`dpp_li_${'0'.repeat(32)}`), '', 'public'],
      [other.as, '', 'public'],
      [bearer(token), '', 'restricted'],
      [{}, `?grant=${token}`, 'restricted'],
      [{}, `?grant=dpp_li_${'0'.repeat(32)}`, 'public'],
      [workspace.as, '', 'owner'],
    ]
    for (const path of [`/passport/${id}`, `/01/${productId}`]) {
      for (const [headers, query, tier] of expected) {
        for (const more of [{}, { 'if-none-match': '*' }, { accept: 'text/html' }] as Record<string, string>[]) {
          const answer = await gateway.request('GET', path + query, { headers: { ...headers, ...more } })
          expect([path, query, answer.headers['x-access-tier']]).toEqual([path, query, tier])
          // The page reports an invalid token, and an address with a token must not be cached.
          const hasToken = more.accept === 'text/html' && /dpp_li_/.test(headers.authorization ?? '')
          const isPublic = tier === 'public' && !hasToken && query === ''
          expect(answer.headers['cache-control']).toBe(isPublic ? PUBLIC_CACHING : 'private, no-store')
        }
      }
    }
    const asSession = { cookie: cookie.cookie }
    const own = await gateway.request('GET', `/api/v1/passports/${id}`, { headers: asSession })
    expect([own.headers['x-access-tier'], own.headers['cache-control'], own.headers.vary]).toEqual([
      'public',
      'private, no-store',
      'Accept, Accept-Language, Authorization, Cookie',
    ])
  })

  test('is absent for addresses without it', async () => {
    for (const path of [`/tenants/${workspace.id}/did.json`, '/health', '/passport/none'])
      expect((await gateway.request('GET', path)).headers['x-access-tier']).toBeUndefined()
  })
})

describe('a page of another origin', () => {
  const isSharedRead = ({ isShared, method }: Operation) => isShared && method === 'GET'
  const shared = [...operations.values()].filter(isSharedRead).map(({ operationId }) => operationId)

  test.each(shared)('may read the answers of %s, errors included, and ask beforehand', async (operationId) => {
    const statuses = new Set<number>()
    for (const on of [subjects, absentSubjects()]) {
      const { method, path } = callOf(operationId, on)
      for (const query of ['', '?q=%00', '?x=1']) {
        for (const headers of [{}, { accept: 'application/vc+jwt;profile="none"' }, { 'if-none-match': '*' }] as Record<
          string,
          string
        >[]) {
          const answer = await gateway.request(method, path + query, {
            headers: { ...headers, origin: 'https://app.example' },
          })
          statuses.add(answer.status)
          expect([path, answer.status, answer.headers['access-control-allow-origin']]).toEqual([
            path,
            answer.status,
            '*',
          ])
          expect(answer.headers['access-control-expose-headers']).toContain('X-Access-Tier')
          expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
        }
      }
      const preflight = await gateway.client.send('OPTIONS', path, {
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        },
      })
      expect([preflight.status, preflight.text]).toEqual([204, ''])
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': expect.stringContaining('Authorization'),
      })
      expect(cachingFaults(preflight)).toEqual([])
    }
    expect(statuses.size).toBeGreaterThan(1)
  })

  test('may read nothing else', async () => {
    for (const path of ['/api/v1/passports', `/api/v1/passports/${newGtin()}`, '/api/v1/whoami', '/nothing']) {
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await gateway.client.send(method, path, {
          headers: { origin: 'https://app.example', 'access-control-request-method': 'GET', ...workspace.as },
        })
        expect([path, method, answer.headers['access-control-allow-origin']]).toEqual([path, method, undefined])
      }
    }
  })
})
