import { beforeAll, describe, expect, test } from 'vitest'
import { BASE_URL, createWorkspace, newGtin, type TestWorkspace, textile } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { aasEnvironment } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace: victim, passports: own } = await useGateway()
const attacker = await createWorkspace(gateway)
const foreign = passportClient(gateway, attacker.as)

const resolve = (path: string, headers: Record<string, string> = {}) => gateway.request('GET', path, { headers })
const operatorOf = async (workspace: TestWorkspace, regId: string) => {
  const json = { name: regId, regId }
  return (await gateway.request('POST', '/api/v1/operators', { headers: workspace.as, json })).body.operator
    .id as string
}
const bulk = (headers: Record<string, string>, passports: object[], dryRun = false) =>
  gateway.request('POST', '/api/v1/passports/bulk', { headers, json: { passports, ...(dryRun ? { dryRun } : {}) } })
const ingest = (headers: Record<string, string>, metadata: object) =>
  gateway.request('POST', '/api/v1/passports/aas/ingest', {
    headers,
    json: aasEnvironment({ productId: 'OUTER', metadata }),
  })
const countOf = async (workspace: TestWorkspace) => {
  const [row] = await gateway.sqlAs<{ count: number }>(
    workspace.id,
    'select count(*)::int as count from passport where tenant_id = $1',
    [workspace.id],
  )
  return row?.count
}

describe('the address of a product cannot be taken over', () => {
  test('a SKU of another workspace that names the GTIN changes nothing, serialised or not', async () => {
    const gtin = newGtin()
    const passport = await own.given({ productId: gtin, metadata: textile({ serialNumber: 'SN-0001' }) })
    const squat = await foreign.given({
      productId: `SKU-${gtin}`,
      metadata: textile({ gtin, serialNumber: 'SN-0001', '21': passport.id }),
    })
    for (const path of [`/01/${gtin}`, `/01/${gtin}?x=1`]) {
      expect((await resolve(path)).body.id).toBe(passport.id)
      expect((await resolve(path, { accept: 'text/html' })).text).not.toContain(squat.id)
    }
    for (const serial of ['SN-0001', passport.id]) {
      const { status, headers } = await resolve(`/01/${gtin}/21/${serial}`)
      expect([status, headers.location]).toEqual([302, `${BASE_URL}/passport/${passport.id}`])
    }
    expect((await resolve(`/01/${gtin}/21/${squat.id}`)).status).toBe(404)
  })

  test('a serial that another serialised passport invents does not resolve among SKUs', async () => {
    const gtin = newGtin()
    const passport = await own.given({ productId: gtin })
    await foreign.given({ productId: `S-${gtin}`, metadata: textile({ gtin, serialNumber: 'SN-0009' }) })
    const { status, headers } = await resolve(`/01/${gtin}/21/SN-0009`)
    expect([status, headers.location]).toEqual([302, `${BASE_URL}/passport/${passport.id}`])
  })

  test('a serial that equals the UUID of another passport does not go before it', async () => {
    const gtin = newGtin()
    const operatorId = await operatorOf(attacker, `UUID-${gtin}`)
    const draft = await own.given({ productId: gtin, draft: true })
    await foreign.given({ productId: gtin, operatorId, metadata: textile({ serialNumber: draft.id }) })
    expectStatus(200, await own.update(draft.id, { metadata: textile() }))
    expect((await resolve(`/01/${gtin}/21/${draft.id}`)).headers.location).toBe(`${BASE_URL}/passport/${draft.id}`)
  })

  test('fifty rows that were there before do not hide the passport', async () => {
    const gtin = newGtin()
    const rows = Array.from({ length: 60 }, (_, row) => ({ productId: `${gtin}#${row}`, metadata: textile({ gtin }) }))
    expectStatus(201, await bulk(attacker.as, rows))
    expect((await resolve(`/01/${gtin}`)).body.choices).toHaveLength(50)
    const passport = await own.given({ productId: gtin })
    for (const path of [`/01/${gtin}`, `/01/${gtin}?x=1`]) expect((await resolve(path)).body.id).toBe(passport.id)
  })

  test('nor do sixty passports of sixty operators with the very product id, sealed ones included', async () => {
    const gtin = newGtin()
    const rows = []
    for (let row = 0; row < 60; row += 1) {
      rows.push({ productId: gtin, metadata: textile(), operatorId: await operatorOf(attacker, `${gtin}#${row}`) })
    }
    expectStatus(201, await bulk(attacker.as, rows))
    const sealed = await gateway.sqlAs<{ id: string }>(
      attacker.id,
      'select id from passport where product_id = $1 order by created_at, id limit 2',
      [gtin],
    )
    for (const { id } of sealed) expectStatus(200, await foreign.seal(id))
    const passport = await own.given({ productId: gtin })
    const { status, body } = await resolve(`/01/${gtin}`)
    expect([status, body.choices.length]).toEqual([300, 50])
    expect(body.choices.slice(0, 2)).toEqual(sealed.map(({ id }) => `${BASE_URL}/passport/${id}`))
    expect(body.choices).toContain(`${BASE_URL}/passport/${passport.id}`)
  })

  test('a GRAI follows the same rule: metadata.grai counts only at AI 8003, and only if unused', async () => {
    const grai = newGtin()
    const sku = await foreign.given({ productId: `G-${grai}`, metadata: textile({ grai }) })
    expect((await resolve(`/8003/${grai}`)).body.id).toBe(sku.id)
    expect((await resolve(`/01/${grai}`)).status).toBe(404)
    const gtin = newGtin()
    await foreign.given({ productId: `H-${gtin}`, metadata: textile({ gtin }) })
    expect((await resolve(`/8003/${gtin}`)).status).toBe(404)
    const passport = await own.given({ productId: `${grai}A1` })
    await foreign.given({ productId: `I-${grai}`, metadata: textile({ grai: `${grai}A1` }) })
    expect((await resolve(`/8003/${grai}A1`)).body.id).toBe(passport.id)
  })

  test('the only sealed one answers, also if another is older; of several sealed ones the older goes first', async () => {
    const gtin = newGtin()
    const older = await foreign.given({ productId: gtin })
    const sealed = await own.given({ productId: gtin })
    const choices = async () => (await resolve(`/01/${gtin}`)).body.choices.map((url: string) => url.slice(-36))
    expect(await choices()).toEqual([older.id, sealed.id])
    expectStatus(200, await own.seal(sealed.id))
    expect((await resolve(`/01/${gtin}`)).body.id).toBe(sealed.id)
    expectStatus(200, await foreign.seal(older.id))
    expect(await choices()).toEqual([older.id, sealed.id])
  })
})

describe('metadata that names another product than the product id', () => {
  const wrong = () => {
    const productId = newGtin()
    const grai = `${newGtin()}A1`
    return [
      { productId, metadata: textile({ gtin: newGtin() }), path: 'gtin' },
      { productId: grai, metadata: textile({ grai: `${grai}B` }), path: 'grai' },
    ]
  }

  test('is refused on create, validation and bulk, naming the place', async () => {
    const before = await countOf(victim)
    for (const { path, ...json } of wrong()) {
      for (const answer of [
        await own.create(json),
        await own.validate(json),
        await gateway.request('POST', '/api/v1/passports/validate-only-public', { headers: victim.as, json }),
      ]) {
        expect([answer.status, answer.body.error]).toEqual([400, 'Validation Failed'])
        expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual([path])
      }
      const inGerman = await gateway.request('POST', '/api/v1/passports?lang=de', { headers: victim.as, json })
      expect(inGerman.body.errors[0].friendlyMessage).toContain(`die Produktkennung ${json.productId}`)
      const { status, body } = await bulk(victim.as, [json])
      expect([status, body.errors]).toEqual([
        400,
        [expect.stringContaining(`[SKU: ${json.productId}] ${path}: “${path.toUpperCase()}” must be`)],
      ])
    }
    expect(await countOf(victim)).toBe(before)
  })

  test('is refused on update and on publication of a draft, and may stand in the draft', async () => {
    for (const { path, productId, metadata } of wrong()) {
      const live = await own.given({ productId })
      const draft = await own.given({
        productId,
        metadata,
        draft: true,
        operatorId: await operatorOf(victim, `D-${productId}`),
      })
      for (const { id } of [live, draft]) {
        const { status, body } = await own.update(id, { metadata })
        expect([status, body.error, body.errors[0].path]).toEqual([400, 'Validation Failed', path])
      }
      expect((await own.get(live.id)).body.metadata).toEqual(live.metadata)
    }
  })

  test('is taken where it is of the other kind: a crate has a GTIN and a GRAI', async () => {
    const passport = await own.given({ metadata: textile({ grai: newGtin() }) })
    expect((await resolve(`/8003/${passport.grai}`)).body.id).toBe(passport.id)
  })
})

describe('a claimed GS1 company prefix', () => {
  const prefix = '4099999'
  let first: { id: string }

  beforeAll(async () => {
    first = await foreign.given({ productId: newGtin(prefix) })
    const claim = await gateway.container.cradle.companyPrefixes.claim(victim.id, prefix)
    expect(claim.others.map(({ id }) => id)).toEqual([first.id])
  })

  test('is kept from others as product id and in metadata, on every way in, and nothing is stored', async () => {
    const gtin = newGtin(prefix)
    const grai = `${newGtin(prefix)}CRATE1`
    const before = await countOf(attacker)
    for (const json of [
      { productId: gtin, metadata: textile() },
      { productId: grai, metadata: textile() },
      { productId: 'SKU', metadata: textile({ gtin }) },
      { productId: 'SKU', metadata: textile({ grai }) },
      { productId: newGtin(), metadata: textile({ grai }) },
    ]) {
      const { status, body } = await foreign.create(json)
      expect([status, body]).toEqual([
        409,
        { success: false, error: 'Conflict', message: expect.any(String), code: 'GTIN_PREFIX_CLAIMED' },
      ])
      for (const dryRun of [false, true]) {
        const rows = await bulk(attacker.as, [json], dryRun)
        expect([rows.status, rows.body.errors]).toEqual([
          400,
          [expect.stringMatching(/^\[SKU: .*\] .*company prefix that another workspace has claimed/)],
        ])
      }
    }
    const imported = await ingest(attacker.as, textile({ gtin }))
    expect([imported.status, imported.body.code]).toEqual([409, 'GTIN_PREFIX_CLAIMED'])
    expect(await countOf(attacker)).toBe(before)
    expect((await resolve(`/01/${gtin}`)).status).toBe(404)
  })

  test('is kept in an update, an ingest over what is there, and the publication of a draft', async () => {
    const gtin = newGtin(prefix)
    const sku = await foreign.given({ productId: `U-${gtin}` })
    const draft = await foreign.given({ productId: gtin, draft: true })
    for (const [id, metadata] of [
      [sku.id, textile({ gtin })],
      [draft.id, textile()],
    ]) {
      const { status, body } = await foreign.update(id, { metadata })
      expect([status, body.code]).toEqual([409, 'GTIN_PREFIX_CLAIMED'])
    }
    const over = await ingest(attacker.as, textile({ productId: `U-${gtin}`, grai: gtin }))
    expect([over.status, over.body.code]).toEqual([409, 'GTIN_PREFIX_CLAIMED'])
    expect((await foreign.get(sku.id)).body.metadata).toEqual(sku.metadata)
    expect((await resolve(`/01/${gtin}`)).status).toBe(404)
  })

  test('accepts the other rows of a bulk, and all rows of the holder', async () => {
    const [mine, free] = [newGtin(prefix), newGtin()]
    const rows = [
      { productId: mine, metadata: textile() },
      { productId: free, metadata: textile() },
    ]
    const { status, body } = await bulk(attacker.as, rows)
    expect([status, body.insertedCount, body.results[0].productId]).toEqual([201, 1, free])
    expect(body.errors).toEqual([expect.stringContaining(`[SKU: ${mine}]`)])
    expect((await bulk(victim.as, [rows[0] as object])).body.insertedCount).toBe(1)
    await own.given({ productId: newGtin(prefix) })
    await own.given({ productId: `V-${mine}`, metadata: textile({ grai: newGtin(prefix) }) })
    await foreign.given({ productId: `W-${mine}`, metadata: textile({ batchNumber: mine }) })
  })

  test('lets a workspace in that acts for an operator of the holder', async () => {
    const provider = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(victim.operatorId, provider.id)
    const acting = passportClient(gateway, provider.as)
    const passport = await acting.given({ productId: newGtin(prefix), operatorId: victim.operatorId })
    expectStatus(200, await acting.update(passport.id, { metadata: textile({ size: 'M' }) }))
    const { status } = await acting.create({
      productId: newGtin(prefix),
      metadata: textile(),
      operatorId: provider.operatorId,
    })
    expect(status).toBe(409)
  })

  test('leaves what was there, which may be kept up to date, and lets its holder answer', async () => {
    const { productId, gtin } = (await foreign.get(first.id)).body
    expectStatus(200, await foreign.update(first.id, { metadata: textile({ gtin, size: 'L' }) }))
    expectStatus(200, await foreign.seal(first.id))
    const passport = await own.given({ productId })
    expect((await resolve(`/01/${productId}`)).body.id).toBe(passport.id)
    const other = await own.given({ productId, operatorId: await operatorOf(victim, productId) })
    const { status, body } = await resolve(`/01/${productId}`)
    expect(status).toBe(300)
    expect(body.choices).toEqual([passport, other].map(({ id }) => `${BASE_URL}/passport/${id}`))
    const page = (await resolve(`/01/${productId}`, { accept: 'text/html' })).text
    expect(page.split('<li>').filter((item) => item.includes('GS1 range'))).toHaveLength(2)
  })

  test('overlaps no other claim, and is free again when it is released', async () => {
    const { companyPrefixes } = gateway.container.cradle
    for (const wrong of ['', '123', '1234567890123', '40999x', '٤٠٩٩']) {
      await expect(companyPrefixes.claim(victim.id, wrong)).rejects.toMatchObject({ status: 400 })
    }
    await expect(companyPrefixes.claim(crypto.randomUUID(), '5000')).rejects.toMatchObject({ status: 404 })
    for (const overlapping of ['4099999', '40999991', '409999', '4099']) {
      for (const { id } of [victim, attacker]) {
        await expect(companyPrefixes.claim(id, overlapping)).rejects.toMatchObject({
          status: 409,
          message: expect.stringContaining('4099999 of workspace'),
        })
      }
    }
    await companyPrefixes.claim(attacker.id, '4099998')
    expect((await companyPrefixes.list()).map(({ prefix, workspaceId }) => [prefix, workspaceId])).toEqual([
      ['4099998', attacker.id],
      ['4099999', victim.id],
    ])
    await companyPrefixes.release('4099998')
    await companyPrefixes.release(prefix)
    await expect(companyPrefixes.release(prefix)).rejects.toMatchObject({ status: 404 })
    await foreign.given({ productId: newGtin(prefix) })
  })
})

test('the query of a redirect is kept byte for byte, and a token goes in every spelling', async () => {
  const productId = `Q-${newGtin()}`
  const { id } = await own.given({ productId })
  const redirect = (query: string) => resolve(`/01/${productId}?${query}`)
  const location = async (query: string) => (await redirect(query)).headers.location
  const token = 'dpp_li_secret'
  for (const spelled of ['grant', '%67rant', 'gr%61nt', 'Grant', '%20grant', '+grant']) {
    expect(await location(`a=%20+%2f&${spelled}=${token}&b`), spelled).toBe(`${BASE_URL}/passport/${id}?a=%20+%2f&b`)
    expect(await location(`${spelled}=${token}`), spelled).toBe(`${BASE_URL}/passport/${id}`)
  }
  for (const query of [
    `grant[]=${token}`,
    `grant%5B%5D=${token}`,
    `grant[a]=${token}`,
    `grant=${token}&x&grant=${token}`,
  ]) {
    const { status, headers, text } = await redirect(query)
    expect([status, headers.location, text.includes(token)], query).toEqual([400, undefined, false])
  }
  expect(await location('grants=1&x=grant&a==b&&c=%E2%82%AC')).toBe(
    `${BASE_URL}/passport/${id}?grants=1&x=grant&a==b&&c=%E2%82%AC`,
  )
})
