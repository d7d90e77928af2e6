// Also runs without modules (vitest project `core`).
import { beforeAll, describe, expect, test } from 'vitest'
import { aasReferenceErrors, isReferenceMissing } from '../support/aas-reference.ts'
import { environmentsOf, unzip } from '../support/aasx-reader.ts'
import { BASE_URL, newGln, newGtin } from '../support/gateway.ts'
import { battery, expectStatus, REDACTED } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const HIDDEN = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly', 'facilityDetails']
const AAS = 'application/aas+json'
const AASX = 'application/aas+zip'
const AASX_XML = 'application/asset-administration-shell-package+xml'
let id: string
let gln: string
let facilityId: string

const { gateway, workspace, passports } = await useGateway()

beforeAll(async () => {
  gln = newGln()
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln, name: 'Works 1', country: 'PT', activity: 'winding', streetAddress: 'Rua 1', city: 'Porto' },
  })
  facilityId = body.facility.id
  const passport = await passports.given({ productId: newGtin(), metadata: battery(), facilityId })
  id = passport.id
  expectStatus(200, await passports.seal(id))
})

const resolve = async (accept: string, headers: Record<string, string> = {}) =>
  expectStatus(200, await gateway.request('GET', `/passport/${id}`, { headers: { ...headers, accept } }))

// biome-ignore lint/suspicious/noExplicitAny: the official schemas judge the shape.
const elementsOf = (environment: any, submodel: string): any[] =>
  environment.submodels.find(({ idShort }: { idShort: string }) => idShort === submodel).submodelElements
const namesOf = (environment: unknown, submodel: string) =>
  elementsOf(environment, submodel).map(({ idShort }) => idShort)

describe('the environment', () => {
  test.skipIf(isReferenceMissing)('of a real sealed passport passes all validators, public and owned', async () => {
    const errorsOf = aasReferenceErrors()
    for (const headers of [{}, workspace.as]) expect(errorsOf((await resolve(AAS, headers)).body)).toEqual([])
  })

  test('trap 27: shows the public no masked value and no placeholder, and of the facility GLN, name and country alone', async () => {
    const { text, body } = await resolve(AAS)
    expect(namesOf(body, 'ComplianceMetadata')).toEqual(['category', 'originCountry', 'gtin'])
    for (const secret of [REDACTED, 'Rua 1', 'Porto', 'Cologne', 'in use', 'winding', facilityId])
      expect(text).not.toContain(secret)
    expect(namesOf(body, 'GeneralProductInformation').filter((name) => /acility/.test(name))).toEqual([
      'manufacturingFacilityGln',
      'manufacturingFacilityName',
      'manufacturingFacilityCountry',
      'manufacturingFacility',
    ])
    const reference = { type: 'ExternalReference', keys: [{ type: 'GlobalReference', value: `urn:gs1:gln:${gln}` }] }
    expect(elementsOf(body, 'GeneralProductInformation').at(-1).value).toEqual(reference)
    expect(body.assetAdministrationShells[0].assetInformation).toMatchObject({
      assetKind: 'Type',
      specificAssetIds: [
        { name: 'productId', externalSubjectId: reference },
        { name: 'digitalProductPassportId', value: `${BASE_URL}/passport/${id}` },
        { name: 'manufacturingFacilityGln', value: gln },
      ],
    })
    const [leaves] = elementsOf(body, 'eidasVerificationSeal').filter(({ idShort }) => idShort === 'redactedLeaves')
    expect(Object.keys(JSON.parse(leaves.value)).sort()).toEqual([...HIDDEN].sort())
  })

  test('shows the owner every value, and is never cached', async () => {
    const { body, headers } = await resolve(AAS, workspace.as)
    expect(namesOf(body, 'ComplianceMetadata').sort()).toEqual(['category', 'originCountry', 'gtin', ...HIDDEN].sort())
    expect(headers['cache-control']).toBe('private, no-store')
  })

  test('has ids that stay, and that are the passport’s alone', async () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const ids = ({ assetAdministrationShells, submodels }: any) =>
      [...assetAdministrationShells, ...submodels].map((part: { id: string }) => part.id)
    const first = ids((await resolve(AAS)).body)
    expect(ids((await resolve(AAS, workspace.as)).body)).toEqual(first)
    expect(new Set(first).size).toBe(first.length)
    for (const part of first)
      expect(part).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const other = await passports.given({ metadata: battery() })
    const { body } = await gateway.request('GET', `/passport/${other.id}`, { headers: { accept: AAS } })
    expect(ids(body).filter((part) => first.includes(part))).toEqual([])
  })

  test('says what the status is, and when it is recalled', async () => {
    const { id: recalled } = await passports.given({ metadata: battery() })
    const statusOf = async () => {
      const { body } = await gateway.request('GET', `/passport/${recalled}`, { headers: { accept: AAS } })
      const value = (submodel: string, name: string) =>
        elementsOf(body, submodel).find(({ idShort }) => idShort === name).value
      return [value('GeneralProductInformation', 'status'), value('DppMetadata', 'dppStatus')]
    }
    expect(await statusOf()).toEqual(['ACTIVE', 'Active'])
    await passports.setStatus(recalled, 'RECALLED')
    expect(await statusOf()).toEqual(['RECALLED', 'Invalid'])
  })
})

test('the vocabulary explains every submodel that claims no template', async () => {
  const { text } = await gateway.request('GET', '/ns/dpp')
  const { submodels } = (await resolve(AAS)).body
  const own = submodels
    .map(({ semanticId }: { semanticId: { keys: [{ value: string }] } }) => semanticId.keys[0].value)
    .filter((id: string) => id.startsWith(`${BASE_URL}/ns/dpp#`))
  expect(own).toHaveLength(3)
  for (const id of own) expect(text).toContain(`id="${id.split('#')[1]}"`)
})

describe('the package', () => {
  test('is stored as the bytes that it is, and both lanes answer the same', async () => {
    const [first, second] = [await resolve(AASX), await resolve(AASX)]
    const piped = await gateway.request('GET', `/passport/${id}?x=1`, { headers: { accept: AASX } })
    expect(first.headers).toMatchObject({ 'content-type': AASX, 'x-content-type-options': 'nosniff' })
    for (const answer of [second, piped]) {
      expect(answer.bytes.equals(first.bytes)).toBe(true)
      expect(answer.headers.etag).toBe(first.headers.etag)
    }
    expect(first.bytes.length).toBe(Number(first.headers['content-length']))
    expect(await environmentsOf(first.bytes)).toEqual([(await resolve(AAS)).body])
    const again = await gateway.request('GET', `/passport/${id}`, {
      headers: { accept: AASX, 'if-none-match': first.headers.etag ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('has the tier of the caller', async () => {
    for (const type of [AASX, AASX_XML]) {
      const { bytes, headers } = await resolve(type, workspace.as)
      expect(headers['content-type']).toBe(type)
      expect(await environmentsOf(bytes)).toEqual([(await resolve(AAS, workspace.as)).body])
    }
  })

  test('review-3-inputs N13: has the same environment as XML for tools that read only that', async () => {
    const { bytes, headers } = await resolve(AASX_XML)
    expect(headers['content-type']).toBe(AASX_XML)
    const parts = await unzip(bytes)
    expect([...parts.keys()].filter((name) => /\.aas\./.test(name))).toEqual([`aasx/${id}/${id}.aas.xml`])
    expect(await environmentsOf(bytes)).toEqual([(await resolve(AAS)).body])
    const taken = await gateway.request('GET', `/passport/${id}?format=aasx-xml`)
    expect(taken.headers['content-disposition']).toBe(`attachment; filename="passport-${id}.aasx"`)
    expect(taken.bytes.equals(bytes)).toBe(true)
  })
})

test('every alias is understood', async () => {
  for (const alias of ['application/asset-administration-shell+json', 'application/asset-administration-shell-package'])
    expect((await resolve(alias)).headers['content-type']).toBe(/json$/.test(alias) ? AAS : AASX)
})
