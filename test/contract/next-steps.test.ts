import { describe, expect, test } from 'vitest'
import { BASE_URL, bearer, newGln, newGtin, textile } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const headers = workspace.as
const post = (path: string, json: object) => gateway.request('POST', `/api/v1${path}`, { headers, json })
const wrongDigit = (number: string) => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`

describe('review-3-users I5: an error names the next step', () => {
  test('review-3-inputs N54: a misspelt category, with the one that is meant', async () => {
    const { body } = await post('/passports', { productId: newGtin(), metadata: textile({ category: 'textile' }) })
    expect(body.message).toMatch(/^category: must be one of: .*, and is "textile"\. Did you mean textiles\?$/)
  })

  test('a choice, with the meaning of each value', async () => {
    const metadata = { category: 'batteries', originCountry: 'DE', batteryCategory: 'car' }
    const { body } = await post('/passports?lang=de', { productId: newGtin(), metadata })
    expect(body.errors[0].message).toMatch(/^must be one of: ev, lmt, /)
    expect(body.errors[0].friendlyMessage).toContain('Elektrofahrzeugbatterie (ev)')
  })

  test('a body without its members, with all that it lacks', async () => {
    const { body } = await post('/passports', {})
    expect(body).toEqual({
      error: 'Bad Request',
      message: "body must have required properties 'productId', 'metadata'",
    })
    const { body: other } = await post('/passports', { metadata: {} })
    expect(other.message).toBe("body must have required property 'productId'")
  })

  test('a pattern, in words', async () => {
    const { body } = await post('/passports', {
      productId: newGtin(),
      metadata: textile({ originCountry: 'Portugal' }),
    })
    expect(body.errors[0].message).toBe(
      'originCountry must be a country code of two capital letters, such as DE or IT.',
    )
  })

  test('a wrong check digit, with the right number', async () => {
    const [gtin, gln] = [newGtin(), newGln()]
    const passport = await post('/passports', { productId: wrongDigit(gtin), metadata: textile() })
    expect([passport.status, passport.body.message]).toEqual([400, expect.stringContaining(`Did you mean ${gtin}?`)])
    const facility = await post('/facilities', { gln: wrongDigit(gln), name: 'Works', country: 'PT' })
    expect([facility.status, facility.body.message]).toEqual([400, expect.stringContaining(`Did you mean ${gln}?`)])
  })

  test('a GTIN without its zeros has one warning', async () => {
    const gtin = `0${newGtin().slice(1)}`
    const productId = gtin.slice(1)
    const { body } = await post('/passports/validate-only', { productId, metadata: textile() })
    expect(body.warnings?.map(({ code }: { code: string }) => code)).toEqual(['GTIN_NEEDS_PADDING'])
  })

  test('an id of another form, and an operator of others', async () => {
    const json = { productId: newGtin(), metadata: textile() }
    const named = await post('/passports', { ...json, operatorId: 'ACME' })
    expect([named.status, named.body.message]).toEqual([400, 'body/operatorId must be a UUID as returned by this API'])
    const foreign = await post('/passports', { ...json, operatorId: '00000000-0000-4000-8000-000000000001' })
    expect([foreign.status, foreign.body.message]).toEqual([403, expect.stringContaining('GET /api/v1/operators')])
  })

  test('a product that has a passport, which is named', async () => {
    const { id, productId } = await passports.given()
    const { status, body } = await post('/passports', { productId, metadata: textile() })
    expect([status, body.existing]).toEqual([409, { id, url: `${BASE_URL}/passport/${id}` }])
  })

  test('a passport that is named by its product where its id is needed', async () => {
    const { productId } = await passports.given()
    const { status, body } = await passports.update(productId, { metadata: textile() })
    expect([status, body.message]).toEqual([404, expect.stringContaining('takes the UUID of a passport')])
    const media = await gateway.request('GET', `/api/v1/passports/${productId}/media`, { headers })
    expect([media.status, media.body.message]).toEqual([404, body.message])
  })

  test('a code leads to its meaning', async () => {
    const { productId } = await passports.given()
    const answer = await post('/passports', { productId, metadata: textile() })
    const address = /<([^>]+)>; rel="help"/.exec(String(answer.headers.link))?.[1]
    expect(address).toBe(`${BASE_URL}/docs/errors#PASSPORT_DUPLICATE`)
    const page = await gateway.request('GET', '/docs/errors')
    expect(page.text).toContain('id="PASSPORT_DUPLICATE"')
  })

  test('an invalid credential is reported, and no other', async () => {
    const { id } = await passports.given()
    const noteFor = async (authorization: Record<string, string>) => {
      const { status, headers: answered } = await gateway.request('GET', `/passport/${id}`, { headers: authorization })
      return [status, answered['x-access-tier'], answered['x-access-note']]
    }
    const note = 'The credential does not open more than the public view.'
    expect(await noteFor(bearer('dpp_li_00000000000000000000000000000000'))).toEqual([200, 'public', note])
    expect(await noteFor({})).toEqual([200, 'public', undefined])
    expect(await noteFor(headers)).toEqual([200, 'owner', undefined])
  })
})

test('review-3-inputs N53: a document that was read without its hidden values and is sent back names the placeholder', async () => {
  const { id } = await passports.given({ metadata: textile({ facilityDetails: [{ facilityName: 'Mill' }] }) })
  const { body: shown } = await gateway.request('GET', `/passport/${id}`)
  const { status, body } = await passports.update(id, { metadata: shown.metadata })
  expect([status, body.errors[0].path]).toEqual([400, 'facilityDetails'])
  const sentence =
    'is the placeholder of a value that your credential may not read. Please remove it or send the value.'
  expect(body.errors[0]).toMatchObject({
    message: `facilityDetails ${sentence}`,
    friendlyMessage: `“Sites of the supply chain” ${sentence}`,
  })
})

test('review-3-inputs N52: a missing body is named', async () => {
  const { status, body } = await gateway.request('POST', '/api/v1/passports', { headers })
  expect([status, body.message]).toEqual([400, 'The request body is missing. Send JSON.'])
})

test('review-3-inputs N57: a pattern is not answered as a regular expression', async () => {
  const { status, body } = await gateway.request('POST', '/api/v1/passports', {
    headers: { ...headers, 'idempotency-key': 'a\tb' },
    json: { productId: newGtin(), metadata: textile() },
  })
  expect([status, body.message]).toEqual([400, expect.not.stringMatching(/\^|\\u/)])
})
