import { describe, expect, test } from 'vitest'
import { textile } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, passports } = await useGateway()

describe('the level of a passport', () => {
  const refused = { status: 409, body: { code: 'LEVEL_FIXED', message: expect.stringContaining('EN 18219') } }

  test('is fixed once it was published', async () => {
    const passport = await passports.given({ metadata: textile() })
    const metadata = textile({ granularity: 'item' })
    expect(await passports.update(passport.id, { metadata })).toMatchObject(refused)
    expect((await passports.get(passport.id)).body.granularity).toBe('model')
    // An identical value is not a change.
    expect(await passports.update(passport.id, { metadata: textile({ granularity: 'model' }) })).toMatchObject({
      status: 200,
    })
    await passports.seal(passport.id)
    expect(await passports.revise(passport.id, { metadata, changeReason: 'Another level' })).toMatchObject(refused)
  })

  test('may be chosen in a draft, and not any more in one that was published', async () => {
    const draft = await passports.given({ draft: true, metadata: textile() })
    const metadata = textile({ granularity: 'batch' })
    expect(await passports.update(draft.id, { metadata })).toMatchObject({ status: 200 })
    expectStatus(200, await passports.update(draft.id, { metadata, draft: false }))
    expect((await gateway.request('GET', `/passport/${draft.id}`)).body.granularity).toBe('batch')
    expectStatus(200, await passports.update(draft.id, { metadata, draft: true }))
    expect(await passports.update(draft.id, { metadata: textile() })).toMatchObject(refused)
  })
})
