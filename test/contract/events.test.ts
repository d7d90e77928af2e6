import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { battery, eventsOf, expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

interface Job {
  readonly event: string
  readonly tenantId: string
  readonly passports: readonly { readonly id: string; readonly version: number }[]
}
const jobsOf = async (passportId: string) =>
  (
    await gateway.sql<{ data: Job }>(
      `select data from pgboss.job where name = 'passport-event' and data -> 'passports' @> $1 order by created_on, id`,
      [JSON.stringify([{ id: passportId }])],
    )
  ).map(({ data }) => data)
const countJobs = async () => {
  const [row] = await gateway.sql<{ count: number }>(
    `select count(*)::int as count from pgboss.job where name = 'passport-event'`,
  )
  return row?.count ?? 0
}

describe('events', () => {
  test('every write of section 6 has its own, in their order', async () => {
    const { id } = await passports.given()
    await passports.update(id, { metadata: textile({ size: 'S' }) })
    await passports.seal(id)
    for (const status of ['RECALLED', 'DECOMMISSIONED', 'ACTIVE']) await passports.setStatus(id, status)
    expect(await eventsOf(gateway, id)).toEqual([
      'passport.ingested',
      'passport.updated',
      'passport.sealed',
      'passport.recalled',
      'passport.status_updated',
      'passport.status_updated',
    ])
  })

  test('a job names the passport and its version, and holds no content', async () => {
    const { id } = await passports.given({ metadata: battery() })
    await passports.seal(id)
    const jobs = await jobsOf(id)
    for (const job of jobs) {
      expect(job).toEqual({
        event: expect.any(String),
        tenantId: workspace.id,
        passports: [{ id, version: expect.any(Number) }],
      })
    }
    expect(jobs.map(({ passports: [passport] }) => passport?.version)).toEqual([1, 2])
  })

  test('trap 76: what a job names is the public document of that version, masked and with the whole proof', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const sealed = (await passports.seal(id)).body.passport
    await passports.setStatus(id, 'RECALLED')
    const jobs = await jobsOf(id)
    const documents = await Promise.all(
      jobs.map(async ({ passports: [{ version } = {}] }) => {
        const [row] = await gateway.sqlAs<{ body: string }>(
          workspace.id,
          `select body from rendition where passport_id = $1 and representation = 'jsonld' and version = $2`,
          [id, version],
        )
        return JSON.parse(row?.body ?? 'null')
      }),
    )
    expect(documents.map(({ status, digitalSeal }) => [status, digitalSeal !== null])).toEqual([
      ['ACTIVE', false],
      ['ACTIVE', true],
      ['RECALLED', true],
    ])
    expect(documents[1]).toEqual(sealed)
    expect(Object.keys(documents[1].proof.redactedLeaves)).toContain('facilityDetails')
  })

  test('trap 75: drafts have none', async () => {
    const { id } = await passports.given({ metadata: {}, draft: true })
    await passports.update(id, { metadata: { still: 'draft' }, draft: true })
    const demoted = await passports.given()
    await passports.update(demoted.id, { metadata: {}, draft: true })
    expect(await eventsOf(gateway, id)).toEqual([])
    expect(await eventsOf(gateway, demoted.id)).toEqual(['passport.ingested'])
    await passports.remove(id)
    expect(await eventsOf(gateway, id)).toEqual([])
  })

  test('a refused write has none', async () => {
    const { id, productId } = await passports.given()
    await passports.seal(id)
    const before = await countJobs()
    for (const { status } of [
      await passports.create({ productId, metadata: textile() }),
      await passports.create({ productId: newGtin(), metadata: {} }),
      await passports.validate({ productId: newGtin(), metadata: textile() }),
      await passports.update(id, { metadata: textile() }),
      await passports.setStatus(id, 'nonsense'),
      await passports.remove(id),
    ]) {
      expect(status).toBeGreaterThanOrEqual(200)
    }
    expect(await countJobs()).toBe(before)
  })

  test('master data and archiving announce no passport', async () => {
    const regId = `REG-${newGln()}`
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: regId, regId },
    })
    const { id } = await passports.given({ operatorId: body.operator.id })
    const path = `/api/v1/operators/${body.operator.id}`
    expectStatus(200, await gateway.request('PATCH', path, { headers: workspace.as, json: { name: 'New' } }))
    expectStatus(200, await gateway.request('DELETE', path, { headers: workspace.as }))
    expectStatus(200, await gateway.request('POST', `${path}/restore`, { headers: workspace.as }))
    expect(await eventsOf(gateway, id)).toEqual(['passport.ingested'])
  })
})

describe('trap 74: a write that is rolled back leaves no event', () => {
  // Fails at the commit, after all writes: a deferred trigger on marked passports.
  beforeAll(async () => {
    await gateway.sql(`create function refuse_commit() returns trigger language plpgsql as $$
      begin raise exception 'refused at commit'; end $$`)
    await gateway.sql(`create constraint trigger refuse_commit after insert or update on passport
      deferrable initially deferred for each row when (new.metadata ->> 'poison' is not null)
      execute function refuse_commit()`)
  })

  let before: number
  beforeEach(async () => {
    before = await countJobs()
  })

  test('on create', async () => {
    const productId = newGtin()
    const { status, body } = await passports.create({ productId, metadata: textile({ poison: true }) })
    expect(status).toBe(500)
    expect(body).toEqual({
      success: false,
      error: 'Internal Server Error',
      message: 'An unexpected error occurred',
      requestId: expect.any(String),
    })
    expect(await countJobs()).toBe(before)
    expect((await gateway.request('GET', `/01/${productId}`)).status).toBe(404)
    expect((await passports.create({ productId, metadata: textile() })).status).toBe(201)
  })

  test('on update, with its history and its rendition', async () => {
    const given = await passports.given()
    const { id } = given
    before += 1
    const { status, body } = await passports.update(id, { metadata: textile({ poison: true }) })
    expect(status).toBe(500)
    expect(body).toMatchObject({ success: false, error: 'Internal Server Error', message: 'Failed to update passport' })
    expect(JSON.stringify(body)).not.toMatch(/refused at commit/)
    expect(await countJobs()).toBe(before)
    expect(await gateway.sqlAs(workspace.id, 'select 1 from passport_history where passport_id = $1', [id])).toEqual([])
    expect((await gateway.request('GET', `/passport/${id}`)).body).toEqual(given)
    const renditions = await gateway.sqlAs(workspace.id, 'select 1 from rendition where passport_id = $1', [id])
    expect(renditions).toHaveLength(1)
  })

  test('on seal and status', async () => {
    const { id } = await passports.given({ draft: true, metadata: {} })
    await gateway.sql('alter table passport disable trigger refuse_commit')
    await passports.update(id, { metadata: textile({ poison: true }) })
    await gateway.sql('alter table passport enable trigger refuse_commit')
    const jobs = await jobsOf(id)
    expect((await passports.seal(id)).status).toBe(500)
    expect((await passports.setStatus(id, 'RECALLED')).status).toBe(500)
    expect(await jobsOf(id)).toEqual(jobs)
    expect((await passports.get(id)).body).toMatchObject({ status: 'ACTIVE', digitalSeal: null, proof: null })
    expect(await gateway.sqlAs(workspace.id, 'select 1 from seal where passport_id = $1', [id])).toEqual([])
  })
})
