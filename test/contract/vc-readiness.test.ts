import { expect, test } from 'vitest'
import { bearer, createWorkspace, newGln, newGtin, type TestWorkspace, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

let workspace: TestWorkspace
let passports: ReturnType<typeof passportClient>

const { gateway } = await useGateway()

const start = async () => {
  workspace = await createWorkspace(gateway)
  passports = passportClient(gateway, workspace.as)
}
const report = async (query = '', as = workspace.as) => {
  const { status, body } = await gateway.request('GET', `/api/v1/passports/vc-readiness${query}`, { headers: as })
  expect(status).toBe(200)
  return body
}
const counts = async (as = workspace.as) => {
  const { ready, notReady, total } = await report('', as)
  return { ready, notReady, total }
}
const givenFacility = async (country = 'PT') => {
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works', country },
  })
  return body.facility.id as string
}

test('trap 61: counts the catalogue and shows one page of it', async () => {
  await start()
  const facilityId = await givenFacility()
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) {
    const { id } = await passports.given(index % 2 === 0 ? { facilityId } : {})
    ids.unshift(id)
  }
  const first = await report('?limit=2')
  expect(first).toMatchObject({ success: true, page: 1, limit: 2, total: 5, totalPages: 3, ready: 3, notReady: 2 })
  const blockers = ['Credentials state a country of production: link a manufacturing facility first.']
  expect(first.results).toEqual([
    { id: ids[0], productId: expect.any(String), vcReady: true, blockers: [] },
    { id: ids[1], productId: expect.any(String), vcReady: false, blockers },
  ])
  const rest = [...(await report('?limit=2&page=2')).results, ...(await report('?limit=2&page=3')).results]
  expect(rest.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2))
  expect((await report('?limit=2&page=4')).results).toEqual([])
})

test('pages are of 100 and of 200 at most, and only of digits', async () => {
  await start()
  expect(await report()).toEqual({
    success: true,
    page: 1,
    limit: 100,
    total: 0,
    totalPages: 0,
    ready: 0,
    notReady: 0,
    results: [],
  })
  expect(await report('?limit=500&page=0')).toMatchObject({ page: 1, limit: 200 })
  const { status, body } = await gateway.request('GET', '/api/v1/passports/vc-readiness?page=-1', {
    headers: workspace.as,
  })
  expect([status, body.code]).toEqual([400, 'FW_ERR_VALIDATION'])
})

test('the counts follow everything that happens to a passport', async () => {
  await start()
  const facilityId = await givenFacility()
  const expectCounts = async (ready: number, notReady: number) =>
    expect(await counts()).toEqual({ ready, notReady, total: ready + notReady })
  const linked = await passports.given({ facilityId })
  const bare = await passports.given()
  const draft = await passports.given({ draft: true })
  await expectCounts(1, 2)
  await passports.remove(draft.id)
  await expectCounts(1, 1)
  await passports.update(bare.id, { metadata: textile(), facilityId })
  await expectCounts(2, 0)
  await passports.update(linked.id, { metadata: textile(), facilityId: null })
  await expectCounts(1, 1)
  await gateway.request('POST', '/api/v1/passports/bulk', {
    headers: workspace.as,
    json: { passports: [0, 1, 2].map(() => ({ productId: newGtin(), metadata: textile(), facilityId })) },
  })
  await expectCounts(4, 1)
  await gateway.request('DELETE', `/api/v1/facilities/${facilityId}`, { headers: workspace.as })
  await expectCounts(0, 5)
  await gateway.request('DELETE', `/api/v1/operators/${workspace.operatorId}`, { headers: workspace.as })
  await expectCounts(0, 0)
  await gateway.request('POST', `/api/v1/operators/${workspace.operatorId}/restore`, { headers: workspace.as })
  await expectCounts(0, 5)
})

test('review-3-inputs N37: a facility in an invalid country makes no passport ready, until its country is corrected', async () => {
  await start()
  const facilityId = await givenFacility('ZZ')
  const blocker =
    'Credentials state a country of production, but “ZZ” is not an ISO 3166-1 country: correct the country of the manufacturing facility.'
  const created = await passports.create({ productId: newGtin(), metadata: textile(), facilityId })
  expect(created.body).toMatchObject({ vcReady: false, vcReadyReason: blocker })
  const { id } = created.body.passport
  await passports.given({ facilityId: await givenFacility('SE') })
  await passports.given()
  expect(await report()).toMatchObject({ total: 3, ready: 1, notReady: 2 })
  expect((await report('?limit=1&page=3')).results).toEqual([
    { id, productId: expect.any(String), vcReady: false, blockers: [blocker] },
  ])
  const credential = (accept: string) => gateway.request('GET', `/credentials/${id}`, { headers: { accept } })
  for (const accept of ['application/vc+jwt', 'application/vc+ld+json', 'application/dc+sd-jwt']) {
    const { status, body } = await credential(accept)
    expect([status, body.message]).toEqual([406, blocker])
  }
  await gateway.request('PUT', `/api/v1/facilities/${facilityId}`, { headers: workspace.as, json: { country: 'SI' } })
  expect(await report()).toMatchObject({ ready: 2, notReady: 1 })
  expect((await credential('application/vc+jwt')).status).toBe(200)
})

test('writers side by side lose no count', async () => {
  await start()
  const facilityId = await givenFacility()
  const given = await Promise.all(
    Array.from({ length: 30 }, (_, index) => passports.given(index % 3 === 0 ? { facilityId } : {})),
  )
  await Promise.all(given.slice(0, 9).map(({ id }) => passports.update(id, { metadata: textile(), facilityId: null })))
  expect(await counts()).toEqual({ ready: 7, notReady: 23, total: 30 })
})

test('a limited key sees its own operator, and a bound workspace what is bound', async () => {
  await start()
  const { workspaces } = gateway.container.cradle
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: 'Second', regId: 'SECOND' },
  })
  await passports.given({ operatorId: body.operator.id })
  await passports.given()
  await passports.given()
  const limited = await workspaces.createKey({
    workspaceId: workspace.id,
    role: 'AUDITOR',
    operatorId: body.operator.id,
  })
  expect(await counts(bearer(limited.key))).toMatchObject({ total: 1 })
  expect((await report('', bearer(limited.key))).results).toHaveLength(1)
  const other = await createWorkspace(gateway)
  expect(await counts(other.as)).toMatchObject({ total: 0 })
  await workspaces.bindOperator(body.operator.id, other.id)
  expect(await counts(other.as)).toMatchObject({ total: 1 })
})

test('trap 7: a lapsed subscription still reads it', async () => {
  await start()
  await gateway.container.cradle.workspaces.set(workspace.id, { subscription: 'lapsed' })
  expect(await counts()).toMatchObject({ total: 0 })
})
