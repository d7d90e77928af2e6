// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { candidatesBySerial } from '../../src/resolution/candidates.ts'
import type { Database } from '../../src/storage/database.ts'
import type { Session } from '../../src/storage/statement.ts'
import { BASE_URL, createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { unitClient } from '../support/unit-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const resolve = (path: string, headers: Record<string, string> = {}) => gateway.request('GET', path, { headers })
const registerOperator = async (name?: string) => {
  const regId = `REG-${newGln()}`
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: name ?? regId, regId },
  })
  return body.operator.id as string
}
const pathOf = (link: string) => link.slice(BASE_URL.length)

describe('a GTIN', () => {
  test('answers directly, with the link as its @id', async () => {
    const passport = await passports.given()
    expect(passport['@id']).toBe(`${BASE_URL}/01/${passport.productId}`)
    expect(passport.digitalLinkUri).toBe(passport['@id'])
    const answer = await resolve(pathOf(passport.digitalLinkUri))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(passport)
    expect((await resolve(`/01/${passport.productId}`, { accept: 'text/html' })).headers['content-type']).toMatch(
      /^text\/html/,
    )
  })

  test('is found in metadata.gtin too', async () => {
    const gtin = newGtin()
    const passport = await passports.given({ productId: `SKU-${gtin}`, metadata: textile({ gtin }) })
    expect((await resolve(`/01/${gtin}`)).body).toEqual(passport)
  })

  test('of several operators responds 300 with every passport to every caller', async () => {
    const productId = newGtin()
    const first = await passports.given({ productId })
    expect((await resolve(`/01/${productId}`)).status).toBe(200)
    const second = await passports.given({ productId, operatorId: await registerOperator() })
    for (const headers of [{}, workspace.as, { accept: 'application/ld+json' }] as Record<string, string>[]) {
      const { status, body } = await resolve(`/01/${productId}`, headers)
      expect(status).toBe(300)
      expect(body).toEqual({
        error: 'Multiple Choices',
        message: expect.any(String),
        choices: [first, second].map(({ id }) => `${BASE_URL}/passport/${id}`),
        passports: [first, second].map(({ id, economicOperator }) => ({
          url: `${BASE_URL}/passport/${id}`,
          company: economicOperator.name,
          country: null,
          status: 'ACTIVE',
          claimed: false,
          sealed: false,
        })),
      })
    }
  })

  test('of several operators names company, country, status and evidence of each choice', async () => {
    const productId = newGtin()
    const eori = { name: 'Nord AG', regId: `DE${newGln()}`, regIdScheme: 'EORI' }
    const { body } = await gateway.request('POST', '/api/v1/operators', { headers: workspace.as, json: eori })
    const named = await passports.given({ productId, operatorId: body.operator.id })
    const [other, third] = [
      await passports.given({ productId }),
      await passports.given({ productId, operatorId: await registerOperator() }),
    ]
    // A single sealed one would be served.
    for (const { id } of [other, third]) await passports.seal(id)
    await passports.setStatus(named.id, 'RECALLED')
    const choices = (await resolve(`/01/${productId}`)).body.passports
    expect(choices).toEqual([
      expect.objectContaining({ url: `${BASE_URL}/passport/${other.id}`, status: 'ACTIVE', sealed: true }),
      expect.objectContaining({ url: `${BASE_URL}/passport/${third.id}`, status: 'ACTIVE', sealed: true }),
      expect.objectContaining({ company: 'Nord AG', country: 'DE', status: 'RECALLED', sealed: false }),
    ])
  })

  test('of several operators responds with a page to browsers', async () => {
    const productId = newGtin()
    const first = await passports.given({ productId })
    const second = await passports.given({ productId, operatorId: await registerOperator('<b>Bad & Co</b>') })
    const third = await passports.given({ productId, operatorId: await registerOperator() })
    for (const { id } of [second, third]) await passports.seal(id)
    const { status, headers, text } = await resolve(`/01/${productId}?lang=de`, { accept: 'text/html' })
    expect(status).toBe(300)
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).toContain('<html lang="de">')
    const links = [...text.matchAll(/<a href="([^"]+\/passport\/[^"]+)">(.*?)<\/small>/gs)]
    expect(links.map(([, href]) => href)).toEqual(
      [second, third, first].map(({ id }) => `${BASE_URL}/passport/${id}?lang=de`),
    )
    expect(links[0]?.[2]).toContain('&lt;b&gt;Bad &amp; Co&lt;/b&gt;')
    expect(links.map(([, , words]) => /Nicht /.test(words as string))).toEqual([false, false, true])
  })

  test('hides drafts: one of two is not a choice, and a single draft is absent', async () => {
    const productId = newGtin()
    const draft = await passports.given({ productId, draft: true, operatorId: await registerOperator() })
    expect((await resolve(`/01/${productId}`)).status).toBe(404)
    const live = await passports.given({ productId })
    expect((await resolve(`/01/${productId}`)).body.id).toBe(live.id)
    const owned = await resolve(`/01/${productId}`, workspace.as)
    expect(owned.status).toBe(300)
    expect(owned.body.choices).toContain(`${BASE_URL}/passport/${draft.id}`)
  })

  test('cannot be hidden by many drafts of another workspace', async () => {
    const productId = newGtin()
    const other = await createWorkspace(gateway)
    const squatter = passportClient(gateway, other.as)
    for (let count = 0; count < 51; count += 1) {
      await squatter.given({ productId: `squat-${count}`, metadata: { gtin: productId }, draft: true })
    }
    const { id } = await passports.given({ productId })
    const { status, body } = await resolve(`/01/${productId}`, { 'cache-control': 'no-cache' })
    expect(status).toBe(200)
    expect(body.id).toBe(id)
    expect((await resolve(`/01/${productId}`, workspace.as)).body.id).toBe(id)
  })

  test('an unknown one is 404, and an invalid GTIN 400', async () => {
    const unknown = await resolve(`/01/${newGtin()}`)
    expect(unknown.status).toBe(404)
    expect(unknown.body).toEqual({ error: 'Not Found', message: expect.any(String) })
    const wrong = newGtin().replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
    for (const value of [wrong, '0'.repeat(14), '123', 'no-such-sku', 'x'.repeat(600), '%F0%9F%98%80']) {
      const { status, body } = await resolve(`/01/${value}`)
      expect(`${value} ${status}`).toBe(`${value} 400`)
      expect(Object.keys(body).sort()).toEqual(
        body.code === undefined ? ['error', 'message'] : ['code', 'error', 'message'],
      )
    }
  })
})

describe('a link of a SKU', () => {
  test.each([
    'PLAIN-1',
    'A/B C?d#é',
    'a%2Fb+c&d=e',
    "(x)*'!~._-",
    '...',
    '日本語 😀',
    '5901234123457',
    'semi;colon,comma:at@',
  ])('%s is emitted so that it resolves', async (productId) => {
    const passport = await passports.given({ productId })
    expect(passport.digitalLinkUri).toMatch(new RegExp(`^${BASE_URL}/01/[A-Za-z0-9%._~-]+$`))
    const path = pathOf(passport.digitalLinkUri)
    const answer = await resolve(`${path}?lang=de&x=%2F`)
    expect(answer.status).toBe(307)
    expect(answer.headers.location).toBe(`${BASE_URL}/passport/${passport.id}?lang=de&x=%2F`)
    expect((await resolve(path)).headers.location).toBe(`${BASE_URL}/passport/${passport.id}`)
    expect((await passports.get(productId)).body.id).toBe(passport.id)
  })

  test('cannot be a dot segment, which every client takes out of an address', async () => {
    for (const productId of ['.', '..', ' .. ']) {
      const { status, body } = await passports.create({ productId, metadata: textile() })
      expect(status).toBe(400)
      expect(body).toMatchObject({ success: false, error: 'Bad Request' })
    }
  })

  test('of several operators answers 300, of a draft 400', async () => {
    const productId = 'SKU of two'
    const first = await passports.given({ productId })
    const second = await passports.given({ productId, operatorId: await registerOperator() })
    const { status, body } = await resolve(pathOf(first.digitalLinkUri))
    expect(status).toBe(300)
    expect(body.choices).toEqual([first, second].map(({ id }) => `${BASE_URL}/passport/${id}`))
    const draft = await passports.given({ productId: 'SKU of a draft', draft: true })
    expect((await resolve(pathOf(draft.digitalLinkUri))).status).toBe(400)
    expect((await resolve(pathOf(draft.digitalLinkUri), workspace.as)).status).toBe(307)
  })
})

describe('a serialised link', () => {
  test('with the UUID of the passport, or a serial in its metadata, answers 302 and keeps the query but for a token', async () => {
    const productId = newGtin()
    const uuid = '3f0c1f5e-0000-4000-8000-00000000abcd'
    const passport = await passports.given({
      productId,
      metadata: textile({ serialNumber: 'S/1 é', '21': 'T-2' }),
    })
    const other = await passports.given({ metadata: textile({ serialNumber: uuid }) })
    for (const serial of [passport.id, passport.id.toUpperCase(), 'S%2F1%20%C3%A9', 'T-2']) {
      const { status, headers } = await resolve(`/01/${productId}/21/${serial}?lang=de&x=%20y&grant=x%20y`)
      expect(`${serial} ${status}`).toBe(`${serial} 302`)
      expect(headers.location).toBe(`${BASE_URL}/passport/${passport.id}?lang=de&x=%20y`)
    }
    const bySerial = await resolve(`/01/${other.productId}/21/${uuid}`)
    expect(bySerial.headers.location).toBe(`${BASE_URL}/passport/${other.id}`)
    const unknown = await resolve(`/01/${productId}/21/${other.id}`)
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Not Found', message: expect.any(String) }])
    expect((await resolve(`/01/${productId}/21/${'x'.repeat(200)}`)).status).toBe(400)
    // An unknown GS1 serial number leads to the product.
    for (const serial of ['S', 'null', 'undefined']) {
      const { status, headers } = await resolve(`/01/${productId}/21/${serial}`)
      expect([serial, status, headers.location]).toEqual([serial, 302, `${BASE_URL}/passport/${passport.id}`])
    }
    expect((await resolve('/01/123/21/x')).status).toBe(400)
    expect((await resolve(`/01/${newGtin()}/21/x`)).status).toBe(404)
  })

  test('names the right one of several operators, and no draft', async () => {
    const productId = newGtin()
    await passports.given({ productId })
    const second = await passports.given({ productId, operatorId: await registerOperator() })
    const draft = await passports.given({ productId, operatorId: await registerOperator(), draft: true })
    expect((await resolve(`/01/${productId}/21/${second.id}`)).headers.location).toBe(
      `${BASE_URL}/passport/${second.id}`,
    )
    expect((await resolve(`/01/${productId}/21/${draft.id}`)).status).toBe(404)
    expect((await resolve(`/01/${productId}/21/${draft.id}`, workspace.as)).status).toBe(302)
  })
})

describe('the link of a unit', () => {
  const location = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: answered } = await resolve(path, headers)
    return [status, answered.location?.slice(BASE_URL.length)]
  }
  const publish = async (metadata: object = textile(), productId = newGtin()) =>
    passports.given({ productId, metadata })

  test('is emitted so that it resolves, whatever the product id is', async () => {
    for (const productId of [newGtin(), `${newGtin()}SERIAL01`, newGtin(), 'U/B C?d#é', '日本 😀', '.u.']) {
      const passport = await publish(textile(), productId)
      const unit = await units.given(passport.id, { serialNumber: '-A.b_9' })
      const { digitalLinkUri } = (await resolve(`/unit/${unit.id}`)).body
      expect(digitalLinkUri).toBe(`${passport.digitalLinkUri}/21/-A.b_9`)
      expect(await location(pathOf(digitalLinkUri))).toEqual([302, `/unit/${unit.id}`])
      expect(await location(`/8003/${encodeURIComponent(productId)}/21/-A.b_9`)).toEqual(
        /^\d{14}/.test(productId) ? [302, `/unit/${unit.id}`] : [400, undefined],
      )
    }
  })

  test('review-3-inputs N16: attributes of the syntax dictionary may stand in the query', async () => {
    const { productId } = await passports.given({ productId: newGtin() })
    for (const ai of ['410', '411', '412', '413', '414', '416', '417', '253', '8003', '8004']) {
      const { status } = await gateway.request('GET', `/01/${productId}?${ai}=9506000134352`)
      expect([ai, status]).toEqual([ai, 200])
    }
    for (const ai of ['01', '10', '21', '22', '235', '255']) {
      const { status } = await gateway.request('GET', `/01/${productId}?${ai}=9506000134352`)
      expect([ai, status]).toEqual([ai, 400])
    }
  })

  test('keeps the query byte for byte, but for a token', async () => {
    const grai = `${newGtin()}Q1`
    const { id } = await units.given((await publish(textile(), grai)).id, { serialNumber: 'Q.1' })
    for (const base of ['/8003', '/01'])
      for (const [query, forwarded] of [
        ['?lang=de&x=%20y', '?lang=de&x=%20y'],
        ['?x=%2F%2f+&&=&y', '?x=%2F%2f+&&=&y'],
        ['?grant=dpp_li_1', ''],
        ['?a=1&%67rant=x&b=2&GRANT[]=y', '?a=1&b=2'],
        ['?linkType=gs1:dpp&17=271231', '?linkType=gs1:dpp&17=271231'],
        ['?next=//evil.example/%0d%0aX:1', '?next=//evil.example/%0d%0aX:1'],
      ])
        expect([query, ...(await location(`${base}/${grai}/21/Q.1${query}`))]).toEqual([
          query,
          302,
          `/unit/${id}${forwarded}`,
        ])
  })

  test('names the unit before the passport, and each serial its own', async () => {
    const passport = await publish(textile({ serialNumber: 'both', '21': 'T-2' }))
    const at = (serial: string) => location(`/01/${passport.productId}/21/${serial}`)
    expect(await at('both')).toEqual([302, `/passport/${passport.id}`])
    const unit = await units.given(passport.id, { serialNumber: 'both' })
    const other = await units.given(passport.id, { serialNumber: 'Both' })
    expect(await at('both')).toEqual([302, `/unit/${unit.id}`])
    expect(await at('Both')).toEqual([302, `/unit/${other.id}`])
    expect(await at('T-2')).toEqual([302, `/passport/${passport.id}`])
    expect(await at(passport.id)).toEqual([302, `/passport/${passport.id}`])
    expect(await at(unit.id)).toEqual([404, undefined])
    expect(await at('nobody')).toEqual([302, `/passport/${passport.id}`])
    await units.setStatus(unit.id, 'RECYCLED')
    expect(await at('both')).toEqual([302, `/unit/${unit.id}`])
    await units.remove(unit.id)
    expect(await at('both')).toEqual([302, `/passport/${passport.id}`])
  })

  test('finds nothing for an unknown serial, however hostile', async () => {
    const passport = await publish()
    await units.given(passport.id, { serialNumber: 'S1' })
    for (const [serial, status] of [
      ['S', 302],
      ['S1%20', 400],
      ['%53%31x', 302],
      ["'%20or%201=1--", 400],
      ['..%2F..', 302],
      ['%25', 302],
      ['x'.repeat(200), 400],
      ['%F0%9F%98%80', 400],
      ['*', 302],
    ] as const) {
      for (const path of [`/01/${passport.productId}/21/${serial}`, `/8003/${passport.productId}/21/${serial}`]) {
        expect([path, ...(await location(path))]).toEqual([
          path,
          status,
          status === 302 ? `/passport/${passport.id}` : undefined,
        ])
      }
    }
    expect(await location(`/01/${passport.productId}/21/%53%31`)).toEqual([302, expect.stringMatching(/^\/unit\//)])
    for (const serial of ['%00', '%FF', 'x'.repeat(201)])
      expect([serial, (await resolve(`/01/${passport.productId}/21/${serial}`)).status]).toEqual([serial, 400])
    for (const grai of ['123', 'x', `${newGtin()}A-1`])
      expect(await location(`/8003/${grai}/21/S1`)).toEqual([400, undefined])
    expect(await location(`/8003/${newGtin()}/21/S1`)).toEqual([404, undefined])
  })

  test('of several workspaces leads to the unit of the workspace that responds: the holder of the prefix, or the only one with a seal', async () => {
    const other = await createWorkspace(gateway)
    const [productId, serialNumber] = [newGtin(), 'SAME']
    const theirs = await passportClient(gateway, other.as).given({ productId })
    await passports.given({ productId, operatorId: await registerOperator() })
    const ours = await passports.given({ productId })
    const at = () => location(`/01/${productId}/21/${serialNumber}`)
    const own = await units.given(ours.id, { serialNumber })
    expect(await at()).toEqual([300, undefined])
    await unitClient(gateway, other.as).given(theirs.id, { serialNumber })
    expect(await at()).toEqual([300, undefined])
    await passports.seal(ours.id)
    expect(await at()).toEqual([302, `/unit/${own.id}`])
    await passportClient(gateway, other.as).seal(theirs.id)
    expect(await at()).toEqual([300, undefined])
    await gateway.container.cradle.companyPrefixes.claim(workspace.id, productId.slice(1, 13))
    expect(await at()).toEqual([302, `/unit/${own.id}`])
  })

  test('is found among more passports than the response lists', async () => {
    const productId = newGtin()
    const squatter = await createWorkspace(gateway)
    const passport = await passports.given({ productId })
    const { id } = await units.given(passport.id, { serialNumber: 'DEEP' })
    await gateway.sqlAs(
      squatter.id,
      `with operators as (
         insert into operator (id, tenant_id, name, reg_id, role, created_at)
         select gen_random_uuid(), $1, 'S', 'S-' || n, 'MANUFACTURER', '2020-01-01' from generate_series(1, 60) n returning id),
       bound as (insert into operator_binding (operator_id, tenant_id) select id, $1 from operators)
       select 1`,
      [squatter.id],
    )
    await gateway.sqlAs(
      squatter.id,
      `insert into passport (id, tenant_id, operator_id, product_id, status, metadata, created_at, updated_at)
       select gen_random_uuid(), $1, id, $2, 'ACTIVE', '{}', '2020-01-01', now() from operator where tenant_id = $1 and name = 'S'`,
      [squatter.id, productId],
    )
    const { status, body } = await resolve(`/01/${productId}/21/DEEP`)
    expect([status, body.choices]).toEqual([300, expect.arrayContaining([`${BASE_URL}/unit/${id}`])])
    await passports.seal(passport.id)
    expect(await location(`/01/${productId}/21/DEEP`)).toEqual([302, `/unit/${id}`])
  })

  test('is found by an index, however many units the product has', async () => {
    const { id, productId } = await publish()
    await gateway.sqlAs(
      workspace.id,
      `insert into battery_unit (id, tenant_id, passport_id, operator_id, serial_number, status, created_at, updated_at)
       select gen_random_uuid(), p.tenant_id, p.id, p.operator_id, 'N' || n, 'IN_SERVICE', now(), now()
       from passport p, generate_series(1, 20000) n where p.id = $1`,
      [id],
    )
    await gateway.sql('analyze battery_unit')
    const plan: string[] = []
    const explained: Session = {
      run: async ({ text }, values = []) => {
        const rows = await gateway.sql<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values])
        plan.push(...rows.map((row) => row['QUERY PLAN']))
        return []
      },
    }
    await candidatesBySerial({ batchedLookup: explained } as Database, productId, 'N777', null)
    const ofUnits = plan
      .filter((line) => / on battery_unit/.test(line))
      .map((line) => line.replace(/ *-> *| {2}\(.*/g, ''))
    expect(ofUnits).toEqual(['Index Scan using battery_unit_passport_id_serial_number_key on battery_unit q'])
  })

  test('of a draft exists only for its owner', async () => {
    const draft = await passports.given({ productId: newGtin(), draft: true })
    const unit = await units.given(draft.id, { serialNumber: 'D1' })
    const path = `/01/${draft.productId}/21/D1`
    const stranger = await createWorkspace(gateway)
    expect([await location(path), await location(path, stranger.as)]).toEqual([
      [404, undefined],
      [404, undefined],
    ])
    expect(await location(path, workspace.as)).toEqual([302, `/unit/${unit.id}`])
  })
})

describe('a GRAI', () => {
  test('answers at AI 8003, with and without a serial', async () => {
    const productId = `${newGtin()}SERIAL01`
    const passport = await passports.given({ productId })
    expect(passport.digitalLinkUri).toBe(`${BASE_URL}/8003/${productId}`)
    const answer = await resolve(`/8003/${productId}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(passport)
    const grai = newGtin()
    const without = await passports.given({ productId: `SKU ${grai}`, metadata: textile({ grai }) })
    expect((await resolve(`/8003/${grai}`)).body).toEqual(without)
  })

  test('an unknown one or a draft is 404, and an invalid GRAI 400', async () => {
    expect((await resolve(`/8003/${newGtin()}X`)).status).toBe(404)
    const draft = await passports.given({ productId: `${newGtin()}D`, draft: true })
    expect((await resolve(`/8003/${draft.productId}`)).status).toBe(404)
    const gtin = newGtin()
    const wrong = gtin.replace(/.$/, (digit) => String((Number(digit) + 1) % 10))
    for (const value of ['123', `${wrong}A`, `${gtin}${'A'.repeat(17)}`, `${gtin}A-1`, `${gtin}%C3%A9`]) {
      const { status, body } = await resolve(`/8003/${value}`)
      expect(`${value} ${status}`).toBe(`${value} 400`)
      expect(body).toEqual({ error: 'Bad Request', message: expect.any(String) })
    }
  })

  test('of several operators answers 300', async () => {
    const productId = `${newGtin()}TWO`
    const first = await passports.given({ productId })
    const second = await passports.given({ productId, operatorId: await registerOperator() })
    const { status, body } = await resolve(`/8003/${productId}`)
    expect(status).toBe(300)
    expect(body.choices).toEqual([first, second].map(({ id }) => `${BASE_URL}/passport/${id}`))
  })
})

test('links never depend on the host that was asked', async () => {
  const { id } = await passports.given()
  const { body } = await resolve(`/passport/${id}`, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
  expect(JSON.stringify(body)).not.toContain('evil.example')
})
