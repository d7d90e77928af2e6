import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { createWorkspace, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { givenPublicSubjects, type PublicSubjects, wireOf } from '../support/public-subjects.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

// lanes.test.ts covers unchanged subjects.

const { gateway, workspace } = await useGateway()
/** Another process on the same database. */
const other = await startTestGateway({ DATABASE_URL: gateway.databaseUrl })
afterAll(() => other.close())

let subjects: PublicSubjects

beforeEach(async () => {
  subjects = await givenPublicSubjects(gateway, workspace)
})

const passportAt = (path: string) => `/api/v1/passports/${subjects.passportId}${path}`
const send = async (method: string, path: string, json?: unknown, status = 200) =>
  expectStatus(status, await gateway.request(method, path, { headers: workspace.as, json }))

describe('a change shows in the next answer', () => {
  const rename = () => ({ name: `Renamed ${newGtin()}` })
  const changes: Record<string, () => Promise<unknown>> = {
    'an update': () => send('PUT', passportAt(''), { metadata: textile({ size: newGtin() }) }),
    'a new status': () => send('PUT', passportAt('/status'), { status: 'RECALLED' }),
    'a decommissioning': () => send('PUT', passportAt('/status'), { status: 'DECOMMISSIONED' }),
    'a seal': () => send('POST', passportAt('/seal')),
    'a facility that is attached no more': () => send('PUT', passportAt(''), { metadata: textile(), facilityId: null }),
    'a renamed facility': () => send('PUT', `/api/v1/facilities/${subjects.facilityId}`, rename()),
    'a deleted facility': () => send('DELETE', `/api/v1/facilities/${subjects.facilityId}`),
    'a renamed operator': () => send('PATCH', `/api/v1/operators/${workspace.operatorId}`, rename()),
    'an archived operator': async () => {
      await send('DELETE', `/api/v1/operators/${workspace.operatorId}`)
    },
    'a restored operator': () => send('POST', `/api/v1/operators/${workspace.operatorId}/restore`),
  }

  test.each(Object.keys(changes))('after %s', async (name) => {
    if (name === 'a restored operator') await changes['an archived operator']?.()
    const paths = [`/passport/${subjects.passportId}`, `/01/${subjects.gtin}`, `/unit/${subjects.unitId}`]
    const read = (path: string, accept = 'application/ld+json') => gateway.request('GET', path, { headers: { accept } })
    const ways = ['application/ld+json', 'text/html'].flatMap((accept) => paths.map((path) => [path, accept] as const))
    for (const _ of [1, 2, 3]) {
      const answers = await Promise.all(ways.map(([path, accept]) => read(path, accept)))
      expect(answers.map(({ status }) => status)).toEqual(ways.map(() => 200))
    }
    const before = await Promise.all(paths.map((path) => read(path)))
    await changes[name]?.()
    for (const [index, path] of paths.entries()) {
      const after = await read(path)
      expect([after.status, after.headers.etag === before[index]?.headers.etag]).toEqual([200, false])
      const page = await read(path, 'text/html')
      const [detoured, ofPage] = await Promise.all([read(`${path}?x=1`), read(`${path}?x=1`, 'text/html')])
      expect(after.body).toEqual(detoured.body)
      expect(page.text).toBe(ofPage.text)
    }
  })

  test('after each of many updates in a row, while others read', async () => {
    const path = `/passport/${subjects.passportId}`
    let isDone = false
    const readers = Array.from({ length: 4 }, async () => {
      while (!isDone) await gateway.request('GET', path)
    })
    try {
      for (let size = 0; size < 12; size += 1) {
        await send('PUT', passportAt(''), { metadata: textile({ size: String(size) }) })
        expect((await gateway.request('GET', path)).body.size).toBe(String(size))
      }
    } finally {
      isDone = true
      await Promise.all(readers)
    }
  })

  test('a passport that becomes a draft is gone, and a deleted draft stays gone', async () => {
    const addresses = [`/passport/${subjects.passportId}`, `/01/${subjects.gtin}`, `/unit/${subjects.unitId}`]
    const statuses = async () => {
      const answers: Answer[] = []
      for (const path of addresses) answers.push(await gateway.request('GET', path))
      return answers.map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200, 200])
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    expect(await statuses()).toEqual([404, 404, 404])
    await send('PUT', passportAt(''), { metadata: textile() })
    expect(await statuses()).toEqual([200, 200, 200])
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    await send('DELETE', passportAt(''))
    expect(await statuses()).toEqual([404, 404, 404])
  })

  test('a link leads where it leads now', async () => {
    const units = unitClient(gateway, workspace.as)
    const at = async (path: string) => {
      const answers = [await gateway.request('GET', path), await gateway.request('GET', path)]
      const [first, second] = answers.map(({ headers }) => headers.location?.replace(/.*(?=\/(passport|unit)\/)/, ''))
      expect(second).toBe(first)
      return first
    }
    const link = `/01/${subjects.gtin}/21/LATER`
    expect(await at(link)).toBe(`/passport/${subjects.passportId}`)
    const unit = await units.given(subjects.passportId, { serialNumber: 'LATER' })
    expect(await at(link)).toBe(`/unit/${unit.id}`)
    await units.remove(unit.id)
    expect(await at(link)).toBe(`/passport/${subjects.passportId}`)
    const recall = `/01/${subjects.gtin}?linkType=gs1:recallStatus`
    expect(await at(recall)).toBeUndefined()
    await send('PUT', passportAt('/status'), { status: 'RECALLED' })
    expect(await at(recall)).toBe(`/passport/${subjects.passportId}?linkType=gs1:recallStatus`)
    await send('PUT', passportAt('/status'), { status: 'ACTIVE' })
    expect(await at(recall)).toBeUndefined()
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    expect(await at(link)).toBeUndefined()
  })

  test('a second passport for the product makes it a choice', async () => {
    const other = await createWorkspace(gateway)
    for (const [path, productId] of [
      [`/01/${subjects.gtin}`, subjects.gtin],
      [`/8003/${subjects.grai}`, subjects.grai],
    ] as const) {
      expect((await gateway.request('GET', path)).status).toBe(200)
      const json = { productId, metadata: textile() }
      expectStatus(201, await gateway.request('POST', '/api/v1/passports', { headers: other.as, json }))
      expect((await gateway.request('GET', path)).status).toBe(300)
    }
  })

  test('an update with a GTIN counts if no passport has it as product id', async () => {
    const gtin = newGtin()
    const answer = async () => (await gateway.request('GET', `/01/${gtin}`, {})).body.productId ?? 'several or none'
    const nameIt = async (productId: string) => {
      const created = await send('POST', '/api/v1/passports', { productId, metadata: textile() }, 201)
      await answer()
      await send('PUT', `/api/v1/passports/${created.body.passport.id}`, { metadata: textile({ gtin }) })
      return answer()
    }
    expect(await nameIt(`A ${gtin}`)).toBe(`A ${gtin}`)
    expect(await nameIt(`B ${gtin}`)).toBe('several or none')
    await send('POST', '/api/v1/passports', { productId: gtin, metadata: textile() }, 201)
    expect(await answer()).toBe(gtin)
    expect(await nameIt(`C ${gtin}`)).toBe(gtin)
  })
})

describe('another process on the same database', () => {
  const bound = { timeout: 10_000, interval: 20 }

  test('shows a change and a new choice within moments, and the same bytes', async () => {
    const [path, link] = [`/passport/${subjects.passportId}`, `/01/${subjects.gtin}`]
    for (const address of [path, link, path, link]) expect((await other.request('GET', address)).status).toBe(200)
    await send('PUT', passportAt('/status'), { status: 'RECALLED' })
    await expect.poll(async () => (await other.request('GET', path)).body.status, bound).toBe('RECALLED')
    expect(wireOf(await other.request('GET', path))).toEqual(wireOf(await gateway.request('GET', path)))
    await expect.poll(async () => (await other.request('GET', link)).body.status, bound).toBe('RECALLED')
    const second = await createWorkspace(gateway)
    const json = { productId: subjects.gtin, metadata: textile() }
    expectStatus(201, await gateway.request('POST', '/api/v1/passports', { headers: second.as, json }))
    // The cached response would be served for five seconds.
    await expect.poll(async () => (await other.request('GET', link)).status, { timeout: 2000, interval: 20 }).toBe(300)
  })

  test('loses a passport that is no longer public', async () => {
    const path = `/passport/${subjects.passportId}`
    expect((await other.request('GET', path)).status).toBe(200)
    await send('PUT', passportAt(''), { metadata: {}, draft: true })
    await expect.poll(async () => (await other.request('GET', path)).status, bound).toBe(404)
  })

  test('shows a renamed operator', async () => {
    const [path, unit] = [`/passport/${subjects.passportId}`, `/unit/${subjects.unitId}`]
    for (const address of [path, unit, unit]) expect((await other.request('GET', address)).status).toBe(200)
    const name = `Renamed ${newGtin()}`
    await send('PATCH', `/api/v1/operators/${workspace.operatorId}`, { name })
    await expect.poll(async () => (await other.request('GET', path)).body.economicOperator.name, bound).toBe(name)
    const inUnit = async () => (await other.request('GET', unit)).body.ofModel.economicOperator.name
    await expect.poll(inUnit, bound).toBe(name)
  })

  test('shows what becomes of a unit', async () => {
    const units = unitClient(gateway, workspace.as)
    const path = `/unit/${subjects.unitId}`
    const shown = async () => (await other.request('GET', path)).body
    for (const _ of [1, 2, 3]) expect(await shown()).toMatchObject({ status: 'IN_SERVICE', successorUnits: [] })
    await units.setStatus(subjects.unitId, 'RECALLED')
    await expect.poll(async () => (await shown()).status, bound).toBe('RECALLED')
    expect(wireOf(await other.request('GET', path))).toEqual(wireOf(await gateway.request('GET', path)))
    const successor = await units.given(subjects.passportId, { predecessorUnitId: subjects.unitId })
    await expect.poll(async () => (await shown()).successorUnits.length, bound).toBe(1)
    await units.remove(successor.id)
    await expect.poll(async () => (await shown()).successorUnits.length, bound).toBe(0)
    await units.setStatus(subjects.unitId, 'RECYCLED')
    await expect.poll(async () => (await other.request('GET', path)).status, bound).toBe(410)
  })
})
