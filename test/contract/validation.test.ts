import { describe, expect, test } from 'vitest'
import { bearer, createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { battery, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
let mine = workspace

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

  test('review-3-inputs N6: come with a cause; missing information is a separate member', async () => {
    for (const metadata of [
      textile(),
      { category: 'batteries', originCountry: 'DE' },
      { category: 'cosmetics', originCountry: 'FR' },
    ]) {
      const { status, body } = await validate({ productId: newGtin(), metadata })
      expect([status, body.warnings, body.errors]).toEqual([200, undefined, []])
      expect(body.completeness.missing.length).toBeGreaterThan(0)
    }
  })
})

describe('completeness', () => {
  test('is what the report says of the stored passport', async () => {
    const metadata = { category: 'batteries', originCountry: 'DE' }
    const { body } = await validate({ productId: newGtin(), metadata }, '?lang=de')
    const mass = { key: 'batteryMass', points: ['VI A 5'], due: 'mandatory', label: 'Masse' }
    expect(body.completeness.missing).toContainEqual(expect.objectContaining(mass))
    const { body: created } = await passports.create({ productId: newGtin(), metadata })
    expect(created.warnings).toEqual([])
    const report = await gateway.request('GET', `/api/v1/passports/${created.passport.id}/completeness?lang=de`, {
      headers: workspace.as,
    })
    const { isComplete, counts, missing } = report.body
    expect(body.completeness).toEqual({ isComplete, counts, missing })
  })

  test('counts what other acts ask for, each piece of information once', async () => {
    const completenessOf = async (metadata: object) => {
      const { body } = await validate({ productId: newGtin(), metadata })
      const { counts, missing } = body.completeness
      return { counts, keys: missing.map(({ key }: { key: string }) => key) }
    }
    const empty = { category: 'cosmetics', originCountry: 'FR' }
    const none = await completenessOf(empty)
    expect(none.keys).toContain('batchNumber')
    expect(none.keys).not.toContain('packagingRecyclability')
    const some = await completenessOf({ ...empty, batchNumber: 'L-1' })
    expect(some.counts.conditional.met).toBe(none.counts.conditional.met + 1)
    const electronics = await completenessOf({ category: 'electronics', originCountry: 'DE' })
    expect(electronics.keys).toContain('standbyPowerW')
    expect(electronics.keys).not.toContain('standbyPower')
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
    ['POST', '/api/v1/events'],
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

describe('the completeness of the catalogue', () => {
  const reportOf = (query = '', headers = mine.as) =>
    gateway.request('GET', `/api/v1/passports/completeness${query}`, { headers })

  test('counts by category, the least complete first, page by page', async () => {
    mine = await createWorkspace(gateway)
    const own = passportClient(gateway, mine.as)
    const given = [
      { category: 'batteries', originCountry: 'DE' },
      battery(),
      { category: 'cosmetics', originCountry: 'FR' },
      { category: 'cosmetics', originCountry: 'FR', batchNumber: 'L-1' },
      { category: 'batteries', originCountry: 'DE', batteryCategory: 'ev' },
    ]
    const ids: string[] = []
    for (const metadata of given) {
      const { status, body } = await own.create({ productId: newGtin(), metadata })
      expect(status).toBe(201)
      ids.push(body.passport.id)
    }
    const { status, body } = await reportOf()
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, examined: 5, nextCursor: null })
    expect(body.categories.map(({ category, passports }: never) => [category, passports])).toEqual([
      ['batteries', 3],
      ['cosmetics', 2],
    ])
    const share = ({ counts: { mandatory } }: { counts: { mandatory: { due: number; met: number } } }) =>
      mandatory.due === 0 ? 1 : mandatory.met / mandatory.due
    const shares = body.passports.map(share)
    expect(shares).toEqual(shares.toSorted((a: number, b: number) => a - b))
    const cosmetics = body.passports.filter(({ category }: { category: string }) => category === 'cosmetics')
    expect(cosmetics.map(({ passportId }: { passportId: string }) => passportId)).toEqual([ids[2], ids[3]])
    // Equal to the individual report.
    for (const { passportId, kind, isComplete, counts } of body.passports) {
      const one = await gateway.request('GET', `/api/v1/passports/${passportId}/completeness`, { headers: mine.as })
      expect(one.body).toMatchObject({ kind, isComplete, counts })
    }
    const seen: string[] = []
    const due = { batteries: 0, cosmetics: 0 } as Record<string, number>
    let query = '?limit=2'
    for (let pages = 0; pages < 4; pages += 1) {
      const page = await reportOf(query)
      expect(page.body.examined).toBeLessThanOrEqual(2)
      seen.push(...page.body.passports.map(({ passportId }: { passportId: string }) => passportId))
      for (const { category, counts } of page.body.categories) due[category] += counts.conditional.due
      if (page.body.nextCursor === null) break
      query = `?limit=2&cursor=${page.body.nextCursor}`
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    for (const { category, counts } of body.categories) expect(due[category]).toBe(counts.conditional.due)
  })

  test('is of one workspace, and of one operator for keys of one', async () => {
    const other = await createWorkspace(gateway)
    expect((await reportOf('', other.as)).body).toEqual({
      success: true,
      examined: 0,
      categories: [],
      passports: [],
      nextCursor: null,
    })
    expect((await reportOf('', bearer('dpp_key_unknown'))).status).toBe(401)
  })

  test.each(['x', 'YWZ0ZXIgMSB4', Buffer.from(`after ${'9'.repeat(17)} ${'a'.repeat(36)}`).toString('base64url')])(
    'refuses the cursor %s',
    async (cursor) => {
      const { status, body } = await reportOf(`?cursor=${cursor}`)
      expect(status).toBe(400)
      expect(body.message).toBe('cursor must be the nextCursor of a page.')
    },
  )

  test('ends a page where its passports are large', async () => {
    const large = await createWorkspace(gateway)
    const text = 'x'.repeat(240_000)
    const bulk = passportClient(gateway, large.as)
    for (let count = 0; count < 20; count += 1) {
      const { status } = await bulk.create({ productId: newGtin(), metadata: textile({ further: text }) })
      expect(status).toBe(201)
    }
    const first = await reportOf('', large.as)
    expect(first.body.examined).toBe(18)
    const second = await reportOf(`?cursor=${first.body.nextCursor}`, large.as)
    expect(second.body).toMatchObject({ examined: 2, nextCursor: null })
  })
})
