import { describe, expect, test } from 'vitest'
import { MAX_CHARACTERS_OF_HEADER, MAX_HEADERS, MAX_PARAMETERS, MAX_TARGET_CHARACTERS } from '../../src/start/bounds.ts'
import type { Answer } from '../support/contract-client.ts'
import { startTestGateway } from '../support/gateway.ts'
import { sendAll } from '../support/odd-requests.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { id } = await passports.given()

test('headers that are odd change nothing', async () => {
  const odd = ['x'.repeat(250), ',,,;;;', 'text/html;q=abc', '*;q=', '"', '\xff\xfe', 'de;q=9999999999']
  const names = [
    'accept',
    'accept-language',
    'if-none-match',
    'cookie',
    'x-csrf-token',
    'x-forwarded-for',
    'x-forwarded-host',
    'content-type',
    'idempotency-key',
  ]
  const paths = [`/passport/${id}`, `/api/v1/passports/${id}`]
  const sent = names.flatMap((name) => odd.flatMap((value) => paths.map((path) => ({ name, value, path }))))
  const answers = await sendAll(sent, ({ name, value, path }) =>
    gateway.request('GET', path, { headers: { ...workspace.as, [name]: value } }),
  )
  for (const [{ name, value }, { status }] of answers) expect([name, value, status]).toEqual([name, value, 200])
})

describe('sizes are judged before anything is parsed', () => {
  const path = () => `/passport/${id}`
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
    Object.entries({ ...MAX_CHARACTERS_OF_HEADER, authorization: 4096, 'if-none-match': 4096, 'x-anything': 4096 }),
  )(
    'of %s: %d characters pass, one more does not, and ten times as many do not either',
    async (name, maxCharacters) => {
      const send = (length: number, target = path()) =>
        gateway.client.send('GET', target, { headers: { [name]: 'a'.repeat(length) } })
      for (const target of [path(), `${path()}?x=1`, '/api/v1/whoami']) {
        // A host label has at most 63 characters.
        const fitting = name === 'host' ? 63 : maxCharacters
        expect([200, 401]).toContain((await send(fitting, target)).status)
        expectRefusal(await send(maxCharacters + 1, target), 431)
        const far = await send(10 * maxCharacters, target)
        expect([far.status, far.body.statusCode]).toEqual([431, 431])
      }
    },
  )

  test.each(['a,', 'a;q=1,', 'a;', '"', '\\"', ';q=', '/*,', ' ,', 'de,', 'de-AT;q=0.1,', '(', '='])(
    'a list of nothing but %j is read or refused, never a failure',
    async (unit) => {
      for (const [name, maxCharacters] of Object.entries(MAX_CHARACTERS_OF_HEADER)) {
        if (name === 'host') continue
        for (const length of [maxCharacters, 10 * maxCharacters]) {
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
    expect((await send(query(MAX_PARAMETERS))).status).toBe(200)
    expectRefusal(await send(query(MAX_PARAMETERS + 1)), 400)
    expectRefusal(await send(query(10 * MAX_PARAMETERS)), 400)
    expectRefusal(await send(`${path()}?${'&'.repeat(10 * MAX_PARAMETERS)}`), 400)
    expectRefusal(await send(`${path()}?x=${'x'.repeat(MAX_TARGET_CHARACTERS)}`), 414)
    expectRefusal(await send(`/${'x'.repeat(MAX_TARGET_CHARACTERS)}`), 414)
    expect((await send(`/${'x'.repeat(10 * MAX_TARGET_CHARACTERS)}`)).status).toBe(431)
    const fits = `${path()}?x=`
    expect((await send(fits + 'x'.repeat(MAX_TARGET_CHARACTERS - fits.length))).status).toBe(200)
  })

  test('of the number of headers: none is left out silently', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, '1']))
    // The client adds Host and Connection.
    expect((await gateway.client.send('GET', path(), { headers: many(MAX_HEADERS - 2) })).status).toBe(200)
    for (const count of [MAX_HEADERS - 1, MAX_HEADERS, 10 * MAX_HEADERS])
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
