import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseLink } from '../../src/resolution/linkset.ts'
import type { Answer } from '../support/contract-client.ts'
import {
  BASE_URL,
  createWorkspace,
  newGln,
  newGtin,
  startTestGateway,
  type TestGateway,
  textile,
} from '../support/gateway.ts'
import { battery, passportClient } from '../support/passport-client.ts'
import { standard } from '../support/reference-tools.ts'
import { inDays } from '../support/sample-calls.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

// Requirements of a GS1-Conformant Resolver (standard 1.2.1), numbered as in the project's table. GS1's own schemas
// validate linksets and the description file.

const { gateway: direct, workspace, passports } = await useGateway()
const units = unitClient(direct, workspace.as)
const VOC = 'https://ref.gs1.org/voc/'
const SCHEMAS = ['gs1-linkset-schema.json', 'linkset-schema-1.2-compact.json', 'resolver-description-file-schema.json']
const files = SCHEMAS.map((name) => standard(`gs1/${name}`))
const hasSchemas = files.every((file) => file !== undefined)
const [validate2025, validate12, validateDescription] = files.map((file) =>
  file === undefined
    ? undefined
    : addFormats.default(new Ajv({ strict: false })).compile(JSON.parse(readFileSync(file, 'utf8'))),
)

let redirecting: TestGateway
let gtin: string
let passportId: string
let unitId: string

const page = () => `${BASE_URL}/passport/${passportId}`

beforeAll(async () => {
  redirecting = await startTestGateway({ DATABASE_URL: direct.databaseUrl, RESOLVER_REDIRECTS: 'on' })
  gtin = newGtin()
  const facility = { gln: newGln(), name: 'Works', country: 'DE' }
  const { body } = await direct.request('POST', '/api/v1/facilities', { headers: workspace.as, json: facility })
  const metadata = battery({
    productName: 'Cell 1',
    regulatoryCompliance: { ceMarking: true, certificates: [{ name: 'IEC 62133' }, { name: 'UN 38.3' }] },
    repairManualUrl: 'https://example.com/repair?part=1#top',
    instructionsForUse: 'https://example.com/use',
  })
  passportId = (await passports.given({ productId: gtin, facilityId: body.facility.id, metadata })).id
  unitId = (await units.given(passportId, { serialNumber: 'S-1' })).id
})
afterAll(() => redirecting.close())

const get = (gateway: TestGateway, path: string, headers: Record<string, string> = {}) =>
  gateway.request('GET', path, { headers })
const both = () => [direct, redirecting]

// biome-ignore lint/suspicious/noExplicitAny: a linkset is judged by schemas, and read here by its own names.
type Entry = Record<string, any>
const entriesOf = ({ status, body }: Answer): Entry[] => {
  expect(status).toBe(200)
  for (const validate of [validate2025, validate12]) {
    const isValid = validate?.(body) ?? true
    expect([isValid, validate?.errors ?? null]).toEqual([true, null])
  }
  return body.linkset
}
const linkset = async (path: string) => entriesOf(await get(direct, `${path}?linkType=linkset`))
const linksIn = (entry: Entry): [string, Entry[]][] =>
  Object.entries(entry).filter((member): member is [string, Entry[]] => member[0].startsWith(VOC))

test('1 GET, HEAD and OPTIONS are answered at every link', async () => {
  for (const gateway of both()) {
    for (const path of [`/01/${gtin}`, `/01/${gtin}/21/S-1`, `/01/${gtin}/10/L1`, `/01/${gtin}?linkType=linkset`]) {
      const answered = await get(gateway, path)
      const head = await gateway.request('HEAD', path)
      expect([path, head.status, head.text]).toEqual([path, answered.status, ''])
      for (const name of ['location', 'link', 'etag', 'content-type']) {
        expect([path, name, head.headers[name]]).toEqual([path, name, answered.headers[name]])
      }
      const options = await gateway.client.send('OPTIONS', path, {})
      expect([path, options.status, options.text, options.headers.allow]).toEqual([path, 204, '', 'GET, HEAD, OPTIONS'])
      expect(options.headers.link).toContain('rel="linkset"')
    }
  }
})

test('2 pages of every origin may read every answer, errors included', async () => {
  const paths = {
    200: `/01/${gtin}`,
    302: `/01/${gtin}/21/S-1`,
    307: `/01/${gtin}?linkType=gs1:pip`,
    300: `/01/${gtin}?linkType=gs1:instructions`,
    404: `/01/${newGtin()}`,
    400: '/01/123',
  }
  for (const [status, path] of Object.entries(paths)) {
    const { headers, ...answer } = await get(direct, path)
    expect([path, answer.status]).toEqual([path, Number(status)])
    expect([path, headers['access-control-allow-origin']]).toEqual([path, '*'])
    expect(headers['access-control-expose-headers']).toMatch(/Link.*Location.*Vary/)
  }
  for (const path of ['/gtin/1', '/01', `/01/${gtin}/21`, '/414/9506000134352']) {
    const { status, headers } = await get(direct, path)
    expect([path, status, headers['access-control-allow-origin']]).toEqual([path, 400, '*'])
  }
  const wrongMethod = await direct.client.send('POST', `/01/${gtin}`, {})
  expect([wrongMethod.status, wrongMethod.headers['access-control-allow-origin']]).toEqual([405, '*'])
  const preflight = await direct.client.send('OPTIONS', `/01/${gtin}`, {
    headers: { origin: 'https://a.example', 'access-control-request-method': 'HEAD' },
  })
  expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
})

test('3 the description file says what is resolved, and GS1’s schema agrees', async () => {
  const { status, body, headers } = await get(direct, '/.well-known/gs1resolver')
  expect([status, headers['content-type'], headers['access-control-allow-origin']]).toEqual([
    200,
    'application/json; charset=utf-8',
    '*',
  ])
  expect(body).toMatchObject({ resolverRoot: BASE_URL, supportedPrimaryKeys: ['01', '8003'] })
  expect([validateDescription?.(body) ?? true, validateDescription?.errors ?? null]).toEqual([true, null])
})

test('4 every key qualifier of the declared keys is taken, in its order', async () => {
  for (const qualifiers of ['22/V', '10/L', '235/T', '22/V/10/L']) {
    expect([qualifiers, (await get(direct, `/01/${gtin}/${qualifiers}`)).body.id]).toEqual([qualifiers, passportId])
  }
  for (const qualifiers of ['21/S-1', '22/V/21/S-1', '10/L/21/S-1', '22/V/10/L/21/S-1']) {
    const { status, headers } = await get(direct, `/01/${gtin}/${qualifiers}`)
    expect([qualifiers, status, headers.location]).toEqual([qualifiers, 302, `${BASE_URL}/unit/${unitId}`])
  }
  const productId = `${newGtin()}CRATE1`
  const { id } = await passports.given({ productId })
  expect((await get(direct, `/8003/${productId}`)).body.id).toBe(id)
})

describe('5 malformed is 400, unknown 404, and no error is 200', () => {
  test.each([
    ['/01/09506000134351', 'check digit of 09506000134351 is wrong: the last digit must be 2'],
    ['/01/9506000134352', 'write 09506000134352'],
    [`/01/${'0'.repeat(14)}`, 'zeros'],
    ['/01/09506000134352/17/261231', '?17='],
    ['/01/09506000134352/21/S/10/L', 'Write /01/09506000134352/10/L/21/S'],
    ['/01/09506000134352/10/L/21/S/22/V', 'Write /01/09506000134352/22/V/10/L/21/S'],
    ['/01/09506000134352/21', 'without a value'],
    ['/01/09506000134352/10/L/21', 'without a value'],
    ['/01/09506000134352/22/V/10/L/21/S/235/T', 'the only qualifier'],
    ['/01/09506000134352?10=L', 'belongs in the path'],
    ['/01/09506000134352/10/a%20b', 'AI 10'],
    ['/01/09506000134352/10/a%zz', 'escape'],
    ['/01', 'value is missing'],
    ['/gtin/09506000134352/ser/S', 'Write /01/{gtin}'],
    ['/414/9506000134352', 'Write /01/{gtin} or /8003/{grai}'],
    ['/8003/09506000134352A/10/L', 'no qualifiers'],
  ])('%s', async (path, words) => {
    for (const gateway of both()) {
      for (const query of ['', '?linkType=linkset']) {
        const target = path.includes('?') ? `${path}${query.replace('?', '&')}` : path + query
        const { status, body } = await gateway.client.send('GET', target, {})
        expect([target, status, body.error]).toEqual([target, 400, 'Bad Request'])
        expect(body).toEqual({ error: 'Bad Request', message: expect.stringContaining(words) })
      }
    }
  })

  test('and the sentence is on the page for people too', async () => {
    for (const path of ['/01/09506000134351', '/01/09506000134352/21/S/10/L/22/V/x']) {
      const { status, headers } = await direct.client.send('GET', path, { headers: { accept: 'text/html' } })
      expect([path, status, headers['content-type']]).toEqual([path, 400, 'text/html; charset=utf-8'])
    }
  })

  test('404', async () => {
    const draft = (await passports.given({ productId: newGtin(), draft: true })).productId
    for (const gateway of both()) {
      for (const unknown of [newGtin(), draft]) {
        for (const rest of ['', '/10/L', '/21/S', '/22/V/10/L/21/S', '?linkType=linkset', '?linkType=gs1:dpp']) {
          const { status, body } = await get(gateway, `/01/${unknown}${rest}`)
          expect([rest, status, body.error]).toEqual([rest, 404, 'Not Found'])
        }
      }
      expect((await get(gateway, `/8003/${newGtin()}A?linkType=all`)).status).toBe(404)
    }
  })
})

test('6 a linkset is returned if requested by name or media type, and never redirected', async () => {
  const requests: [string, Record<string, string>, string][] = [
    ['?linkType=linkset', {}, 'application/linkset+json'],
    ['?linkType=all', {}, 'application/linkset+json'],
    ['?linkType=linkset', { accept: 'text/html, */*;q=0.8' }, 'application/linkset+json'],
    ['?linkType=linkset', { accept: 'application/json' }, 'application/json'],
    ['', { accept: 'application/linkset+json' }, 'application/linkset+json'],
    ['', { accept: 'text/html;q=0.5, application/linkset+json' }, 'application/linkset+json'],
  ]
  for (const gateway of both()) {
    let first: Entry[] | undefined
    for (const [query, headers, contentType] of requests) {
      for (const rest of ['', '?x=1']) {
        const glue = query === '' ? rest : query + rest.replace('?', '&')
        const answer = await get(gateway, `/01/${gtin}${glue}`, headers)
        expect([glue, answer.headers['content-type']]).toEqual([glue, contentType])
        const entries = entriesOf(answer)
        first ??= entries
        expect(entries).toEqual(first)
      }
    }
  }
  // With redirects, plain JSON is the linkset; otherwise it is the passport.
  expect((await get(redirecting, `/01/${gtin}`, { accept: 'application/json' })).body.linkset).toBeDefined()
  expect((await get(direct, `/01/${gtin}`, { accept: 'application/json' })).body.id).toBe(passportId)
  const { headers } = await get(direct, `/01/${gtin}?linkType=linkset`)
  const known = await get(direct, `/01/${gtin}?linkType=linkset`, { 'if-none-match': headers.etag ?? '' })
  expect([known.status, known.text]).toEqual([304, ''])
})

test('7 each level has its links under its own anchor', async () => {
  const ofProduct = await linkset(`/01/${gtin}`)
  expect(ofProduct.map(({ anchor }) => anchor)).toEqual([`${BASE_URL}/01/${gtin}`])
  const ofUnit = await linkset(`/01/${gtin}/22/V/10/L/21/S-1`)
  expect(ofUnit.map(({ anchor }) => anchor)).toEqual([`${BASE_URL}/01/${gtin}/21/S-1`, `${BASE_URL}/01/${gtin}`])
  expect(ofUnit[0]?.[`${VOC}dpp`][0].href).toBe(`${BASE_URL}/unit/${unitId}`)
  expect(ofUnit[1]?.[`${VOC}dpp`]).toEqual(ofProduct[0]?.[`${VOC}dpp`])
  expect(ofUnit.map(({ itemDescription }) => itemDescription)).toEqual(['Cell 1, S-1', 'Cell 1'])
  const [ofGrai] = await linkset(`/8003/${(await passports.given({ productId: `${newGtin()}G1` })).productId}`)
  expect(ofGrai?.anchor).toMatch(/\/8003\/[0-9]{14}G1$/)
})

describe('8 every link says where, what, in which form and in which languages', () => {
  test('with one for each form that the passport has', async () => {
    const [entry = {}] = await linkset(`/01/${gtin}`)
    for (const [, links] of linksIn(entry)) {
      for (const { href, title } of links) {
        expect(URL.canParse(href)).toBe(true)
        expect(title).not.toBe('')
      }
    }
    const forms = entry[`${VOC}dpp`] as Entry[]
    const { representations } = direct.container.cradle.plugins
    expect(forms.map(({ type }) => type)).toEqual(representations.map(({ mediaTypes }) => mediaTypes[0]))
    for (const { href, type } of forms) {
      const { status, headers } = await get(direct, href.slice(BASE_URL.length), { accept: type })
      expect([type, status]).toEqual([type, 200])
      expect(headers['content-type']?.startsWith(type)).toBe(true)
    }
    expect(entry[`${VOC}pip`]).toEqual([expect.objectContaining({ href: page(), type: 'text/html' })])
    expect(entry[`${VOC}pip`][0].hreflang).toHaveLength(28)
    expect(entry[`${VOC}masterData`]).toEqual([expect.objectContaining({ type: 'application/ld+json' })])
    expect(entry[`${VOC}certificationInfo`].map(({ title }: Entry) => title)).toEqual(['IEC 62133', 'UN 38.3'])
    expect(entry[`${VOC}instructions`].map(({ href }: Entry) => href)).toEqual([
      'https://example.com/use',
      'https://example.com/repair?part=1#top',
    ])
    expect(entry[`${VOC}recallStatus`]).toBeUndefined()
  })

  test('and no link to what the passport does not have, or does not show', async () => {
    const recalled = await passports.given({
      productId: newGtin(),
      metadata: battery({
        repairManualUrl: 'https://user:secret@example.com/',
        circularityAndDisassembly: { dismantlingUrl: 'https://example.com/restricted' },
      }),
    })
    await passports.setStatus(recalled.id, 'RECALLED')
    const answer = await get(direct, `/01/${recalled.productId}?linkType=linkset`)
    const [entry = {}] = entriesOf(answer)
    expect(answer.text).not.toMatch(/secret|restricted|instructions|certificationInfo/)
    expect(entry[`${VOC}recallStatus`]).toHaveLength(1)
    // Without a facility no credential exists (specification 4.1).
    expect(JSON.stringify(entry[`${VOC}dpp`])).not.toMatch(/vc|sd-jwt/)
    const keys = new Set(Object.keys(entry))
    expect([...keys].filter((key) => !key.startsWith(VOC)).sort()).toEqual(['anchor', 'itemDescription'])
  })
})

test('9 there is exactly one default link, with only a title, whose target also has its own type', async () => {
  const other = await passports.given({ productId: newGtin() })
  const { body } = await direct.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: 'Second', regId: `REG-${newGln()}` },
  })
  await passports.given({ productId: other.productId, operatorId: body.operator.id })
  for (const path of [`/01/${gtin}`, `/01/${gtin}/21/S-1`, `/01/${gtin}/21/nobody`, `/01/${other.productId}`]) {
    const entries = await linkset(path)
    const defaults = entries.flatMap((entry) => entry[`${VOC}defaultLink`] ?? [])
    expect([path, defaults.length, Object.keys(defaults[0])]).toEqual([path, 1, ['href', 'title']])
    const [top = {}] = entries
    expect(top[`${VOC}defaultLink`]).toEqual(defaults)
    expect(top[`${VOC}dpp`].map(({ href }: Entry) => href)).toContain(defaults[0].href)
  }
})

test('10 a default link in several languages is not offered: the page has them all at one address', async () => {
  for (const entry of await linkset(`/01/${gtin}/21/S-1`)) expect(entry[`${VOC}defaultLinkMulti`]).toBeUndefined()
})

describe('11 without a link type the default link answers', () => {
  const machines = () => direct.container.cradle.plugins.representations.map(({ mediaTypes }) => mediaTypes[0])
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

  test('with RESOLVER_REDIRECTS=on by a redirect, except for requests of machine-readable forms', async () => {
    for (const path of [`/01/${gtin}`, `/01/${gtin}/10/L`, `/01/${gtin}/`]) {
      for (const accept of [undefined, '*/*', browser, 'text/html', 'image/png']) {
        for (const query of ['', '?x=1', '?linkType=gs1:defaultLink', '?linkType=']) {
          const { status, headers } = await get(redirecting, path + query, accept === undefined ? {} : { accept })
          expect([path, accept, status, headers.location]).toEqual([path, accept, 307, page() + query])
        }
      }
      for (const accept of machines().filter((type) => type !== 'text/html')) {
        const { status, headers } = await get(redirecting, path, { accept })
        expect([accept, status, headers['content-type']?.split(';')[0]]).toEqual([accept, 200, accept])
      }
    }
    const item = await get(redirecting, `/01/${gtin}/21/S-1`)
    expect([item.status, item.headers.location]).toEqual([302, `${BASE_URL}/unit/${unitId}`])
  })

  test('with RESOLVER_REDIRECTS=off directly, as the specification shows', async () => {
    for (const accept of [undefined, '*/*', browser, ...machines()]) {
      const headers: Record<string, string> = accept === undefined ? {} : { accept }
      const answer = await get(direct, `/01/${gtin}`, headers)
      const target = await get(direct, `/passport/${passportId}`, headers)
      expect([accept, answer.status, answer.text]).toEqual([accept, 200, target.text])
    }
  })

  test('and a redirect leads where it says', async () => {
    for (const path of [`/01/${gtin}`, `/01/${gtin}/21/S-1`]) {
      const { headers } = await get(redirecting, path)
      expect((await get(redirecting, String(headers.location).slice(BASE_URL.length))).status).toBe(200)
    }
  })
})

test('12 a link type, as CURIE or in full, redirects to its link, and is 404 if absent', async () => {
  for (const gateway of both()) {
    for (const prefix of ['gs1:', VOC, 'https://gs1.org/voc/', 'https://www.gs1.org/voc/']) {
      const query = `?linkType=${prefix}pip`
      for (const sent of [query, query.replace('gs1:', 'gs1%3A')]) {
        const { status, headers } = await get(gateway, `/01/${gtin}${sent}`)
        expect([sent, status, headers.location]).toEqual([sent, 307, page() + sent])
      }
    }
    const item = await get(gateway, `/01/${gtin}/21/S-1?linkType=gs1:dpp`)
    expect(item.headers.location).toBe(`${BASE_URL}/unit/${unitId}?linkType=gs1:dpp`)
    // The item falls back to its product.
    const certificates = await get(gateway, `/01/${gtin}/21/S-1?linkType=gs1:certificationInfo`)
    expect(certificates.headers.location).toBe(`${page()}?linkType=gs1:certificationInfo`)
    for (const type of [
      'gs1:recallStatus',
      'gs1:nothing',
      'pip',
      'gs1:__proto__',
      'gs1:constructor',
      'untp:dpp',
      'gs1:',
    ]) {
      const { status, body } = await get(gateway, `/01/${gtin}?linkType=${type}`)
      expect([type, status, body.error]).toEqual([type, 404, 'Not Found'])
    }
  }
})

describe('13 of several links of a type', () => {
  test('that nothing tells apart the caller gets all, as a linkset', async () => {
    for (const query of ['?linkType=gs1:instructions', '?linkType=gs1:instructions&x=1']) {
      const { status, body, headers } = await get(direct, `/01/${gtin}${query}`)
      expect([status, headers['content-type']]).toEqual([300, 'application/linkset+json'])
      for (const validate of [validate2025, validate12]) expect(validate?.(body) ?? true).toBe(true)
      expect(body.linkset).toHaveLength(1)
      expect(linksIn(body.linkset[0]).map(([type, links]) => [type, links.length])).toEqual([[`${VOC}instructions`, 2]])
    }
  })

  test('language decides, then media type', () => {
    const link = (href: string, type?: string, ...hreflang: string[]) => ({ href, title: href, type, hreflang })
    const links = [
      link('de-html', 'text/html', 'de'),
      link('pt-html', 'text/html', 'pt', 'pt-BR'),
      link('pt-pdf', 'application/pdf', 'pt'),
      link('en-html', 'text/html', 'en'),
    ]
    const chosen = (acceptLanguage?: string, accept?: string) => chooseLink(links, { acceptLanguage, accept })?.href
    expect(chosen('de')).toBe('de-html')
    expect(chosen('fr, de-AT;q=0.5, en;q=0.4')).toBe('de-html')
    expect(chosen('pt-br')).toBe('pt-html')
    expect(chosen('pt-PT')).toBeUndefined()
    expect(chosen('pt-PT', 'application/pdf')).toBe('pt-pdf')
    expect(chosen('pt', 'text/html, application/pdf;q=0.9')).toBe('pt-html')
    expect(chosen('en;q=0, de;q=0.1')).toBe('de-html')
    expect(chosen('fr')).toBeUndefined()
    expect(chosen(undefined, 'application/pdf')).toBe('pt-pdf')
    expect(chosen(undefined, 'image/png')).toBeUndefined()
    expect(
      chooseLink([link('a', 'text/html'), link('a', 'text/plain')], { acceptLanguage: undefined, accept: undefined })
        ?.href,
    ).toBe('a')
    expect(chooseLink([], { acceptLanguage: 'de', accept: '*/*' })).toBeUndefined()
  })
})

test('14 a redirect keeps the query byte for byte, but never a capability token', async () => {
  const odd = 'a=%20+%2f&&b&%C3%A9=é&17=261231&linkType=gs1:pip&x=%zz'.replace('é', '%c3%a9')
  for (const gateway of both()) {
    for (const token of ['grant=dpp_li_secret', '%67rant=dpp_li_secret', 'GRANT=dpp_li_secret']) {
      for (const path of [`/01/${gtin}`, `/01/${gtin}/21/S-1`]) {
        const { headers, text } = await get(gateway, `${path}?${token}&${odd}`)
        const target = path.includes('/21/') ? `${BASE_URL}/unit/${unitId}` : page()
        expect(headers.location).toBe(`${target}?${odd}`)
        expect(headers['referrer-policy']).toBe('no-referrer')
        expect(headers['x-access-note']).toBe('The token is not forwarded. Send it to the address in Location.')
        expect(JSON.stringify(headers) + text).not.toContain('secret')
      }
    }
  }
  const foreign = await passports.given({
    productId: newGtin(),
    metadata: textile({ repairManualUrl: 'https://example.com/repair?part=1#top' }),
  })
  for (const [query, forwarded] of [
    ['linkType=gs1:instructions&a=%20', 'linkType=gs1:instructions&a=%20'],
    ['grant=dpp_li_secret&linkType=gs1:instructions', 'linkType=gs1:instructions'],
  ]) {
    const { status, headers } = await get(direct, `/01/${foreign.productId}?${query}`)
    expect([status, headers.location]).toEqual([307, `https://example.com/repair?part=1&${forwarded}#top`])
  }
})

test('15 an unknown batch or serial of a known product resolves as the product, in one request', async () => {
  for (const rest of ['/21/nobody', '/10/L/21/nobody', '/22/V/10/L/21/nobody', '/21/a%2Fb']) {
    const { status, headers } = await get(direct, `/01/${gtin}${rest}`)
    expect([rest, status, headers.location]).toEqual([rest, 302, page()])
    expect((await linkset(`/01/${gtin}${rest}`)).map(({ anchor }) => anchor)).toEqual([`${BASE_URL}/01/${gtin}`])
  }
  expect((await get(direct, `/01/${gtin}/10/nobody`)).body.id).toBe(passportId)
  // Like its product, which may have several passports.
  const several = await passports.given({ productId: newGtin() })
  const stranger = await createWorkspace(direct)
  await passportClient(direct, stranger.as).given({ productId: several.productId })
  const choice = await get(direct, `/01/${several.productId}/21/nobody`)
  expect([choice.status, choice.body.passports.length]).toEqual([300, 2])
})

test('16 a redirect says where the linkset is', async () => {
  for (const [path, canonical] of [
    [`/01/${gtin}?linkType=gs1:pip`, `/01/${gtin}`],
    [`/01/${gtin}/21/%53-1?x=1`, `/01/${gtin}/21/S-1`],
    [`/01/${gtin}/10/a%2fb/21/S-1/`, `/01/${gtin}/10/a%2Fb/21/S-1`],
  ] as const) {
    const { headers } = await get(direct, path)
    expect(headers.link).toBe(
      `<${BASE_URL}${canonical}?linkType=linkset>; rel="linkset"; type="application/linkset+json"`,
    )
    const target = String(headers.link)
      .slice(1 + BASE_URL.length)
      .replace(/>.*/, '')
    expect(entriesOf(await get(direct, target)).length).toBeGreaterThan(0)
  }
})

test('17 a linkset says what makes JSON-LD of it', async () => {
  const { headers } = await get(direct, `/01/${gtin}?linkType=linkset`)
  expect(headers.link).toContain('; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"')
  const { body } = await get(direct, '/.well-known/gs1resolver')
  expect(headers.link).toContain(`<${body.jsonLdContextLocation}>`)
})

test('18 one slash at the end is tolerated, and no more', async () => {
  for (const rest of ['', '/10/L', '/21/S-1']) {
    const [plain, slash] = [await get(direct, `/01/${gtin}${rest}`), await get(direct, `/01/${gtin}${rest}/`)]
    expect([slash.status, slash.headers.location, slash.text]).toEqual([
      plain.status,
      plain.headers.location,
      plain.text,
    ])
    expect((await direct.client.send('GET', `/01/${gtin}${rest}//`, {})).status).toBe(400)
  }
})

test('19 an EPC binary string is refused with a sentence, for it is not decoded here', async () => {
  for (const path of ['/eh3074257BF7194E4000001A85', '/exMHQle_cZTkAAABqFAA1']) {
    const { status, body } = await direct.client.send('GET', path, {})
    expect([path, status, body]).toEqual([path, 400, { error: 'Bad Request', message: expect.stringContaining('EPC') }])
  }
})

test('20 the old compression, which is optional, is neither taken nor claimed', async () => {
  expect((await direct.client.send('GET', '/ARHKVAdpQg', {})).status).toBe(404)
  expect((await get(direct, '/.well-known/gs1resolver')).body.extensionProfile).toBeUndefined()
})

test('21 what is known of an item holds whatever batch or variant its link names', async () => {
  const [plain] = await linkset(`/01/${gtin}/21/S-1`)
  for (const qualifiers of ['22/V/21/S-1', '10/L/21/S-1', '22/V/10/L/21/S-1']) {
    expect((await linkset(`/01/${gtin}/${qualifiers}`))[0]).toEqual(plain)
  }
  expect((await direct.client.send('GET', `/01/${gtin}/235/T/21/S-1`, {})).status).toBe(400)
})

test('22 no prefix is handled by another resolver, so that none is named', async () => {
  for (const entry of await linkset(`/01/${gtin}`)) expect(entry[`${VOC}handledBy`]).toBeUndefined()
})

test.skipIf(hasSchemas)('the schemas of GS1 are not here, so that linksets are not judged by them', () => {
  expect(files).toContain(undefined)
})

test('a gateway that redirects has one default link at each anchor', async () => {
  const entries = entriesOf(await get(redirecting, `/01/${gtin}/21/S-1?linkType=linkset`))
  expect(entries.length).toBeGreaterThan(1)
  for (const entry of entries) expect(entry[`${VOC}defaultLink`]).toHaveLength(1)
})

test('a grant in a link opens the passport there, and gets into no other address', async () => {
  const { id, productId } = await passports.given({ productId: newGtin(), metadata: battery() })
  const { body } = await direct.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repair', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(1) },
  })
  const { status, headers } = await get(redirecting, `/01/${productId}?grant=${body.token}`)
  expect([status, headers.location, headers['x-access-tier']]).toEqual([200, undefined, 'restricted'])
})
