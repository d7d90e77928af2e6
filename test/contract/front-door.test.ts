import { describe, expect, test } from 'vitest'
import { PUBLIC_CACHING } from '../support/answer-rules.ts'
import { newGtin } from '../support/gateway.ts'
import { battery } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const get = (path: string) => gateway.request('GET', path, { headers: { Accept: 'text/html' } })
const find = (sought: string, more = '') => get(`/?q=${encodeURIComponent(sought)}${more}`)
const locationOf = async (sought: string, more?: string) => {
  const { status, headers } = await find(sought, more)
  expect(status, sought).toBe(303)
  return headers.location
}

describe('the front page', () => {
  test('says what it is and whose, in the language of the reader, and runs what it contains and nothing else', async () => {
    const { status, text, headers } = await get('/?lang=de')
    expect(status).toBe(200)
    expect(text).toContain('<html lang="de">')
    expect(text).toContain('dpp.example.test')
    expect(text).toContain('name="q"')
    expect(text).toContain('href="/verify?lang=de"')
    expect(text).toContain('href="/docs"')
    expect(text).not.toContain('/01/09506000134352')
    const policy = headers['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('public, max-age=300')
  })

  test('leads to what a number names, whatever its length, and keeps the language', async () => {
    const gtin = '00614141007349'
    await passports.given({ productId: gtin })
    expect(await locationOf('614141007349')).toBe(`/01/${gtin}`)
    expect(await locationOf('0 614141 007349', '&lang=pl')).toBe(`/01/${gtin}?lang=pl`)
    expect(await locationOf(`(01)${gtin}`)).toBe(`/01/${gtin}`)
    const grai = '04012345123456A1'
    await passports.given({ productId: grai })
    expect(await locationOf(grai)).toBe(`/8003/${grai}`)
  })

  test('leads to passports by their id and by an article number, and to units', async () => {
    const sku = await passports.given({ productId: 'COAT 7/M' })
    expect(await locationOf('COAT 7/M')).toBe(`/passport/${sku.id}`)
    expect(await locationOf(sku.id.toUpperCase())).toBe(`/passport/${sku.id}`)
    // An article number may look like a GTIN with a wrong check digit.
    const digits = await passports.given({ productId: '12345678' })
    expect(await locationOf('12345678')).toBe(`/passport/${digits.id}`)
    const { id, productId } = await passports.given({ productId: newGtin(), metadata: battery() })
    const json = { serialNumber: 'SN-1' }
    const { body } = await gateway.request('POST', `/api/v1/passports/${id}/units`, { headers: workspace.as, json })
    const [unit] = body.units ?? [body.unit]
    expect(await locationOf(unit.id)).toBe(`/unit/${unit.id}`)
    expect(await locationOf(`https://elsewhere.example/01/${productId}/21/SN-1`)).toBe(`/01/${productId}/21/SN-1`)
  })

  test('review-3-inputs N4: leads to what is printed below a code, and to what a scanner reads', async () => {
    const { id, productId } = await passports.given({ productId: newGtin(), metadata: battery() })
    const json = { serialNumber: 'ND64-R0102' }
    await gateway.request('POST', `/api/v1/passports/${id}/units`, { headers: workspace.as, json })
    for (const sought of [
      `(01) ${productId} (21) ND64-R0102`,
      `(21)ND64-R0102(01)${productId}(240)X`,
      `01${productId}21ND64-R0102`,
      `]d201${productId}21ND64-R0102`,
      `\u001d01${productId}21ND64-R0102`,
    ]) {
      expect(await locationOf(sought)).toBe(`/01/${productId}/21/ND64-R0102`)
    }
    expect(await locationOf(`(01)${productId}(17)280101`)).toBe(`/01/${productId}`)
    expect(await locationOf(`(01)${productId}(10)LOT/7`)).toBe(`/01/${productId}/10/LOT%2F7`)
    expect(await locationOf(`(01)${productId}(21)UNKNOWN`)).toBe(`/01/${productId}/21/UNKNOWN`)
  })

  test('review-3-inputs N11: eight digits are a UPC-E or a GTIN-8, whichever is there', async () => {
    await passports.given({ productId: '00042100005264' })
    expect(await locationOf('04252614')).toBe('/01/00042100005264')
  })

  test('resolves keys of foreign links here, and sends no request and no token elsewhere', async () => {
    const { id, productId } = await passports.given({ productId: newGtin() })
    for (const link of [
      `https://evil.example/01/${productId}?next=https://evil.example`,
      `https://evil.example@elsewhere.example/x/01/${productId}`,
      `//evil.example/01/${productId}`,
      `evil.example/01/${productId}#x`,
    ]) {
      expect(await locationOf(link)).toBe(`/01/${productId}`)
    }
    expect(await locationOf(`https://dpp.example.test/passport/${id}?grant=dpp_li_secret`)).toBe(`/passport/${id}`)
  })

  test('reports the error next to the input', async () => {
    const absent = newGtin()
    for (const [sought, status, expected] of [
      [absent, 404, 'We have no passport for that number'],
      ['NO-SUCH-COAT', 404, 'We have no passport for that number'],
      ['00000000-0000-4000-8000-000000000000', 404, 'We have no passport for that number'],
      ['09506000134353', 400, 'The last digit (check digit) is wrong'],
      ['https://elsewhere.example/shop', 400, 'contains no product number'],
      ['   ', 400, 'Please enter a number or a link'],
      ['x'.repeat(2001), 400, 'is too long'],
      ['"><script>alert(1)</script>', 404, '&lt;script'],
    ] as const) {
      const { status: answered, text, headers } = await find(sought, '&lang=en')
      expect([sought.slice(0, 60), answered]).toEqual([sought.slice(0, 60), status])
      expect(text).toContain(expected)
      expect(text).toMatch(/<title>Error: /)
      expect(text).not.toContain('<script>alert')
      expect(headers['cache-control']).toBe('no-store')
    }
    const { text } = await find('09506000134353')
    expect(text).toContain('<a href="?q=09506000134352&amp;lang=en">09506000134352</a>')
    expect(text).toContain('value="09506000134353"')
  })

  test('knows no draft', async () => {
    const { id, productId } = await passports.given({ productId: newGtin(), draft: true })
    for (const sought of [id, productId]) expect((await find(sought)).status).toBe(404)
  })
})

describe('the form for access without a passport', () => {
  test('asks for one, and leads to its form', async () => {
    const { id, productId } = await passports.given({ productId: newGtin(), metadata: battery() })
    const page = await get('/request-access?lang=fr')
    expect(page.status).toBe(200)
    expect(page.text).toContain('action="/request-access"')
    const sought = await get(`/request-access?q=${productId}&lang=fr`)
    expect([sought.status, sought.headers.location]).toEqual([303, `/request-access?passport=${id}&lang=fr`])
    const wrong = await get('/request-access?q=09506000134353&lang=en')
    expect([wrong.status, wrong.text.includes('<title>Error: ')]).toEqual([400, true])
  })

  test('names the product, and its mistakes in the title', async () => {
    const { id } = await passports.given({ metadata: battery({ productName: 'Cell <b>block</b>' }) })
    const page = await get(`/request-access?passport=${id}&lang=en`)
    expect(page.text).toContain('Cell &lt;b&gt;block&lt;/b&gt;')
    expect(page.text).toContain('<title>Request access')
    const form = { granteeName: '', granteeEmail: 'x' }
    const sent = await gateway.request('POST', `/request-access?passport=${id}&lang=en`, { form })
    expect(sent.status).toBe(400)
    expect(sent.text).toContain('<title>Error: Request access')
    expect(sent.text).toContain('href="#granteeName"')
  })
})

describe('an access link that holds no longer', () => {
  const open = (path: string, accept = 'text/html') => gateway.request('GET', path, { headers: { Accept: accept } })

  test('is reported on the page, which is for this reader only', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const path = `/passport/${id}?lang=en&grant=dpp_li_${'x'.repeat(43)}`
    const page = await open(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('This access link no longer works')
    expect(page.text).toContain(`/request-access?passport=${id}&amp;lang=en`)
    expect(page.headers['x-access-tier']).toBe('public')
    expect(page.headers['cache-control']).toContain('no-store')
    for (const other of [`/passport/${id}?lang=en`]) {
      const { text, headers } = await open(other)
      expect(text).not.toContain('This access link no longer works')
      expect(headers['cache-control']).toBe(PUBLIC_CACHING)
    }
    // The data are public, but the address contains a token and must not be cached.
    const json = await open(path, 'application/ld+json')
    expect([json.status, json.headers['cache-control'], json.headers['x-access-tier']]).toEqual([
      200,
      'private, no-store',
      'public',
    ])
  })

  test('is not reported for a valid link', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const json = { granteeName: 'R', scopeType: 'PASSPORT', passportId: id, expiresAt: inDays(10) }
    const { body } = await gateway.request('POST', '/api/v1/grants', { headers: workspace.as, json })
    const { text, headers } = await open(`/passport/${id}?lang=en&grant=${body.token}`)
    expect([headers['x-access-tier'], text.includes('This access link no longer works')]).toEqual(['restricted', false])
  })
})

describe('a page for an address without an answer', () => {
  test('repeats what was asked for, says which digit is wrong, and leads to the front page', async () => {
    const wrong = await get('/01/09506000134353?lang=en')
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('<bdi>09506000134353</bdi>')
    expect(wrong.text).toContain('The last digit (check digit) is wrong')
    expect(wrong.text).toContain('href="/?q=09506000134352&amp;lang=en"')
    expect(wrong.text).toContain('href="/?lang=en"')
    const absent = await get(`/01/${newGtin()}?lang=en`)
    expect([absent.status, absent.text.includes('No passport here')]).toEqual([404, true])
  })

  test('speaks of a page where no passport was asked for', async () => {
    const { status, text } = await get(`/no/${encodeURIComponent('"><script>x</script>')}${'y'.repeat(200)}?lang=en`)
    expect(status).toBe(404)
    expect(text).toContain('No page here')
    expect(text).not.toContain('No passport here')
    expect(text).not.toContain('<script>x')
    expect(text).not.toContain('y'.repeat(120))
  })

  test('stays as it was for software, and empty for HEAD', async () => {
    const json = await gateway.request('GET', '/no/page', { headers: { Accept: 'application/json' } })
    expect(json.body).toEqual({ statusCode: 404, error: 'Not Found', message: 'No operation at GET /no/page.' })
    const head = await gateway.request('HEAD', '/01/09506000134353', { headers: { Accept: 'text/html' } })
    expect([head.status, head.text]).toEqual([400, ''])
  })
})

describe('scripts for browsers', () => {
  test('are sent as such, and nothing else is', async () => {
    const worker = await get('/sw.js')
    expect([worker.status, worker.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    for (const file of ['decode.js', 'index.js']) {
      const { status, headers } = await get(`/code-reader/${file}`)
      expect([file, status, headers['content-type']]).toEqual([file, 200, 'text/javascript; charset=utf-8'])
    }
    for (const file of ['dom.js', 'package.json', '..%2Fpackage.json', 'constructor']) {
      expect((await get(`/code-reader/${file}`)).status, file).toBe(404)
    }
  })
})

test('the vocabulary is a page for people, and data for those who ask for data', async () => {
  const page = await get('/ns/dpp')
  expect(page.text).toContain('id="merkleRoot"')
  const data = await gateway.request('GET', '/ns/dpp', { headers: { Accept: 'application/ld+json' } })
  expect(data.body['@graph'].length).toBeGreaterThan(10)
})
