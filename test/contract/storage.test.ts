import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { PLANS } from '../../src/domain/plans.ts'
import { MAX_WAITING_REQUESTS } from '../../src/grants/grant-requests.ts'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { battery, expectStatus } from '../support/passport-client.ts'
import { ANOTHER_FACILITY, useStorage } from '../support/storage-client.ts'

const { gateway, own, counted, stored, set, connected, given } = await useStorage()

describe('the stored data of a workspace', () => {
  test('is counted by the database, whatever is done', async () => {
    const { workspace, passports, facility, operator, grant, bulk, remove } = await given()
    const check = async (step: string) =>
      expect([step, await counted(workspace)]).toEqual([step, await stored(workspace)])
    await check('an operator')
    const { id } = await passports.given({ enrichment: { headline: 'For every day' } })
    await check('a passport')
    await passports.update(id, { metadata: textile({ size: 'L' }), enrichment: null })
    await check('an update')
    await passports.setStatus(id, 'RECALLED')
    await check('a move')
    expectStatus(200, await passports.seal(id))
    await check('a seal')
    const revise = (json: object) =>
      passports.revise(id, { metadata: textile({ size: 'XL' }), changeReason: 'Misspelt', ...json })
    expectStatus(200, await revise({ enrichment: { description: 'Woven in the valley' } }))
    await check('a revision')
    expectStatus(200, await revise({ enrichment: { tagline: 'For every day' } }))
    await check('other enrichment')
    expectStatus(200, await passports.setStatus(id, 'ACTIVE'))
    await check('a move of what is sealed')
    expectStatus(
      201,
      await bulk([
        { productId: newGtin(), metadata: textile() },
        { productId: newGtin(), metadata: battery() },
      ]),
    )
    await check('a bulk')
    const draft = await passports.given({ metadata: { a: 1 }, draft: true })
    await passports.update(draft.id, { metadata: { a: 'larger' }, draft: true })
    await passports.seal(draft.id)
    await check('a draft')
    expectStatus(200, await passports.remove(draft.id))
    await check('no draft')
    const works = expectStatus(201, await facility({ streetAddress: 'Ruß 1', activity: 'assembly' })).body.facility
    await check('a facility')
    await gateway.request('PUT', `/api/v1/facilities/${works.id}`, { headers: workspace.as, json: { city: 'Porto' } })
    await check('another facility')
    expectStatus(200, await remove(`facilities/${works.id}`))
    await check('no facility')
    const another = expectStatus(201, await operator('REG-ANOTHER')).body.operator
    await check('two operators')
    expectStatus(200, await remove(`operators/${another.id}`))
    await check('one operator')
    expectStatus(201, await grant(id))
    await check('a grant')
    await gateway.request('POST', `/request-access?passport=${id}`, {
      form: { granteeName: 'Ada', granteeEmail: 'ada@a.example' },
    })
    await check('a request')
    expect((await counted(workspace)).rows).toBe(5)
  })

  test('is as much as the plan includes, or as the workspace is allowed', async () => {
    const rows = await gateway.sql(
      'select name, storage_limit::float8 as "storageLimit", row_limit::int as "rowLimit" from plan',
    )
    expect(rows).toHaveLength(Object.keys(PLANS).length)
    for (const { name, ...limits } of rows) expect(PLANS[name as string]).toMatchObject(limits)
    expect([PLANS.starter?.storageLimit, PLANS.growth?.storageLimit, PLANS.scale?.storageLimit]).toEqual(
      [256, 1024, 8192].map((mebibytes) => mebibytes * 1024 * 1024),
    )
    const { workspace, passports } = await given()
    await gateway.container.cradle.workspaces.set(workspace.id, { plan: 'growth' })
    await gateway.container.cradle.workspaces.set(workspace.id, { storageLimit: 10 })
    const { status, body } = await passports.create({ productId: newGtin(), metadata: textile() })
    expect([status, body.quota]).toMatchObject([402, { tier: 'growth', storageLimit: 10, rowLimit: 50_000 }])
  })
})

test('two connections whose processes have like numbers count side by side', async () => {
  const { workspace } = await given()
  const before = await counted(workspace)
  const first = await connected(workspace)
  const connections = [first]
  const numberOf = async (client: pg.Client) =>
    (await client.query('select pg_backend_pid() & 63 as number')).rows[0].number
  for (let tried = 0; connections.length === 1 && tried < 300; tried += 1) {
    const another = await connected(workspace)
    if ((await numberOf(another)) === (await numberOf(first))) connections.push(another)
    else await another.end()
  }
  expect(connections).toHaveLength(2)
  // Neither waits for the other's open transaction.
  for (const connection of connections) {
    await connection.query(`set local lock_timeout = '2s'`)
    await connection.query(ANOTHER_FACILITY, [workspace.id, newGln()])
  }
  const counts = `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
    select gen_random_uuid(), tenant_id, id, gen_random_uuid(), 'ACTIVE', '{}', now(), now()
    from operator where tenant_id = $1 limit 1`
  for (const connection of connections) await connection.query(counts, [workspace.id])
  for (const connection of connections) {
    await connection.query('commit')
    await connection.end()
  }
  expect((await counted(workspace)).rows).toBe(before.rows + 4)
  expect(await counted(workspace)).toEqual(await stored(workspace))
})

test('anonymous requests wait in a bounded number, get the same response beyond it, and use no quota', async () => {
  const { workspace, passports } = await given()
  const { id } = await passports.given({ metadata: battery() })
  await gateway.sqlAs(
    workspace.id,
    `insert into access_grant (id, tenant_id, status, kind, grantee_name, grantee_email, scope_type, passport_id, issuer_type, expires_at)
     select gen_random_uuid(), $1, 'PENDING', 'LEGITIMATE_INTEREST', 'Ada', number || '@a.example', 'PASSPORT', $2, 'REQUEST', now() + interval '1 day'
     from generate_series(1, $3::int) as number`,
    [workspace.id, id, MAX_WAITING_REQUESTS - 3],
  )
  const before = await counted(workspace)
  await set(workspace, { storageLimit: 0, rowLimit: 0 })
  const request = (granteeEmail: string) =>
    gateway.request('POST', `/request-access?passport=${id}`, { form: { granteeName: 'Ada', granteeEmail } })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => request(`new${index}@a.example`)))
  // Each has its own reference, even if nothing was stored.
  const comparable = answers.map(({ status, text }) => `${status} ${text.replace(/\/request-access\/[\w-]+/g, '')}`)
  expect(new Set(comparable).size).toBe(1)
  expect(answers[0]?.status).toBe(201)
  const waiting = () => own(workspace, 'id', 'access_grant')
  expect(await waiting()).toHaveLength(MAX_WAITING_REQUESTS)
  expect(await counted(workspace)).toEqual(before)
  await gateway.sqlAs(workspace.id, `update access_grant set status = 'DENIED' where grantee_email = '1@a.example'`)
  await request('afterwards@a.example')
  expect(await waiting()).toHaveLength(MAX_WAITING_REQUESTS + 1)
})

test('no workspace reads the history or the use of another', async () => {
  const [ours, theirs] = [await given(), await given()]
  const { id } = await theirs.passports.given()
  await theirs.passports.setStatus(id, 'RECALLED')
  const app = new pg.Client({ connectionString: gateway.urlOf('app') })
  await app.connect()
  const seen = async (tenantId: string) => {
    await app.query(`select set_config('app.tenant', $1, false)`, [tenantId])
    const { rows } = await app.query(
      `select (select count(*)::int from passport_version where passport_id = $1) as versions,
         (select count(*)::int from workspace_usage where tenant_id = $2 and slot > 0) as slots`,
      [id, theirs.workspace.id],
    )
    return rows[0]
  }
  expect(await seen(ours.workspace.id)).toEqual({ versions: 0, slots: 0 })
  expect(await seen(theirs.workspace.id)).toEqual({ versions: 1, slots: expect.any(Number) })
  expect((await seen(theirs.workspace.id)).slots).toBeGreaterThan(0)
  await app.end()
})

test('no role of the gateway credits a workspace', async () => {
  const { workspace } = await given()
  const refused = (text: string) =>
    gateway.sqlAs(workspace.id, text).then(
      () => 'done',
      (error) => error.code,
    )
  for (const role of ['app', 'lookup', 'jobs', 'signer'] as const) {
    const name = new URL(gateway.urlOf(role)).searchParams.get('user')
    expect(await refused(`set local role "${name}"; select workspace_stores('${workspace.id}', -1, 0)`)).toBe('42501')
    expect(await refused(`set local role "${name}"; update workspace_usage set bytes = 0`)).toBe('42501')
    expect(await refused(`set local role "${name}"; update plan set storage_limit = null`)).toBe('42501')
  }
})
