import { describe, expect, test } from 'vitest'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { operations, sendAll, useUnchangedGateway, withBody } from '../support/odd-requests.ts'

const { gateway, workspace, callOf, allowChanges, expectNothingStored } = await useUnchangedGateway()

const bytes = (text: string) => Buffer.from(text, 'latin1')
const long = (start: string, length: number) => start.repeat(length)

/** Bodies that no operation may accept, with a word of the gateway's message. */
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

describe.each(withBody)('%s', (operationId) => {
  const send = (raw: string | Uint8Array, headers: Record<string, string> = {}) => {
    const { method, path } = callOf(operationId)
    return gateway.request(method, path, { headers: { ...workspace.as, ...headers }, raw })
  }

  test('rejects invalid JSON in its own format, and stores nothing', async () => {
    const limit = operations.get(operationId)?.bodyLimit ?? 0
    for (const [[name, raw], { status }] of await sendAll(Object.entries(REFUSED), ([, raw]) => send(raw)))
      expect([name, status]).toEqual([name, Buffer.byteLength(raw) > limit ? 413 : 400])
    await expectNothingStored()
  })

  test('refuses nesting that would exhaust a parser', async () => {
    const limit = operations.get(operationId)?.bodyLimit ?? 0
    for (const unit of ['[', '{"a":']) {
      const depth = Math.floor(500_000 / unit.length)
      expect((await send(long(unit, depth))).status).toBe(limit < 500_000 - unit.length ? 413 : 400)
    }
    await expectNothingStored()
  })

  test('trap 12: accepts exactly its limit of bytes and refuses one more', async () => {
    const limit = operations.get(operationId)?.bodyLimit ?? 0
    const full = Buffer.alloc(limit, 'x')
    full.write('{"x":"')
    full.write('"}', limit - 2)
    const over = Buffer.concat([full, Buffer.from(' ')])
    // Parsed and validated: these bytes lack the required fields.
    const fitting = await send(full)
    expect(fitting.status).not.toBe(413)
    for (const headers of [undefined, { 'transfer-encoding': 'chunked' }]) {
      const { status, body } = await send(over, headers)
      const { code = body.message[0].code } = body // EN 18222 has a list of messages.
      expect([status, code]).toEqual([413, 'FW_ERR_CTP_BODY_TOO_LARGE'])
    }
    if (fitting.status >= 400) await expectNothingStored()
    else await allowChanges()
  })

  test('refuses every other content type and every content encoding', async () => {
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
    const headers: Record<string, string>[] = [
      ...others.map((type) => ({ 'content-type': type })),
      ...['gzip', 'br', 'deflate', 'identity, gzip', 'x'].map((encoding) => ({ 'content-encoding': encoding })),
    ]
    for (const [sent, { status }] of await sendAll(headers, (more) => send('{}', more)))
      expect([sent, status]).toEqual([sent, 415])
    await expectNothingStored()
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
