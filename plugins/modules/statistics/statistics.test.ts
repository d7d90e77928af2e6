import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { bearer, createWorkspace } from '../../../test/support/gateway.ts'
import { battery, expectStatus } from '../../../test/support/passport-client.ts'
import { unitClient } from '../../../test/support/unit-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { accessAudit, grants, workspaces } = gateway.container.cradle

const statistics = (id: string, query = '', headers: Record<string, string> = workspace.as) =>
  gateway.request('GET', `/api/v1/passports/${encodeURIComponent(id)}/statistics${query}`, { headers })
const dayAway = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
async function resolve(path: string, count: number, headers: Record<string, string> = {}): Promise<void> {
  for (let done = 0; done < count; done += 1) expectStatus(200, await gateway.request('GET', path, { headers }))
}
/** Entries of that day, written as the lookup role. */
async function entries(passportId: string, day: string, accesses: number, network = 'n'): Promise<void> {
  const lookup = new pg.Client({ connectionString: gateway.urlOf('lookup') })
  await lookup.connect()
  await lookup.query(
    `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
     values ($1, 'jsonld', 'public', $3, $2::date at time zone 'utc' + interval '23:59:59', $4)`,
    [passportId, day, network, accesses],
  )
  await lookup.end()
}

async function rollUp(): Promise<void> {
  const jobs = new pg.Client({ connectionString: gateway.urlOf('jobs') })
  await jobs.connect()
  await jobs.query(`select access_audit_roll_up(date_trunc('day', now(), 'utc'), 0, 1000000)`)
  await jobs.end()
}

test('resolutions are counted by representation and tier, units with their passport', async () => {
  const { id } = await passports.given({ metadata: battery() })
  const unit = await unitClient(gateway, workspace.as).given(id)
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const { token } = await grants.issueAuthority({ scope: 'PASSPORT', target: id, expires })
  await resolve(`/passport/${id}`, 3)
  await resolve(`/passport/${id}`, 2, { accept: 'text/html' })
  await resolve(`/passport/${id}`, 1, bearer(token))
  await resolve(`/passport/${id}`, 2, workspace.as)
  await resolve(`/unit/${unit.id}`, 4)
  await accessAudit.flush()
  const { body } = expectStatus(200, await statistics(id))
  const today = dayAway(0)
  expect(body).toEqual({
    success: true,
    passportId: id,
    from: dayAway(-29),
    to: today,
    tracking: true,
    total: 12,
    days: [
      {
        day: today,
        total: 12,
        resolutions: [
          { representation: 'html', tier: 'public', count: 2 },
          { representation: 'jsonld', tier: 'owner', count: 2 },
          { representation: 'jsonld', tier: 'public', count: 7 },
          { representation: 'jsonld', tier: 'restricted', count: 1 },
        ],
      },
    ],
  })
})

test('days are those of UTC, both ends of the span are in it, and a later batch adds to what is there', async () => {
  const { id, productId } = await passports.given()
  for (const [days, count] of [
    [-1, 1],
    [-2, 10],
    [-2, 20],
    [-5, 100],
    [-365, 1000],
    [-366, 10_000],
  ] as const) {
    await entries(id, dayAway(days), count, `${days} ${count}`)
  }
  const totals = async (query: string) => {
    const { body } = expectStatus(200, await statistics(productId, query))
    expect(body.total).toBe(body.days.reduce((sum: number, { total }: { total: number }) => sum + total, 0))
    return body.days.map(({ day, total }: { day: string; total: number }) => [day, total])
  }
  expect(await totals('')).toEqual([
    [dayAway(-5), 100],
    [dayAway(-2), 30],
    [dayAway(-1), 1],
  ])
  expect(await totals(`?from=${dayAway(-2)}&to=${dayAway(-2)}`)).toEqual([[dayAway(-2), 30]])
  expect(await totals(`?to=${dayAway(-3)}`)).toEqual([[dayAway(-5), 100]])
  expect((await totals(`?from=${dayAway(-365)}`))[0]).toEqual([dayAway(-365), 1000])
})

test('they outlive the entries of the access audit, and have nothing of a network', async () => {
  const { id } = await passports.given()
  await entries(id, dayAway(-1), 5)
  await rollUp()
  expect(await gateway.sqlAs(workspace.id, 'select 1 from access_audit where passport_id = $1', [id])).toEqual([])
  const { body, text } = expectStatus(200, await statistics(id))
  expect(body.total).toBe(5)
  expect(text).not.toContain('network')
})

test('they go with a draft that is deleted', async () => {
  const { id } = await passports.given()
  await entries(id, dayAway(-1), 5)
  await rollUp()
  await entries(id, dayAway(-1), 5)
  expectStatus(200, await passports.update(id, { metadata: {}, draft: true }))
  expectStatus(200, await passports.remove(id))
  for (const table of ['access_audit', 'resolution_count']) {
    expect(await gateway.sql(`select 1 from ${table} where passport_id = $1`, [id]), table).toEqual([])
  }
})

test('toys are neither counted nor recorded, as their law requires, in neither lane', async () => {
  const { id, productId } = await passports.given({ metadata: { category: 'toys', originCountry: 'DE' } })
  const unit = await unitClient(gateway, workspace.as).given(id)
  const expires = new Date(Date.now() + 86_400_000).toISOString()
  const { token } = await grants.issueAuthority({ scope: 'PASSPORT', target: id, expires })
  for (const path of [`/passport/${id}`, `/01/${productId}`, `/unit/${unit.id}`]) {
    // The second response is from the public cache; a language or credential takes the pipeline.
    await resolve(path, 2)
    await resolve(path, 2, { accept: 'text/html', 'accept-language': 'mt' })
    await resolve(path, 1, workspace.as)
  }
  await resolve(`/passport/${id}`, 1, bearer(token))
  await resolve(`/passport/${id}?format=pdf`, 1)
  await accessAudit.flush()
  for (const table of ['access_audit', 'resolution_count']) {
    expect(await gateway.sql(`select 1 from ${table} where passport_id = $1`, [id]), table).toEqual([])
  }
  // Entries under the passport's former category.
  await entries(id, dayAway(-1), 5)
  const { body } = expectStatus(200, await statistics(id))
  expect(body).toMatchObject({ tracking: false, total: 0, days: [] })
})

describe('a request is refused', () => {
  test.each([
    [`from=${dayAway(0)}&to=${dayAway(-1)}`, 'from must not be after to.'],
    [`from=${dayAway(-366)}`, 'from and to must not be more than 366 days apart.'],
    ['from=2026-02-30', 'from must be a date in the format YYYY-MM-DD.'],
    ['to=0000-00-00', 'to must be a date in the format YYYY-MM-DD.'],
  ])('with ?%s', async (query, message) => {
    const { id } = await passports.given()
    const { status, body } = await statistics(id, `?${query}`)
    expect([status, body]).toEqual([400, { success: false, error: 'Bad Request', message }])
  })

  test.each(['from=1', 'to=2026-1-1', 'from=2026-01-01T00:00:00Z'])('with ?%s, by the contract', async (query) => {
    const { id } = await passports.given()
    const { status, body } = await statistics(id, `?${query}`)
    expect([status, body.code]).toEqual([400, 'FW_ERR_VALIDATION'])
  })

  test('for a passport of another workspace or operator', async () => {
    const { id } = await passports.given()
    const other = await createWorkspace(gateway)
    expect((await statistics(id, '', other.as)).status).toBe(404)
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'Second', regId: 'SECOND' },
    })
    const { key } = await workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId: body.operator.id,
    })
    expect((await statistics(id, '', bearer(key))).status).toBe(403)
  })
})
