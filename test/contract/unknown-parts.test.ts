import { expect, test } from 'vitest'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { operations } from '../support/odd-requests.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const headers = workspace.as
const api = (method: string, path: string, json?: object) =>
  gateway.request(method, `/api/v1${path}`, { headers, ...(json === undefined ? {} : { json }) })

interface Warning {
  readonly code: string
  readonly path: string
  readonly message: string
}
const unknownIn = (body: { readonly warnings?: readonly Warning[] }) =>
  (body.warnings ?? []).filter(({ code }) => code === 'UNKNOWN_MEMBER').map(({ path, message }) => [path, message])

test('review-3-users I3: a misspelt member is named, with the one that was meant', async () => {
  const created = await api('POST', '/passports', { productId: newGtin(), metadata: textile(), facilityID: 'x' })
  expect(created.status).toBe(201)
  expect(unknownIn(created.body)).toEqual([
    ['facilityID', 'The unknown member facilityID was ignored. Did you mean facilityId?'],
  ])
  const { id } = created.body.passport
  const recalled = await api('PUT', `/passports/${id}/status`, { status: 'RECALLED', reason: 'The wheel can come off' })
  expect([recalled.status, recalled.body.status]).toEqual([200, 'RECALLED'])
  expect(unknownIn(recalled.body)).toEqual([['reason', expect.stringContaining('Did you mean recall.reason?')]])
  const nested = await api('PUT', `/passports/${id}/status`, { status: 'RECALLED', recall: { reson: 'It breaks' } })
  expect(unknownIn(nested.body)).toEqual([['recall.reson', expect.stringContaining('Did you mean reason?')]])
})

test('the stored result is the same without the member', async () => {
  const gln = newGln()
  const { status, body } = await api('POST', '/facilities', { gln, name: 'Works', country: 'PT', postCode: '4000' })
  expect([status, body.facility.postalCode, unknownIn(body).map(([path]) => path)]).toEqual([201, null, ['postCode']])
  const { id } = await passports.given({ metadata: { category: 'batteries', originCountry: 'DE' } })
  const units = { units: [{ serialNumber: 'A-1', batch: 'L1' }, { serialNumber: 'A-2' }] }
  const serialised = await api('POST', `/passports/${id}/units`, units)
  expect([serialised.status, unknownIn(serialised.body).map(([path]) => path)]).toEqual([201, ['units[0].batch']])
})

test('answers in the language of the caller, and has no warning where there is no cause', async () => {
  const json = { productId: newGtin(), metadata: textile(), operatorID: 1 }
  const { body } = await gateway.request('POST', '/api/v1/passports/validate-only?lang=de', { headers, json })
  expect(body.warnings[0].friendlyMessage).toContain('Meinten Sie operatorId?')
  const plain = await api('POST', '/passports/validate-only', { productId: newGtin(), metadata: textile() })
  expect(plain.body).not.toHaveProperty('warnings')
})

test('an operation that answers a file rejects what it does not know', async () => {
  const { id } = await passports.given()
  const { status, body } = await api('POST', '/passports/labels', { ids: [id], symbolgy: 'qr' })
  expect([status, body.message]).toEqual([400, 'This operation has no member "symbolgy". Did you mean symbology?'])
})

test('a query parameter that an operation does not have is rejected by name', async () => {
  const { status, body } = await api('GET', '/passports?limt=5')
  expect([status, body.message]).toEqual([400, 'This operation has no query parameter "limt". Did you mean limit?'])
  expect((await api('GET', '/passports?limit=5&lang=de')).status).toBe(200)
  const { id } = await passports.given()
  // Printed addresses may get parameters of third parties.
  expect((await gateway.request('GET', `/passport/${id}?utm_source=mail`)).status).toBe(200)
})

test('every operation with a JSON body knows its members, or takes any', () => {
  const free = [...operations.values()].filter(
    ({ bodyType, members }) => bodyType === 'application/json' && members.size === 0,
  )
  // Documents of EPCIS and EN 18223, whose members are data.
  const events = ['captureTraceDocument', 'captureTraceEvents']
  const passports = ['createDpp', 'readDppIdsByProductIds', 'updateDataElement', 'updateDppById']
  expect(free.map(({ operationId }) => operationId).sort()).toEqual([...events, ...passports])
})
