import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { type Clock, createDpp, DppError } from '../../src/client/index.ts'
import { createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { battery } from '../support/passport-client.ts'
import { webp } from '../support/pictures.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace } = await useGateway()
const baseUrl = gateway.origin
const dpp = createDpp({ baseUrl, key: workspace.key })

/** Time that advances when awaited. */
function fakeClock() {
  const pauses: number[] = []
  const clock: Clock = {
    now: () => Date.UTC(2027, 0, 1) + pauses.reduce((sum, pause) => sum + pause, 0),
    random: () => 1,
    wait: async (milliseconds) => {
      pauses.push(milliseconds)
    },
  }
  return { clock, pauses }
}

/** No response until the caller aborts. */
function silence() {
  const requested: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    requested.push(String(input))
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  }
  return { fetch, requested }
}

const refused = async (call: Promise<unknown>): Promise<DppError> => {
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(DppError)
  return error as DppError
}

test('a whole life is driven by it', async () => {
  const { operator } = await dpp.registerOperator({
    body: { name: 'Nordlicht GmbH', regId: 'NL-1', role: 'MANUFACTURER' },
  })
  const { facility } = await dpp.registerFacility({
    body: { gln: newGln(), name: 'Works 1', country: 'de', operatorId: operator.id },
  })
  const content = { productId: newGtin(), metadata: battery() }
  const checked = await dpp.validatePassport({ body: content })
  expect([checked.category, checked.errors]).toEqual(['batteries', []])

  const created = await dpp.createPassport({ body: { ...content, operatorId: operator.id, facilityId: facility.id } })
  const { id } = created.passport
  expect([created.passport.status, created.vcReady]).toEqual(['ACTIVE', true])
  const sealed = await dpp.sealPassport({ id })
  expect(sealed.passport.proof?.signatureValue).toBe(sealed.digitalSeal)

  const anybody = createDpp({ baseUrl })
  const jsonLd = await anybody.resolvePublicPassport({ id })
  expect([jsonLd['@type'], jsonLd.productId]).toEqual(['DigitalProductPassport', content.productId])
  const jwt = await anybody.resolvePublicPassport({ id }, { accept: 'application/vc+jwt' })
  expect(jwt.split('.')).toHaveLength(3)
  const shell = await anybody.resolvePublicPassport({ id }, { accept: 'application/aas+json' })
  expect(shell.assetAdministrationShells).toHaveLength(1)
  const page = await anybody.resolvePublicPassport({ id, lang: 'de' }, { accept: 'text/html' })
  expect(page).toMatch(/^<!doctype html>\s*<html lang="de"/i)
  const sheet = await anybody.resolvePublicPassport({ id }, { accept: 'application/pdf' })
  expect(Buffer.from(sheet.subarray(0, 5)).toString()).toBe('%PDF-')
  // By the printed number, and with the link of a GS1 resolver.
  expect((await anybody.resolveGs1Gtin({ gtin14: content.productId })).id).toBe(id)
  const { linkset } = await anybody.resolveGs1Gtin(
    { gtin14: content.productId, linkType: 'all' },
    { accept: 'application/linkset+json' },
  )
  expect(linkset).toHaveLength(1)

  const { token } = await dpp.issueGrant({
    body: {
      granteeName: 'Anna',
      scopeType: 'PASSPORT',
      passportId: id,
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })
  const repairer = createDpp({ baseUrl, grant: token })
  const shown = await repairer.resolvePublicPassport({ id }, { as: 'response' })
  expect(shown.headers.get('x-access-tier')).toBe('restricted')
  expect(await shown.json()).toMatchObject({ detailedPerformance: content.metadata.detailedPerformance })

  const { units } = await dpp.serializeBatteryUnits({ passportId: id, body: { units: [{ serialNumber: 'A-1' }] } })
  const unit = units[0]?.id ?? ''
  await dpp.recordBatteryUnitEvent({ id: unit, body: { eventType: 'SOH_MEASUREMENT', stateOfHealth: 97.5 } })
  expect((await dpp.getBatteryUnit({ id: unit })).currentState).toMatchObject({ stateOfHealth: 97.5 })

  const { subscription } = await dpp.createWebhookSubscription({
    body: { url: 'https://hooks.example.com/dpp', events: ['passport.sealed'] },
  })
  expect((await dpp.listWebhookSubscriptions()).subscriptions.map((one) => one.id)).toContain(subscription.id)
  await dpp.deleteWebhookSubscription({ id: subscription.id })

  const revised = await dpp.revisePassport({
    id,
    body: { metadata: battery({ color: 'blue' }), changeReason: 'It was misspelt' },
  })
  expect(revised.digitalSeal).not.toBe(sealed.digitalSeal)
  const versions = []
  for await (const { version, changeReason } of dpp.each.getPassportHistory({ id, limit: 1 })) {
    versions.push([version, changeReason])
  }
  expect(versions.at(0)).toEqual([expect.any(Number), 'It was misspelt'])

  expect(await dpp.deleteOperator({ id: operator.id })).toMatchObject({ archived: true, archivedPassports: 1 })
  expect((await anybody.resolvePublicPassport({ id })).archivedAt).toEqual(expect.any(String))
})

describe('bodies', () => {
  test('that are bytes go and come as such', async () => {
    const { passport } = await dpp.createPassport({ body: { productId: newGtin(), metadata: textile() } })
    const bytes = new Uint8Array(await webp(60, 40))
    const { medium } = await dpp.uploadPassportMedia({
      id: passport.id,
      title: 'Back & front',
      contentType: 'image/webp',
      body: bytes,
    })
    const { pathname } = new URL(medium.url)
    const [, , id = '', file = ''] = pathname.split('/')
    const picture = await dpp.getMediaFile({ id, file })
    expect(Buffer.from(picture).toString('latin1', 8, 12)).toBe('WEBP')

    const code = await dpp.getPassportQr({ id: passport.id, format: 'svg', size: 256 }, { accept: 'image/svg+xml' })
    expect(code).toContain('<svg')
  })

  test('that are larger than memory are passed on unread', async () => {
    const response = await dpp.getOpenapiJson({}, { as: 'response' })
    expect(response.bodyUsed).toBe(false)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    expect(bytes).toBeGreaterThan(100_000)
  })
})

describe('lists continue over their pages', async () => {
  const own = await createWorkspace(gateway)
  const theirs = createDpp({ baseUrl, key: own.key })
  const all = async <T>(items: AsyncIterable<T>) => {
    const found: T[] = []
    for await (const item of items) found.push(item)
    return found
  }

  test.each([
    [1, 2],
    [4, 2],
    [5, 2],
  ])('%i passports by %i', async (count, limit) => {
    const category = `category-${count}`
    const productIds = Array.from({ length: count }, newGtin)
    for (const productId of productIds) {
      await theirs.createPassport({ body: { productId, metadata: { category }, draft: true } })
    }
    const found = await all(theirs.each.listPassports({ category, limit }))
    expect(found.map(({ productId }) => productId)).toEqual(productIds.toReversed())
  })

  test('of units, which say how many there are', async () => {
    const { passport } = await theirs.createPassport({ body: { productId: newGtin(), metadata: battery() } })
    const units = Array.from({ length: 4 }, (_, index) => ({ serialNumber: `S${index}` }))
    await theirs.serializeBatteryUnits({ passportId: passport.id, body: { units } })
    const found = await all(theirs.each.listBatteryUnits({ passportId: passport.id, limit: 2 }))
    expect(found.map(({ serialNumber }) => serialNumber).sort()).toEqual(['S0', 'S1', 'S2', 'S3'])
  })

  test('of events, whose next page is a link', async () => {
    const event = (number: number) => ({
      '@context': ['https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'],
      type: 'ObjectEvent',
      action: 'OBSERVE',
      eventTime: '2026-01-01T00:00:00Z',
      eventTimeZoneOffset: '+00:00',
      epcList: [`https://id.example.com/01/09506000134352/21/${number}`],
      bizStep: 'shipping',
    })
    for (const number of [1, 2, 3]) await theirs.captureTraceEvents({ body: event(number) })
    const found = await all(theirs.each.queryTraceEvents({ perPage: 2 }))
    expect(found.map(({ epcList }) => String(epcList).split('/').at(-1))).toEqual(['1', '2', '3'])
  })

  test('and end where the loop ends', async () => {
    const requested: string[] = []
    const counting = createDpp({
      baseUrl,
      key: own.key,
      fetch: (input, init) => {
        requested.push(String(input))
        return fetch(input, init)
      },
    })
    for await (const _ of counting.each.listAuditLog({ limit: 1 })) break
    expect(requested).toHaveLength(1)
  })
})

describe('one error for every form: ', () => {
  test('Standard', async () => {
    const error = await refused(dpp.getPassport({ id: 'nobody' }))
    expect(error).toMatchObject({ status: 404, title: 'Not Found', operationId: 'getPassport', issues: [] })
    expect(error.requestId).toMatch(/^[\w-]{8,}$/)
    const body = { productId: newGtin(), metadata: textile() }
    await dpp.createPassport({ body })
    expect(await refused(dpp.createPassport({ body }))).toMatchObject({ status: 409, code: 'PASSPORT_DUPLICATE' })
  })

  test('Minimal', async () => {
    const id = crypto.randomUUID()
    expect(await refused(dpp.updateOperator({ id, body: { name: 'N' } }))).toMatchObject({
      status: 404,
      title: undefined,
      message: 'Operator not found in your workspace.',
    })
  })

  test('Validation Failed, with everything that was found in the language of the caller', async () => {
    const german = createDpp({ baseUrl, key: workspace.key, language: 'de' })
    const metadata = textile({ originCountry: 'ZZ', materialComposition: [{ material: 'wool', percentage: 90 }] })
    const error = await refused(german.createPassport({ body: { productId: newGtin(), metadata } }))
    expect(error).toMatchObject({ status: 400, title: 'Validation Failed' })
    expect(error.issues.map(({ path }) => path).sort()).toEqual(['materialComposition', 'originCountry'])
    expect(error.issues.map(({ friendlyMessage }) => friendlyMessage).join()).toMatch(/ist|sind|muss|müssen/)
  })

  test('Row Errors', async () => {
    expect(await refused(dpp.createPassport({ body: {} as never }))).toMatchObject({ code: 'VALIDATION_FAILED' })
    const passports = [{ productId: '  ', metadata: textile() }]
    const error = await refused(dpp.bulkIngestPassports({ body: { passports } }))
    expect(error).toMatchObject({ status: 400, title: 'Bulk Ingestion Failed' })
    expect(error.issues).toEqual([{ message: expect.stringMatching(/^\[SKU: /) }])
    expect(error.message).toContain(error.issues[0]?.message)
  })

  test('Framework and Bare', async () => {
    expect(await refused(dpp.listPassports({ page: 'first' }))).toMatchObject({
      status: 400,
      code: 'FW_ERR_VALIDATION',
    })
    expect(await refused(createDpp({ baseUrl }).resolvePublicPassport({ id: crypto.randomUUID() }))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
      title: 'Not Found',
    })
  })

  test('review-3-users I7: validation and 404 answers have a code of the client', async () => {
    const metadata = textile({ originCountry: 'ZZ' })
    expect(await refused(dpp.createPassport({ body: { productId: newGtin(), metadata } }))).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      issues: [{ path: 'originCountry' }],
    })
    const passports = [{ productId: '  ', metadata: textile() }]
    expect(await refused(dpp.bulkIngestPassports({ body: { passports } }))).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(await refused(dpp.getOperator({ id: crypto.randomUUID() }))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  test('and what it shows has no key', async () => {
    const [error] = await Promise.all([refused(createDpp({ baseUrl, key: 'dpp_key_secret' }).whoami())])
    expect(error.status).toBe(401)
    expect(JSON.stringify([error, error.stack, error.message])).not.toContain('dpp_key_secret')
  })
})

describe('sent again', () => {
  test('is what was lost on the way, under the same key, so that one passport is made', async () => {
    const { clock, pauses } = fakeClock()
    const keys: (string | null)[] = []
    let lost = 0
    const lossy = createDpp({
      baseUrl,
      key: workspace.key,
      clock,
      fetch: async (input, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'))
        const answer = await fetch(input, init)
        await answer.text()
        if (lost === 2) throw new Error('Nothing should be sent a fourth time.')
        lost += 1
        if (lost < 2) throw new TypeError('fetch failed')
        return fetch(input, init)
      },
    })
    const productId = newGtin()
    const { passport } = await lossy.createPassport({ body: { productId, metadata: textile() } })
    expect([new Set(keys).size, keys[0]?.length, pauses]).toEqual([1, 32, [500]])
    const rows = await gateway.sqlAs(workspace.id, 'select id from passport where product_id = $1', [productId])
    expect(rows).toEqual([{ id: passport.id }])
  })

  test('is nothing else that could be done twice', async () => {
    const { clock, pauses } = fakeClock()
    const away = createDpp({
      baseUrl: 'http://localhost:1',
      clock,
      fetch: () => Promise.reject(new TypeError('refused')),
    })
    const error = await refused(away.sealPassport({ id: 'x' }))
    expect([error.status, error.code, pauses]).toEqual([0, 'UNREACHABLE', []])
    await refused(away.whoami())
    expect(pauses).toEqual([500, 1000, 2000])
  })
})

describe('asked to wait', async () => {
  /** Responses of the next requests in order; then 200. */
  const planned: { status: number; headers?: Record<string, string> }[] = []
  const seen: IncomingMessage[] = []
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    seen.push(request)
    const { status, headers } = planned.shift() ?? { status: 200, headers: {} }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(status === 200 ? { success: true } : { error: 'Slow', message: 'Slower, please.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(() => server.close())
  const given = (...answers: typeof planned) => {
    planned.splice(0, Number.POSITIVE_INFINITY, ...answers)
    seen.length = 0
  }
  const slow = { status: 429, headers: { 'retry-after': '7' } }
  const away = { status: 503, headers: { 'retry-after': '2' } }

  test('by a limit, whatever was asked', async () => {
    const { clock, pauses } = fakeClock()
    const client = createDpp({ baseUrl: origin, key: 'k', clock })
    given(slow, slow)
    await client.sealPassport({ id: 'a' })
    expect([pauses, seen.length]).toEqual([[7000, 7000], 3])
    given({ status: 429, headers: { 'retry-after': 'Fri, 01 Jan 2027 00:00:44 GMT' } })
    await client.whoami()
    expect(pauses.at(-1)).toBe(30_000)
  })

  test('by a gateway that is away, where nothing is done twice', async () => {
    const { clock, pauses } = fakeClock()
    const client = createDpp({ baseUrl: origin, key: 'k', clock })
    given(away)
    await client.createPassport({ body: { productId: '1', metadata: {} } })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect([pauses, new Set(keys).size]).toEqual([[2000], 1])
    given(away)
    expect(await refused(client.sealPassport({ id: 'a' }))).toMatchObject({ status: 503, retryAfter: 2 })
    given({ status: 503 })
    expect(await refused(client.whoami())).toMatchObject({ status: 503, retryAfter: undefined })
    expect(pauses).toEqual([2000])
  })

  test('it waits no longer than it may, and no more often', async () => {
    const { clock, pauses } = fakeClock()
    given({ status: 429, headers: { 'retry-after': '61' } })
    expect(await refused(createDpp({ baseUrl: origin, clock }).whoami())).toMatchObject({ status: 429, retryAfter: 61 })
    expect(pauses).toEqual([])
    given(slow, slow, slow, slow, slow)
    await refused(createDpp({ baseUrl: origin, clock, maxAttempts: 2 }).whoami())
    expect([pauses, seen.length]).toEqual([[7000], 2])
  })

  test('an abort ends the waiting, and the request', async () => {
    given(slow)
    const ending = new AbortController()
    const waiting = createDpp({ baseUrl: origin }).whoami({}, { signal: ending.signal })
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(1)
    ending.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    const { fetch, requested } = silence()
    const pending = createDpp({ baseUrl: origin, fetch }).whoami({}, { signal: AbortSignal.timeout(20) })
    await expect(pending).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(createDpp({ baseUrl: origin, fetch }).whoami({}, { signal: ending.signal })).rejects.toThrow('enough')
    expect(requested).toHaveLength(1)
  })

  test('a late response is a timeout', async () => {
    const { fetch, requested } = silence()
    const { clock } = fakeClock()
    const client = createDpp({ baseUrl: origin, timeoutMs: 20, maxAttempts: 2, clock, fetch })
    expect(await refused(client.whoami())).toMatchObject({ status: 0, code: 'TIMED_OUT' })
    expect(requested).toHaveLength(2)
  })

  test('a write that is sent elsewhere is not made a read', async () => {
    given({ status: 301, headers: { location: 'https://other.example/' } })
    const error = await refused(createDpp({ baseUrl: origin }).sealPassport({ id: 'a' }))
    expect([error.status, error.code, seen.length]).toEqual([301, 'REDIRECTED', 1])
    expect(error.message).toContain('https://other.example/')
  })

  test('malformed JSON and responses of proxies are errors too', async () => {
    const answering = (status: number, body: string, type: string) =>
      createDpp({
        baseUrl: origin,
        fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
      })
    expect(await refused(answering(200, '<p>', 'application/json').whoami())).toMatchObject({ code: 'UNREADABLE' })
    const proxy = await refused(answering(502, '<h1>Bad Gateway</h1>', 'text/html').whoami())
    expect(proxy).toMatchObject({ status: 502, body: '<h1>Bad Gateway</h1>' })
    expect(proxy.message).not.toBe('')
  })

  test('a base address may have a path, and no parameter leaves its place', async () => {
    given()
    const client = createDpp({ baseUrl: `${origin}/dpp`, session: { csrf: 'c', cookie: 'dpp_session=s; dpp_csrf=c' } })
    await client.getPassport({ id: 'a/b?c#d', lang: 'de & en' })
    expect(seen[0]?.url).toBe('/dpp/api/v1/passports/a%2Fb%3Fc%23d?lang=de+%26+en')
    await client.sealPassport({ id: 'A' })
    expect(seen.map(({ headers }) => [headers.cookie, headers['x-csrf-token']])).toEqual([
      ['dpp_session=s; dpp_csrf=c', undefined],
      ['dpp_session=s; dpp_csrf=c', 'c'],
    ])
    for (const id of ['', '.', '..']) await expect(client.getPassport({ id })).rejects.toThrow(TypeError)
    expect(seen).toHaveLength(2)
  })
})

test('invalid options are rejected immediately', () => {
  expect(() => createDpp({ baseUrl: 'ftp://a' })).toThrow('http')
  expect(() => createDpp({ baseUrl: 'https://user:secret@a' })).toThrow('password')
  expect(() => createDpp({ baseUrl, key: 'a', grant: 'b' } as never)).toThrow('one of')
})
