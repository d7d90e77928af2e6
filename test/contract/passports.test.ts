import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createWorkspace,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'

let gateway: TestGateway
let workspace: TestWorkspace

beforeAll(async () => {
  gateway = await startTestGateway()
  workspace = await createWorkspace(gateway)
})
afterAll(() => gateway.close())

const create = (json: object, headers = {}) =>
  gateway.request('POST', '/api/v1/passports', { headers: { ...workspace.as, ...headers }, json })

describe('creating a passport', () => {
  test('answers the passport in the public tier and makes it resolvable', async () => {
    const gtin = newGtin()
    const { status, body } = await create({
      productId: gtin,
      metadata: textile({ facilityDetails: [{ facilityName: 'F', location: 'L', activity: 'A' }] }),
    })
    expect(status).toBe(201)
    expect(body.passport.metadata.facilityDetails).toBe('[REDACTED - Privileged Access Required]')
    expect(body.passport.metadata.gtin).toBe(gtin)
    const resolved = await gateway.request('GET', `/01/${gtin}`)
    expect(resolved.status).toBe(200)
    expect(resolved.body).toEqual(body.passport)
  })
})
