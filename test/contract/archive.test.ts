import { setTimeout as passed } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { bearer, createWorkspace, newGln, textile } from '../support/gateway.ts'
import { battery, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

// Every change is archived from the first, and readable as of a time (EN 18221, 4.2).

const { gateway, workspace, passports } = await useGateway()
beforeAll(() => gateway.container.cradle.seals.rotateKeys(workspace.id, { actor: 'test' }))

const CONTACT = { address: 'Old Street 1, Cologne', email: 'old@example.com' }
const patch = (path: string, json: object, as = workspace.as) => gateway.request('PATCH', path, { headers: as, json })
const put = (path: string, json: object) => gateway.request('PUT', path, { headers: workspace.as, json })
const operatorIs = async (json: object) =>
  expectStatus(200, await patch(`/api/v1/operators/${workspace.operatorId}`, json)).body.operator
/** A database time between the changes before and after. */
async function moment(): Promise<string> {
  const [row] = await gateway.sql<{ now: string }>(
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  )
  // Timestamps have millisecond precision; later changes need a later one.
  await passed(3)
  return row?.now as string
}
const givenFacility = async () =>
  expectStatus(
    201,
    await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: newGln(), name: 'Works 1', country: 'DE', streetAddress: 'Kiln Lane 5', city: 'Cologne' },
    }),
  ).body.facility
const asOf = (id: string, time: string, headers: Record<string, string> = workspace.as) =>
  gateway.request('GET', `/passport/${id}?asOf=${time}`, { headers })
const given = async (json: object = {}) => (await passports.given(json)).id as string
const grant = async (passportId: string) =>
  (
    await gateway.request('POST', '/api/v1/grants', {
      headers: workspace.as,
      json: { granteeName: 'Repair Ltd', scopeType: 'PASSPORT', passportId, expiresAt: inDays(3) },
    })
  ).body.token as string

describe('former data of operator and facility', () => {
  test('is what a view of the time says, to the owner with its addresses', async () => {
    await operatorIs({ name: 'Old Ltd', role: 'MANUFACTURER', contact: CONTACT })
    const facility = await givenFacility()
    const id = await given({ facilityId: facility.id })
    const before = await moment()
    const shown = (await passports.get(id)).body
    await operatorIs({ name: 'New Ltd', role: 'IMPORTER', contact: { email: 'new@example.com' } })
    const between = await moment()
    const at = `/api/v1/facilities/${facility.id}`
    expectStatus(200, await put(at, { name: 'Works 2', streetAddress: 'Other Road 9', country: 'FR' }))
    const after = await moment()
    expectStatus(200, await gateway.request('DELETE', at, { headers: workspace.as }))

    const stateAt = async (time: string) => {
      const { economicOperator: operator, manufacturingFacility: made } = (await asOf(id, time)).body
      return [operator.name, operator.role, operator.contact?.email, made?.name, made?.streetAddress, made?.country]
    }
    expect(await stateAt(before)).toEqual([
      'Old Ltd',
      'MANUFACTURER',
      'old@example.com',
      'Works 1',
      'Kiln Lane 5',
      'DE',
    ])
    expect(await stateAt(between)).toEqual(['New Ltd', 'IMPORTER', 'new@example.com', 'Works 1', 'Kiln Lane 5', 'DE'])
    expect(await stateAt(after)).toEqual(['New Ltd', 'IMPORTER', 'new@example.com', 'Works 2', 'Other Road 9', 'FR'])
    expect((await stateAt(await moment())).slice(3)).toEqual([undefined, undefined, undefined])
    expect((await asOf(id, before)).body).toEqual({ ...shown, media: undefined })
  })

  test('a facility that is changed and then no longer named stands in the views of before', async () => {
    const facility = await givenFacility()
    const id = await given({ facilityId: facility.id })
    const named = await moment()
    expectStatus(200, await passports.update(id, { metadata: textile(), facilityId: null }))
    expectStatus(200, await gateway.request('DELETE', `/api/v1/facilities/${facility.id}`, { headers: workspace.as }))
    const { body } = await asOf(id, named)
    expect(body.manufacturingFacility).toMatchObject({ gln: facility.gln, name: 'Works 1', city: 'Cologne' })
    expect((await asOf(id, await moment())).body.manufacturingFacility).toBeNull()
  })

  test('the public reads the names of the time too, without addresses of facilities', async () => {
    await operatorIs({ name: 'Before Ltd', contact: CONTACT })
    const facility = await givenFacility()
    const id = await given({ facilityId: facility.id })
    const seal = expectStatus(200, await passports.seal(id)).body.passport
    const sealed = await moment()
    await operatorIs({ name: 'After Ltd' })
    expectStatus(200, await put(`/api/v1/facilities/${facility.id}`, { name: 'Renamed' }))
    expect((await asOf(id, sealed, {})).body).toEqual(seal)
    expectStatus(200, await passports.revise(id, { metadata: textile({ size: 'L' }), changeReason: 'size' }))
    const { body } = await asOf(id, sealed, {})
    expect([body.economicOperator.name, body.manufacturingFacility.name]).toEqual(['Before Ltd', 'Works 1'])
    expect(body.manufacturingFacility).not.toHaveProperty('streetAddress')
    const verdict = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload: body } })
    expect(verdict.body).toMatchObject({ verdict: 'valid' })
  })

  test('is one row for each change, none for what changes nothing, and none for readings', async () => {
    const rows = () =>
      gateway.sqlAs<{ name: string }>(
        workspace.id,
        'select name from operator_version where operator_id = $1 order by version',
        [workspace.operatorId],
      )
    const before = (await rows()).length
    const name = (await operatorIs({ name: 'First' })).name
    await operatorIs({ name })
    await Promise.all(['A', 'B', 'C', 'D'].map((changed) => operatorIs({ name: changed })))
    const retained = (await rows()).slice(before).map((row) => row.name)
    expect(retained).toHaveLength(5)
    expect(retained[1]).toBe('First')
    const id = await given()
    for (let times = 0; times < 3; times += 1) await asOf(id, await moment())
    expect(await rows()).toHaveLength(before + 5)
  })

  test('is charged, and given back with the operator', async () => {
    const stored = async () => {
      const [row] = await gateway.sqlAs<{ bytes: number }>(
        workspace.id,
        'select coalesce(sum(bytes), 0)::float8 as bytes from workspace_usage where tenant_id = $1',
        [workspace.id],
      )
      return row?.bytes ?? 0
    }
    const before = await stored()
    const { operator } = expectStatus(
      201,
      await gateway.request('POST', '/api/v1/operators', {
        headers: workspace.as,
        json: { name: 'x'.repeat(100), regId: 'CHARGED-1' },
      }),
    ).body
    const registered = await stored()
    expectStatus(200, await patch(`/api/v1/operators/${operator.id}`, { name: 'y' }))
    expect((await stored()) - registered).toBeGreaterThanOrEqual(100)
    expectStatus(200, await gateway.request('DELETE', `/api/v1/operators/${operator.id}`, { headers: workspace.as }))
    expect(await stored()).toBe(before)
  })

  test('another workspace sees no part of it, and only the database writes it', async () => {
    const stranger = await createWorkspace(gateway)
    const { database } = gateway.container.cradle
    for (const table of ['operator_version', 'facility_version', 'passport_facility']) {
      const rowsFor = (id: string) =>
        database.forTenant(id).run({ name: `all-${table}`, text: `select 1 from ${table}` }, [])
      expect((await rowsFor(workspace.id)).length).toBeGreaterThan(0)
      expect(await rowsFor(stranger.id)).toEqual([])
      const write = database.forTenant(workspace.id).run({ name: `end-${table}`, text: `delete from ${table}` }, [])
      await expect(write).rejects.toThrow(/permission denied/)
    }
  })
})

describe('as of a time', () => {
  test('the owner reads every version, sealed or not, and what was a draft', async () => {
    const id = await given({ draft: true, metadata: textile({ size: 'S' }) })
    const draft = await moment()
    expectStatus(200, await passports.update(id, { metadata: textile({ size: 'M' }) }))
    const unsealed = await moment()
    expectStatus(200, await passports.seal(id))
    const sealed = await moment()
    expectStatus(200, await passports.seal(id))
    const again = await moment()
    expectStatus(200, await passports.setStatus(id, 'RECALLED', { recall: { reason: 'Loose plug' } }))
    const recalled = await moment()
    expectStatus(200, await passports.revise(id, { metadata: textile({ size: 'XL' }), changeReason: 'size' }))
    expectStatus(200, await passports.setStatus(id, 'ACTIVE'))

    const stateAt = async (time: string) => {
      const { body } = await asOf(id, time)
      return [body.status, body.metadata?.size, body.proof?.created ?? null, body.recall?.reason ?? null]
    }
    expect(await stateAt(draft)).toEqual(['DRAFT', 'S', null, null])
    expect(await stateAt(unsealed)).toEqual(['ACTIVE', 'M', null, null])
    const [, , first] = await stateAt(sealed)
    const [, , second] = await stateAt(again)
    expect([typeof first, typeof second, first === second]).toEqual(['string', 'string', false])
    expect(await stateAt(recalled)).toEqual(['RECALLED', 'M', second, 'Loose plug'])
    for (const time of [sealed, again, recalled]) {
      const payload = (await asOf(id, time)).body
      const { body } = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
      expect([time, body.verdict]).toEqual([time, 'valid'])
    }
    for (const name of [id, (await passports.get(id)).body.productId]) {
      const { status, body } = await gateway.request('GET', `/api/v1/passports/${name}?asOf=${unsealed}`, {
        headers: workspace.as,
      })
      expect([status, body.metadata.size]).toEqual([200, 'M'])
    }
    expect((await asOf(id, '2020-01-01T00:00:00Z')).status).toBe(404)
  })

  test('a token reads published content within its scope; the public reads sealed content', async () => {
    const metadata = battery({ testReportReferences: ['R-1'] })
    const draft = await given({ draft: true, metadata })
    const wasDraft = await moment()
    expectStatus(200, await passports.update(draft, { metadata }))
    const published = await moment()
    expectStatus(200, await passports.update(draft, { metadata: battery() }))
    const token = bearer(await grant(draft))
    const other = bearer(await grant(await given()))
    const { body, headers } = await asOf(draft, published, token)
    expect(body.metadata.detailedPerformance).toEqual(metadata.detailedPerformance)
    expect([body.metadata.facilityDetails, body.metadata.testReportReferences]).toEqual([REDACTED, REDACTED])
    expect([headers['x-access-tier'], headers['cache-control']]).toEqual(['restricted', 'private, no-store'])
    expect((await asOf(draft, wasDraft, token)).status).toBe(404)
    expect((await asOf(draft, published, other)).status).toBe(404)
    expect((await asOf(draft, published, {})).status).toBe(404)
    expectStatus(200, await passports.update(draft, { metadata: battery(), draft: true }))
    expect((await asOf(draft, published, token)).status).toBe(404)
    expect((await asOf(draft, published)).status).toBe(200)
  })

  test('a session, another workspace and another operator’s key get no more than the public', async () => {
    const id = await given()
    const time = await moment()
    expectStatus(200, await passports.update(id, { metadata: textile({ size: 'M' }) }))
    const stranger = await createWorkspace(gateway)
    expect((await asOf(id, time, stranger.as)).status).toBe(404)
    const strange = await gateway.request('GET', `/api/v1/passports/${id}?asOf=${time}`, { headers: stranger.as })
    expect(strange.status).toBe(404)
    const { token } = await gateway.container.cradle.workspaces.createSession({
      workspaceId: workspace.id,
      user: 'user-1',
      role: 'BRAND_OPERATOR',
      mfa: true,
    })
    expect((await asOf(id, time, bearer(token))).status).toBe(404)
  })

  test('the page says that it is an earlier version, and where the passport is now', async () => {
    const id = await given({ metadata: textile({ size: 'S' }) })
    const time = await moment()
    expectStatus(200, await passports.update(id, { metadata: textile({ size: 'M' }) }))
    const { text } = await asOf(id, time, { ...workspace.as, accept: 'text/html' })
    expect(text.includes(`/passport/${id}?lang=en"`)).toBe(true)
    expect(text.includes('noindex')).toBe(true)
    expect(text.includes(`?asOf=${time}&amp;format=jsonld`)).toBe(true)
    expect(text.includes('?version=')).toBe(false)
  })

  test('a change while it is read shows one state or the other', async () => {
    const id = await given()
    const client = passportClient(gateway, workspace.as)
    const names = ['R1', 'R2', 'R3', 'R4']
    const time = await moment()
    await operatorIs({ name: 'Start' })
    const started = await moment()
    const [views] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => asOf(id, started))),
      (async () => {
        for (const name of names) {
          await operatorIs({ name })
          expectStatus(200, await client.update(id, { metadata: textile({ size: name }) }))
        }
      })(),
    ])
    expect(new Set(views.map(({ body }) => body.economicOperator.name))).toEqual(new Set(['Start']))
    expect((await asOf(id, time)).body.economicOperator.name).not.toBe('Start')
  })
})
