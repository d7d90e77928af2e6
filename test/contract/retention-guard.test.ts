import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createWorkspace, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ RETENTION_GUARD: 'on' })

const givenDecommissioned = async (client = passports) => {
  const { id } = await client.given()
  const { passport } = expectStatus(200, await client.setStatus(id, 'DECOMMISSIONED')).body
  return { id: id as string, until: passport.retentionUntil as string }
}

describe('a passport that is to be kept', () => {
  test('cannot be reverted to draft, and the rejection states until when', async () => {
    const { id, until } = await givenDecommissioned()
    const { status, body } = await passports.update(id, { metadata: {}, draft: true })
    expect([status, body.code, body.success]).toEqual([409, 'PASSPORT_RETAINED', false])
    expect(body.message).toContain(until)
    expect((await passports.get(id)).body.status).toBe('DECOMMISSIONED')
    expect((await passports.history(id)).body.count).toBe(2)
  })

  test('is not deleted either, where it has become a draft before', async () => {
    const { id, until } = await givenDecommissioned()
    await gateway.sqlAs(workspace.id, `update passport set status = 'DRAFT' where id = $1`, [id])
    const { status, body } = await passports.remove(id)
    expect([status, body.code]).toEqual([409, 'PASSPORT_RETAINED'])
    expect(body.message).toContain(until)
    expect((await passports.get(id)).status).toBe(200)
  })

  test('may be updated, and goes once its time is over', async () => {
    const { id } = await givenDecommissioned()
    expectStatus(200, await passports.update(id, { metadata: textile({ size: 'M' }) }))
    await gateway.sqlAs(workspace.id, `update passport set retention_until = now() - interval '1 s' where id = $1`, [
      id,
    ])
    expectStatus(200, await passports.update(id, { metadata: {}, draft: true }))
    expectStatus(200, await passports.remove(id))
  })
})

test('others become drafts and are deleted as ever', async () => {
  const { id } = await passports.given()
  expectStatus(200, await passports.update(id, { metadata: {}, draft: true }))
  expectStatus(200, await passports.remove(id))
})

describe('a passport that says when its product was placed on the market', () => {
  const toy = (more: object = {}) => ({
    category: 'toys',
    originCountry: 'DE',
    placedOnMarketAt: '2026-05-01',
    ...more,
  })
  const given = async (metadata: object) => (await passports.given({ metadata })).id as string
  const demoted = (id: string, metadata: object = {}) => passports.update(id, { metadata, draft: true })

  test('says until when it must be there, and neither becomes a draft nor cuts its time short', async () => {
    const id = await given(toy({ lastPlacedAt: '2027-01-31' }))
    expect((await gateway.request('GET', `/passport/${id}`)).body.availableUntil).toBe('2037-01-31')
    const tries = [
      await demoted(id),
      await demoted(id, toy()),
      await passports.update(id, { metadata: toy({ placedOnMarketAt: undefined }) }),
      await passports.update(id, { metadata: toy({ placedOnMarketAt: '2001-05-01' }) }),
      await passports.update(id, { metadata: textile() }),
    ]
    for (const { status, body } of tries) {
      expect([status, body.code]).toEqual([409, 'PASSPORT_RETAINED'])
      expect(body.message).toContain('until 2037-01-31 (Regulation (EU) 2025/2509, Article 19)')
    }
    expect((await passports.history(id)).body.count).toBe(1)
    // Corrections that keep the period, and all other transitions, are accepted.
    expectStatus(200, await passports.update(id, { metadata: toy({ placedOnMarketAt: '2026-04-30' }) }))
    expectStatus(200, await passports.setStatus(id, 'DECOMMISSIONED'))
    expect((await gateway.request('GET', `/passport/${id}`)).body.availableUntil).toBe('2036-04-30')
  })

  test('is not deleted where it has become a draft before; one that was never published goes', async () => {
    const id = await given(toy())
    expectStatus(200, await passports.update(id, { metadata: toy({ ageGroup: '3-6' }) }))
    await gateway.sqlAs(workspace.id, `update passport set status = 'DRAFT' where id = $1`, [id])
    const { status, body } = await passports.remove(id)
    expect([status, body.code]).toEqual([409, 'PASSPORT_RETAINED'])
    const draft = await passports.given({ metadata: toy(), draft: true })
    expectStatus(200, await passports.remove(draft.id))
  })

  test('stays online when its operator is deleted, which archives it', async () => {
    const other = await createWorkspace(gateway)
    const client = passportClient(gateway, other.as)
    const { id } = await client.given({ metadata: toy() })
    const removed = await gateway.request('DELETE', `/api/v1/operators/${other.operatorId}`, { headers: other.as })
    expect(removed.body).toMatchObject({ archived: true })
    expect((await gateway.request('GET', `/passport/${id}`)).status).toBe(200)
  })

  test('of a construction product stays for 25 years from the last one of its type', async () => {
    const product = { category: 'construction', originCountry: 'AT', placedOnMarketAt: '2026-05-01' }
    const id = await given(product)
    const availableUntil = async () => (await gateway.request('GET', `/passport/${id}`)).body.availableUntil
    expect(await availableUntil()).toBe('2051-05-01')
    expectStatus(200, await passports.update(id, { metadata: { ...product, lastPlacedAt: '2030-06-30' } }))
    expect(await availableUntil()).toBe('2055-06-30')
    const { status, body } = await demoted(id)
    expect([status, body.code]).toEqual([409, 'PASSPORT_RETAINED'])
    expect(body.message).toContain('until 2055-06-30 (Regulation (EU) 2024/3110, Articles 75 to 78)')
  })

  test('of a battery stays until its last unit has been recycled', async () => {
    const metadata = battery({ placedOnMarketAt: '2026-05-01' })
    const id = await given(metadata)
    expect((await gateway.request('GET', `/passport/${id}`)).body).not.toHaveProperty('availableUntil')
    const refused = await demoted(id)
    expect(refused.body.message).toContain(
      'until its last unit has been recycled (Regulation (EU) 2023/1542, Article 77(8))',
    )
    const units = await givenUnits(gateway, workspace, id, ['G-1', 'G-2'])
    const recycle = (unit = '') =>
      gateway.request('POST', `/api/v1/units/${unit}/events`, {
        headers: workspace.as,
        json: { eventType: 'STATUS_CHANGE', status: 'RECYCLED' },
      })
    expectStatus(201, await recycle(units[0]))
    expect((await demoted(id)).status).toBe(409)
    expectStatus(201, await recycle(units[1]))
    expectStatus(200, await demoted(id))
  })

  test('dates in the wrong order are refused with the path and the clause', async () => {
    const { status, body } = await passports.create({
      productId: newGtin(),
      metadata: battery({ placedOnMarketAt: '2026-05-02', lastPlacedAt: '2026-05-01', manufacturingDate: '2026-06' }),
    })
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['lastPlacedAt', 'manufacturingDate'])
    for (const { friendlyMessage } of body.errors) expect(friendlyMessage).toContain('Article 9(2)(i)')
  })

  test('a unit says when it was placed on the market, and not before it was made', async () => {
    const id = await given(battery())
    const serialise = (json: object) =>
      gateway.request('POST', `/api/v1/passports/${id}/units`, { headers: workspace.as, json })
    const placedOnMarketAt = '2026-05-01T00:00:00.000Z'
    const { body } = await serialise({
      serialNumber: 'P-1',
      manufacturedAt: '2026-04-01',
      placedOnMarketAt: '2026-05-01',
    })
    expect(body.units[0].placedOnMarketAt).toBe(placedOnMarketAt)
    const unit = await gateway.request('GET', `/unit/${body.units[0].id}`)
    expect(unit.body.placedOnMarketAt).toBe(placedOnMarketAt)
    const wrong = await serialise({ serialNumber: 'P-2', manufacturedAt: '2026-05-02', placedOnMarketAt: '2026-05-01' })
    expect([wrong.status, wrong.body.errors[0]]).toEqual([400, expect.stringContaining('Article 9(2)(i)')])
    expect((await serialise({ serialNumber: 'P-3' })).body.units[0]).not.toHaveProperty('placedOnMarketAt')
  })
})

test('without the variable only passports whose act is in force are guarded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-acts-'))
  for (const [name, from] of [
    ['inforce', '2020-01-01'],
    ['ahead', '2999-01-01'],
  ] as const) {
    await mkdir(join(folder, name))
    const schema = { 'x-availability': { act: 'Regulation of a test, Article 1', from, years: 10 } }
    const plugin = { kind: 'category', name, schema }
    await writeFile(join(folder, name, 'index.js'), `export default ${JSON.stringify(plugin)}`)
  }
  const open = await startTestGateway({ PLUGINS: `${resolve('plugins')},${folder}` })
  try {
    const client = passportClient(open, (await createWorkspace(open)).as)
    const of = async (category: string, placedOnMarketAt?: string) =>
      (await client.given({ metadata: { category, originCountry: 'DE', placedOnMarketAt } })).id as string
    const demote = async (id: string) => (await client.update(id, { metadata: {}, draft: true })).status
    const placed = new Date().toISOString().slice(0, 10)
    expect(await demote(await of('inforce', placed))).toBe(409)
    expect(await demote(await of('inforce', '2001-01-01'))).toBe(200)
    expect(await demote(await of('inforce'))).toBe(200)
    expect(await demote(await of('ahead', placed))).toBe(200)
    expect(await demote(await of('toys', placed))).toBe(200)
  } finally {
    await open.close()
    await rm(folder, { recursive: true })
  }
})

test('switched off nothing is guarded', async () => {
  const open = await startTestGateway({ RETENTION_GUARD: 'off' })
  try {
    const client = passportClient(open, (await createWorkspace(open)).as)
    const { id } = await givenDecommissioned(client)
    expectStatus(200, await client.update(id, { metadata: {}, draft: true }))
    expectStatus(200, await client.remove(id))
  } finally {
    await open.close()
  }
})
