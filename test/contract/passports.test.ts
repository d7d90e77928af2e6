// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { BATTERY } from '../support/demo-gateway.ts'
import { BASE_URL, bearer, createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { battery, eventsOf, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const registerOperator = async (headers = workspace.as) => {
  const regId = `REG-${newGln()}`
  const { body } = await gateway.request('POST', '/api/v1/operators', { headers, json: { name: regId, regId } })
  return body.operator.id as string
}
const registerFacility = async () => {
  const json = { gln: newGln(), name: 'Works 1', country: 'pt', activity: 'sewing', city: 'Porto' }
  const { body } = await gateway.request('POST', '/api/v1/facilities', { headers: workspace.as, json })
  return body.facility
}
/** A new valid GRAI: filler zero, and the first 13 digits of a GTIN. */
const newGrai = (serial: string) => `${newGtin()}${serial}`
const codes = (advisories: { code: string }[]) => advisories.map(({ code }) => code)

describe('creating a passport', () => {
  test('answers the passport in the public tier and makes it resolvable', async () => {
    const gtin = newGtin()
    const { status, body } = await passports.create({
      productId: gtin,
      metadata: textile({ facilityDetails: [{ facilityName: 'F', location: 'L', activity: 'A' }] }),
    })
    expect(status).toBe(201)
    expect(body.message).toBe('Digital Product Passport successfully validated and ingested')
    expect(body.passport.metadata.facilityDetails).toBe(REDACTED)
    expect(body.passport.metadata.gtin).toBe(gtin)
    const resolved = await gateway.request('GET', `/01/${gtin}`)
    expect(resolved.status).toBe(200)
    expect(resolved.body).toEqual(body.passport)
  })

  test('says whether credentials can be issued', async () => {
    const without = await passports.create({ productId: newGtin(), metadata: textile() })
    expect(without.body.vcReady).toBe(false)
    expect(without.body.vcReadyReason).toMatch(/facility/)
    const { id } = await registerFacility()
    const linked = await passports.create({ productId: newGtin(), metadata: textile(), facilityId: id })
    expect(linked.body).toMatchObject({ vcReady: true, vcReadyReason: null })
    expect(linked.body.passport.manufacturingFacility.id).toBe(id)
  })

  test('trap 40: a missing productId, a missing metadata and malformed JSON answer error and message alone', async () => {
    for (const json of [{ metadata: textile() }, { productId: newGtin() }, { productId: 5, metadata: textile() }]) {
      const { status, body } = await passports.create(json)
      expect(status).toBe(400)
      expect(Object.keys(body)).toEqual(['error', 'message'])
    }
    const malformed = await gateway.request('POST', '/api/v1/passports', {
      headers: workspace.as,
      raw: '{"productId":',
    })
    expect(malformed.status).toBe(400)
    expect(Object.keys(malformed.body)).toEqual(['error', 'message'])
  })

  test('trap 41: success has an empty warnings list; a failure without warnings has none', async () => {
    const created = await passports.create({ productId: newGtin(), metadata: textile() })
    expect(created.body.warnings).toEqual([])
    const failed = await passports.create({ productId: newGtin(), metadata: { category: 'textiles' } })
    expect(failed.status).toBe(400)
    expect(failed.body).toMatchObject({ success: false, error: 'Validation Failed', category: 'textiles' })
    expect(failed.body).not.toHaveProperty('warnings')
    const withWarning = await passports.create({ productId: 'SKU-41', metadata: { category: 'textiles' } })
    expect(codes(withWarning.body.warnings)).toEqual(['NON_GS1_PRODUCT_ID'])
    // The demo's battery has exactly the mandatory attributes.
    const valid = await passports.validate({ productId: newGtin(), metadata: { ...BATTERY, gtin: undefined } })
    expect(valid.status).toBe(200)
    const { completeness: _ofModule, ...specified } = valid.body
    expect(specified).toEqual({ success: true, message: expect.any(String), category: 'batteries', errors: [] })
  })

  test('trap 42: only errors about the category have no friendlyMessage', async () => {
    for (const metadata of [{ originCountry: 'PT' }, textile({ category: 'boats' }), textile({ category: 5 })]) {
      const { status, body } = await passports.create({ productId: newGtin(), metadata })
      expect(status).toBe(400)
      expect(body.errors).toEqual([
        { path: 'category', message: expect.stringContaining('must be one of: aluminium, ') },
      ])
    }
    const { body } = await passports.create({ productId: newGtin(), metadata: { category: 'textiles', size: 5 } })
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['originCountry', 'size'])
    for (const error of body.errors) expect(error.friendlyMessage).toEqual(expect.any(String))
  })

  test('trap 50: sums of 99.9 and 100.1 pass and 99.8 fails, in binary floating point too', async () => {
    const sums: [number[], number][] = [
      [[99.9], 200],
      [[33.3, 33.3, 33.3], 200],
      [[0.1, 0.2, 99.6], 200],
      [[50.05, 50.05], 200],
      [[33.4, 33.4, 33.3], 200],
      [[99.8], 400],
      [[33.3, 33.3, 33.2], 400],
      [[50.1, 50.1], 400],
      [[60, 40.10001], 400],
    ]
    for (const [shares, expected] of sums) {
      const materialComposition = shares.map((percentage, index) => ({ material: `M${index}`, percentage }))
      const { status, body } = await passports.validate({
        productId: newGtin(),
        metadata: textile({ materialComposition }),
      })
      expect(`${shares}: ${status}`).toBe(`${shares}: ${expected}`)
      if (status === 400) expect(body.errors[0].path).toBe('materialComposition')
    }
  })

  test('trap 51: codes that are not assigned fail', async () => {
    for (const originCountry of ['ZZ', 'UK', 'EU', 'XK', 'pt', 'PRT', '']) {
      const { status, body } = await passports.create({ productId: newGtin(), metadata: textile({ originCountry }) })
      expect(`${originCountry} ${status}`).toBe(`${originCountry} 400`)
      expect(body.errors[0].path).toBe('originCountry')
    }
  })
})

describe('identifiers', () => {
  test('trap 38: 14 digits with a wrong check digit fail; 13 digits are a SKU with a warning', async () => {
    const gtin = newGtin()
    const wrong = `${gtin.slice(0, 13)}${(Number(gtin[13]) + 1) % 10}`
    const refused = await passports.create({ productId: wrong, metadata: textile() })
    expect(refused.status).toBe(400)
    expect(refused.body).toEqual({
      success: false,
      error: 'Bad Request',
      message: expect.any(String),
      code: 'GTIN_CHECK_DIGIT_INVALID',
    })
    const sku = await passports.create({ productId: gtin.slice(1), metadata: textile() })
    expect(sku.status).toBe(201)
    expect(sku.body.warnings).toEqual([
      {
        code: 'NON_GS1_PRODUCT_ID',
        path: 'productId',
        message: expect.stringMatching(/GTIN/),
        friendlyMessage: expect.stringMatching(/GTIN/),
      },
    ])
    expect(sku.body.passport.metadata).not.toHaveProperty('gtin')
  })

  test('a GTIN of zeros names no product', async () => {
    const { status, body } = await passports.create({ productId: '0'.repeat(14), metadata: textile() })
    expect(status).toBe(400)
    expect(body.code).toBe('GTIN_CHECK_DIGIT_INVALID')
  })

  test('trap 39: a whitespace-only productId has one form on create and another on validate-only', async () => {
    for (const productId of [' ', '\t\n', '\u00a0', '']) {
      const created = await passports.create({ productId, metadata: textile() })
      expect(created.status).toBe(400)
      expect(created.body).toEqual({ success: false, error: 'Bad Request', message: expect.any(String) })
      const validated = await passports.validate({ productId, metadata: textile() })
      expect(validated.status).toBe(400)
      expect(validated.body).toMatchObject({ error: 'Bad Request', category: 'unknown', errors: [] })
    }
    const wrongDigit = await passports.validate({ productId: '09506000134353', metadata: textile() })
    expect(wrongDigit.body).toMatchObject({ error: 'Bad Request', category: 'unknown', errors: [] })
  })

  test('surrounding space is not part of a productId', async () => {
    const gtin = newGtin()
    const passport = await passports.given({ productId: ` ${gtin} ` })
    expect(passport.productId).toBe(gtin)
    expect(passport.digitalLinkUri).toBe(`${BASE_URL}/01/${gtin}`)
  })

  test('trap 45: a GTIN is copied to metadata.gtin and a GRAI to metadata.grai, with a notice', async () => {
    const gtin = newGtin()
    const ofGtin = await passports.create({ productId: gtin, metadata: textile() })
    expect(ofGtin.body.passport).toMatchObject({ gtin, metadata: { gtin } })
    expect(codes(ofGtin.body.notices)).toContain('GTIN_AUTO_COPIED')
    const grai = newGrai('AB12')
    const ofGrai = await passports.create({ productId: grai, metadata: textile() })
    expect(ofGrai.body.passport).toMatchObject({ grai, digitalLinkUri: `${BASE_URL}/8003/${grai}` })
    expect(ofGrai.body.passport).not.toHaveProperty('gtin')
    expect(ofGrai.body.warnings).toEqual([])
    const other = newGtin()
    const given = await passports.create({ productId: gtin.slice(1), metadata: textile({ gtin: other }) })
    expect(given.body.passport.gtin).toBe(other)
    expect(codes(given.body.notices)).not.toContain('GTIN_AUTO_COPIED')
  })

  test('a GRAI has at most 16 letters and digits after its check digit', async () => {
    const longest = await passports.given({ productId: newGrai('A'.repeat(16)) })
    expect(longest.digitalLinkUri).toContain('/8003/')
    for (const serial of ['A'.repeat(17), 'A-1', 'é']) {
      const { status, body } = await passports.create({ productId: newGrai(serial), metadata: textile() })
      expect(status).toBe(201)
      expect(codes(body.warnings)).toEqual(['NON_GS1_PRODUCT_ID'])
    }
  })

  test('trap 49: the privacy advisory appears once, one level deep, in the language asked for, and never blocks', async () => {
    const warned = async (metadata: object) => {
      const { status, body } = await passports.create({ productId: newGtin(), metadata: textile(metadata) })
      expect(status).toBe(201)
      return body.warnings.map(({ code, path }: { code: string; path: string }) => `${code} ${path}`)
    }
    expect(await warned({ contactPerson: 'x', email: 'a@b.example' })).toEqual(['PII_SHAPE_DETECTED contactPerson'])
    expect(await warned({ note: 'somebody@example.com' })).toEqual(['PII_SHAPE_DETECTED note'])
    expect(await warned({ team: { phone_number: '1' } })).toEqual(['PII_SHAPE_DETECTED team.phone_number'])
    expect(await warned({ team: { lead: { email: 'a@b.example' } } })).toEqual([])
    expect(await warned({ note: 'write to somebody@example.com today' })).toEqual([])
    const german = await gateway.request('POST', '/api/v1/passports?lang=de', {
      headers: workspace.as,
      json: { productId: newGtin(), metadata: textile({ email: 'a@b.example' }) },
    })
    expect(german.body.warnings[0]).toMatchObject({
      message: expect.stringContaining('personal data'),
      friendlyMessage: expect.stringContaining('personenbezogen'),
    })
  })
})

describe('drafts', () => {
  test('trap 44: a draft is not validated, has no warnings and sends no events', async () => {
    const { status, body } = await passports.create({ productId: 'draft', metadata: { email: 5 }, draft: true })
    expect(status).toBe(201)
    expect(body).toMatchObject({ success: true, message: 'Draft passport saved', warnings: [] })
    expect(body.passport.status).toBe('DRAFT')
    expect(await eventsOf(gateway, body.passport.id)).toEqual([])
    expect((await gateway.request('GET', `/passport/${body.passport.id}`)).status).toBe(404)
  })

  test('a draft of another type than boolean is refused before the handler', async () => {
    const { status, body } = await passports.create({ productId: newGtin(), metadata: textile(), draft: 'yes' })
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['error', 'message'])
  })
})

describe('operator and facility', () => {
  test('review-3-inputs N15: identifiers that look alike are one, or are refused', async () => {
    const [composed, decomposed] = ['Müller-1'.normalize('NFC'), 'Müller-1'.normalize('NFD')]
    const { id } = await passports.given({ productId: decomposed })
    const again = await passports.create({ productId: composed, metadata: textile() })
    expect([again.status, again.body.code]).toEqual([409, 'PASSPORT_DUPLICATE'])
    for (const [productId, to] of [
      [composed, 'RECALLED'],
      [decomposed, 'ACTIVE'],
    ] as const) {
      // A text that is not a GTIN leads to the address of the passport.
      const { status, headers } = await gateway.request('GET', `/01/${encodeURIComponent(productId)}`)
      expect([status, headers.location]).toEqual([307, expect.stringContaining(id)])
      const { body: moved } = expectStatus(200, await passports.setStatus(productId, to))
      expect(moved.passport.id).toBe(id)
    }
    for (const productId of ['\u200b09506000134376', '\u202eevil', 'SKU\u00ad1', 'A\tB']) {
      const refused = await passports.create({ productId, metadata: textile() })
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringMatching(/invisible character U\+[0-9A-F]{4}/),
      ])
    }
  })

  test('trap 46: unbound operators 403, no operator at all 400, unknown facilities 400', async () => {
    const other = await createWorkspace(gateway)
    const unbound = await passports.create({
      productId: newGtin(),
      metadata: textile(),
      operatorId: other.operatorId,
    })
    expect(unbound.status).toBe(403)
    expect(unbound.body).toMatchObject({ success: false, error: 'Forbidden', code: 'OPERATOR_NOT_BOUND' })
    const empty = await gateway.container.cradle.workspaces.create({ name: 'Empty', plan: 'enterprise' })
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: empty.id,
      role: 'BRAND_OPERATOR',
    })
    const none = await passportClient(gateway, bearer(key)).create({ productId: newGtin(), metadata: textile() })
    expect(none.status).toBe(400)
    expect(none.body).toMatchObject({ success: false, error: 'Bad Request' })
    const unknown = await passports.create({
      productId: newGtin(),
      metadata: textile(),
      facilityId: '00000000-0000-4000-8000-000000000000',
    })
    expect(unknown.status).toBe(400)
    expect(unknown.body).toMatchObject({ success: false, error: 'Bad Request', code: 'FACILITY_NOT_FOUND' })
  })

  test("a facility of another workspace is unknown, its operator's binding notwithstanding", async () => {
    const owner = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(workspace.operatorId, owner.id)
    const { id } = await registerFacility()
    const { status, body } = await passportClient(gateway, owner.as).create({
      productId: newGtin(),
      metadata: textile(),
      operatorId: workspace.operatorId,
      facilityId: id,
    })
    expect(status).toBe(400)
    expect(body.code).toBe('FACILITY_NOT_FOUND')
  })

  test('trap 47: an operator-scoped key gets its own operator and 403 for any other', async () => {
    const operatorId = await registerOperator()
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId,
    })
    const scoped = passportClient(gateway, bearer(key))
    expect((await scoped.given()).economicOperator.id).toBe(operatorId)
    const refused = await scoped.create({
      productId: newGtin(),
      metadata: textile(),
      operatorId: workspace.operatorId,
    })
    expect(refused.status).toBe(403)
    expect(refused.body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
  })

  test('trap 48: one product under two operators is allowed, the same pair is 409', async () => {
    const productId = newGtin()
    const second = await registerOperator()
    const created = await passports.create({ productId, metadata: textile() })
    expect(created.body.passport.economicOperator.id).toBe(workspace.operatorId)
    expect(codes(created.body.notices)).toContain('OPERATOR_AUTO_ATTRIBUTED')
    const named = await passports.create({ productId, metadata: textile(), operatorId: second })
    expect(named.status).toBe(201)
    expect(codes(named.body.notices)).not.toContain('OPERATOR_AUTO_ATTRIBUTED')
    const again = await passports.create({ productId, metadata: textile(), operatorId: second })
    expect(again.status).toBe(409)
    expect(again.body).toMatchObject({ success: false, error: 'Conflict', code: 'PASSPORT_DUPLICATE' })
    const draft = await passports.create({ productId, metadata: {}, operatorId: second, draft: true })
    expect(draft.status).toBe(409)
  })
})

test('metadata is stored and answered as it was written, order and numbers included', async () => {
  const raw = `{"productId":"${newGtin()}","metadata":{"z":1.50,"category":"textiles","originCountry":"PT","a":1e21,"ü":"\\u00fc"}}`
  const { body } = expectStatus(201, await gateway.request('POST', '/api/v1/passports', { headers: workspace.as, raw }))
  expect(Object.keys(body.passport.metadata)).toEqual(['z', 'category', 'originCountry', 'a', 'ü', 'gtin'])
  expect(body.passport.metadata).toMatchObject({ z: 1.5, a: 1e21, ü: 'ü' })
})

test('trap 18: keys that batteries restrict are public in every other category', async () => {
  const { category: _category, facilityDetails: _details, ...keys } = battery()
  const other = await passports.given({ metadata: textile(keys) })
  expect(other.metadata).toMatchObject(keys)
  const masked = await passports.given({ metadata: battery() })
  for (const key of ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly', 'facilityDetails']) {
    expect([masked.metadata[key], masked[key]]).toEqual([REDACTED, REDACTED])
  }
})
