import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { drawnFromSvg, pixelsOf, readByJsQr, readByZxing } from '../support/code-readers.ts'
import { BASE_URL, bearer, createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { LANGUAGES } from '../support/languages.ts'
import { newGrai } from '../support/sample-calls.ts'
import { pictureOf } from '../support/svg-picture.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const codeOf = (id: string, query = '', headers: Record<string, string> = workspace.as) =>
  gateway.request('GET', `/api/v1/passports/${encodeURIComponent(id)}/qr${query}`, { headers })
const unitCodeOf = (id: string, query = '', headers: Record<string, string> = workspace.as) =>
  gateway.request('GET', `/api/v1/units/${id}/qr${query}`, { headers })

const gtin = newGtin()
const { id } = await passports.given({ productId: gtin })
const [unitId = ''] = await givenUnits(gateway, workspace, id, ['SN-1'])

describe('the code of a passport', () => {
  test('is a PNG of 1024 pixels with error correction Q, by id and by product id', async () => {
    for (const name of [id, id.toUpperCase(), gtin]) {
      const { status, headers, bytes } = await codeOf(name)
      expect([status, headers['content-type'], headers['content-disposition'], headers['cache-control']]).toEqual([
        200,
        'image/png',
        `attachment; filename="qr-${gtin}.png"`,
        'private, no-store',
      ])
      expect(pixelsOf(bytes).size).toBe(1024)
      const [found] = await readByZxing(bytes)
      expect([found?.text, found?.ecLevel, readByJsQr(bytes)]).toEqual([
        `${BASE_URL}/01/${gtin}`,
        'Q',
        `${BASE_URL}/01/${gtin}`,
      ])
    }
  })

  test.each([
    ['size=128', 128],
    ['size=1', 128],
    ['size=-5', 128],
    ['size=333.9', 333],
    ['size=2048', 2048],
    ['size=999999999', 2048],
  ])('%s: %i pixels', async (query, pixels) => {
    expect(pixelsOf((await codeOf(id, `?${query}`)).bytes).size).toBe(pixels)
  })

  test.each(['M', 'Q', 'H', 'h'])('ecl=%s', async (ecl) => {
    const [found] = await readByZxing((await codeOf(id, `?ecl=${ecl}`)).bytes)
    expect(found?.ecLevel).toBe(ecl.toUpperCase())
  })

  test('is an SVG on request, in letters of any case, with the text for people if it is asked for', async () => {
    const { headers, text } = await codeOf(id, '?format=SVG&size=400&hri=true')
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      'image/svg+xml',
      `attachment; filename="qr-${gtin}.svg"`,
    ])
    expect(text).toContain('<svg xmlns="http://www.w3.org/2000/svg" width="400"')
    expect(text).toContain(`>(01) ${gtin}</text>`)
    const [found] = await readByZxing(pictureOf(text).picture)
    expect(found?.text).toBe(`${BASE_URL}/01/${gtin}`)
    expect((await codeOf(id, '?format=svg')).text).not.toContain('<text')
    expect((await codeOf(id, '?hri=true')).status).toBe(200)
  })

  test('invites to scan it on request, in the language of the reader, and is read as before', async () => {
    const captions = new Set<string>()
    for (const lang of LANGUAGES) {
      const { text } = await codeOf(id, `?format=svg&size=400&hri=true&caption=TRUE&lang=${lang}`)
      const [, width, height] = /viewBox="0 -\d+ (\d+) (\d+)"/.exec(text)?.map(Number) ?? []
      const lines = [...text.matchAll(/<text x="[\d.]+" y="(-[\d.]+)"[^>]*>([^<]*)</g)]
      captions.add(lines.map(([, , words]) => words).join(' '))
      expect(height).toBeGreaterThan(width as number)
      // No line is compressed or within the quiet zone.
      expect(text.match(/textLength/g), lang).toBeNull()
      for (const [, y] of lines) expect(Number(y), lang).toBeLessThan(0)
      if (lang !== 'en' && lang !== 'el') continue
      const [found] = await readByZxing(drawnFromSvg(text))
      expect(found?.text).toBe(`${BASE_URL}/01/${gtin}`)
    }
    expect(captions.size).toBe(LANGUAGES.length)
    expect([...captions]).toContain('Scan for more product information')
    expect((await codeOf(id, '?format=svg&caption=false')).text).not.toContain('<text')
  })

  test('leads to the passport where the product id is not a GS1 key, and to AI 8003 where it is a GRAI', async () => {
    const grai = newGrai()
    const sku = await passports.given({ productId: 'SKU 1/ä' })
    const asset = await passports.given({ productId: grai })
    const draft = await passports.given({ productId: 'WRONG-00000000000', draft: true, metadata: {} })
    expect(readByJsQr((await codeOf(sku.id)).bytes)).toBe(`${BASE_URL}/passport/${sku.id}`)
    expect(readByJsQr((await codeOf(asset.id)).bytes)).toBe(`${BASE_URL}/8003/${grai}`)
    expect(readByJsQr((await codeOf(draft.id)).bytes)).toBe(`${BASE_URL}/passport/${draft.id}`)
    expect((await codeOf('SKU 1/ä')).headers['content-disposition']).toBe('attachment; filename="qr-SKU_1__.png"')
  })

  test('has a file name that no system stumbles over', async () => {
    const productId = `"<>../${'x'.repeat(150)}`
    const passport = await passports.given({ productId, metadata: textile() })
    const { headers } = await codeOf(passport.id)
    expect(headers['content-disposition']).toBe(`attachment; filename="qr-___.._${'x'.repeat(74)}.png"`)
  })

  test('is a GS1 DataMatrix on request, of GS1 keys alone', async () => {
    const [found] = await readByZxing((await codeOf(id, '?symbology=datamatrix')).bytes)
    expect([found?.symbologyIdentifier, found?.text]).toEqual([']d2', `(01)${gtin}`])
    const { text } = await codeOf(id, '?symbology=datamatrix&format=svg')
    expect(text).toContain('<title id="t">GS1 DataMatrix: ')
    const sku = await passports.given({ productId: 'SKU-2' })
    const refused = await codeOf(sku.id, '?symbology=datamatrix')
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        success: false,
        error: 'Bad Request',
        message: 'A GS1 DataMatrix needs GS1 keys: a GTIN or GRAI as product id, and a GTIN for a unit.',
        code: 'NOT_GS1',
      },
    ])
  })

  test.each([
    ['format=gif', 'format must be png or svg'],
    ['format=', 'format must be png or svg'],
    ['size=large', 'size must be a number'],
    ['size=', 'size must be a number'],
    ['size=NaN', 'size must be a number'],
    ['size=Infinity', 'size must be a number'],
    ['size=1e3', 'size must be a number'],
    ['size=0x200', 'size must be a number'],
    ['ecl=L', 'ecl must be M, Q or H'],
    ['ecl=constructor', 'ecl must be M, Q or H'],
    ['hri=yes', 'hri must be true or false'],
    ['caption=yes', 'caption must be true or false'],
    ['symbology=aztec', 'symbology must be qr or datamatrix'],
  ])('%s is refused', async (query, message) => {
    const { status, body } = await codeOf(id, `?${query}`)
    expect([status, body]).toEqual([400, { success: false, error: 'Bad Request', message }])
  })

  test('is not for those who may not read the passport', async () => {
    const other = await createWorkspace(gateway)
    for (const name of [id, gtin, randomUUID(), 'x'.repeat(200)]) {
      const { status, body } = await codeOf(name, '', name === id || name === gtin ? other.as : workspace.as)
      expect([status, body.message]).toEqual([404, 'Passport not found in your workspace.'])
    }
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      permissions: ['battery:read'],
    })
    expect((await codeOf(id, '', bearer(key))).body.message).toBe(
      'Insufficient permissions. Required: "passport:read".',
    )
  })
})

describe('the code of a unit', () => {
  test('is its Digital Link, and its file is named after its serial number', async () => {
    const { headers, bytes } = await unitCodeOf(unitId)
    expect(headers['content-disposition']).toBe('attachment; filename="qr-SN-1.png"')
    expect(readByJsQr(bytes)).toBe(`${BASE_URL}/01/${gtin}/21/SN-1`)
    const { text } = await unitCodeOf(unitId, '?format=svg&hri=true')
    expect(text).toContain(`>(01) ${gtin} (21) SN-1</text>`)
    const [found] = await readByZxing((await unitCodeOf(unitId, '?symbology=datamatrix')).bytes)
    expect(found?.text).toBe(`(01)${gtin}(21)SN-1`)
  })

  test.each([
    ['a GRAI', newGrai()],
    ['a SKU', 'SKU-U'],
  ])('below %s leads to the unit', async (_, productId) => {
    const passport = await passports.given({ productId })
    const [ofOther = ''] = await givenUnits(gateway, workspace, passport.id, ['SN-2'])
    expect(readByJsQr((await unitCodeOf(ofOther)).bytes)).toBe(`${BASE_URL}/unit/${ofOther}`)
    expect((await unitCodeOf(ofOther, '?symbology=datamatrix')).body.code).toBe('NOT_GS1')
  })

  test('is found by its id alone, and in its workspace alone', async () => {
    const other = await createWorkspace(gateway)
    for (const [name, headers] of [
      [unitId, other.as],
      [id, workspace.as],
      ['SN-1', workspace.as],
      [randomUUID(), workspace.as],
    ] as const) {
      const { status, body } = await unitCodeOf(name, '', headers)
      expect([status, body.message]).toEqual([404, 'Battery unit not found in your workspace.'])
    }
    expect((await unitCodeOf(unitId, '?size=wide')).body.message).toBe('size must be a number')
  })

  test('is not for a key of another operator', async () => {
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'Other', regId: `REG-${randomUUID()}` },
    })
    const keyOf = (operatorId: string) =>
      gateway.container.cradle.workspaces.createKey({ workspaceId: workspace.id, role: 'BRAND_OPERATOR', operatorId })
    const [own, others] = [await keyOf(workspace.operatorId), await keyOf(body.operator.id)]
    expect((await unitCodeOf(unitId, '', bearer(own.key))).status).toBe(200)
    for (const refused of [
      await unitCodeOf(unitId, '', bearer(others.key)),
      await codeOf(id, '', bearer(others.key)),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'OPERATOR_SCOPE_FORBIDDEN'])
    }
  })
})
