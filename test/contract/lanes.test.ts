import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Choice, variantOf } from '../../src/publication/choice.ts'
import type { CachedRendition } from '../../src/publication/public-cache.ts'
import type { Answer } from '../support/contract-client.ts'
import { createWorkspace, newGtin, startTestGateway, type TestGateway, textile } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { givenSubjects, newGrai, type Subjects } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace } = await useGateway()
let subjects: Subjects

/** The same database, where GS1 Digital Links redirect. */
let redirecting: TestGateway

beforeAll(async () => {
  redirecting = await startTestGateway({ DATABASE_URL: gateway.databaseUrl, RESOLVER_REDIRECTS: 'on' })
})
afterAll(() => redirecting.close())

const giveSubjects = async () => {
  subjects = await givenSubjects(gateway, workspace)
}

const passportAt = (path: string) => `/api/v1/passports/${subjects.passportId}${path}`
const send = async (method: string, path: string, json?: unknown, status = 200) =>
  expectStatus(status, await gateway.request(method, path, { headers: workspace.as, json }))

/** What a client sees, apart from what differs between any two answers. */
function wireOf({ status, rawHeaders, text }: Answer): object {
  const headers: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!/^(date|x-request-id)$/i.test(name)) headers.push(`${name}: ${rawHeaders[at + 1]}`)
  }
  return { status, headers: headers.sort(), text }
}

/** Ways into the pipeline for a request that the lane would answer. */
const DETOURS: Record<string, (path: string, headers: Record<string, string>) => Promise<Answer>> = {
  'another query': (path, headers) =>
    gateway.request('GET', `${path}${path.includes('?') ? '&' : '?'}x=1`, { headers }),
  'an invalid token': (path, headers) =>
    gateway.request('GET', path, { headers: { ...headers, authorization: 'Bearer nobody' } }),
}

describe('both lanes answer the same bytes', () => {
  // Its tests only read them.
  beforeAll(giveSubjects)

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
    // All addresses choose and store alike, so that one of them stands for the rest with every language of every representation.
    const isWhole = ways[0]?.[0] === address && ways[0]?.[1] === detour
    for (const accept of all) {
      for (const [query, language] of signed.has(accept) || !isWhole ? languages.slice(2, 3) : languages) {
        const read = async (more: Record<string, string> = {}) =>
          gateway.request('GET', path + query, { headers: { accept, ...language, ...more } })
        const throughPipeline = async (more: Record<string, string> = {}) =>
          wireOf(await (DETOURS[detour]?.(path + query, { accept, ...language, ...more }) as Promise<Answer>))
        const first = await read()
        expect(first.status).toBe(200)
        const pipeline = await throughPipeline()
        // What has been asked for twice comes from memory.
        for (const lane of [first, await read(), await read()]) expect(wireOf(lane)).toEqual(pipeline)
        // The tag of an answer is compared alike, whatever the answer is.
        if (query !== '?lang=de' || (!isWhole && !mediaTypes.includes(accept))) continue
        const etag = first.headers.etag ?? ''
        for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*', '"x"', '']) {
          const lane = await read({ 'if-none-match': value })
          expect(lane.status).toBe(value.includes(etag) || value === '*' ? 304 : 200)
          expect(wireOf(lane)).toEqual(await throughPipeline({ 'if-none-match': value }))
        }
      }
    }
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
    for (const of of [gateway, redirecting]) {
      for (const accept of [
        '*/*',
        'text/html',
        'application/ld+json',
        'application/json',
        'application/linkset+json',
      ]) {
        const read = (more: Record<string, string> = {}) => of.request('GET', path, { headers: { accept, ...more } })
        const throughPipeline = async (header: Record<string, string> = {}) =>
          wireOf(await read({ ...header, authorization: 'Bearer nobody' }))
        const first = await read()
        const known = { 'if-none-match': first.headers.etag ?? '"x"' }
        const pipeline = await throughPipeline()
        expect(wireOf(first)).toEqual(pipeline)
        expect(wireOf(await read(known))).toEqual(await throughPipeline(known))
        expect(wireOf(await read())).toEqual(pipeline)
      }
    }
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

  test('what the lane does not answer, it answers like the pipeline', async () => {
    const draft = (await send('POST', '/api/v1/passports', { productId: newGtin(), metadata: {}, draft: true }, 201))
      .body.passport
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

  test('what the lane has in memory is not what a credential gets, nor the other way round', async () => {
    const path = `/passport/${subjects.passportId}`
    const read = async (headers: Record<string, string> = {}) => {
      const answer = await gateway.request('GET', path, { headers })
      return [answer.status, answer.headers['x-access-tier'], answer.headers['cache-control']]
    }
    for (let count = 0; count < 3; count += 1) {
      expect(await read()).toEqual([200, 'public', 'public, no-cache'])
      expect(await read(workspace.as)).toEqual([200, 'owner', 'private, no-store'])
      expect(await read({ authorization: '' })).toEqual([200, 'public', 'public, no-cache'])
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

describe('a change shows in the next answer', () => {
  beforeEach(giveSubjects)

  const rename = () => ({ name: `Renamed ${newGtin()}` })
  const changes: Record<string, () => Promise<unknown>> = {
    'an update': () => send('PUT', passportAt(''), { metadata: textile({ size: newGtin() }) }),
    'a new status': () => send('PUT', passportAt('/status'), { status: 'RECALLED' }),
    'a decommissioning': () => send('PUT', passportAt('/status'), { status: 'DECOMMISSIONED' }),
    'a seal': () => send('POST', passportAt('/seal')),
    'a facility that is attached no more': () => send('PUT', passportAt(''), { metadata: textile(), facilityId: null }),
    'a renamed facility': () => send('PUT', `/api/v1/facilities/${subjects.facilityId}`, rename()),
    'a deleted facility': () => send('DELETE', `/api/v1/facilities/${subjects.facilityId}`),
    'a renamed operator': () => send('PATCH', `/api/v1/operators/${workspace.operatorId}`, rename()),
    'an archived operator': async () => {
      await send('DELETE', `/api/v1/operators/${workspace.operatorId}`)
    },
    'a restored operator': () => send('POST', `/api/v1/operators/${workspace.operatorId}/restore`),
  }

  test.each(Object.keys(changes))('after %s', async (name) => {
    if (name === 'a restored operator') await changes['an archived operator']?.()
    const paths = [`/passport/${subjects.passportId}`, `/01/${subjects.gtin}`, `/unit/${subjects.unitId}`]
    const read = (path: string, accept = 'application/ld+json') => gateway.request('GET', path, { headers: { accept } })
    for (const accept of ['application/ld+json', 'text/html'])
      for (const path of [...paths, ...paths, ...paths]) expect((await read(path, accept)).status).toBe(200)
    const before = await Promise.all(paths.map((path) => read(path)))
    await changes[name]?.()
    for (const [index, path] of paths.entries()) {
      const after = await read(path)
      expect([after.status, after.headers.etag === before[index]?.headers.etag]).toEqual([200, false])
      expect(after.body).toEqual((await read(`${path}?x=1`)).body)
      const page = await read(path, 'text/html')
      expect(page.text).toBe((await read(`${path}?x=1`, 'text/html')).text)
    }
  })

  test('after each of many updates in a row, while others read', async () => {
    const path = `/passport/${subjects.passportId}`
    let isDone = false
    const readers = Array.from({ length: 4 }, async () => {
      while (!isDone) await gateway.request('GET', path)
    })
    try {
      for (let size = 0; size < 12; size += 1) {
        await send('PUT', passportAt(''), { metadata: textile({ size: String(size) }) })
        expect((await gateway.request('GET', path)).body.size).toBe(String(size))
      }
    } finally {
      isDone = true
      await Promise.all(readers)
    }
  })

  test('a passport that becomes a draft is gone, and a deleted draft stays gone', async () => {
    const addresses = [`/passport/${subjects.passportId}`, `/01/${subjects.gtin}`, `/unit/${subjects.unitId}`]
    const statuses = async () => {
      const answers: Answer[] = []
      for (const path of addresses) answers.push(await gateway.request('GET', path))
      return answers.map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200, 200])
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    expect(await statuses()).toEqual([404, 404, 404])
    await send('PUT', passportAt(''), { metadata: textile() })
    expect(await statuses()).toEqual([200, 200, 200])
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    await send('DELETE', passportAt(''))
    expect(await statuses()).toEqual([404, 404, 404])
  })

  test('a link leads where it leads now', async () => {
    const units = unitClient(gateway, workspace.as)
    const at = async (path: string) => {
      const answers = [await gateway.request('GET', path), await gateway.request('GET', path)]
      const [first, second] = answers.map(({ headers }) => headers.location?.replace(/.*(?=\/(passport|unit)\/)/, ''))
      expect(second).toBe(first)
      return first
    }
    const link = `/01/${subjects.gtin}/21/LATER`
    expect(await at(link)).toBe(`/passport/${subjects.passportId}`)
    const unit = await units.given(subjects.passportId, { serialNumber: 'LATER' })
    expect(await at(link)).toBe(`/unit/${unit.id}`)
    await units.remove(unit.id)
    expect(await at(link)).toBe(`/passport/${subjects.passportId}`)
    const recall = `/01/${subjects.gtin}?linkType=gs1:recallStatus`
    expect(await at(recall)).toBeUndefined()
    await send('PUT', passportAt('/status'), { status: 'RECALLED' })
    expect(await at(recall)).toBe(`/passport/${subjects.passportId}?linkType=gs1:recallStatus`)
    await send('PUT', passportAt('/status'), { status: 'ACTIVE' })
    expect(await at(recall)).toBeUndefined()
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    expect(await at(link)).toBeUndefined()
  })

  test('a second passport for the product makes it a choice', async () => {
    const other = await createWorkspace(gateway)
    for (const [path, productId] of [
      [`/01/${subjects.gtin}`, subjects.gtin],
      [`/8003/${subjects.grai}`, subjects.grai],
    ] as const) {
      expect((await gateway.request('GET', path)).status).toBe(200)
      const json = { productId, metadata: textile() }
      expectStatus(201, await gateway.request('POST', '/api/v1/passports', { headers: other.as, json }))
      expect((await gateway.request('GET', path)).status).toBe(300)
    }
  })

  test('an update that names a GTIN counts where nobody has it as product id', async () => {
    const gtin = newGtin()
    const answer = async () => (await gateway.request('GET', `/01/${gtin}`, {})).body.productId ?? 'several or none'
    const nameIt = async (productId: string) => {
      const created = await send('POST', '/api/v1/passports', { productId, metadata: textile() }, 201)
      await answer()
      await send('PUT', `/api/v1/passports/${created.body.passport.id}`, { metadata: textile({ gtin }) })
      return answer()
    }
    expect(await nameIt(`A ${gtin}`)).toBe(`A ${gtin}`)
    expect(await nameIt(`B ${gtin}`)).toBe('several or none')
    await send('POST', '/api/v1/passports', { productId: gtin, metadata: textile() }, 201)
    expect(await answer()).toBe(gtin)
    expect(await nameIt(`C ${gtin}`)).toBe(gtin)
  })
})

describe('what is read again because it is old', () => {
  beforeEach(giveSubjects)

  const readAgain = async (column: 'id' | 'gtin' | 'unit', value: string, accept: string, known?: CachedRendition) => {
    const { renditions, renditionStore } = gateway.container.cradle
    const choice = renditions.choose(accept, column === 'unit' ? 'unit' : 'passport') as Choice
    const question = { column, value, choice, variant: variantOf(choice, () => 'en') ?? '' }
    const found = await renditionStore.findPublic(question, known)
    // What is asked for many at once has the same answer.
    if (known !== undefined) {
      const asKnown = await renditionStore.thoseAsKnown([{ ...known, question }])
      expect(asKnown.length).toBe(Number(found === known))
    }
    return found
  }

  test.each(['application/ld+json', 'text/html', 'application/vc+jwt'])(
    'is not fetched while %s is what it was',
    async (accept) => {
      await gateway.request('GET', `/passport/${subjects.passportId}`, { headers: { accept } })
      const first = await readAgain('id', subjects.passportId, accept)
      expect(first?.rendition.body.length).toBeGreaterThan(0)
      expect(await readAgain('id', subjects.passportId, accept, first)).toBe(first)
      await send('PUT', passportAt(''), { metadata: textile({ size: 'XXL' }) })
      await gateway.request('GET', `/passport/${subjects.passportId}`, { headers: { accept } })
      const second = await readAgain('id', subjects.passportId, accept, first)
      expect(second?.rendition.body.toString()).toContain(accept === 'application/vc+jwt' ? 'eyJ' : 'XXL')
      expect(second?.rendition.etag).not.toBe(first?.rendition.etag)
    },
  )

  test('is not fetched while a unit is what it was', async () => {
    const [path, accept] = [`/unit/${subjects.unitId}`, 'application/ld+json']
    await gateway.request('GET', path)
    const first = await readAgain('unit', subjects.unitId, accept)
    expect(first).toMatchObject({ unitId: subjects.unitId, passportId: subjects.passportId })
    expect(await readAgain('unit', subjects.unitId, accept, first)).toBe(first)
    await send('PUT', passportAt('/status'), { status: 'RECALLED' })
    expect(await readAgain('unit', subjects.unitId, accept, first)).toBeUndefined()
    await gateway.request('GET', path)
    const second = await readAgain('unit', subjects.unitId, accept, first)
    expect(JSON.parse(String(second?.rendition.body)).ofModel.status).toBe('RECALLED')
  })

  test('is another passport where another answers at the address now', async () => {
    const accept = 'application/ld+json'
    await gateway.request('GET', `/01/${subjects.gtin}`)
    const first = await readAgain('gtin', subjects.gtin, accept)
    const another = { ...first, passportId: randomUUID() } as CachedRendition
    expect(await readAgain('gtin', subjects.gtin, accept, another)).toEqual(first)
  })
})

describe('another process on the same database', () => {
  let other: TestGateway
  beforeEach(giveSubjects)

  beforeAll(async () => {
    other = await startTestGateway({ DATABASE_URL: gateway.databaseUrl })
  })
  afterAll(() => other.close())

  const bound = { timeout: 10_000, interval: 20 }

  test('shows a change and a new choice within moments, and the same bytes', async () => {
    const [path, link] = [`/passport/${subjects.passportId}`, `/01/${subjects.gtin}`]
    for (const address of [path, link, path, link]) expect((await other.request('GET', address)).status).toBe(200)
    await send('PUT', passportAt('/status'), { status: 'RECALLED' })
    await expect.poll(async () => (await other.request('GET', path)).body.status, bound).toBe('RECALLED')
    expect(wireOf(await other.request('GET', path))).toEqual(wireOf(await gateway.request('GET', path)))
    await expect.poll(async () => (await other.request('GET', link)).body.status, bound).toBe('RECALLED')
    const second = await createWorkspace(gateway)
    const json = { productId: subjects.gtin, metadata: textile() }
    expectStatus(201, await gateway.request('POST', '/api/v1/passports', { headers: second.as, json }))
    await expect.poll(async () => (await other.request('GET', link)).status, bound).toBe(300)
  })

  test('loses a passport that is no longer public', async () => {
    const path = `/passport/${subjects.passportId}`
    expect((await other.request('GET', path)).status).toBe(200)
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    await expect.poll(async () => (await other.request('GET', path)).status, bound).toBe(404)
  })

  test('shows a renamed operator', async () => {
    const [path, unit] = [`/passport/${subjects.passportId}`, `/unit/${subjects.unitId}`]
    for (const address of [path, unit, unit]) expect((await other.request('GET', address)).status).toBe(200)
    const name = `Renamed ${newGtin()}`
    await send('PATCH', `/api/v1/operators/${workspace.operatorId}`, { name })
    await expect.poll(async () => (await other.request('GET', path)).body.economicOperator.name, bound).toBe(name)
    const inUnit = async () => (await other.request('GET', unit)).body.ofModel.economicOperator.name
    await expect.poll(inUnit, bound).toBe(name)
  })

  test('shows what becomes of a unit', async () => {
    const units = unitClient(gateway, workspace.as)
    const path = `/unit/${subjects.unitId}`
    const shown = async () => (await other.request('GET', path)).body
    for (const _ of [1, 2, 3]) expect(await shown()).toMatchObject({ status: 'IN_SERVICE', successorUnits: [] })
    await units.setStatus(subjects.unitId, 'RECALLED')
    await expect.poll(async () => (await shown()).status, bound).toBe('RECALLED')
    expect(wireOf(await other.request('GET', path))).toEqual(wireOf(await gateway.request('GET', path)))
    const successor = await units.given(subjects.passportId, { predecessorUnitId: subjects.unitId })
    await expect.poll(async () => (await shown()).successorUnits.length, bound).toBe(1)
    await units.remove(successor.id)
    await expect.poll(async () => (await shown()).successorUnits.length, bound).toBe(0)
    await units.setStatus(subjects.unitId, 'RECYCLED')
    await expect.poll(async () => (await other.request('GET', path)).status, bound).toBe(410)
  })
})
