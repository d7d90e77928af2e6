import { describe, expect, test } from 'vitest'
import { createWorkspace, startTestGateway, textile } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway({ RETENTION_GUARD: 'on' })

const givenDecommissioned = async (client = passports) => {
  const { id } = await client.given()
  const { passport } = expectStatus(200, await client.setStatus(id, 'DECOMMISSIONED')).body
  return { id: id as string, until: passport.retentionUntil as string }
}

describe('a passport that is to be kept', () => {
  test('is not taken back to a draft, and the refusal says until when', async () => {
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

test('without the variable nothing is guarded', async () => {
  const open = await startTestGateway()
  try {
    const client = passportClient(open, (await createWorkspace(open)).as)
    const { id } = await givenDecommissioned(client)
    expectStatus(200, await client.update(id, { metadata: {}, draft: true }))
    expectStatus(200, await client.remove(id))
  } finally {
    await open.close()
  }
})
