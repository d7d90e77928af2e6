import { afterAll, describe, expect, test } from 'vitest'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import type { Answer } from '../support/contract-client.ts'
import { newGtin, startTestGateway } from '../support/gateway.ts'
import { wireOf } from '../support/public-subjects.ts'
import { givenSubjects, newGrai } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

// Visibility of changes: lane-changes.test.ts.

const { gateway, workspace, passports } = await useGateway()
/** The same database, with redirects of GS1 Digital Links. */
const redirecting = await startTestGateway({ DATABASE_URL: gateway.databaseUrl, RESOLVER_REDIRECTS: 'on' })
afterAll(() => redirecting.close())
const subjects = await givenSubjects(gateway, workspace)

/** Requests that bypass the public cache. */
const DETOURS: Record<string, (path: string, headers: Record<string, string>) => Promise<Answer>> = {
  'another query': (path, headers) =>
    gateway.request('GET', `${path}${path.includes('?') ? '&' : '?'}x=1`, { headers }),
  'an invalid token': (path, headers) =>
    gateway.request('GET', path, { headers: { ...headers, authorization: 'Bearer nobody' } }),
}

const inParallel = <T>(over: Iterable<T>, work: (one: T) => Promise<void>) => Promise.all([...over].map(work))

describe('both lanes answer the same bytes', () => {
  const mediaTypes = [
    'application/ld+json',
    'text/html',
    'application/json',
    'text/html;q=0.4, application/ld+json;q=0.3',
  ]
  const languages: [string, Record<string, string>][] = [
    ['', {}],
    ['', { 'accept-language': 'de' }],
    ['?lang=de', {}],
    ['?lang=en', { 'accept-language': 'de' }],
    ['?lang=xx', { 'accept-language': 'de-AT, en;q=0.5' }],
  ]

  const addresses: Record<string, () => string> = {
    'an id': () => `/passport/${subjects.passportId}`,
    'a GTIN': () => `/01/${subjects.gtin}`,
    'a GRAI': () => `/8003/${subjects.grai}`,
    'a unit': () => `/unit/${subjects.unitId}`,
  }
  const ways = Object.keys(addresses).flatMap((address) =>
    Object.keys(DETOURS).map((detour) => [address, detour] as const),
  )

  test.each(ways)('for %s in every representation and language, by %s', async (address, detour) => {
    const path = addresses[address]?.() ?? ''
    const { representations } = gateway.container.cradle.plugins
    const all = new Set([...mediaTypes, ...representations.flatMap((plugin) => plugin.mediaTypes)])
    const signed = new Set(representations.filter(({ isSigned }) => isSigned).flatMap((plugin) => plugin.mediaTypes))
    // One address is tested with every language and representation; all addresses share the code.
    const isWhole = ways[0]?.[0] === address && ways[0]?.[1] === detour
    const compare = async (accept: string, [query, language]: (typeof languages)[number]) => {
      const read = async (more: Record<string, string> = {}) =>
        gateway.request('GET', path + query, { headers: { accept, ...language, ...more } })
      const throughPipeline = async (more: Record<string, string> = {}) =>
        wireOf(await (DETOURS[detour]?.(path + query, { accept, ...language, ...more }) as Promise<Answer>))
      const first = await read()
      expect(first.status).toBe(200)
      const pipeline = await throughPipeline()
      // Repeated reads are from memory.
      for (const lane of [first, await read(), await read()]) expect(wireOf(lane)).toEqual(pipeline)
      // Entity tags are compared independently of the content.
      if (query !== '?lang=de' || (!isWhole && !mediaTypes.includes(accept))) return
      const etag = first.headers.etag ?? ''
      await inParallel([etag, `W/${etag}`, `"x", ${etag}`, '*', '"x"', ''], async (value) => {
        const header = { 'if-none-match': value }
        const [lane, detoured] = await Promise.all([read(header), throughPipeline(header)])
        expect(lane.status).toBe(value.includes(etag) || value === '*' ? 304 : 200)
        expect(wireOf(lane)).toEqual(detoured)
      })
    }
    await inParallel(all, async (accept) => {
      const some = signed.has(accept) || !isWhole ? languages.slice(2, 3) : languages
      for (const language of some) await compare(accept, language)
    })
  })

  const links: Record<string, () => string> = {
    'the link of a unit': () => `/01/${subjects.gtin}/21/${subjects.unitSerial}`,
    'a serial that nobody has': () => `/01/${subjects.gtin}/10/L/21/nobody`,
    'the link of a unit of a GRAI': () => `/8003/${subjects.grai}/21/${subjects.unitSerial}`,
    'a serial and a token': () => `/01/${subjects.gtin}/21/${subjects.unitSerial}?grant=dpp_li_x&y=%2f`,
    'a linkset': () => `/01/${subjects.gtin}?linkType=linkset`,
    'the linkset of a unit': () => `/01/${subjects.gtin}/21/${subjects.unitSerial}?linkType=all`,
    'a link type': () => `/8003/${subjects.grai}?linkType=gs1:pip`,
    'a link type that it does not have': () => `/01/${subjects.gtin}?linkType=gs1:recallStatus`,
    'a GTIN': () => `/01/${subjects.gtin}`,
    'a GTIN that nobody has': () => `/01/${newGtin()}/21/S`,
    'no GTIN': () => '/01/123/21/S',
    'a batch': () => `/01/${subjects.gtin}/10/L`,
  }

  test.each(Object.keys(links))('for %s, whether links redirect or not', async (name) => {
    const path = links[name]?.() ?? ''
    const accepts = ['*/*', 'text/html', 'application/ld+json', 'application/json', 'application/linkset+json']
    const ways = [gateway, redirecting].flatMap((of) => accepts.map((accept) => ({ of, accept })))
    await inParallel(ways, async ({ of, accept }) => {
      const read = (more: Record<string, string> = {}) => of.request('GET', path, { headers: { accept, ...more } })
      const throughPipeline = async (header: Record<string, string> = {}) =>
        wireOf(await read({ ...header, authorization: 'Bearer nobody' }))
      const first = await read()
      const known = { 'if-none-match': first.headers.etag ?? '"x"' }
      const pipeline = await throughPipeline()
      expect(wireOf(first)).toEqual(pipeline)
      expect(wireOf(await read(known))).toEqual(await throughPipeline(known))
      expect(wireOf(await read())).toEqual(pipeline)
    })
  })

  test('HEAD has the headers of GET and no body', async () => {
    for (const accept of mediaTypes) {
      const path = `/passport/${subjects.passportId}`
      const get = wireOf(await gateway.request('GET', path, { headers: { accept } }))
      for (const query of ['', '?x=1'])
        expect(wireOf(await gateway.request('HEAD', path + query, { headers: { accept } }))).toEqual({
          ...get,
          text: '',
        })
    }
  })

  test('requests outside of the lane get the response of the pipeline', async () => {
    const draft = await passports.given({ metadata: {}, draft: true })
    const draftUnit = await unitClient(gateway, workspace.as).given(draft.id)
    const upper = subjects.passportId.toUpperCase()
    for (const path of [
      `/passport/${draft.id}`,
      `/01/${draft.productId}`,
      `/01/${newGtin()}`,
      `/8003/${newGrai()}`,
      '/passport/x',
      `/passport/${upper}`,
      `/unit/${draftUnit.id}`,
      `/unit/${subjects.passportId}`,
      '/unit/x',
    ]) {
      for (const accept of mediaTypes) {
        const lane = await gateway.request('GET', path, { headers: { accept } })
        expect(lane.status).toBe(path.endsWith(upper) ? 200 : path === '/passport/x' ? 404 : 404)
        expect(wireOf(lane)).toEqual(wireOf(await gateway.request('GET', `${path}?x=1`, { headers: { accept } })))
      }
    }
  })

  test('a request id is adopted by both, and no answer has that of another', async () => {
    for (const query of ['', '?x=1']) {
      const path = `/passport/${subjects.passportId}${query}`
      const ids = ['Scan-1', 'Scan-2', 'Scan-3', undefined, 'Scan-4']
      const answers = ids.map((id) =>
        gateway.request('GET', path, { headers: id === undefined ? {} : { 'x-request-id': id } }),
      )
      const given = (await Promise.all(answers)).map(({ headers }) => headers['x-request-id'])
      expect(given).toEqual(ids.map((id) => id ?? expect.stringMatching(/^[0-9a-f-]{36}$/)))
    }
  })

  test('cached content of the lane differs from that of a credential, and is never mixed', async () => {
    const path = `/passport/${subjects.passportId}`
    const read = async (headers: Record<string, string> = {}) => {
      const answer = await gateway.request('GET', path, { headers })
      return [answer.status, answer.headers['x-access-tier'], answer.headers['cache-control']]
    }
    for (let count = 0; count < 3; count += 1) {
      expect(await read()).toEqual([200, 'public', PUBLIC_CACHING])
      expect(await read(workspace.as)).toEqual([200, 'owner', 'private, no-store'])
      expect(await read({ authorization: '' })).toEqual([200, 'public', PUBLIC_CACHING])
    }
  })

  test('other methods find no more at an address that is in memory', async () => {
    const path = `/passport/${subjects.passportId}`
    for (let count = 0; count < 3; count += 1) expect((await gateway.request('GET', path)).status).toBe(200)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const [lane, pipeline] = [await gateway.request(method, path), await gateway.request(method, `${path}?x=1`)]
      expect(lane.status).toBeGreaterThanOrEqual(404)
      expect(wireOf(lane)).toEqual(wireOf(pipeline))
    }
  })
})
