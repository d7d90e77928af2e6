import { describe, expect, test } from 'vitest'
import { BASE_URL, createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()

/** A company with a product, and another workspace with the same product, batch and serial numbers. */
async function rivals({ isSealed = false }: { isSealed?: boolean } = {}) {
  const gtin = newGtin()
  const enter = async (more: object = {}) => {
    const workspace = await createWorkspace(gateway)
    const passports = passportClient(gateway, workspace.as)
    const passport = await passports.given({ productId: gtin, metadata: textile(more) })
    const post = (path: string, json: object) =>
      gateway.request('POST', `/api/v1/passports/${passport.id}/${path}`, { headers: workspace.as, json })
    return { ...workspace, passports, passport, post, units: unitClient(gateway, workspace.as) }
  }
  const owner = await enter()
  if (isSealed) await owner.passports.seal(owner.passport.id)
  const stranger = await enter({ serialNumber: 'SER8' })
  await stranger.post('batches', { batchNumber: 'LOT7' })
  await stranger.post('units', { serialNumber: 'SER7' })
  return { gtin, owner, stranger }
}

const paths = (gtin: string) => [
  `/01/${gtin}`,
  `/01/${gtin}/10/LOT7`,
  `/01/${gtin}/21/SER7`,
  `/01/${gtin}/10/LOT7/21/SER7`,
  `/01/${gtin}/21/SER8`,
  `/01/${gtin}/21/NONE`,
]
/** Target of a link: the passport that is returned or redirected to, or every choice. */
async function leadsTo(path: string, accept = 'application/ld+json'): Promise<string | string[]> {
  const answer = await gateway.request('GET', path, { headers: { accept } })
  if (answer.status === 300) return answer.body.choices
  if (answer.status === 200) return accept === 'text/html' ? 'a page' : String(answer.body.id)
  return String(answer.headers.location)
}

describe('review-3-security S4', () => {
  test('a sealed product keeps its links, whatever a stranger enters', async () => {
    const { gtin, owner } = await rivals({ isSealed: true })
    for (const path of paths(gtin)) {
      for (const accept of ['application/ld+json', 'text/html', 'application/vc+jwt;q=0.1, */*']) {
        const led = await leadsTo(path, accept)
        expect([path, led]).toEqual([path, led === 'a page' ? led : expect.stringContaining(owner.passport.id)])
      }
    }
    const page = await gateway.request('GET', `/01/${gtin}`, { headers: { accept: 'text/html' } })
    expect([page.status, page.text.includes(owner.passport.id)]).toEqual([200, true])
  })

  test('the holder of the prefix keeps its links, sealed or not', async () => {
    const { gtin, owner } = await rivals()
    await gateway.container.cradle.companyPrefixes.claim(owner.id, gtin.slice(1, 9))
    try {
      for (const path of paths(gtin))
        expect([path, await leadsTo(path)]).toEqual([path, expect.stringContaining(owner.passport.id)])
    } finally {
      await gateway.container.cradle.companyPrefixes.release(gtin.slice(1, 9))
    }
  })

  test('without a claim and a seal there is a choice of all products, in which the known item or batch is marked', async () => {
    const { gtin, owner, stranger } = await rivals()
    const partOf = async (table: string) =>
      (await gateway.sql<{ id: string }>(`select id from ${table} where passport_id = $1`, [stranger.passport.id]))[0]
        ?.id
    const [batch, unit] = [await partOf('product_batch'), await partOf('battery_unit')]
    const address = (end: string) => `${BASE_URL}${end}`
    const [product, lot, item, lotItem, named, unknown] = await Promise.all(paths(gtin).map((path) => leadsTo(path)))
    const own = address(`/passport/${owner.passport.id}`)
    expect(product).toEqual([own, address(`/passport/${stranger.passport.id}`)])
    expect(lot).toEqual([own, address(`/batch/${batch}`)])
    expect(item).toEqual([own, address(`/unit/${unit}`)])
    expect(lotItem).toEqual([own, address(`/unit/${unit}`)])
    expect(named).toEqual([own, address(`/passport/${stranger.passport.id}`)])
    expect(unknown).toEqual([own, address(`/passport/${stranger.passport.id}`)])
  })

  test("the owner's own records are found in one step", async () => {
    const { gtin, owner } = await rivals({ isSealed: true })
    const [unit] = (await owner.post('units', { serialNumber: 'OWN-1' })).body.units
    expect(await leadsTo(`/01/${gtin}/21/OWN-1`)).toContain(`/unit/${unit.id}`)
  })

  test('units and batches under a prefix that another workspace has claimed are refused, and nothing is stored', async () => {
    const { gtin, owner, stranger } = await rivals()
    const prefix = gtin.slice(1, 9)
    await gateway.container.cradle.companyPrefixes.claim(owner.id, prefix)
    try {
      const answers = [
        await stranger.post('batches', { batchNumber: 'LOT8' }),
        await stranger.post('units', { serialNumber: 'SER9' }),
        await stranger.post('units', { units: [{ serialNumber: 'SER9' }, { serialNumber: 'SER10' }] }),
      ]
      for (const { status, body } of answers) {
        expect([status, body.code, body.error]).toEqual([409, 'GTIN_PREFIX_CLAIMED', 'Conflict'])
      }
      const counted = `select (select count(*) from battery_unit where passport_id = $1)::int as units,
        (select count(*) from product_batch where passport_id = $1)::int as batches`
      expect(await gateway.sql(counted, [stranger.passport.id])).toEqual([{ units: 1, batches: 1 }])
      expect((await owner.post('batches', { batchNumber: 'LOT8' })).status).toBe(201)
      expect((await owner.post('units', { serialNumber: 'SER9' })).status).toBe(201)
    } finally {
      await gateway.container.cradle.companyPrefixes.release(prefix)
    }
    expect((await stranger.post('units', { serialNumber: 'SER9' })).status).toBe(201)
  })

  describe('a product id that another workspace serves', () => {
    const warned = { code: 'PRODUCT_ID_SERVED_ELSEWHERE', path: 'productId' }
    const create = ({ as }: { as: { authorization: string } }, json: object) =>
      gateway.request('POST', '/api/v1/passports', { headers: as, json: { metadata: textile(), ...json } })
    const notificationsOf = async ({ as }: { as: { authorization: string } }) => {
      const { body } = await gateway.request('GET', '/api/v1/notifications', { headers: as })
      return body.notifications.filter(({ type }: { type: string }) => type === 'passport.product_id_shared')
    }

    test('brings the newcomer a warning and the other workspace one notification', async () => {
      const gtin = newGtin()
      const [owner, newcomer] = [await createWorkspace(gateway), await createWorkspace(gateway)]
      const first = await create(owner, { productId: gtin })
      expect([first.status, first.body.warnings]).toEqual([201, []])
      const second = await create(newcomer, { productId: gtin })
      expect([second.status, second.body.warnings]).toEqual([201, [expect.objectContaining(warned)]])
      await expect.poll(() => notificationsOf(owner)).toHaveLength(1)
      const [notification] = await notificationsOf(owner)
      expect(notification).toMatchObject({ subjectId: first.body.passport.id, message: expect.stringContaining(gtin) })
      // Reverting to draft and publishing again does not repeat the notification.
      const at = `/api/v1/passports/${second.body.passport.id}`
      const put = (json: object) =>
        gateway.request('PUT', at, { headers: newcomer.as, json: { metadata: textile(), ...json } })
      expect((await put({ draft: true })).body.warnings).toEqual([expect.objectContaining({ code: 'DRAFT_DEMOTED' })])
      expect((await put({})).body.warnings).toEqual([expect.objectContaining(warned)])
      const third = await createWorkspace(gateway)
      expect((await create(third, { productId: gtin })).status).toBe(201)
      await expect.poll(() => notificationsOf(owner)).toHaveLength(2)
      expect(await notificationsOf(newcomer)).toHaveLength(1)
      expect(await notificationsOf(third)).toEqual([])
    })

    test('is reported when it comes in bulk, and never for drafts and article numbers', async () => {
      const gtin = newGtin()
      const [owner, newcomer] = [await createWorkspace(gateway), await createWorkspace(gateway)]
      await create(owner, { productId: gtin })
      await create(owner, { productId: 'SKU-1' })
      expect((await create(newcomer, { productId: 'SKU-1' })).body.warnings).not.toContainEqual(
        expect.objectContaining(warned),
      )
      const draft = await create(newcomer, { productId: newGtin(), draft: true })
      expect([draft.status, draft.body.warnings]).toEqual([201, []])
      const bulk = await gateway.request('POST', '/api/v1/passports/bulk', {
        headers: newcomer.as,
        json: { passports: [{ productId: gtin, metadata: textile() }] },
      })
      expect([bulk.status, bulk.text]).toEqual([201, bulk.text])
      await expect.poll(() => notificationsOf(owner)).toMatchObject([{ message: expect.stringContaining(gtin) }])
    })
  })
})
