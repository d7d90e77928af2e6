import { describe, expect, test } from 'vitest'
import { auditOf } from '../../../test/support/audit.ts'
import { BASE_URL, createWorkspace } from '../../../test/support/gateway.ts'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { useRegistry } from '../../../test/support/registration-client.ts'
import { BACKUP, PROOF, whole } from '../../../test/support/registry.ts'
import { unitClient } from '../../../test/support/unit-client.ts'

const { gateway, without, workspace, passports, given, read, resolved, auditDetails, until } = await useRegistry()

describe('a unit', () => {
  const units = () => unitClient(gateway, workspace.as)
  const path = (id: string) => `/api/v1/units/${id}/registration`
  const readUnit = async (id: string) =>
    expectStatus(200, await gateway.request('GET', path(id), { headers: workspace.as })).body
  const isCurrent = (id: string) => async () => (await readUnit(id)).registration?.isCurrent

  async function registeredUnit() {
    const passport = await given()
    const unit = await units().given(passport.id)
    expectStatus(202, await gateway.request('POST', path(unit.id), { headers: workspace.as }))
    await until(isCurrent(unit.id)).toBe(true)
    return { passport, unit }
  }

  test("is registered as an item with its product's data, and has its own proof", async () => {
    const { passport, unit } = await registeredUnit()
    const entry = {
      upi: unit.digitalLinkUri,
      reoId: `EORI-${passport.regId}`,
      liveURL: `${BASE_URL}/unit/${unit.id}`,
      backupURL: BACKUP.url,
      commodityCode: '61091000',
      facilitiesId: [`GLN-${passport.gln}`],
      granularityLevel: 'ITEM',
      deactivated: false,
    }
    expect(auditDetails(unit).map((one) => one.entry)).toEqual([entry])
    const body = await readUnit(unit.id)
    expect(body.entry).toEqual(entry)
    const proof = `${BASE_URL}/unit/${unit.id}/registration-proof`
    expect(body.registration).toMatchObject({ state: 'REGISTERED', reason: null, hash: body.hash, proof })
    const answer = await fetch(`${gateway.origin}/unit/${unit.id}/registration-proof`)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PROOF)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="registration-proof.pdf"')
    expect((await read(passport.id)).registration).toBeNull()
    expect(await resolved(passport.id)).not.toHaveProperty('registration')
    for (const other of [`/passport/${unit.id}`, `/unit/${passport.id}`, `/passport/${passport.id}`]) {
      expect((await gateway.request('GET', `${other}/registration-proof`)).status).toBe(404)
    }
    expect((await auditOf(gateway, workspace.id, unit.id)).map(({ action }) => action)).toContain(
      'registration.requested',
    )
  })

  test.each(['DECOMMISSIONED', 'WASTE', 'RECYCLED'] as const)('%s is sent as deactivated', async (status) => {
    const { unit } = await registeredUnit()
    await units().setStatus(unit.id, status)
    await until(() => auditDetails(unit).length).toBe(2)
    expect(auditDetails(unit)[1]?.entry).toMatchObject({ upi: unit.digitalLinkUri, deactivated: true })
    await until(isCurrent(unit.id)).toBe(true)
  })

  test('a measurement or another status of use is not sent', async () => {
    const { unit } = await registeredUnit()
    await units().measure(unit.id, 90, '2026-11-01T00:00:00Z')
    await units().setStatus(unit.id, 'REUSED')
    const open = `select 1 from pgboss.job where name = 'registration' and state < 'completed' and data::text like '%' || $1 || '%'`
    await until(() => gateway.sql(open, [unit.id])).toEqual([])
    expect(auditDetails(unit)).toHaveLength(1)
    expect(await isCurrent(unit.id)()).toBe(true)
  })

  test('that becomes another by a successor is sent if the status changes', async () => {
    const { passport, unit } = await registeredUnit()
    await units().setStatus(unit.id, 'DECOMMISSIONED')
    await until(() => auditDetails(unit).length).toBe(2)
    await units().given(passport.id, { predecessorUnitId: unit.id, predecessorStatus: 'REPURPOSED' })
    await until(() => auditDetails(unit).length).toBe(3)
    expect(auditDetails(unit)[2]?.entry).toMatchObject({ deactivated: false })
  })

  test('follows the passport of its product, which itself is not registered', async () => {
    const { passport, unit } = await registeredUnit()
    const json = { metadata: whole({ commodityCode: '61099020' }), changeReason: 'Wrong code' }
    expectStatus(200, await passports.revise(passport.id, json))
    await until(() => auditDetails(unit).length).toBe(2)
    expect(auditDetails(unit)[1]?.entry).toMatchObject({ commodityCode: '61099020', granularityLevel: 'ITEM' })
    await until(isCurrent(unit.id)).toBe(true)
    expect(auditDetails(passport)).toEqual([])
  })

  test('of a passport that would be rejected is rejected with its checks, and nothing is stored', async () => {
    const { id } = await passports.given()
    const unit = await units().given(id)
    const { status, body } = await gateway.request('POST', path(unit.id), { headers: workspace.as })
    expect([status, body.code]).toEqual([409, 'REGISTRATION_CHECKS_FAILED'])
    expect(body.message).toContain('would reject the unit')
    expect((await readUnit(unit.id)).registration).toBeNull()
  })

  test('is neither read nor registered by another workspace, nor under the address of a passport', async () => {
    const { passport, unit } = await registeredUnit()
    const { as } = await createWorkspace(gateway)
    for (const method of ['GET', 'POST']) {
      expect((await gateway.request(method, path(unit.id), { headers: as })).status).toBe(404)
      expect((await gateway.request(method, path(passport.id), { headers: workspace.as })).status).toBe(404)
      const asPassport = `/api/v1/passports/${unit.id}/registration`
      expect((await gateway.request(method, asPassport, { headers: workspace.as })).status).toBe(404)
    }
    const file = `/api/v1/registry-entries?ids=${unit.id}`
    expect((await gateway.request('GET', file, { headers: as })).status).toBe(404)
  })

  test('is in a file together with passports', async () => {
    const passport = await given()
    const unit = await units().given(passport.id)
    const file = `/api/v1/registry-entries?ids=${unit.id},${passport.id}`
    const { body } = expectStatus(200, await without.request('GET', file, { headers: workspace.as }))
    expect(body.map(({ upi, granularityLevel }: Record<string, string>) => [upi, granularityLevel])).toEqual([
      [unit.digitalLinkUri, 'ITEM'],
      [passport.digitalLinkUri, 'MODEL'],
    ])
  })
})
