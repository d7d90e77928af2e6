import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createWorkspace, newGln, newGtin, type TestWorkspace, textile } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()

/** Counters by operator and workspace. */
const COUNTED = `select operator_id, tenant_id, sum(ready)::int as ready, sum(not_ready)::int as not_ready,
    sum(published)::int as published
  from passport_count group by operator_id, tenant_id
  having sum(ready) <> 0 or sum(not_ready) <> 0 or sum(published) <> 0 order by operator_id, tenant_id`
/** Counts of the rows. */
const RECOUNTED = `select operator_id, tenant_id, (count(*) filter (where facility_id is not null))::int as ready,
    (count(*) filter (where facility_id is null))::int as not_ready,
    (count(*) filter (where status <> 'DRAFT'))::int as published
  from passport where archived_at is null group by operator_id, tenant_id order by operator_id, tenant_id`

/** Reproducible random numbers below `max`. */
function sequence(seed: number): (max: number) => number {
  let state = seed
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * max)
  }
}

const post = (as: TestWorkspace['as'], path: string, json: object = {}) =>
  gateway.request('POST', `/api/v1/${path}`, { headers: as, json })
const remove = (as: TestWorkspace['as'], path: string) => gateway.request('DELETE', `/api/v1/${path}`, { headers: as })

const facilityOf = async ({ as }: TestWorkspace): Promise<string> =>
  expectStatus(201, await post(as, 'facilities', { gln: newGln(), name: 'Works', country: 'PT' })).body.facility.id

describe('counters', () => {
  test.each([1, 2, 3])('are what counting gives, whatever is done side by side (%i)', async (seed) => {
    const below = sequence(seed)
    const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
    const [owner, bound] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    const regId = `REG-${newGln()}`
    const second = expectStatus(201, await post(owner.as, 'operators', { name: regId, regId })).body.operator.id
    await gateway.container.cradle.workspaces.bindOperator(owner.operatorId, bound.id)
    const operatorsOf = new Map([
      [owner, [owner.operatorId, second]],
      [bound, [bound.operatorId, owner.operatorId]],
    ])
    const facilities = new Map([
      [owner, [await facilityOf(owner), await facilityOf(owner)]],
      [bound, [await facilityOf(bound)]],
    ])
    const ids: string[] = []

    const act = async (): Promise<{ status: number }> => {
      const workspace = pick([owner, bound])
      const passports = passportClient(gateway, workspace.as)
      const operatorId = pick(operatorsOf.get(workspace) ?? [])
      const facilityId = pick([null, ...(facilities.get(workspace) ?? [])])
      const id = pick([randomUUID(), ...ids])
      const passport = { productId: newGtin(), metadata: textile(), operatorId, ...(facilityId && { facilityId }) }
      switch (below(12)) {
        case 0:
        case 1: {
          const created = await passports.create({ ...passport, draft: below(2) === 0 })
          if (created.status === 201) ids.push(created.body.passport.id)
          return created
        }
        case 2:
          return post(workspace.as, 'passports/bulk', {
            passports: [passport, { ...passport, productId: newGtin(), facilityId: null }],
          })
        case 3:
        case 4:
          return passports.update(id, { metadata: textile({ size: pick(['S', 'M', 'L']) }), facilityId })
        case 5:
          return passports.update(id, { metadata: {}, draft: true })
        case 6:
          return passports.remove(id)
        case 7:
          return passports.setStatus(id, pick(['ACTIVE', 'RECALLED', 'DECOMMISSIONED']))
        case 8:
          return passports.seal(id)
        case 9:
          return remove(owner.as, `operators/${pick([owner.operatorId, second])}`)
        case 10:
          return post(owner.as, `operators/${pick([owner.operatorId, second])}/restore`)
        default: {
          const [gone] = facilities.get(workspace)?.splice(0, 1, await facilityOf(workspace)) ?? []
          return remove(workspace.as, `facilities/${gone}`)
        }
      }
    }

    const answers: number[] = []
    for (let round = 0; round < 25; round += 1) {
      const concurrent = await Promise.all(Array.from({ length: 6 }, act))
      answers.push(...concurrent.map(({ status }) => status))
      expect([round, await gateway.sql(COUNTED)]).toEqual([round, await gateway.sql(RECOUNTED)])
    }
    expect(answers.filter((status) => status >= 500)).toEqual([])
    expect(answers.filter((status) => status < 300).length).toBeGreaterThan(60)
    for (const workspace of [owner, bound]) {
      const [published] = await gateway.sql<{ count: number }>(
        `select count(*)::int as count from passport where tenant_id = $1 and status <> 'DRAFT' and archived_at is null`,
        [workspace.id],
      )
      const { body } = await gateway.request('GET', '/api/v1/whoami', { headers: workspace.as })
      expect(body.usage.activePassports).toBe(published?.count)
      const [listed] = await gateway.sql<{ ready: number; total: number }>(
        `select count(facility_id)::int as ready, count(*)::int as total from passport
         where archived_at is null and operator_id = any($1)`,
        [operatorsOf.get(workspace)],
      )
      const report = await gateway.request('GET', '/api/v1/passports/vc-readiness', { headers: workspace.as })
      expect(report.body).toMatchObject({ ready: listed?.ready, total: listed?.total })
    }
  })

  test('and charges are left alone by an update that changes neither what is counted nor what is stored', async () => {
    const workspace = await createWorkspace(gateway)
    const { id } = await passportClient(gateway, workspace.as).given()
    const triggersOf = async (change: string): Promise<string[]> => {
      const [row] = await gateway.sqlAs<{ 'QUERY PLAN': { Triggers: { 'Trigger Name': string }[] }[] }>(
        workspace.id,
        `explain (analyze, format json) update passport set ${change} where id = '${id}'`,
      )
      return (row?.['QUERY PLAN'][0]?.Triggers ?? []).map((trigger) => trigger['Trigger Name'])
    }
    const counts = 'passport_update_counts'
    const charges = 'passport_update_stores'
    const keys = 'passport_tells_other_keys'
    const costly = async (change: string) =>
      (await triggersOf(change)).filter((name) => [counts, charges, keys].includes(name)).sort()
    expect(await costly(`updated_at = now(), retention_until = now()`)).toEqual([])
    expect(await costly(`status = 'RECALLED', metadata = metadata, enrichment = enrichment`)).toEqual([])
    expect(await costly(`archived_at = now()`)).toEqual([counts])
    expect(await costly(`archived_at = archived_at`)).toEqual([])
    expect(await costly(`archived_at = null, status = 'DRAFT'`)).toEqual([counts])
    expect(
      await costly(`metadata = '{"category":"a longer text than it was before, and so of another size by far"}'`),
    ).toEqual([keys, charges])
    expect(await gateway.sql(COUNTED)).toEqual(await gateway.sql(RECOUNTED))
  })

  test('are of the workspace that issues, and of the operator for every workspace that is bound to it', async () => {
    const [owner, bound] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    await gateway.container.cradle.workspaces.bindOperator(owner.operatorId, bound.id)
    await passportClient(gateway, bound.as).given({ operatorId: owner.operatorId })
    await passportClient(gateway, owner.as).given()
    await passportClient(gateway, owner.as).given({ draft: true })
    const published = async ({ as }: TestWorkspace) =>
      (await gateway.request('GET', '/api/v1/whoami', { headers: as })).body.usage.activePassports
    const total = async ({ as }: TestWorkspace) =>
      (await gateway.request('GET', '/api/v1/passports/vc-readiness', { headers: as })).body.total
    expect([await published(owner), await published(bound)]).toEqual([1, 1])
    expect([await total(owner), await total(bound)]).toEqual([3, 3])
    await remove(owner.as, `operators/${owner.operatorId}`)
    expect([await published(owner), await published(bound)]).toEqual([0, 0])
    // The draft is not archived with its operator.
    expect([await total(owner), await total(bound)]).toEqual([1, 1])
    expectStatus(200, await post(owner.as, `operators/${owner.operatorId}/restore`))
    expect([await published(owner), await published(bound)]).toEqual([1, 1])
  })

  test('are written only by the database, and visible only to owners of the counted passports', async () => {
    const [workspace, stranger] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    await passportClient(gateway, workspace.as).given()
    const app = new pg.Client({ connectionString: gateway.urlOf('app') })
    await app.connect()
    const seen = async (tenantId: string) => {
      await app.query(`select set_config('app.tenant', $1, false)`, [tenantId])
      const { rows } = await app.query(`select sum(published)::int as published from passport_count`)
      return rows[0].published
    }
    expect(await seen(workspace.id)).toBe(1)
    expect(await seen(stranger.id)).toBe(null)
    await expect(app.query('update passport_count set published = 0')).rejects.toMatchObject({ code: '42501' })
    await app.end()
  })
})

describe('sort keys of passports', () => {
  test('follows their metadata', async () => {
    const passports = passportClient(gateway, (await createWorkspace(gateway)).as)
    const { id } = await passports.given({ metadata: { category: 'textiles', originCountry: 'PT' }, draft: true })
    const isListed = async (query: string) =>
      (await passports.list(query)).body.passports.some((passport: { id: string }) => passport.id === id)
    const filters = ['?category=textiles', '?originCountry=PT', '?category=toys', '?originCountry=CZ']
    const listed = async () => Promise.all(filters.map(isListed))
    expect(await listed()).toEqual([true, true, false, false])
    expectStatus(200, await passports.update(id, { metadata: { category: 'toys', originCountry: 'PT' }, draft: true }))
    expect(await listed()).toEqual([false, true, true, false])
    expect(await isListed('?category=toys&originCountry=PT')).toBe(true)
    expectStatus(200, await passports.update(id, { metadata: { originCountry: 'CZ' }, draft: true }))
    expect(await listed()).toEqual([false, false, false, true])
  })

  test.each<[string, string, (string | null)[]]>([
    ['texts as they are', '{"category":"a\\u00fc\\n","gtin":"1"}', ['aü\n', null, '1', null]],
    [
      'other values as JSON',
      '{"category":{"a": [1]},"originCountry":7,"grai":true}',
      ['{"a": [1]}', '7', null, 'true'],
    ],
    ['nothing of null and of what is deeper', '{"category":null,"x":{"gtin":"1"}}', [null, null, null, null]],
    ['nothing of what is no object', '["category"]', [null, null, null, null]],
    ['64 characters', JSON.stringify({ grai: 'ü'.repeat(70) }), [null, null, null, 'ü'.repeat(64)]],
  ])('is %s', async (_, metadata, expected) => {
    const { id, operatorId } = await createWorkspace(gateway)
    // As the gateway's role, which cannot set these columns.
    const app = new pg.Client({ connectionString: gateway.urlOf('app') })
    await app.connect()
    await app.query(`select set_config('app.tenant', $1, false)`, [id])
    const { rows } = await app.query(
      `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, category, created_at, updated_at)
       values ($1, $2, $3, $4, 'DRAFT', $5, 'of another', now(), now()) returning category, origin_country, gtin, grai`,
      [randomUUID(), id, operatorId, newGtin(), metadata],
    )
    await app.end()
    expect(Object.values(rows[0])).toEqual(expected)
  })
})

test('grants are counted as they come and go, by the operator whose passports they open', async () => {
  const { id: tenantId, as, operatorId } = await createWorkspace(gateway)
  const regId = `REG-${newGln()}`
  const second = expectStatus(201, await post(as, 'operators', { name: regId, regId })).body.operator.id
  const passports = passportClient(gateway, as)
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const issue = (target: object) => post(as, 'grants', { granteeName: 'Ada', expiresAt, ...target })
  const given = await Promise.all(
    [operatorId, second, second].map((operator) => passports.given({ operatorId: operator })),
  )
  const ids = given.map(({ id }) => id)
  await Promise.all([
    ...ids.flatMap((passportId) => [1, 2].map(() => issue({ scopeType: 'PASSPORT', passportId }))),
    issue({ scopeType: 'TENANT' }),
    gateway.request('POST', `/request-access?passport=${ids[0]}`, {
      form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example' },
    }),
  ])
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: tenantId,
    role: 'BRAND_OPERATOR',
    operatorId: second,
  })
  const totals = async () => {
    const answers = [as, { authorization: `Bearer ${key}` }].map((headers) =>
      gateway.request('GET', '/api/v1/grants?limit=1', { headers }),
    )
    return (await Promise.all(answers)).map(({ body }) => [body.total, body.count])
  }
  expect(await totals()).toEqual([
    [8, 1],
    [4, 1],
  ])
  expectStatus(200, await passports.update(ids[2] ?? '', { metadata: {}, draft: true }))
  expectStatus(200, await passports.remove(ids[2] ?? ''))
  expect(await totals()).toEqual([
    [6, 1],
    [2, 1],
  ])
})
