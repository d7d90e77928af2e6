import { describe, expect, test } from 'vitest'
import { enClient, idOf } from '../../../test/support/en-client.ts'
import { BASE_URL, newGtin, textile } from '../../../test/support/gateway.ts'
import { battery, expectStatus } from '../../../test/support/passport-client.ts'
import { unitClient } from '../../../test/support/unit-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const en = enClient(gateway)
const later = (time: string, ms = 1) => new Date(Date.parse(time) + ms).toISOString()

describe('a passport as of a time', () => {
  test('is the present one from its last change on, in every spelling of the time', async () => {
    const { id, productId } = await passports.given()
    const { lastUpdated } = (await en.read(idOf(id))).body
    const present = (await en.read(idOf(id))).text
    for (const date of [
      lastUpdated,
      new Date().toISOString(),
      '2099-01-01T00:00:00Z',
      '2099-01-01T00:00:00.123456+00:00',
      '2099-01-01T02:00:00+02:00',
      '2099-01-01',
      '2099-01-01T00:00:00',
    ]) {
      expect([date, expectStatus(200, await en.atTime(idOf(id), date)).text]).toEqual([date, present])
      expect((await en.ofProductAtTime(productId, date)).text).toBe(present)
    }
    const full = await en.atTime(idOf(id), '2099-01-01', '&representation=full')
    expect(full.body.elements.length).toBeGreaterThan(0)
    for (const date of ['', 'yesterday', '12/31/2099', '2099-02-30T00:00:00Z', '2099-13-01']) {
      expect([date, (await en.atTime(idOf(id), date)).status]).toEqual([date, 400])
    }
    expectStatus(404, await en.atTime(idOf(id), later(lastUpdated, -60_000)))
  })

  test('is an earlier one for the public if it was sealed, and for the owner in any case', async () => {
    const { id } = await passports.given({ metadata: textile({ size: 'S' }) })
    const first = (await en.read(idOf(id))).body.lastUpdated
    await passports.update(id, { metadata: textile({ size: 'M' }) })
    expectStatus(404, await en.atTime(idOf(id), first))
    expect((await en.atTime(idOf(id), first, '', workspace.as)).body).toMatchObject({ size: 'S', lastUpdated: first })
    await passports.seal(id)
    const sealed = (await en.read(idOf(id))).body.lastUpdated
    const json = { metadata: textile({ size: 'L' }), changeReason: 'Typing error' }
    expectStatus(200, await passports.revise(id, json))
    expect((await en.atTime(idOf(id), sealed)).body).toMatchObject({
      size: 'M',
      lastUpdated: sealed,
      dppStatus: 'active',
    })
    expect((await en.read(idOf(id))).body.size).toBe('L')
  })

  test('shows nothing that is masked', async () => {
    const { id } = await passports.given({ metadata: battery() })
    await passports.seal(id)
    const sealed = (await en.read(idOf(id))).body.lastUpdated
    await passports.revise(id, { metadata: battery({ colour: 'red' }), changeReason: 'Colour' })
    for (const form of ['compressed', 'full']) {
      const { text } = expectStatus(200, await en.atTime(idOf(id), sealed, `&representation=${form}`))
      for (const secret of ['lifecycleAndInUse', 'disassembly', 'Works 1', 'REDACTED', 'red'])
        expect(text).not.toContain(`"${secret}`)
    }
    expect((await en.atTime(idOf(id), sealed, '', workspace.as)).body).toHaveProperty('lifecycleAndInUse')
  })

  test('a deleted one stays for its owner', async () => {
    const { id } = await passports.given()
    const published = (await en.read(idOf(id))).body.lastUpdated
    await passports.update(id, { metadata: textile(), draft: true })
    expectStatus(200, await passports.remove(id))
    expectStatus(404, await en.read(idOf(id)))
    expectStatus(404, await en.atTime(idOf(id), published))
    expect((await en.atTime(idOf(id), published, '', workspace.as)).body.digitalProductPassportId).toBe(idOf(id))
  })

  test('batches and items have only their present state', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const unit = await unitClient(gateway, workspace.as).given(id)
    const name = `${BASE_URL}/unit/${unit.id}`
    expect((await en.atTime(name, '2099-01-01')).body.granularity).toBe('item')
    expectStatus(404, await en.atTime(name, '2020-01-01'))
  })
})

describe('the passports of a set of products', () => {
  test('are found by each form of the request that implementers use', async () => {
    const gtin = newGtin()
    const { id } = await passports.given({ productId: gtin })
    for (const body of [
      [gtin],
      { productIds: [gtin] },
      { productId: [gtin] },
      { productId: gtin },
      { productIdentifiers: [gtin, gtin], limit: null, cursor: null },
    ]) {
      const { body: found, headers } = expectStatus(200, await en.ids(body))
      expect(found).toEqual({ dppIds: [idOf(id)] })
      expect(headers['content-type']).toBe('application/json')
    }
    expect((await en.ids([newGtin(), 'nobody', `${BASE_URL}/x`])).body).toEqual({ dppIds: [] })
  })

  test.each([
    '{not json',
    '{"productId": 42}',
    '{"productIds": []}',
    '{"productIds": [7]}',
    '{"productIds": ["x"], "productId": ["y"]}',
    '{"names": ["x"]}',
    '"x"',
    'null',
    '[]',
    '[""]',
    JSON.stringify(Array(101).fill('x')),
  ])('%s is refused', async (raw) => {
    const answer = await gateway.request('POST', '/v1/dppsByProductIds', { raw })
    expect([answer.status, answer.body.statusCode]).toEqual([400, 'ClientErrorBadRequest'])
  })

  test('come in pages, sorted, each once', async () => {
    const productIds: string[] = []
    for (let at = 0; at < 5; at += 1) productIds.push((await passports.given()).productId)
    const all = (await en.ids(productIds)).body
    expect(all.dppIds).toHaveLength(5)
    expect(all).not.toHaveProperty('nextCursor')
    const found: string[] = []
    let query = '?limit=2'
    for (let pages = 0; pages < 3; pages += 1) {
      const { body, headers } = expectStatus(200, await en.ids({ productIds: [...productIds, ...productIds] }, query))
      found.push(...body.dppIds)
      if (body.nextCursor === undefined) expect(headers.link).toBeUndefined()
      else expect(headers.link).toBe(`<${BASE_URL}/v1/dppsByProductIds?limit=2&cursor=${body.nextCursor}>; rel="next"`)
      query = `?limit=2&cursor=${body.nextCursor}`
    }
    expect(found).toEqual(all.dppIds)
    for (const wrong of ['?limit=0', '?limit=-1', '?limit=x', '?limit=1.5', '?cursor=', '?cursor=!', '?cursor=abc']) {
      expect([wrong, (await en.ids(productIds, wrong)).status]).toEqual([wrong, 400])
    }
    expect((await en.ids({ productIds, limit: 3 })).body.dppIds).toEqual(all.dppIds.slice(0, 3))
  })

  test('drafts are found by their owner alone', async () => {
    const { id, productId } = await passports.given({ draft: true })
    expect((await en.ids([productId])).body.dppIds).toEqual([])
    expect((await en.ids([productId], '', workspace.as)).body.dppIds).toEqual([idOf(id)])
  })
})
