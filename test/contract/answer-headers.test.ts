import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { loadContract } from '../../src/http/contract.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import type { Answer } from '../support/contract-client.ts'
import { withoutTable } from '../support/faults.ts'
import { bearer, createWorkspace, newGtin, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { battery } from '../support/passport-client.ts'
import {
  absentSubjects,
  type Call,
  givenSubjects,
  inDays,
  type Subjects,
  sampleCalls,
} from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { operations } = await loadContract(await loadPlugins(loadConfig({}).plugins))
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

const PRIVATE = /^(private, )?no-store$/
const isCredentialNeeded = (operationId: string) => operations.get(operationId)?.isPublic === false

/** What holds for every answer, whoever made it. */
function expectGuarded(name: string, { status, headers }: Answer): void {
  expect([name, status, headers['x-content-type-options']]).toEqual([name, status, 'nosniff'])
  expect([name, status, headers['cache-control']]).toEqual([name, status, expect.any(String)])
  if (status >= 400)
    expect([name, status, headers['cache-control']]).toEqual([name, status, expect.stringMatching(PRIVATE)])
  if (status >= 300 && status < 400 && status !== 304)
    expect([name, status, headers['cache-control']]).toEqual([name, status, expect.stringMatching(PRIVATE)])
}

const ways: Record<string, () => Record<string, string>> = {
  'with a key': () => workspace.as,
  'with a cookie': () => cookie,
  'with nothing': () => ({}),
  'with a bad key': () => bearer('dpp_key_x'),
  'with another body': () => ({ ...workspace.as, 'content-type': 'text/plain' }),
  'with a bad version': () => ({ ...workspace.as, accept: 'application/vc+jwt;profile="none"' }),
  'for a page': () => ({ ...workspace.as, accept: 'text/html' }),
  'with a known tag': () => ({ ...workspace.as, 'if-none-match': '*' }),
}

describe.each([...operations.keys()])('%s', (operationId) => {
  test.each(Object.keys(ways))('says how its answers may be kept, %s', async (way) => {
    const headers = ways[way]?.() ?? {}
    for (const on of [absentSubjects(), subjects]) {
      const call = callOf(operationId, on)
      const { method, path, json, form } = call
      // What would change the subjects is not asked for by name.
      const isWrite = method !== 'GET'
      if (isWrite && on === subjects && (way === 'with a key' || way === 'with a cookie' || way === 'for a page'))
        continue
      const answer = await gateway.client.send(method, path, { headers, json, form })
      expectGuarded(`${operationId} ${way}`, answer)
      if (isCredentialNeeded(operationId)) {
        expect(answer.headers['cache-control']).toBe('private, no-store')
        expect(answer.headers.vary?.split(', ')).toEqual(expect.arrayContaining(['Authorization', 'Cookie']))
      }
      const { maxAge } = operations.get(operationId) ?? {}
      if (maxAge !== undefined && answer.status === 200) {
        expect(answer.headers['cache-control']).toBe(`public, max-age=${maxAge}`)
        expect(answer.headers.vary).not.toMatch(/Authorization|Cookie/)
      }
    }
  })

  test('says it in errors of every kind', async () => {
    const { method, path, json, form } = callOf(operationId)
    const glue = path.includes('?') ? '&' : '?'
    const limit = (operations.get(operationId)?.bodyLimit ?? 0) + 1
    const bad = [
      await gateway.client.send(method, `${path}${glue}q=%00`, { headers: workspace.as, json, form }),
      await gateway.client.send(method, path.replace(/[^/]+$/, '%zz'), { headers: workspace.as }),
      await gateway.client.send('TRACE', path, {}),
      ...(operations.get(operationId)?.isShared ? [] : [await gateway.client.send('OPTIONS', path, {})]),
      await gateway.client.send(method, path, { headers: { host: 'a b' } }),
      await gateway.client.send(method, path, { headers: { expect: 'x' } }),
      await gateway.client.send(method, `${path}/nothing`, {}),
      ...(operations.get(operationId)?.bodyType === undefined
        ? []
        : [await gateway.client.send(method, path, { headers: workspace.as, raw: ' '.repeat(limit) })]),
    ]
    for (const answer of bad) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expectGuarded(operationId, answer)
    }
  })

  test('says it when the database fails', async () => {
    const { method, path, json, form } = callOf(operationId)
    for (const table of ['passport', 'api_key', 'tenant_key']) {
      const answer = await withoutTable(gateway, table, () =>
        gateway.client.send(method, path, { headers: { ...workspace.as, 'idempotency-key': 'fault' }, json, form }),
      )
      if (answer.status >= 500) expectGuarded(operationId, answer)
    }
  })
})

test('a used-up budget says it, in both lanes', async () => {
  const paths = [
    `/passport/${subjects.passportId}`,
    `/passport/${subjects.passportId}?x=1`,
    '/api/v1/version',
    '/nothing',
  ]
  const refused = new Map<string, Answer>()
  for (let count = 0; count < 150; count += 1) {
    for (const path of paths) {
      const answer = await limited.client.send('GET', path, {})
      expectGuarded(path, answer)
      if (answer.status === 429) refused.set(path, answer)
    }
  }
  expect([...refused.keys()].sort()).toEqual([...paths].sort())
  expect(refused.get(paths[0] ?? '')?.headers['access-control-allow-origin']).toBe('*')
})

describe('what never becomes a request', () => {
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
    expectGuarded('OPTIONS *', answer)
  })
})

describe('the tier of an answer', () => {
  test('is told by every address, with every credential, and the owner alone may read what is masked', async () => {
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
          const isPublic = tier === 'public'
          expect(answer.headers['cache-control']).toBe(isPublic ? 'public, no-cache' : 'private, no-store')
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

  test('is not told of what has none', async () => {
    for (const path of [`/tenants/${workspace.id}/did.json`, '/health', '/passport/none'])
      expect((await gateway.request('GET', path)).headers['x-access-tier']).toBeUndefined()
  })
})

describe('a page of another origin', () => {
  const shared = [...operations.values()].filter(({ isShared }) => isShared).map(({ operationId }) => operationId)

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
      expectGuarded(operationId, preflight)
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
