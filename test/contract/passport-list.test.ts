// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { bearer, createWorkspace, newGln, type TestWorkspace, textile } from '../support/gateway.ts'
import { battery, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()

const registerOperator = async ({ as }: TestWorkspace) => {
  const regId = `REG-${newGln()}`
  const { body } = await gateway.request('POST', '/api/v1/operators', { headers: as, json: { name: regId, regId } })
  return body.operator.id as string
}
const keyOf = async ({ id }: TestWorkspace, more: { role?: string; operatorId?: string }) => {
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: id,
    role: 'BRAND_OPERATOR',
    ...more,
  })
  return passportClient(gateway, bearer(key))
}
const ids = (passports: { id: string }[]) => passports.map(({ id }) => id)

describe('the list of passports', () => {
  test('trap 21: has exactly success, page, limit and passports', async () => {
    const passports = passportClient(gateway, (await createWorkspace(gateway)).as)
    expect((await passports.list()).body).toEqual({ success: true, page: 1, limit: 10, passports: [] })
    await passports.given()
    const { body } = await passports.list()
    expect(Object.keys(body)).toEqual(['success', 'page', 'limit', 'passports'])
  })

  test('trap 22: page and limit are digits, clamped', async () => {
    const passports = passportClient(gateway, (await createWorkspace(gateway)).as)
    for (const query of ['?page=abc', '?page=-1', '?limit=x', '?page=', '?page=1.5', '?page=+1', '?limit=1&limit=2']) {
      const { status, body } = await passports.list(query)
      expect(`${query} ${status}`).toBe(`${query} 400`)
      expect(body).toEqual({
        statusCode: 400,
        code: 'FW_ERR_VALIDATION',
        error: 'Bad Request',
        message: expect.any(String),
      })
    }
    expect((await passports.list('?page=0')).body).toMatchObject({ page: 1, limit: 10 })
    expect((await passports.list('?limit=500')).body).toMatchObject({ page: 1, limit: 100 })
    expect((await passports.list('?limit=0')).body).toMatchObject({ page: 1, limit: 1 })
    expect((await passports.list('?page=999999999999999999999999')).body.passports).toEqual([])
  })

  test('is newest first, in pages that neither repeat nor lose', async () => {
    const passports = passportClient(gateway, (await createWorkspace(gateway)).as)
    const created: string[] = []
    for (let count = 0; count < 7; count += 1) created.unshift((await passports.given()).id)
    const pages = await Promise.all([1, 2, 3, 4].map((page) => passports.list(`?limit=3&page=${page}`)))
    expect(pages.map(({ body }) => body.passports.length)).toEqual([3, 3, 1, 0])
    const listed = pages.flatMap(({ body }) => body.passports)
    const times = listed.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    expect(ids(listed).sort()).toEqual([...created].sort())
  })

  test('filters by category and country exactly', async () => {
    const passports = passportClient(gateway, (await createWorkspace(gateway)).as)
    const portuguese = await passports.given()
    const german = await passports.given({ metadata: textile({ originCountry: 'DE' }) })
    const cell = await passports.given({ metadata: battery() })
    const found = async (query: string) => ids((await passports.list(query)).body.passports).sort()
    expect(await found('?category=textiles')).toEqual([portuguese.id, german.id].sort())
    expect(await found('?originCountry=DE')).toEqual([german.id, cell.id].sort())
    expect(await found('?originCountry=DE&category=batteries')).toEqual([cell.id])
    for (const none of [
      '?category=text',
      '?category=Textiles',
      '?originCountry=de',
      '?category=%25',
      "?category='--",
    ]) {
      expect(await found(none)).toEqual([])
    }
  })

  test('traps 15 and 20: items have no role, no facility, no terms and an empty proof when sealed', async () => {
    const workspace = await createWorkspace(gateway)
    const passports = passportClient(gateway, workspace.as)
    const facility = await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: newGln(), name: 'Works', country: 'PT' },
    })
    const open = await passports.given({ facilityId: facility.body.facility.id })
    const sealed = await passports.given({ facilityId: facility.body.facility.id })
    await passports.seal(sealed.id)
    const { body } = await passports.list()
    const items = new Map(body.passports.map((item: { id: string }) => [item.id, item]))
    for (const { id } of [open, sealed]) {
      const { economicOperator, granularity: _level, ...full } = (await passports.get(id)).body
      const { role: _role, ...operator } = economicOperator
      expect(items.get(id)).toEqual({
        ...full,
        '@context': [full['@context'][0], {}],
        economicOperator: operator,
        manufacturingFacility: null,
        proof: id === sealed.id ? {} : null,
      })
    }
  })

  test('trap 19: only BRAND_OPERATOR reads the owner tier, a TENANT_ADMIN the public one', async () => {
    const workspace = await createWorkspace(gateway)
    await passportClient(gateway, workspace.as).given({ metadata: battery() })
    const seen = async (role: string) =>
      (await (await keyOf(workspace, { role })).list()).body.passports[0].metadata.facilityDetails
    expect(await seen('BRAND_OPERATOR')).toEqual(battery().facilityDetails)
    expect(await seen('TENANT_ADMIN')).toBe(REDACTED)
    expect(await seen('AUDITOR')).toBe(REDACTED)
  })

  test('repeats the metadata of the document, with any names, before an edit and after', async () => {
    const workspace = await createWorkspace(gateway)
    const passports = passportClient(gateway, workspace.as)
    const awkward: object[] = [
      {},
      { status: 'forged', proof: { forged: true }, 'digitalSeal ': 1 },
      { a: 1, '10': 2, b: { '1': 3 } },
      { 'ä "\\ \u2028': '}', list: [{ id: 1 }], n: -0.5, t: true, z: null },
    ]
    const { id } = await passports.given({ draft: true, metadata: { plain: true } })
    for (const metadata of [...awkward, ...awkward.toReversed()]) {
      await passports.update(id, { metadata, draft: true })
      const [item] = (await passports.list()).body.passports
      const { proof, ...document } = (await passports.get(id)).body
      // Lists shorten operator and facility and omit level and terms.
      const { '@context': terms, economicOperator, manufacturingFacility, granularity, ...rest } = document
      expect(item).toMatchObject({ ...rest, proof: null, metadata })
      expect(Object.keys(item).sort()).toEqual(
        Object.keys(document)
          .filter((name) => name !== 'granularity')
          .concat('proof')
          .sort(),
      )
      expect(item.status).toBe('DRAFT')
    }
  })

  test('trap 24: archived passports are not listed but still resolve', async () => {
    const workspace = await createWorkspace(gateway)
    const passports = passportClient(gateway, workspace.as)
    const operatorId = await registerOperator(workspace)
    const archived = await passports.given({ operatorId })
    const remaining = await passports.given()
    expectStatus(200, await gateway.request('DELETE', `/api/v1/operators/${operatorId}`, { headers: workspace.as }))
    expect(ids((await passports.list()).body.passports)).toEqual([remaining.id])
    const resolved = await gateway.request('GET', `/passport/${archived.id}`)
    expect(resolved.status).toBe(200)
    expect(resolved.body.archivedAt).toEqual(expect.any(String))
    expect((await gateway.request('GET', `/01/${archived.productId}`)).body).toEqual(resolved.body)
  })

  test('holds drafts, recalled and decommissioned passports', async () => {
    const passports = passportClient(gateway, (await createWorkspace(gateway)).as)
    await passports.given({ draft: true })
    for (const status of ['RECALLED', 'DECOMMISSIONED']) await passports.setStatus((await passports.given()).id, status)
    const { body } = await passports.list()
    expect(body.passports.map(({ status }: { status: string }) => status).sort()).toEqual([
      'DECOMMISSIONED',
      'DRAFT',
      'RECALLED',
    ])
  })

  test('shows the passports of bound operators, and to a limited key its own operator alone', async () => {
    const owner = await createWorkspace(gateway)
    const bound = await createWorkspace(gateway)
    const stranger = await createWorkspace(gateway)
    const second = await registerOperator(owner)
    const first = await passportClient(gateway, owner.as).given()
    const other = await passportClient(gateway, owner.as).given({ operatorId: second })
    const listed = async (client: ReturnType<typeof passportClient>) => ids((await client.list()).body.passports).sort()
    expect(await listed(passportClient(gateway, bound.as))).toEqual([])
    await gateway.container.cradle.workspaces.bindOperator(owner.operatorId, bound.id)
    expect(await listed(passportClient(gateway, bound.as))).toEqual([first.id])
    expect(await listed(passportClient(gateway, owner.as))).toEqual([first.id, other.id].sort())
    expect(await listed(await keyOf(owner, { operatorId: second }))).toEqual([other.id])
    expect(await listed(passportClient(gateway, stranger.as))).toEqual([])
  })
})
