// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { newGtin, textile } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const ADDRESSES = ['/api/v1/passports/validate-only', '/api/v1/passports/validate-only-public']
const validate = (json: object, query = '', address = ADDRESSES[0]) =>
  gateway.request('POST', `${address}${query}`, { headers: workspace.as, json })

interface Warning {
  readonly code: string
  readonly path?: string
  readonly message: string
  readonly friendlyMessage: string
}
const ofCode = (body: { warnings?: Warning[] }, code: string) =>
  (body.warnings ?? []).filter((one) => one.code === code)

describe('findings', () => {
  test.each(ADDRESSES)('of schema and rules come in one answer at %s', async (address) => {
    const metadata = {
      category: 'textiles',
      originCountry: 'ZZ',
      size: 42,
      materialComposition: [{ material: 'wool', percentage: 90 }],
      countryOfWeaving: 'QQ',
      careInstructions: 7,
    }
    const { status, body } = await validate({ productId: newGtin(), metadata }, '?lang=de', address)
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'size',
      'careInstructions',
      'originCountry',
      'materialComposition',
      'countryOfWeaving',
    ])
    expect(body.errors[3]).toEqual({
      path: 'materialComposition',
      message: 'The percentages in materialComposition must add up to 100. They add up to 90.',
      friendlyMessage: 'Die Prozentwerte in „Materialzusammensetzung“ müssen zusammen 100 ergeben. Sie ergeben 90.',
    })
  })

  test('name a choice once, suggest the nearest, and name the field by its label', async () => {
    const metadata = { category: 'batteries', originCountry: 'DE', batteryCategory: 'industrail' }
    const { body } = await validate({ productId: newGtin(), metadata }, '?lang=de')
    expect(body.errors).toEqual([
      {
        path: 'batteryCategory',
        message:
          'must be one of: ev, lmt, industrial, stationary, portable, sli, and is "industrail". Did you mean industrial?',
        friendlyMessage:
          '„Art der Batterie“ muss einer dieser Werte sein: Elektrofahrzeugbatterie (ev), Batterie für leichte Verkehrsmittel (lmt), Industriebatterie (industrial), Stationärer Batteriespeicher (stationary), Gerätebatterie (portable), Starterbatterie (sli). Meinten Sie industrial?',
      },
    ])
  })

  test('name each step to a value inside of a list', async () => {
    const metadata = textile({ materialComposition: [{ material: 'wool', percentage: '100' }] })
    const { body } = await validate({ productId: newGtin(), metadata })
    expect(body.errors).toEqual([
      {
        path: 'materialComposition[0].percentage',
        message: 'must be number',
        friendlyMessage: '“Material composition 1 › Share” must be a number.',
      },
    ])
  })

  test('of a row of a bulk name its place too', async () => {
    const json = { passports: [{ productId: newGtin(), metadata: textile({ size: 42 }) }] }
    const { body } = await gateway.request('POST', '/api/v1/passports/bulk', { headers: workspace.as, json })
    expect(body.errors).toEqual([expect.stringMatching(/^\[SKU: \d{14}\] size: “Size” must be text\.$/)])
  })
})

describe('warnings', () => {
  test('name an unknown key, and the probable one', async () => {
    const metadata = textile({ fibreComposition: [], facilityID: 1, quite: { else: 1 } })
    const { status, body } = await validate({ productId: newGtin(), metadata }, '?lang=de')
    expect(status).toBe(200)
    expect(ofCode(body, 'UNKNOWN_KEY')).toEqual([
      {
        code: 'UNKNOWN_KEY',
        path: 'fibreComposition',
        message:
          'The key fibreComposition is unknown in this category. It is stored unchanged. Did you mean fiberComposition?',
        friendlyMessage:
          'Der Schlüssel fibreComposition ist in dieser Kategorie nicht bekannt. Er bleibt, wie er ist. Meinten Sie fiberComposition?',
      },
      expect.objectContaining({ code: 'UNKNOWN_KEY', path: 'facilityID' }),
      expect.objectContaining({
        code: 'UNKNOWN_KEY',
        path: 'quite',
        message: 'The key quite is unknown in this category. It is stored unchanged.',
      }),
    ])
    const created = await passports.create({ productId: newGtin(), metadata: textile({ fibreComposition: [] }) })
    expect(created.status).toBe(201)
    expect(created.body.warnings.map(({ code }: Warning) => code)).toEqual([])
    expect(created.body.passport.metadata.fibreComposition).toEqual([])
  })

  test('stop at twenty unknown keys', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`unknownKey${index}`, index]))
    const { body } = await validate({ productId: newGtin(), metadata: textile(many) })
    expect(ofCode(body, 'UNKNOWN_KEY')).toHaveLength(20)
  })

  test.each([
    ['9506000134352', '09506000134352'],
    ['950600013437', undefined],
    ['96385074', '00000096385074'],
    ['9506000134353', undefined],
  ])('say of the product id %s that the GTIN is %s', async (productId, gtin) => {
    const { status, body } = await validate({ productId, metadata: textile() })
    expect(status).toBe(200)
    expect(ofCode(body, 'NON_GS1_PRODUCT_ID')).toHaveLength(gtin === undefined ? 1 : 0)
    expect(ofCode(body, 'GTIN_NEEDS_PADDING')).toEqual(
      gtin === undefined
        ? []
        : [
            {
              code: 'GTIN_NEEDS_PADDING',
              path: 'productId',
              message: expect.stringContaining(gtin),
              friendlyMessage: expect.stringContaining(gtin),
            },
          ],
    )
  })

  test('review-3-inputs N6: come with a cause; missing information is not a warning', async () => {
    for (const metadata of [
      textile(),
      { category: 'batteries', originCountry: 'DE' },
      { category: 'cosmetics', originCountry: 'FR' },
    ]) {
      const { status, body } = await validate({ productId: newGtin(), metadata })
      expect([status, body.warnings, body.errors]).toEqual([200, undefined, []])
    }
  })
})

describe('malformed JSON', () => {
  const raw = '{\n  "productId": "1",\n  "metadata": {,}\n}'
  const place = 'The body is not valid JSON: at line 3, column 16, a key in double quotes or } was expected.'

  test.each([
    ['POST', '/api/v1/passports'],
    ['POST', '/api/v1/passports/bulk'],
    ['POST', '/api/v1/passports/validate-only'],
    ['POST', '/api/v1/passports/aas/ingest'],
    ['POST', '/api/v1/operators'],
    ['POST', '/api/v1/facilities'],
    ['POST', '/api/v1/webhooks/subscriptions'],
  ] as const)('has line and column at %s %s', async (method, path) => {
    const { status, body } = await gateway.request(method, path, { headers: workspace.as, raw })
    expect(status).toBe(400)
    expect(body.message).toBe(place)
  })

  test('has them too if it is parsed in pieces', async () => {
    const rows = Array.from({ length: 2000 }, () => '{"productId":"1","metadata":{"a":"b"}}').join(',\n')
    const { status, body } = await gateway.request('POST', '/api/v1/passports/bulk', {
      headers: workspace.as,
      raw: `{"passports":[${rows},\n{"productId":x}]}`,
    })
    expect(status).toBe(400)
    expect(body.message).toBe('The body is not valid JSON: at line 2001, column 14, a value was expected.')
  })
})
