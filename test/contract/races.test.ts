import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createWorkspace, newGln, newGtin, startTestGateway, superuserUrl, textile } from '../support/gateway.ts'
import { eventsOf, expectStatus, passportClient } from '../support/passport-client.ts'
import { anotherOperator } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const tally = (answers: { status: number }[]) => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const countPublished = async (tenantId: string) =>
  (await gateway.sqlAs(tenantId, `select 1 from passport where tenant_id = $1 and status <> 'DRAFT'`, [tenantId]))
    .length

test('fifty creations of one product and operator: one 201, 49 times 409, one row, one event', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const productId = newGtin()
  const answers = await times(50, () => passports.create({ productId, metadata: textile() }))
  expect(tally(answers)).toEqual({ 201: 1, 409: 49 })
  for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('PASSPORT_DUPLICATE')
  expect(await countPublished(workspace.id)).toBe(1)
  const id = answers.find(({ status }) => status === 201)?.body.passport.id
  expect(await eventsOf(gateway, id)).toEqual(['passport.ingested'])
  const jobs = await gateway.sql(`select 1 from pgboss.job where data ->> 'tenantId' = $1`, [workspace.id])
  expect(jobs).toHaveLength(1)
})

test('concurrent creations are validated individually, regardless of the others', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const { productId: taken } = await passports.given()
  const limited = await anotherOperator(gateway, workspace)
  const ofLimited = passportClient(gateway, limited.as)
  const bodies = {
    plain: { metadata: textile() },
    draft: { metadata: {}, draft: true },
    invalid: { metadata: { category: 'textiles' } },
    duplicate: { productId: taken, metadata: textile() },
    'of no operator': { metadata: textile(), operatorId: randomUUID() },
  }
  const kinds = Object.entries(bodies)
  const answers = await times(40, async (index) => {
    const [kind, body] = kinds[index % kinds.length] as [string, object]
    const client = index % 8 < 4 ? passports : ofLimited
    const { status, body: result } = await client.create({ productId: newGtin(), ...body })
    return { kind, isLimited: client === ofLimited, status, code: result.code, result }
  })
  for (const { kind, isLimited, status, code, result } of answers) {
    const own = isLimited ? limited.id : workspace.operatorId
    if (kind === 'plain' || kind === 'draft') {
      expect([kind, status, result.passport?.status]).toEqual([kind, 201, kind === 'draft' ? 'DRAFT' : 'ACTIVE'])
      const [row] = await gateway.sqlAs(workspace.id, 'select operator_id from passport where id = $1', [
        result.passport.id,
      ])
      expect(row).toEqual({ operator_id: own })
    }
    if (kind === 'invalid') expect([status, result.error]).toEqual([400, 'Validation Failed'])
    // Another operator has no passport of this product: its first one succeeds.
    if (kind === 'duplicate' && !isLimited) expect([status, code]).toEqual([409, 'PASSPORT_DUPLICATE'])
    if (kind === 'of no operator')
      expect([status, code]).toEqual([403, isLimited ? 'OPERATOR_SCOPE_FORBIDDEN' : 'OPERATOR_NOT_BOUND'])
  }
  const firsts = answers.filter(({ kind, isLimited, status }) => kind === 'duplicate' && isLimited && status === 201)
  expect(firsts).toHaveLength(1)
})

test('a read that stores a rendition during a change of the passport does not deadlock', async () => {
  const workspace = await createWorkspace(gateway)
  const { id } = await passportClient(gateway, workspace.as).given()
  await gateway.sqlAs(
    workspace.id,
    `insert into rendition select (jsonb_populate_record(r, '{"version": 0, "representation": "aas"}')).* from rendition r where passport_id = $1`,
    [id],
  )
  const change = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
  await change.connect()
  try {
    await change.query('begin')
    await change.query('select 1 from passport where id = $1 for update', [id])
    const read = gateway.request('GET', `/passport/${id}`, { headers: { accept: 'text/html' } })
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await change.query(waiting)).rows.length).toBeGreaterThan(0)
    await change.query('delete from rendition where passport_id = $1', [id])
    await change.query('commit')
    expectStatus(200, await read)
    // A deadlock would undo it.
    const stored = await gateway.sqlAs(workspace.id, 'select version from rendition where passport_id = $1', [id])
    expect(stored).toEqual([{ version: 1 }])
  } finally {
    await change.end()
  }
})

describe('the cap on published passports is exact', () => {
  test('under concurrent creations', async () => {
    const workspace = await createWorkspace(gateway, { plan: 'growth' })
    await gateway.container.cradle.workspaces.set(workspace.id, { passportLimit: 7 })
    const passports = passportClient(gateway, workspace.as)
    const answers = await times(30, () => passports.create({ productId: newGtin(), metadata: textile() }))
    expect(tally(answers)).toEqual({ 201: 7, 402: 23 })
    for (const { status, body } of answers) {
      if (status === 402) expect(body.quota).toMatchObject({ activePassports: 7, passportLimit: 7 })
    }
    expect(await countPublished(workspace.id)).toBe(7)
  })

  test('under concurrent publications of drafts', async () => {
    const workspace = await createWorkspace(gateway, { plan: 'growth' })
    const passports = passportClient(gateway, workspace.as)
    const drafts = await times(12, () => passports.given({ metadata: {}, draft: true }))
    await gateway.container.cradle.workspaces.set(workspace.id, { passportLimit: 5 })
    const answers = await times(12, (index) => passports.update(drafts[index].id, { metadata: textile() }))
    expect(tally(answers)).toEqual({ 200: 5, 402: 7 })
    expect(await countPublished(workspace.id)).toBe(5)
  })
})

test('concurrent publications of one draft publish it once', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const { id } = await passports.given({ metadata: {}, draft: true })
  const answers = await times(10, () => passports.update(id, { metadata: textile() }))
  expect(tally(answers)).toEqual({ 200: 10 })
  expect(answers.filter(({ body }) => body.message === 'Draft published')).toHaveLength(1)
  const events = await eventsOf(gateway, id)
  expect(events.filter((event) => event === 'passport.ingested')).toHaveLength(1)
  expect(events.filter((event) => event === 'passport.updated')).toHaveLength(9)
})

test('concurrent deletion and publication of a draft: one of them wins, and nothing is half done', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  await times(20, async (index) => {
    const { id } = await passports.given({ metadata: {}, draft: true })
    const publish = () => passports.update(id, { metadata: textile() })
    const remove = () => passports.remove(id)
    const [first, second] = await Promise.all(index % 2 === 0 ? [publish(), remove()] : [remove(), publish()])
    const [published, removed] = index % 2 === 0 ? [first, second] : [second, first]
    expect([
      [200, 409],
      [404, 200],
    ]).toContainEqual([published?.status, removed?.status])
    expect((await gateway.request('GET', `/passport/${id}`)).status).toBe(published?.status === 200 ? 200 : 404)
    expect(await eventsOf(gateway, id)).toEqual(published?.status === 200 ? ['passport.ingested'] : [])
  })
})

test('removing an operator while passports are made for it: archived or refused, and never an error', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const outcomes = await times(20, async (index) => {
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: `O ${index}`, regId: `O-${index}` },
    })
    const operatorId = body.operator.id
    const [removed, facility, ...created] = await Promise.all([
      gateway.request('DELETE', `/api/v1/operators/${operatorId}`, { headers: workspace.as }),
      gateway.request('POST', '/api/v1/facilities', {
        headers: workspace.as,
        json: { gln: newGln(), name: 'Works', country: 'PT', operatorId },
      }),
      ...Array.from({ length: 3 }, () => passports.create({ productId: newGtin(), metadata: textile(), operatorId })),
    ])
    expect(removed?.status).toBe(200)
    expect([201, 403], facility?.text).toContain(facility?.status)
    for (const answer of created) {
      expect([201, 403], answer.text).toContain(answer.status)
      if (removed?.body.archived === false) expect(answer.status).toBe(403)
      else if (answer.status === 403) expect(answer.body.code).toBe('OPERATOR_NOT_BOUND')
    }
    return removed?.body.archived
  })
  expect(outcomes).toHaveLength(20)
})

test('removing a facility while passports are linked to it: unlinked or refused, and never an error', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  await times(15, async () => {
    const { id } = await passports.given()
    const facility = await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: newGln(), name: 'Works', country: 'PT' },
    })
    const facilityId = facility.body.facility.id
    const [removed, created, updated] = await Promise.all([
      gateway.request('DELETE', `/api/v1/facilities/${facilityId}`, { headers: workspace.as }),
      passports.create({ productId: newGtin(), metadata: textile(), facilityId }),
      passports.update(id, { metadata: textile(), facilityId }),
    ])
    expect(removed.status).toBe(200)
    expect([201, 400], created.text).toContain(created.status)
    expect([200, 400], updated.text).toContain(updated.status)
    expect((await passports.get(id)).body.manufacturingFacility).toBeNull()
  })
})

test('many concurrent seals leave one in force, the last one stored', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const { id } = await passports.given()
  const answers = await times(8, () => passports.seal(id))
  for (const { status, body } of answers) {
    expect([200, 409]).toContain(status)
    if (status === 409) expect(body.code).toBe('PASSPORT_BUSY')
  }
  const [row] = await gateway.sqlAs<{ signature: string }>(
    workspace.id,
    'select signature from seal join passport on passport.seal_id = seal.id where passport.id = $1',
    [id],
  )
  expect((await gateway.request('GET', `/passport/${id}`)).body.digitalSeal).toBe(row?.signature)
  const sealed = answers.filter(({ status }) => status === 200)
  expect(sealed.map(({ body }) => body.digitalSeal)).toContain(row?.signature)
  const stored = await gateway.sqlAs(workspace.id, 'select 1 from seal where passport_id = $1', [id])
  expect(stored).toHaveLength(sealed.length)
})

test('concurrent seals of several passports seal each passport with its own root, and announce each once', async () => {
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const given = await times(20, () => passports.given())
  const unknown = randomUUID()
  const answers = await times(24, (index) => passports.seal(given[index]?.id ?? unknown))
  expect(tally(answers)).toEqual({ 200: 20, 404: 4 })
  for (const [index, { id }] of given.entries()) {
    const { body } = await gateway.request('GET', `/passport/${id}`)
    expect([body.id, body.digitalSeal]).toEqual([id, answers[index]?.body.digitalSeal])
    const { body: verdict } = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload: body } })
    expect(verdict).toMatchObject({ success: true, verified: true })
    expect((await eventsOf(gateway, id)).filter((event) => event === 'passport.sealed')).toHaveLength(1)
  }
})

test('seals of many passports do not deadlock with edits and status changes of the same, under a storage limit', async () => {
  // Its own database, because PostgreSQL counts deadlocks of earlier tests late.
  const own = await startTestGateway()
  const workspace = await createWorkspace(own, { plan: 'growth' })
  const passports = passportClient(own, workspace.as)
  const given = await times(12, () => passports.given())
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all([
      ...given.map(({ id }) => passports.seal(id)),
      ...given.toReversed().map(({ id }) => passports.setStatus(id, round % 2 === 0 ? 'RECALLED' : 'ACTIVE')),
      ...given.toReversed().map(({ id }) => passports.seal(id)),
    ])
    for (const { status } of answers) expect([200, 400, 409]).toContain(status)
  }
  // Connections report what they counted when they close.
  const count = new pg.Client({ connectionString: await superuserUrl(own.databaseUrl) })
  await own.close()
  await count.connect()
  const { rows } = await count.query('select deadlocks from pg_stat_database where datname = current_database()')
  await count.end()
  expect(rows).toEqual([{ deadlocks: '0' }])
})
