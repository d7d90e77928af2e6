import { describe, expect, test } from 'vitest'
import { textile } from '../support/gateway.ts'
import { battery, expectStatus } from '../support/passport-client.ts'
import { givenSubjects, inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const page = (path: string, headers: Record<string, string> = {}) =>
  gateway.request('GET', path, { headers: { accept: 'text/html', ...headers } })
const BROTLI = { 'accept-encoding': 'gzip, br;q=0.9, zstd' }
/** Response bytes, which the test client does not decode. */
const bytesAt = async (path: string, headers: Record<string, string>) =>
  Buffer.from(await (await fetchRaw(path, headers)).arrayBuffer())
const fetchRaw = (path: string, headers: Record<string, string>) =>
  fetch(gateway.origin + path, { headers: { accept: 'text/html', ...headers } })

describe('review-3-users S2: a public page', () => {
  test.each([
    ['the first time', 1],
    ['from the cache', 3],
  ])('is compressed for callers that take Brotli, and the same page, %s', async (_, times) => {
    const { id } = await passports.given({ metadata: battery() })
    for (let time = 0; time < times; time += 1) {
      const plain = await page(`/passport/${id}`)
      const compressed = await page(`/passport/${id}`, BROTLI)
      expect([plain.status, compressed.status]).toEqual([200, 200])
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(compressed.headers['content-encoding']).toBe('br')
      expect(Number(compressed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 3)
      expect((await bytesAt(`/passport/${id}`, BROTLI)).toString()).toBe(plain.text)
      for (const { headers } of [plain, compressed]) {
        expect(headers.vary).toBe('Accept, Accept-Encoding, Accept-Language, Authorization')
      }
      const others = ({ headers }: typeof plain) => {
        const { etag: _etag, date: _date, vary: _vary, 'x-request-id': _id, ...more } = headers
        const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = more
        return rest
      }
      expect(others(compressed)).toEqual(others(plain))
    }
  })

  test('has an entity tag for each encoding, and is not sent again for its own', async () => {
    const { id } = await passports.given({ metadata: textile() })
    const path = `/passport/${id}`
    const [plain, compressed] = [await page(path), await page(path, BROTLI)]
    expect(compressed.headers.etag).toBe(`${String(plain.headers.etag).slice(0, -1)}-br"`)
    const again = (tag: unknown, headers: object = {}) => page(path, { 'if-none-match': String(tag), ...headers })
    expect((await again(compressed.headers.etag, BROTLI)).status).toBe(304)
    expect((await again(compressed.headers.etag, BROTLI)).headers).not.toHaveProperty('content-encoding')
    expect((await again(plain.headers.etag)).status).toBe(304)
    expect((await again(plain.headers.etag, BROTLI)).status).toBe(200)
    expect((await again(compressed.headers.etag)).status).toBe(200)
  })

  test('is of a unit, of an earlier version and of a download too', async () => {
    const { unitId, passportId } = await givenSubjects(gateway, workspace)
    const { id } = await passports.given({ metadata: textile() })
    expectStatus(200, await passports.seal(id))
    for (const path of [`/unit/${unitId}`, `/passport/${id}?version=1`, `/passport/${passportId}?format=html`]) {
      expect([path, (await page(path, BROTLI)).headers['content-encoding']]).toEqual([path, 'br'])
      expect((await bytesAt(path, BROTLI)).toString()).toBe((await page(path)).text)
    }
  })

  test('is sent as it is to a caller that refuses Brotli, and so is every other form', async () => {
    const { id } = await passports.given({ metadata: battery() })
    for (const accepted of ['br;q=0', 'gzip', 'identity', '*']) {
      expect(
        (await page(`/passport/${id}`, { 'accept-encoding': accepted })).headers['content-encoding'],
      ).toBeUndefined()
    }
    const { headers } = await page(`/passport/${id}`, { accept: 'application/ld+json', ...BROTLI })
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).toBe('Accept, Authorization')
  })
})

test('review-3-users S2: what a token or a key has opened is never compressed', async () => {
  const { id } = await passports.given({ metadata: battery() })
  const { body } = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repair Ltd', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(3) },
  })
  for (const [path, headers] of [
    [`/passport/${id}?grant=${body.token}`, {}],
    [`/passport/${id}?grant=dpp_li_${'x'.repeat(43)}`, {}],
    [`/passport/${id}`, { authorization: `Bearer ${body.token}` }],
    [`/passport/${id}`, workspace.as],
  ] as const) {
    const answer = await page(path, { ...BROTLI, ...headers })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBeUndefined()
  }
})

test.each(['/', '/verify', '/ns/dpp'])('review-3-users S2: %s is compressed', async (path) => {
  const [plain, compressed] = [await page(path), await page(path, BROTLI)]
  expect([compressed.status, compressed.headers['content-encoding']]).toEqual([200, 'br'])
  expect((await bytesAt(path, BROTLI)).toString()).toBe(plain.text)
  expect(plain.headers['content-encoding']).toBeUndefined()
  for (const { headers } of [plain, compressed]) {
    expect(headers.vary).toBe('Accept, Accept-Encoding, Accept-Language')
    expect(headers['cache-control']).toBe(path === '/' ? 'public, max-age=300' : 'public, max-age=3600')
  }
  // A page with search text is specific to one visitor.
  const wrong = await page('/?q=<b>nothing</b>', BROTLI)
  expect(wrong.headers['content-encoding']).toBeUndefined()
})
