import { describe, expect, test } from 'vitest'
import { newGtin } from '../../../test/support/gateway.ts'
import { battery } from '../../../test/support/passport-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

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
