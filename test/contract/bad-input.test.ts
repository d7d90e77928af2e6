import { describe, expect, test } from 'vitest'
import { MOST_CHARACTERS_OF_HEADER, MOST_HEADERS, MOST_PARAMETERS, MOST_TARGET_CHARACTERS } from '../../src/bounds.ts'
import { loadConfig } from '../../src/config.ts'
import { loadContract, type Operation } from '../../src/http/contract.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import type { Answer } from '../support/contract-client.ts'
import { bodySchemaOf } from '../support/fuzz-requests.ts'
import { newGln, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { type Call, givenSubjects, sampleCalls } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { document, operations } = await loadContract(await loadPlugins(loadConfig({}).plugins))
const withBody = [...operations.values()]
  .filter(({ bodyType }) => bodyType === 'application/json')
  .map(({ operationId }) => operationId)
const withPath = [...operations.values()].filter(({ path }) => path.includes('{')).map(({ operationId }) => operationId)

const { gateway, workspace } = await useGateway()
// What was recorded stays where it is counted.
await gateway.container.cradle.auditChaining.stop()
const subjects = await givenSubjects(gateway, workspace)

function callOf(operationId: string): Call {
  const call = sampleCalls(subjects)[operationId]
  if (call === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
  return call
}

const TABLES = ['passport', 'operator', 'facility', 'passport_history', 'audit_inbox']

/** Everything that the workspace has stored, and when it was changed last. */
async function stored(): Promise<object> {
  // Readings reach the audit within a second: those of earlier tests are not of this one.
  await gateway.container.cradle.readAudit.flush()
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')
  const changes = `(select max(updated_at) from passport) as changed, (select max(updated_at) from facility) as moved`
  const [row] = await gateway.sqlAs<Record<string, unknown>>(workspace.id, `select ${counts}, ${changes}`)
  return { ...row }
}

const bytes = (text: string) => Buffer.from(text, 'latin1')
const long = (start: string, length: number) => start.repeat(length)

/** Bodies that no operation may accept, with a word of the message where it is ours. */
const REFUSED: Readonly<Record<string, string | Uint8Array>> = {
  'cut short': '{"productId":"X"',
  'more than one value': '{} {}',
  'a trailing comma': '{"a":1,}',
  'single quotes': "{'a':1}",
  'a comment': '{/* */}',
  NaN: '{"a":NaN}',
  'a raw control character': '{"a":"\u0001"}',
  'a raw NUL': '{"a":"\u0000"}',
  'only white space': '  \n ',
  'invalid UTF-8': bytes('{"a":"\xff\xfe"}'),
  'overlong UTF-8': bytes('{"a":"\xc0\x80"}'),
  'a surrogate in UTF-8': bytes('{"a":"\xed\xa0\x80"}'),
  'UTF-16': Buffer.from('\ufeff{"a":1}', 'utf16le'),
  '65 levels': `{"metadata":${long('[', 64)}${long(']', 64)}}`,
  '65 levels of objects': `${long('{"a":', 65)}1${long('}', 65)}`,
  'duplicate keys': '{"productId":"A","productId":"B"}',
  'duplicate keys in other spellings': '{"metadata":{"a":1,"\\u0061":2}}',
  'an escaped NUL in a value': '{"name":"a\\u0000b"}',
  'an escaped NUL in a key': '{"a\\u0000b":1}',
  'a lone surrogate in a value': '{"name":"\\ud800"}',
  'a lone surrogate in a key': '{"\\udfff":1}',
  'swapped surrogates': '{"name":"\\udc00\\ud800"}',
  __proto__: '{"__proto__":{"isAdmin":true}}',
  'constructor below': '{"metadata":{"constructor":{"prototype":{}}}}',
  'prototype in an array': '{"metadata":[{"prototype":1}]}',
  'a number beyond a double': '{"metadata":{"n":1e400}}',
  'a negative number beyond a double': '{"metadata":{"n":-1e400}}',
  'a key of 257 characters': `{"${long('k', 257)}":1}`,
  'more than 20,000 keys': `{"a":[${Array.from({ length: 3000 }, () => '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}').join(',')}]}`,
}

const WRONG = [null, true, 0, -1, 1e308, '', ' ', 'x', [], [[]], ['x'], {}, { a: 1 }, long('x', 5000)]
/** A third of them, another for each field in turn: three fields of an operation meet all. */
const wrongFor = (field: number) => WRONG.filter((_, index) => index % 3 === field % 3)
const METADATA_KEYS = [
  'category',
  'originCountry',
  'gtin',
  'grai',
  'serialNumber',
  'materialComposition',
  'facilityDetails',
]

/** The members that the contract declares for the operation's body. */
function fieldsOf(operationId: string): string[] {
  return Object.keys(bodySchemaOf(document, operations.get(operationId) as Operation).properties)
}

describe.each(withBody)('%s', (operationId) => {
  const send = (raw: string | Uint8Array, headers: Record<string, string> = {}) => {
    const { method, path } = callOf(operationId)
    return gateway.request(method, path, { headers: { ...workspace.as, ...headers }, raw })
  }

  test('refuses whatever is no acceptable JSON in its own form, and stores nothing', async () => {
    const before = await stored()
    const limit = operations.get(operationId)?.bodyLimit ?? 0
    for (const [name, raw] of Object.entries(REFUSED)) {
      const { status } = await send(raw)
      expect([name, status]).toEqual([name, Buffer.byteLength(raw) > limit ? 413 : 400])
    }
    expect(await stored()).toEqual(before)
  })

  test('refuses nesting that would exhaust a parser', async () => {
    const before = await stored()
    const limit = operations.get(operationId)?.bodyLimit ?? 0
    for (const unit of ['[', '{"a":']) {
      const depth = Math.floor(500_000 / unit.length)
      expect((await send(long(unit, depth))).status).toBe(limit < 500_000 - unit.length ? 413 : 400)
    }
    expect(await stored()).toEqual(before)
  })

  test('trap 12: accepts exactly its limit of bytes and refuses one more', async () => {
    const before = await stored()
    const limit = operations.get(operationId)?.bodyLimit ?? 0
    const full = `{"x":"${long('x', limit - 8)}"}`
    expect(Buffer.byteLength(full)).toBe(limit)
    // Judged, whatever the judgement: these bytes have no field that the operation needs.
    const fitting = await send(full)
    expect(fitting.status).not.toBe(413)
    for (const headers of [undefined, { 'transfer-encoding': 'chunked' }]) {
      const { status, body } = await send(`${full} `, headers)
      expect([status, body.code]).toEqual([413, 'FW_ERR_CTP_BODY_TOO_LARGE'])
    }
    if (fitting.status >= 400) expect(await stored()).toEqual(before)
  })

  test('refuses every other content type and every content encoding', async () => {
    const before = await stored()
    const types = [
      'text/plain',
      'application/xml',
      'application/json5',
      'application/ld+json',
      'multipart/form-data',
      'json',
      '/',
      ';',
      'application/json, text/plain',
    ]
    const others = types.filter((type) => operations.get(operationId)?.bodyAliases.has(type) === false)
    for (const type of others) expect([type, (await send('{}', { 'content-type': type })).status]).toEqual([type, 415])
    for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x']) {
      expect([encoding, (await send('{}', { 'content-encoding': encoding })).status]).toEqual([encoding, 415])
    }
    expect(await stored()).toEqual(before)
  })

  test('answers a value of a wrong type as the contract says', async () => {
    const { method, path, json } = callOf(operationId)
    const bodies: unknown[] = [...WRONG]
    for (const [place, field] of fieldsOf(operationId).entries()) {
      for (const value of wrongFor(place)) bodies.push({ ...(json as object), [field]: value })
      for (const [index, key] of field === 'metadata' ? METADATA_KEYS.entries() : [])
        for (const value of wrongFor(index)) bodies.push({ ...(json as object), metadata: textile({ [key]: value }) })
    }
    const sendAll = async (list: readonly unknown[]) => {
      const refused: unknown[] = []
      for (const body of list) {
        const { status, text } = await gateway.request(method, path, { headers: workspace.as, json: body })
        expect([JSON.stringify(body), status < 500, text]).toEqual([JSON.stringify(body), true, text])
        if (status >= 400) refused.push(body)
      }
      return refused
    }
    const refused = await sendAll(bodies)
    const before = await stored()
    expect(await sendAll(refused)).toEqual(refused)
    expect(await stored()).toEqual(before)
  })

  test('answers a missing body as the contract says', async () => {
    const { method, path } = callOf(operationId)
    const before = await stored()
    const answers = [
      await gateway.request(method, path, { headers: workspace.as }),
      await gateway.request(method, path, { headers: { ...workspace.as, 'content-type': 'application/json' } }),
      await gateway.request(method, path, { headers: { ...workspace.as, 'content-length': '0' } }),
      await gateway.request(method, path, { headers: { ...workspace.as, 'transfer-encoding': 'chunked' } }),
    ]
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1)
    if ((answers[0]?.status ?? 0) >= 400) expect(await stored()).toEqual(before)
  })
})

const NASTY_SEGMENTS = [
  '%zz',
  '%',
  '%f',
  '%ff',
  '%c3%28',
  '%ed%a0%80',
  '%00',
  'a%00b',
  '%c0%80',
  '..%2f..',
  '__proto__',
  'constructor',
  'toString',
  '%F0%9F%92%A9',
  '%27%3B--',
  long('9', 30),
  long('x', 601),
  long('%C3%A4', 201),
  '%20',
  '-1',
  'null',
  '00000000-0000-0000-0000-000000000000',
  '%7B%7D',
  '%0d%0a',
]

test.each(withPath)('%s answers every odd value in its address as the contract says', async (operationId) => {
  const before = await stored()
  const { path, method } = operations.get(operationId) ?? { path: '', method: '' }
  const { json } = callOf(operationId)
  for (const segment of NASTY_SEGMENTS) {
    const address = path.replaceAll(/\{[^}]+\}/g, segment)
    // That is refused before any operation.
    if (address.length > MOST_TARGET_CHARACTERS) continue
    const { status, text } = await gateway.request(method, address, { headers: workspace.as, json })
    expect([segment, [400, 403, 404].includes(status), text]).toEqual([segment, true, text])
    const isBroken = /%(zz|$|f$|ff|c3%28|ed|c0|00)|a%00b/.test(segment)
    if (isBroken) expect([segment, status]).toEqual([segment, 400])
  }
  expect(await stored()).toEqual(before)
})

test.each([...operations.keys()])('%s answers every odd query as the contract says', async (operationId) => {
  const before = await stored()
  const { method, path } = callOf(operationId)
  const isRead = method === 'GET'
  const values = [
    '%00',
    'a%00b',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '__proto__',
    long('9', 30),
    long('x', 4000),
    '',
    '%27',
    '%5B%5D',
    '+',
  ]
  for (const name of ['x', 'page', 'category', 'lang', 'archived', '__proto__', 'x[]', '%00', '%zz']) {
    for (const value of values) {
      const isGuarded = value.includes('%00') || name === '%00'
      // A write would succeed with a query that is ignored.
      if (!isRead && !isGuarded) continue
      const { status } = await gateway.request(method, `${path}?${name}=${value}`, { headers: workspace.as })
      expect([name, value, status < 500]).toEqual([name, value, true])
      if (isGuarded) expect([name, value, status]).toEqual([name, value, 400])
    }
  }
  if (!isRead) expect(await stored()).toEqual(before)
})

test('headers that are odd change nothing', async () => {
  const odd = ['x'.repeat(250), ',,,;;;', 'text/html;q=abc', '*;q=', '"', '\xff\xfe', 'de;q=9999999999']
  for (const name of [
    'accept',
    'accept-language',
    'if-none-match',
    'cookie',
    'x-csrf-token',
    'x-forwarded-for',
    'x-forwarded-host',
    'content-type',
    'idempotency-key',
  ]) {
    for (const value of odd) {
      for (const path of [`/passport/${subjects.passportId}`, `/api/v1/passports/${subjects.passportId}`]) {
        const { status } = await gateway.request('GET', path, { headers: { ...workspace.as, [name]: value } })
        expect([name, value, status]).toEqual([name, value, 200])
      }
    }
  }
})

describe('sizes are judged before anything is parsed', () => {
  const path = () => `/passport/${subjects.passportId}`
  const expectRefusal = ({ status, body, headers }: Answer, expected: number) => {
    const { statusCode, error, message, ...more } = body
    expect([status, statusCode, typeof error, typeof message, more]).toEqual([
      expected,
      expected,
      'string',
      'string',
      {},
    ])
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['cache-control']).toBe('private, no-store')
  }

  test.each(
    Object.entries({ ...MOST_CHARACTERS_OF_HEADER, authorization: 4096, 'if-none-match': 4096, 'x-anything': 4096 }),
  )('of %s: %d characters pass, one more does not, and ten times as many do not either', async (name, most) => {
    const send = (length: number, of = path()) =>
      gateway.client.send('GET', of, { headers: { [name]: 'a'.repeat(length) } })
    for (const of of [path(), `${path()}?x=1`, '/api/v1/whoami']) {
      // A label of a host has 63 characters at most.
      const fitting = name === 'host' ? 63 : most
      expect([200, 401]).toContain((await send(fitting, of)).status)
      expectRefusal(await send(most + 1, of), 431)
      const far = await send(10 * most, of)
      expect([far.status, far.body.statusCode]).toEqual([431, 431])
    }
  })

  test.each(['a,', 'a;q=1,', 'a;', '"', '\\"', ';q=', '/*,', ' ,', 'de,', 'de-AT;q=0.1,', '(', '='])(
    'a list of nothing but %j is read or refused, never a failure',
    async (unit) => {
      for (const [name, most] of Object.entries(MOST_CHARACTERS_OF_HEADER)) {
        if (name === 'host') continue
        for (const length of [most, 10 * most]) {
          const value = unit
            .repeat(Math.ceil(length / unit.length))
            .slice(0, length)
            .trim()
          const { status } = await gateway.client.send('GET', path(), { headers: { [name]: value } })
          expect([name, unit, [200, 431].includes(status)]).toEqual([name, unit, true])
        }
      }
    },
  )

  test('of the address and the number of its parameters', async () => {
    const send = (target: string) => gateway.client.send('GET', target, {})
    const query = (count: number) => `${path()}?${Array.from({ length: count }, (_, at) => `p${at}=1`).join('&')}`
    expect((await send(query(MOST_PARAMETERS))).status).toBe(200)
    expectRefusal(await send(query(MOST_PARAMETERS + 1)), 400)
    expectRefusal(await send(query(10 * MOST_PARAMETERS)), 400)
    expectRefusal(await send(`${path()}?${'&'.repeat(10 * MOST_PARAMETERS)}`), 400)
    expectRefusal(await send(`${path()}?x=${'x'.repeat(MOST_TARGET_CHARACTERS)}`), 414)
    expectRefusal(await send(`/${'x'.repeat(MOST_TARGET_CHARACTERS)}`), 414)
    expect((await send(`/${'x'.repeat(10 * MOST_TARGET_CHARACTERS)}`)).status).toBe(431)
    const fits = `${path()}?x=`
    expect((await send(fits + 'x'.repeat(MOST_TARGET_CHARACTERS - fits.length))).status).toBe(200)
  })

  test('of the number of headers: none is left out silently', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, '1']))
    // Host and Connection are the client's own.
    expect((await gateway.client.send('GET', path(), { headers: many(MOST_HEADERS - 2) })).status).toBe(200)
    for (const count of [MOST_HEADERS - 1, MOST_HEADERS, 10 * MOST_HEADERS])
      expectRefusal(await gateway.client.send('GET', path(), { headers: many(count) }), 431)
  })

  test('of addresses in X-Forwarded-For, behind a proxy too', async () => {
    const behind = await startTestGateway({ DATABASE_URL: gateway.databaseUrl, TRUST_PROXY: '1000' })
    try {
      for (const value of ['1.1.1.1,'.repeat(100), ','.repeat(1000), 'a,'.repeat(500), '1.1.1.1:1,'.repeat(90)]) {
        const { status } = await behind.client.send('GET', path(), { headers: { 'x-forwarded-for': value } })
        expect(status).toBe(200)
      }
      const far = await behind.client.send('GET', path(), { headers: { 'x-forwarded-for': '1.1.1.1,'.repeat(1000) } })
      expectRefusal(far, 431)
    } finally {
      await behind.close()
    }
  })
})

test('a forbidden key leaves no trace on other objects', async () => {
  const json = { gln: newGln(), name: 'F', country: 'DE' }
  const raw = `${JSON.stringify(json).slice(0, -1)},"__proto__":{"country":"XX","isAdmin":true}}`
  expect((await gateway.request('POST', '/api/v1/facilities', { headers: workspace.as, raw })).status).toBe(400)
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  const { body } = await gateway.request('POST', '/api/v1/passports', {
    headers: workspace.as,
    json: { productId: newGtin(), metadata: textile() },
  })
  expect(Object.keys(body.passport)).not.toContain('isAdmin')
})
