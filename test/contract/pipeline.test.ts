import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withoutTable } from '../support/faults.ts'
import { bearer, createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { givenSubjects, sampleCalls } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const SUFFIX = '.workspaces.example.test'

const { gateway } = await useGateway({ WORKSPACE_HOST_SUFFIX: SUFFIX })
const workspace = await createWorkspace(gateway, { subdomain: 'own' })
const subjects = await givenSubjects(gateway, workspace)

const { cookie } = await gateway.container.cradle.workspaces.createSession({
  workspaceId: workspace.id,
  user: 'u',
  role: 'TENANT_ADMIN',
  mfa: true,
})
const asSession = { cookie }

const PUBLIC_VALIDATOR = '/api/v1/passports/validate-only-public'
const oversized = ' '.repeat(65_537)

async function keyWith(permissions: string[], more: object = {}): Promise<{ id: string; authorization: string }> {
  const { workspaces } = gateway.container.cradle
  const { id, key } = await workspaces.createKey({
    workspaceId: workspace.id,
    role: 'TENANT_ADMIN',
    permissions,
    ...more,
  })
  return { id, ...bearer(key) }
}

/** Body of a rejection; EN 18222 has its own form. */
const refusal = (operationId: string, error: string, message: unknown) =>
  gateway.container.cradle.contract.operations.get(operationId)?.path.startsWith('/v1/')
    ? { statusCode: expect.any(String), message: [expect.objectContaining({ text: message })] }
    : { success: false, error, message }

describe('credentials come first', () => {
  test('trap 1: an anonymous oversized body answers 401', async () => {
    const { status } = await gateway.request('POST', PUBLIC_VALIDATOR, { raw: oversized })
    expect(status).toBe(401)
  })

  test('trap 2: the same body with a valid key answers 413 in the full framework form', async () => {
    const { status, body } = await gateway.request('POST', PUBLIC_VALIDATOR, { headers: workspace.as, raw: oversized })
    expect([status, body]).toEqual([
      413,
      {
        statusCode: 413,
        code: 'FW_ERR_CTP_BODY_TOO_LARGE',
        error: 'Payload Too Large',
        message: expect.stringContaining('65536'),
      },
    ])
  })

  test('trap 3: a key without any permission may use the public validator', async () => {
    const { authorization } = await keyWith([])
    const { status } = await gateway.request('POST', PUBLIC_VALIDATOR, {
      headers: { authorization },
      json: { productId: newGtin(), metadata: textile() },
    })
    expect(status).toBe(200)
  })

  test('trap 4: a missing permission is named in exactly these words', async () => {
    const { authorization } = await keyWith([])
    const { document } = gateway.container.cradle.contract
    const calls = sampleCalls(subjects)
    let named = 0
    for (const item of Object.values<Record<string, { operationId?: string; security?: { bearer?: string[] }[] }>>(
      document.paths,
    )) {
      for (const { operationId, security } of Object.values(item)) {
        const permission = security?.[0]?.bearer?.[0]
        if (operationId === undefined || permission === undefined) continue
        const { method, path, json } = calls[operationId] ?? { method: '', path: '' }
        const { status, body } = await gateway.request(method, path, { headers: { authorization }, json })
        expect([operationId, status, body]).toEqual([
          operationId,
          403,
          refusal(operationId, 'Forbidden', `Insufficient permissions. Required: "${permission}".`),
        ])
        named += 1
      }
    }
    expect(named).toBeGreaterThan(15)
  })

  test('every operation with security rejects callers without an accepted credential', async () => {
    const { document } = gateway.container.cradle.contract
    const calls = sampleCalls(subjects)
    const none: [Record<string, string>, RegExp][] = [
      [{}, /^A credential is missing\./],
      [{ authorization: '' }, /^Unsupported Authorization scheme\. /],
      [{ authorization: 'Basic dXNlcjpwYXNz' }, /^Unsupported Authorization scheme Basic\. /],
      [{ authorization: 'Bearer' }, /^Authorization must have exactly one token/],
      [{ cookie: 'dpp_session=' }, /^A credential is missing\./],
      [{ cookie: 'dpp_session=x; undefined=y' }, /^Invalid session: /],
      // The header takes precedence.
      [{ ...asSession, authorization: 'Bearer x' }, /^The bearer token is neither/],
    ]
    let refused = 0
    for (const item of Object.values<Record<string, { operationId?: string; security?: object[] }>>(document.paths)) {
      for (const { operationId, security = [{}] } of Object.values(item)) {
        if (operationId === undefined || security.some((requirement) => Object.keys(requirement).length === 0)) continue
        const { method, path, json } = calls[operationId] ?? { method: '', path: '' }
        for (const [headers, message] of none) {
          const { status, body } = await gateway.request(method, path, { headers, json })
          expect([operationId, headers, status, body]).toEqual([
            operationId,
            headers,
            401,
            refusal(operationId, 'Unauthorized', expect.stringMatching(message)),
          ])
        }
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(20)
  })

  test('trap 5: a key answers 403 on the host of another workspace, and the host selects nothing', async () => {
    const call = (host: string) => gateway.request('GET', '/api/v1/whoami', { headers: { ...workspace.as, host } })
    expect((await call(`other${SUFFIX}`)).status).toBe(403)
    const { status, body } = await call(`own${SUFFIX}`)
    expect([status, body.tenant.id]).toEqual([200, workspace.id])
  })

  test('trap 6: a cookie session needs its CSRF token to write, and a bearer token does not', async () => {
    const { workspaces } = gateway.container.cradle
    const session = await workspaces.createSession({
      workspaceId: workspace.id,
      user: 'u',
      role: 'TENANT_ADMIN',
      mfa: true,
    })
    const write = (headers: Record<string, string>) =>
      gateway.request('POST', '/api/v1/passports/validate-only', {
        headers,
        json: { productId: newGtin(), metadata: textile() },
      })
    expect((await write({ cookie: session.cookie })).status).toBe(403)
    expect((await write({ cookie: session.cookie, 'x-csrf-token': 'wrong' })).status).toBe(403)
    expect((await write({ cookie: session.cookie, 'x-csrf-token': session.csrf })).status).toBe(200)
    expect((await write(bearer(session.token))).status).toBe(200)
  })

  test('the request of a cookie session is judged like any other', async () => {
    const { workspaces } = gateway.container.cradle
    const { cookie } = await workspaces.createSession({
      workspaceId: workspace.id,
      user: 'u',
      role: 'AUDITOR',
      mfa: true,
    })
    const list = (query: string) => gateway.request('GET', `/api/v1/passports${query}`, { headers: { cookie } })
    expect((await list('?page=abc')).status).toBe(400)
    const { status } = await withoutTable(gateway, 'operator', () => list(''))
    expect(status).toBe(500)
  })

  test('trap 8: an unknown, damaged, expired or revoked key answers 401', async () => {
    const expired = await keyWith([], { expiresAt: '2020-01-01T00:00:00Z' })
    const revoked = await keyWith([])
    await gateway.container.cradle.workspaces.revokeKey(revoked.id)
    const { authorization: own } = workspace.as
    const notHeld = 'Invalid API key: it is unknown, revoked or expired.'
    const tokens: [string, string | RegExp][] = [
      [expired.authorization, notHeld],
      [revoked.authorization, notHeld],
      // The existence of a key id is never disclosed.
      [`${own.slice(0, -43)}${'A'.repeat(43)}`, notHeld],
      [`Bearer dpp_key_AAAAAAAA_${'A'.repeat(43)}`, notHeld],
      [`${own}x`, /^Incomplete API key/],
      [own.slice(0, -1), /^Incomplete API key/],
      ['Bearer eyJhbGciOiJub25lIn0.e30.', /^Invalid session token/],
      [`Bearer dpp_li_${'0'.repeat(32)}`, /^A grant token opens only public addresses/],
      [`Bearer dpp_auth_${'0'.repeat(32)}`, /^A grant token opens only public addresses/],
      ['Bearer x', /^The bearer token is neither an API key nor a session token/],
    ]
    for (const [authorization, message] of tokens) {
      const { status, headers, body } = await gateway.request('GET', '/api/v1/whoami', { headers: { authorization } })
      const actual = [authorization, status, headers['www-authenticate'], body.message]
      const expected = typeof message === 'string' ? message : expect.stringMatching(message)
      expect(actual).toEqual([authorization, 401, 'Bearer error="invalid_token"', expected])
    }
  })

  test('an invalid bearer token is reported as such, without repeating it', async () => {
    const { authorization: own } = workspace.as
    const key = own.slice('Bearer '.length)
    const ways: [Record<string, string>, RegExp][] = [
      [{}, /^A credential is missing\. Send "Authorization: Bearer dpp_key_…"/],
      [{ 'x-api-key': key }, /^X-Api-Key is not supported\. Send "Authorization: Bearer/],
      [{ authorization: key }, /^Authorization has no scheme\. Put "Bearer " before the key\.$/],
      [
        { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
        /^Unsupported Authorization scheme Basic\. /,
      ],
      [{ authorization: `Token ${key}` }, /^Unsupported Authorization scheme Token\. /],
      [{ authorization: `ApiKey ${key}` }, /^Unsupported Authorization scheme\. /],
      [{ authorization: 'Bearer ' }, /^Authorization must have exactly one token after "Bearer"/],
      [{ authorization: `Bearer "${key}" x` }, /^Authorization must have exactly one token after "Bearer"/],
    ]
    for (const [sent, message] of ways) {
      const { status, headers, text, body } = await gateway.request('GET', '/api/v1/whoami', { headers: sent })
      // RFC 6750, 3.1: no error code without a token.
      expect([status, headers['www-authenticate'], body.message]).toEqual([
        401,
        'Bearer',
        expect.stringMatching(message),
      ])
      expect(text).not.toContain(key)
    }
  })

  test('that the database cannot say whose key it is is a failure and not a bad credential', async () => {
    const calls = [
      ['/api/v1/whoami', { success: false }],
      [`/passport/${subjects.passportId}`, {}],
    ] as const
    for (const [path, more] of calls) {
      const { status, body } = await withoutTable(gateway, 'api_key', () =>
        gateway.request('GET', path, { headers: workspace.as }),
      )
      expect([path, status]).toEqual([path, 500])
      expect(body).toEqual({
        ...more,
        error: 'Internal Server Error',
        message: 'An unexpected error occurred',
        requestId: expect.any(String),
      })
    }
  })
})

test('an address that does not take a method names those that it takes', async () => {
  const wrong: [string, string, string[]][] = [
    ['PATCH', '/health', ['GET']],
    ['POST', `/api/v1/passports/${subjects.passportId}`, ['GET', 'PUT', 'DELETE']],
    ['DELETE', '/api/v1/passports', ['GET', 'POST']],
    ['GET', '/api/v1/audit/verify', ['POST']],
    ['PUT', `/api/v1/operators/${workspace.operatorId}`, ['GET', 'PATCH', 'DELETE']],
    ['TRACE', `/passport/${subjects.passportId}`, ['GET']],
  ]
  for (const [method, path, possible] of wrong) {
    const { status, headers, body } = await gateway.client.send(method, path, { headers: workspace.as })
    // review-3-inputs N48: HEAD is available wherever GET is.
    const allowed = possible.includes('GET') ? [...possible, 'HEAD'] : possible
    expect([method, path, status, headers.allow?.split(', ').sort()]).toEqual([method, path, 405, allowed.toSorted()])
    expect(body.message).toBe(`Method ${method} is not allowed. Allowed: ${possible.join(', ')}.`)
  }
})

describe('request id', () => {
  test('trap 10: every answer carries one, and a well-formed one is adopted', async () => {
    const id = 'Order-42_a.b'
    const calls: [number, string, string, { headers?: Record<string, string>; raw?: string }][] = [
      [200, 'GET', '/health', {}],
      [200, 'GET', `/passport/${subjects.passportId}`, {}],
      [304, 'GET', `/passport/${subjects.passportId}`, { headers: { 'if-none-match': '*' } }],
      [400, 'GET', '/passport/%zz', {}],
      [401, 'GET', '/api/v1/whoami', {}],
      [404, 'GET', '/nothing', {}],
      [405, 'PATCH', '/health', {}],
      [413, 'POST', PUBLIC_VALIDATOR, { headers: workspace.as, raw: oversized }],
      [415, 'POST', PUBLIC_VALIDATOR, { headers: { ...workspace.as, 'content-type': 'text/plain' }, raw: '{}' }],
    ]
    for (const [status, method, path, { headers, raw }] of calls) {
      const adopted = await gateway.request(method, path, { headers: { ...headers, 'x-request-id': id }, raw })
      expect([path, adopted.status, adopted.headers['x-request-id']]).toEqual([path, status, id])
    }
  })

  test.each(['', 'with space', 'a/b', 'x'.repeat(65), 'ä'])('a malformed one is replaced: %j', async (id) => {
    const { headers } = await gateway.request('GET', '/health', { headers: { 'x-request-id': id } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('language', () => {
  const friendly = async (query: string, headers: Record<string, string> = {}) => {
    const { body } = await gateway.request('POST', `/api/v1/passports/validate-only${query}`, {
      headers: { ...workspace.as, ...headers },
      json: { productId: newGtin(), metadata: textile({ originCountry: 'ZZ' }) },
    })
    return body.errors[0].friendlyMessage
  }

  test('trap 11: an unknown language is ignored and falls back to Accept-Language, then English', async () => {
    const english = await friendly('')
    const german = await friendly('?lang=de')
    expect(german).not.toBe(english)
    for (const lang of [
      'xx',
      '',
      'a:b',
      '%C3%A4',
      '[]',
      'en&lang=de',
      '__proto__',
      'de%20',
      '{"a":1}',
      'x'.repeat(500),
    ]) {
      const query = `?lang=${lang}`
      expect([lang, [english, german].includes(await friendly(query))]).toEqual([lang, true])
    }
    expect(await friendly('?lang=xx', { 'accept-language': 'de' })).toBe(german)
    expect(await friendly('?lang=xx', { 'accept-language': 'xx, *;q=0.1' })).toBe(english)
  })
})

describe('forms of errors', () => {
  const malformed = (method: string, path: string) =>
    gateway.request(method, path, { headers: workspace.as, raw: '{"a":' })

  test.each([
    ['/api/v1/passports', { productId: 5 }],
    ['/api/v1/passports/validate-only', { productId: 'X' }],
  ])('trap 13: a body that does not meet the contract answers {error, message} at %s', async (path, json) => {
    const { status, body } = await gateway.request('POST', path, { headers: workspace.as, json })
    expect([status, body]).toEqual([400, { error: 'Bad Request', message: expect.stringMatching(/^body/) }])
  })

  test.each(['page=abc', 'page=-1', 'limit=1.5', 'page=1&page=2'])(
    'trap 22: an invalid page number is rejected in the framework form: %s',
    async (query) => {
      const { status, body } = await gateway.request('GET', `/api/v1/passports?${query}`, { headers: workspace.as })
      expect([status, body]).toEqual([
        400,
        { statusCode: 400, code: 'FW_ERR_VALIDATION', error: 'Bad Request', message: expect.any(String) },
      ])
    },
  )

  test('a filter may hold any character, a plus sign for a space included', async () => {
    await gateway.request('POST', '/api/v1/passports', {
      headers: workspace.as,
      json: { productId: newGtin(), metadata: { category: 'a b:c' }, draft: true },
    })
    for (const category of ['a+b:c', 'a%20b%3Ac']) {
      const { body } = await gateway.request('GET', `/api/v1/passports?category=${category}`, { headers: workspace.as })
      expect(body.passports).toHaveLength(1)
    }
  })

  test('trap 22: page 0 is page 1, and numbers beyond the bounds are clamped', async () => {
    const list = async (query: string) =>
      (await gateway.request('GET', `/api/v1/passports?${query}`, { headers: workspace.as })).body
    expect(await list('page=0')).toMatchObject({ page: 1, limit: 10 })
    expect(await list('limit=500')).toMatchObject({ limit: 100 })
    expect(await list('limit=0')).toMatchObject({ limit: 1 })
    expect(await list(`page=${'9'.repeat(30)}`)).toMatchObject({ passports: [] })
  })

  test('trap 99: malformed JSON has the form of the operation', async () => {
    const code = 'FW_ERR_CTP_INVALID_JSON_BODY'
    const bare = { error: 'Bad Request', message: expect.any(String) }
    const plain = { statusCode: 400, ...bare }
    const forms: [string, string, object][] = [
      ['POST', '/api/v1/passports', bare],
      ['POST', '/api/v1/passports/validate-only', bare],
      ['POST', PUBLIC_VALIDATOR, bare],
      ['POST', '/api/v1/facilities', plain],
      ['PUT', `/api/v1/facilities/${subjects.facilityId}`, plain],
      ['PUT', `/api/v1/passports/${subjects.passportId}`, { ...plain, code }],
      ['PUT', `/api/v1/passports/${subjects.passportId}/status`, { ...plain, code }],
      ['POST', '/api/v1/operators', { ...plain, code }],
      ['PATCH', `/api/v1/operators/${workspace.operatorId}`, { ...plain, code }],
    ]
    for (const [method, path, form] of forms) {
      const { status, body } = await malformed(method, path)
      expect([path, status, body]).toEqual([path, 400, form])
    }
  })

  test.each([
    ['Failed to update passport', 'passport_history', 'updatePassport'],
    ['Failed to register facility', 'audit_inbox', 'registerFacility'],
    ['An unexpected error occurred', 'passport_history', 'updatePassportStatus'],
    ['An unexpected error occurred', 'passport', 'listPassports'],
    ['An unexpected error occurred', 'operator_binding', 'createPassport'],
  ])('trap 98: a failure says "%s" and nothing of its cause (%s, %s)', async (message, table, operationId) => {
    const { method, path, json } = { method: '', path: '', ...sampleCalls(subjects)[operationId] }
    const { status, body, text } = await withoutTable(gateway, table, () =>
      gateway.request(method, path, { headers: { ...workspace.as, 'x-request-id': 'fault-1' }, json }),
    )
    expect(status).toBe(500)
    expect(body).toEqual({ success: false, error: 'Internal Server Error', message, requestId: 'fault-1' })
    expect(text).not.toMatch(/relation|select|insert|\.ts|node_modules/)
  })
})

test.each(['updatePassport', 'registerFacility', 'recordBatteryUnitEvent'])(
  'a temporary rejection of the database is 503, even if a failure has its own message: %s',
  async (operationId) => {
    const { method, path, json } = { method: '', path: '', ...sampleCalls(subjects)[operationId] }
    const tables = ['passport', 'facility', 'battery_unit_event']
    await gateway.sql(`create function full_for_now() returns trigger language plpgsql as $$
      begin raise exception 'no memory at the moment' using errcode = '53200'; end $$`)
    for (const table of tables)
      await gateway.sql(
        `create trigger full_for_now before insert or update on ${table} execute function full_for_now()`,
      )
    const { status, headers, body } = await gateway
      .request(method, path, { headers: workspace.as, json })
      .finally(() => gateway.sql('drop function full_for_now cascade'))
    expect([status, body.error, headers['retry-after']]).toEqual([503, 'Service Unavailable', '2'])
  },
)

test('Accept "application/json" gets the JSON-LD document as plain JSON', async () => {
  for (const path of [`/passport/${subjects.passportId}`, `/api/v1/passports/${subjects.passportId}`]) {
    const read = (accept: string) => gateway.request('GET', path, { headers: { ...workspace.as, accept } })
    const [json, jsonLd] = [await read('application/json'), await read('application/ld+json')]
    expect([json.status, json.headers['content-type'], json.text]).toEqual([200, 'application/json', jsonLd.text])
  }
})

test.each(['*/*', 'application/*', 'text/csv', 'ld+json', ''])('trap 33: Accept %j gets JSON-LD', async (accept) => {
  for (const path of [`/passport/${subjects.passportId}`, `/api/v1/passports/${subjects.passportId}`]) {
    const { status, headers } = await gateway.request('GET', path, { headers: { ...workspace.as, accept } })
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/ld\+json\b/)])
  }
})

test('trap 102, review-3-users N36: contract and version operation have the version 1.15.0, and the build has its own', async () => {
  const { version: build } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const version = '1.15.0'
  const contract = (await gateway.request('GET', '/openapi.json')).body
  const yaml = (await gateway.request('GET', '/openapi.yaml')).text
  for (const path of ['/api/v1/version', '/health']) {
    expect((await gateway.request('GET', path)).body).toMatchObject({ apiVersion: version, build })
  }
  expect(contract.info.version).toBe(version)
  expect(yaml).toContain(`version: ${version}\n`)
  const majors = Object.keys(contract.paths).flatMap((path) => /^\/api\/v(\d+)\//.exec(path)?.[1] ?? [])
  expect(new Set(majors)).toEqual(new Set([version.split('.')[0]]))
})

test('a GLN of another workspace is rejected in the same words as an own one', async () => {
  const other = await createWorkspace(gateway)
  const register = (headers: Record<string, string>, gln: string) =>
    gateway.request('POST', '/api/v1/facilities', { headers, json: { gln, name: 'F', country: 'DE' } })
  const gln = newGln()
  await register(workspace.as, gln)
  const [own, foreign] = [await register(workspace.as, gln), await register(other.as, gln)]
  expect([own.status, foreign.status]).toEqual([409, 409])
  expect(foreign.body).toEqual(own.body)
})
