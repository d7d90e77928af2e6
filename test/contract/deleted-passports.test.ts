import { describe, expect, test } from 'vitest'
import { connected } from '../support/databases.ts'
import { bearer, createWorkspace, textile } from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

const read = (id: string, query: string, headers: Record<string, string> = workspace.as) =>
  gateway.request('GET', `/passport/${id}${query}`, { headers })
/** The database time, shortly after. */
const moment = async () => {
  const [row] = await gateway.sql<{ now: string }>(`select to_json(clock_timestamp()) #>> '{}' as now`)
  await gateway.sql('select pg_sleep(0.002)')
  return new Date(row?.now ?? '').toISOString()
}
const tokenOf = async (audience: 'authority' | 'legitimateInterest') => {
  if (audience === 'authority') {
    const { grants } = gateway.container.cradle
    const { token } = await grants.issueAuthority({ scope: 'TENANT', target: workspace.id, expires: inDays(3) })
    return token
  }
  const json = { granteeName: 'Repair Ltd', scopeType: 'TENANT', expiresAt: inDays(3) }
  const issued = await gateway.request('POST', '/api/v1/grants', { headers: workspace.as, json })
  return expectStatus(201, issued).body.token as string
}
const stored = async (id: string) => {
  const [row] = await gateway.sqlAs<{ rows: number }>(
    workspace.id,
    `select (select count(*) from passport_history where passport_id = $1)::int
      + (select count(*) from passport_facility where passport_id = $1)::int
      + (select count(*) from deleted_passport where id = $1)::int as rows`,
    [id],
  )
  return row?.rows
}

/** A passport published as a battery, corrected, reverted to draft and deleted. */
async function givenDeleted() {
  const { id, productId } = await passports.given({ metadata: battery({ model: 'A' }) })
  const first = await moment()
  expectStatus(200, await passports.update(id, { metadata: battery({ model: 'B' }) }))
  const second = await moment()
  expectStatus(200, await passports.update(id, { metadata: battery({ model: 'C' }), draft: true }))
  const demoted = await moment()
  expectStatus(200, await passports.remove(id))
  return { id: id as string, productId: productId as string, first, second, demoted }
}
const modelIn = ({ body }: { body: { metadata?: { model?: string } } }) => body.metadata?.model

describe('versions that were published before a draft was deleted', () => {
  test('respond to ?version= and ?asOf= only for the owner and authorities', async () => {
    const { id, productId, first, second, demoted } = await givenDeleted()
    const other = await createWorkspace(gateway)
    const authority = bearer(await tokenOf('authority'))
    for (const headers of [workspace.as, authority]) {
      expect(modelIn(expectStatus(200, await read(id, `?asOf=${first}`, headers)))).toBe('A')
      expect(modelIn(expectStatus(200, await read(id, `?asOf=${second}`, headers)))).toBe('B')
      expect(modelIn(expectStatus(200, await read(id, '?version=1', headers)))).toBe('A')
      const last = expectStatus(200, await read(id, '?version=2', headers))
      expect(last.body).toMatchObject({ productId, status: 'ACTIVE' })
      expect(last.headers['cache-control']).toBe('private, no-store')
      for (const query of ['?version=4', '?version=9', '']) {
        expect([query, (await read(id, query, headers)).status]).toEqual([query, 404])
      }
    }
    // A draft was never published, so only its owner reads it.
    expect((await read(id, `?asOf=${demoted}`, authority)).status).toBe(404)
    for (const headers of [{}, other.as, bearer(await tokenOf('legitimateInterest'))]) {
      for (const query of [`?asOf=${first}`, '?version=1', '']) {
        expect([query, (await read(id, query, headers)).status]).toEqual([query, 404])
      }
    }
    const asOwner = await gateway.request('GET', `/api/v1/passports/${id}?asOf=${second}`, { headers: workspace.as })
    expect(modelIn(expectStatus(200, asOwner))).toBe('B')
    expect((await passports.get(id)).status).toBe(404)
  })

  test('are in the history, for the owner alone', async () => {
    const { id } = await givenDeleted()
    const { body } = expectStatus(200, await passports.history(id))
    expect(body.versions.map(({ version, status }: { version: number; status: string }) => [version, status])).toEqual([
      [2, 'ACTIVE'],
      [1, 'ACTIVE'],
    ])
    expect(body.versions[0].changes).toContainEqual({ op: 'replace', path: '/model', value: 'B' })
    expect(modelIn(await read(id, new URL(body.versions[0].url).search))).toBe('B')
    const other = await createWorkspace(gateway)
    expect((await passportClient(gateway, other.as).history(id)).status).toBe(404)
  })

  test('stay when the role of the application deletes the passport itself', async () => {
    const { id } = await passports.given({ metadata: textile({ size: 'S' }) })
    expectStatus(200, await passports.update(id, { metadata: textile({ size: 'L' }) }))
    await gateway.sqlAs(workspace.id, 'delete from passport where id = $1', [id])
    expect((await read(id, '?version=1')).body.metadata).toMatchObject({ size: 'S' })
    expect((await read(id, '?version=2')).body.metadata).toMatchObject({ size: 'L' })
  })

  test('do not keep the product id: another passport of the product is made', async () => {
    const { id, productId, first } = await givenDeleted()
    const { id: later } = await passports.given({ productId, metadata: battery() })
    expect(later).not.toBe(id)
    expect(modelIn(await read(id, `?asOf=${first}`))).toBe('A')
  })

  test('are deleted with their workspace, and when their retention period is over', async () => {
    const { id } = await givenDeleted()
    expect(await stored(id)).toBeGreaterThan(1)
    const [archived] = await gateway.sqlAs<{ years: number }>(
      workspace.id,
      'select round(extract(epoch from retention_until - deleted_at) / 31557600)::int as years from deleted_passport where id = $1',
      [id],
    )
    expect(archived?.years).toBe(10)
    const expire = () => connected(gateway.urlOf('jobs'), (jobs) => jobs.query('delete from deleted_passport'))
    expect((await expire()).rowCount).toBe(0)
    await gateway.sql(`update deleted_passport set retention_until = now() - interval '1 s' where id = $1`, [id])
    expect((await expire()).rowCount).toBe(1)
    expect(await stored(id)).toBe(0)
    const gone = await createWorkspace(gateway)
    const theirs = await passportClient(gateway, gone.as).given({ metadata: textile({ size: 'S' }) })
    const client = passportClient(gateway, gone.as)
    expectStatus(200, await client.update(theirs.id, { metadata: textile({ size: 'L' }), draft: true }))
    expectStatus(200, await client.remove(theirs.id))
    await gateway.sqlAs(gone.id, 'delete from workspace where id = $1', [gone.id])
    const [left] = await gateway.sql<{ rows: number }>(
      `select (select count(*) from passport_history where passport_id = $1)::int
        + (select count(*) from deleted_passport where id = $1)::int as rows`,
      [theirs.id],
    )
    expect(left?.rows).toBe(0)
  })

  test('a draft that was never published leaves nothing', async () => {
    const { id } = await passports.given({ draft: true })
    expectStatus(200, await passports.update(id, { metadata: textile({ size: 'L' }), draft: true }))
    expectStatus(200, await passports.remove(id))
    expect(await stored(id)).toBe(0)
    expect((await passports.history(id)).status).toBe(404)
  })
})
