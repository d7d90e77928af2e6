import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bearer,
  createDatabase,
  createWorkspace,
  newGln,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'

// Any number of gateways share one database and must see each other's changes.
let first: TestGateway
let second: TestGateway
let workspace: TestWorkspace

beforeAll(async () => {
  const databaseUrl = await createDatabase()
  // Both migrate an empty database at the same time.
  ;[first, second] = await Promise.all([
    startTestGateway({ DATABASE_URL: databaseUrl }),
    startTestGateway({ DATABASE_URL: databaseUrl }),
  ])
  workspace = await createWorkspace(first)
})
afterAll(async () => {
  await first.close()
  await second.close()
})

test('sessions of either are good at both, also when the first two are opened concurrently', async () => {
  const open = (gateway: TestGateway) =>
    gateway.container.cradle.workspaces.createSession({
      workspaceId: workspace.id,
      user: 'u@x.example',
      role: 'BRAND_OPERATOR',
      mfa: true,
    })
  const sessions = await Promise.all([open(first), open(second)])
  for (const { token } of sessions) {
    for (const gateway of [first, second]) {
      expect((await gateway.request('GET', '/api/v1/whoami', { headers: bearer(token) })).status).toBe(200)
    }
  }
})

test('a revoked key is rejected by both immediately', async () => {
  const { id, key } = await first.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
  })
  expect((await passportClient(second, bearer(key)).list()).status).toBe(200)
  await first.container.cradle.workspaces.revokeKey(id)
  expect((await passportClient(second, bearer(key)).list()).status).toBe(401)
})

test('a key that one has rotated seals at the other', async () => {
  const { body } = await first.request('POST', '/api/v1/tenants/rotate-keys', { headers: workspace.as })
  const passports = passportClient(second, workspace.as)
  const { id } = await passports.given()
  expect((await passports.seal(id)).body.signingPublicKey).toBe(body.publicKey)
})

test('both serve the same bytes under the same entity tag, whichever rendered them', async () => {
  const { body } = await first.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works', country: 'PT' },
  })
  const { id } = await passportClient(first, workspace.as).given({ facilityId: body.facility.id })
  const unit = await unitClient(first, workspace.as).given(id)
  const accepts = ['application/ld+json', 'text/html', 'application/vc+jwt', 'application/dc+sd-jwt']
  for (const path of [`/passport/${id}`, `/unit/${unit.id}`]) {
    for (const accept of accepts) {
      const ask = (gateway: TestGateway) => gateway.request('GET', path, { headers: { accept } })
      const answers = await Promise.all([first, second, first, second].map(ask))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
    }
  }
})

test('a change at one reaches what the other has in memory', async () => {
  const passports = passportClient(first, workspace.as)
  const { id } = await passports.given({ metadata: textile({ size: 'before' }) })
  const seen = async () => (await second.request('GET', `/passport/${id}`)).body
  expect((await seen()).size).toBe('before')
  expect((await seen()).size).toBe('before')
  await passports.update(id, { metadata: textile({ size: 'after' }) })
  await expect.poll(async () => (await seen()).size, { timeout: 4000, interval: 20 }).toBe('after')
  await passports.setStatus(id, 'RECALLED')
  await expect.poll(async () => (await seen()).status, { timeout: 4000, interval: 20 }).toBe('RECALLED')
  await first.request('PATCH', `/api/v1/operators/${workspace.operatorId}`, {
    headers: workspace.as,
    json: { name: 'New' },
  })
  await expect.poll(async () => (await seen()).economicOperator.name, { timeout: 4000, interval: 20 }).toBe('New')
})

test('creations of one product at both are one passport', async () => {
  const json = { productId: newGtin(), metadata: textile() }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => passportClient(index % 2 ? first : second, workspace.as).create(json)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
})
