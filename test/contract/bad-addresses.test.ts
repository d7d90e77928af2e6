import { describe, expect, test } from 'vitest'
import { MOST_CHARACTERS_OF_HEADER, MOST_HEADERS, MOST_PARAMETERS, MOST_TARGET_CHARACTERS } from '../../src/bounds.ts'
import { loadConfig } from '../../src/config.ts'
import { loadContract, type Operation } from '../../src/http/contract.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import type { Answer } from '../support/contract-client.ts'
import { startTestGateway } from '../support/gateway.ts'
import { sendAll, useUnchangedGateway } from '../support/odd-requests.ts'

// Addresses, queries and headers. `bad-input.test.ts` has the bodies.

const { operations } = await loadContract(await loadPlugins(loadConfig({}).plugins))
const withPath = [...operations.values()].filter(({ path }) => path.includes('{')).map(({ operationId }) => operationId)

const { gateway, workspace, subjects, callOf, allowChanges, expectNothingStored } = await useUnchangedGateway()

const long = (start: string, length: number) => start.repeat(length)

/** Escapes that stand for no text, and NUL. */
const BROKEN_SEGMENTS = ['%zz', '%', '%f', '%ff', '%c3%28', '%ed%a0%80', '%00', 'a%00b', '%c0%80']
const NASTY_SEGMENTS = [
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
  const { path, method } = operations.get(operationId) ?? { path: '', method: '' }
  const { json } = callOf(operationId)
  const addressOf = (segment: string) => path.replaceAll(/\{[^}]+\}/g, segment)
  // What is longer is refused before any operation. So are broken texts, of which each operation meets three in turn.
  const segments = NASTY_SEGMENTS.filter((segment) => addressOf(segment).length <= MOST_TARGET_CHARACTERS)
  const broken = BROKEN_SEGMENTS.filter((_, at) => at % 3 === withPath.indexOf(operationId) % 3)
  const send = (segment: string) => gateway.request(method, addressOf(segment), { headers: workspace.as, json })
  const answers = await sendAll([...segments, ...broken], send)
  const isRight = ([segment, { status }]: (typeof answers)[number]) =>
    BROKEN_SEGMENTS.includes(segment) ? status === 400 : [400, 403, 404].includes(status)
  expect(answers.filter((answer) => !isRight(answer)).map(([segment, { text }]) => [segment, text])).toEqual([])
  await expectNothingStored()
})

/** Values of parameters, which are refused if NUL is in them. */
const NASTY_VALUES = [
  '%00',
  '%zz',
  '__proto__',
  long('9', 30),
  '%ff',
  long('x', 4000),
  'a%00b',
  '%ed%a0%80',
  '',
  '%27',
  '%5B%5D',
  '+',
]
/** Operations that answer long documents to any query. */
const WHOLE_DOCUMENTS = new Set(['getImportTemplate', 'exportPassports', 'getOpenapiJson', 'getOpenapiYaml'])
const SELECTING = new Set(['page', 'category', 'archived'])
const NASTY_NAMES = ['x', 'page', 'category', 'lang', 'archived', '__proto__', 'x[]', '%00', '%zz']

test.each([...operations.keys()])('%s answers every odd query as the contract says', async (operationId) => {
  const place = [...operations.keys()].indexOf(operationId)
  const { parameters } = operations.get(operationId) as Operation
  const { method, path } = callOf(operationId)
  const isRead = method === 'GET'
  const own = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const names = [...new Set([...NASTY_NAMES, ...own])]
  const pairs = names.flatMap((name, index) => {
    // All values of the parameters that select; of the others a part, which differs from operation to operation.
    const isSelecting = own.includes(name) && SELECTING.has(name)
    const some = WHOLE_DOCUMENTS.has(operationId) ? 12 : 6
    const values = NASTY_VALUES.filter((_, at) => isSelecting || at % some === (place + index) % some)
    return values.map((value) => ({ name, value, isGuarded: value.includes('%00') || name === '%00' }))
  })
  // A write would succeed with a query that is ignored.
  const sent = pairs.filter(({ isGuarded }) => isRead || isGuarded)
  const glue = path.includes('?') ? '&' : '?'
  const send = ({ name, value }: { name: string; value: string }) =>
    gateway.request(method, `${path}${glue}${name}=${value}`, { headers: workspace.as })
  const answers = await sendAll(sent, send)
  const isRight = ([{ isGuarded }, { status }]: (typeof answers)[number]) => (isGuarded ? status === 400 : status < 500)
  expect(answers.filter((answer) => !isRight(answer)).map(([pair, { text }]) => [pair, text])).toEqual([])
  if (isRead) await allowChanges()
  else await expectNothingStored()
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
