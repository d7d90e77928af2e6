// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { bearer, createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { eventsOf, expectStatus, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const VERSIONED = 'Digital Product Passport successfully updated and history versioned'

const { gateway, workspace, passports } = await useGateway()
/** A workspace that shares the operator; the passports belong to the first one. */
const bound = await createWorkspace(gateway)
await gateway.container.cradle.workspaces.bindOperator(workspace.operatorId, bound.id)
const asBound = passportClient(gateway, bound.as)

const registerFacility = async (headers = workspace.as) => {
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers,
    json: { gln: newGln(), name: 'Works', country: 'PT' },
  })
  return body.facility.id as string
}
const stored = async (id: string) => {
  const [row] = await gateway.sqlAs<{
    metadata: object
    enrichment: object | null
    status: string
    operator_id: string
  }>(workspace.id, 'select * from passport where id = $1', [id])
  return row
}
const archiveOperatorOf = async (id: string) => {
  const row = await stored(id)
  const operatorId = row?.operator_id
  expectStatus(200, await gateway.request('DELETE', `/api/v1/operators/${operatorId}`, { headers: workspace.as }))
  return operatorId
}
/** A passport of a new operator, so that archiving it leaves other tests alone. */
const givenOfNewOperator = async (json: object = {}) => {
  const regId = `REG-${newGln()}`
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: regId, regId },
  })
  return passports.given({ operatorId: body.operator.id, ...json })
}

describe('updating', () => {
  test('replaces the metadata, and readers see it immediately', async () => {
    const { id } = await passports.given({ metadata: textile({ size: 'M' }) })
    expect((await gateway.request('GET', `/passport/${id}`)).body.size).toBe('M')
    const { status, body } = await passports.update(id, { metadata: textile({ brand: 'B' }) })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: VERSIONED })
    expect(body.passport.metadata).toEqual(textile({ brand: 'B' }))
    expect(body.passport.updatedAt > body.passport.createdAt).toBe(true)
    expect((await gateway.request('GET', `/passport/${id}`)).body).toEqual(body.passport)
  })

  test('refuses a body without metadata, in the standard form', async () => {
    const { id } = await passports.given()
    for (const json of [[], 'text', null, {}, { metadata: null }, { metadata: [] }, { metadata: 'x' }]) {
      const { status, body } = await passports.update(id, json)
      expect(status).toBe(400)
      expect(body).toEqual({ success: false, error: 'Bad Request', message: expect.any(String) })
    }
    const bare = await gateway.request('PUT', `/api/v1/passports/${id}`, { headers: workspace.as })
    expect(bare.body).toMatchObject({ success: false, error: 'Bad Request' })
  })

  test('trap 43: a validation failure never has warnings', async () => {
    const { id } = await passports.given({ productId: 'SKU 43' })
    const { status, body } = await passports.update(id, { metadata: { category: 'textiles', email: 'a@b.example' } })
    expect(status).toBe(400)
    expect(Object.keys(body).sort()).toEqual(['category', 'error', 'errors', 'message', 'success'])
    expect(body.errors[0]).toMatchObject({ path: 'originCountry', friendlyMessage: expect.any(String) })
  })

  test('trap 31: GET, seal and status know the product id; PUT and DELETE know the UUID alone', async () => {
    const { id, productId } = await passports.given()
    expect((await passports.get(productId)).body.id).toBe(id)
    expect((await passports.setStatus(productId, 'RECALLED')).body.passport.id).toBe(id)
    expect((await passports.seal(productId)).body.passport.id).toBe(id)
    expect((await passports.update(productId, { metadata: textile() })).status).toBe(404)
    expect((await passports.remove(productId)).status).toBe(404)
    // A product id that looks like a UUID comes after that UUID.
    const imitation = await passports.given({ productId: id })
    expect((await passports.get(id)).body.id).toBe(id)
    expect((await passports.get(imitation.id)).body.productId).toBe(id)
  })

  test('a product id of several operators names none, except to a key that is limited to one of them', async () => {
    const productId = newGtin()
    const [mine, other] = [await passports.given({ productId }), await givenOfNewOperator({ productId })]
    for (const { status, body } of [
      await passports.get(productId),
      await passports.seal(productId),
      await passports.setStatus(productId, 'RECALLED'),
    ]) {
      expect(status).toBe(400)
      expect(body).toMatchObject({ success: false, error: 'Bad Request', code: 'OPERATOR_AMBIGUOUS' })
    }
    for (const { id, economicOperator } of [mine, other]) {
      const { key } = await gateway.container.cradle.workspaces.createKey({
        workspaceId: workspace.id,
        role: 'BRAND_OPERATOR',
        operatorId: economicOperator.id,
      })
      const scoped = passportClient(gateway, bearer(key))
      expect((await scoped.get(productId)).body.id).toBe(id)
      expect((await scoped.setStatus(productId, 'RECALLED')).body.passport.id).toBe(id)
    }
  })

  test('trap 32: seal and DELETE look in the owning workspace; GET, PUT and status in the operators bound', async () => {
    const { id } = await passports.given()
    const draft = await passports.given({ draft: true })
    expect((await asBound.get(id)).status).toBe(200)
    expect((await asBound.get(draft.id)).status).toBe(200)
    expect((await asBound.update(id, { metadata: textile({ size: 'L' }) })).status).toBe(200)
    expect((await asBound.setStatus(id, 'RECALLED')).status).toBe(200)
    for (const refused of [await asBound.seal(id), await asBound.remove(draft.id)]) {
      expect(refused.status).toBe(404)
      expect(refused.body).toMatchObject({ success: false, error: 'Not Found' })
    }
    const [history] = await gateway.sqlAs<{ changed_by: string }>(
      workspace.id,
      'select changed_by from passport_history where passport_id = $1',
      [id],
    )
    expect(history?.changed_by).toBe(`api-key:${bound.key.slice(8, 16)}`)
    expect((await stored(id))?.status).toBe('RECALLED')
  })

  test('trap 62: a sealed passport cannot be edited, not even as a draft', async () => {
    const { id } = await passports.given()
    await passports.seal(id)
    const before = await stored(id)
    for (const json of [{ metadata: textile() }, { metadata: {}, draft: true }, { metadata: {}, enrichment: null }]) {
      const { status, body } = await passports.update(id, json)
      expect(status).toBe(403)
      expect(body).toMatchObject({ success: false, error: 'Forbidden', code: 'PASSPORT_SEALED_IMMUTABLE' })
    }
    expect(await stored(id)).toEqual(before)
  })

  test('trap 63: draft:true reverts a published passport without validating it', async () => {
    for (const status of ['ACTIVE', 'RECALLED', 'DECOMMISSIONED']) {
      const { id } = await passports.given()
      await passports.setStatus(id, status)
      const { body } = await passports.update(id, { metadata: { anything: true }, draft: true })
      expect(body).toMatchObject({ message: VERSIONED, passport: { status: 'DRAFT', metadata: { anything: true } } })
      expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(['DRAFT_DEMOTED'])
    }
    const draft = await passports.given({ draft: true })
    expect((await passports.update(draft.id, { metadata: {}, draft: true })).body).not.toHaveProperty('warnings')
  })

  test('trap 64: the first publication of a draft is passport.ingested with its own message', async () => {
    const { id } = await passports.given({ metadata: {}, draft: true })
    const invalid = await passports.update(id, { metadata: {} })
    expect(invalid.status).toBe(400)
    const { body } = await passports.update(id, { metadata: textile() })
    expect(body).toMatchObject({ message: 'Draft published', passport: { status: 'ACTIVE' } })
    expect(await eventsOf(gateway, id)).toEqual(['passport.ingested'])
    await passports.update(id, { metadata: textile({ size: 'S' }) })
    expect(await eventsOf(gateway, id)).toEqual(['passport.ingested', 'passport.updated'])
  })

  test('review-3-inputs N17: a published draft is kept until no date', async () => {
    const { id, metadata } = await passports.given()
    expectStatus(200, await passports.setStatus(id, 'DECOMMISSIONED'))
    expectStatus(200, await passports.update(id, { metadata, draft: true }))
    const { body } = expectStatus(200, await passports.update(id, { metadata }))
    expect(body.passport).toMatchObject({ status: 'ACTIVE', retentionUntil: null, archivedAt: null })
    expect((await passports.get(id)).body).toMatchObject({ status: 'ACTIVE', retentionUntil: null })
  })

  test('review-3-inputs N20: a draft that is published gets its GTIN as a new passport does', async () => {
    const productId = newGtin()
    const { id } = await passports.given({ productId, draft: true })
    expect(
      (await passports.update(id, { metadata: textile(), draft: true })).body.passport.metadata,
    ).not.toHaveProperty('gtin')
    expect((await passports.update(id, { metadata: textile() })).body.passport.metadata.gtin).toBe(productId)
  })

  test('a draft whose product id is a wrong GTIN cannot be published', async () => {
    const gtin = newGtin()
    const productId = `${gtin.slice(0, 13)}${(Number(gtin[13]) + 5) % 10}`
    const { id } = await passports.given({ productId, draft: true })
    const { status, body } = await passports.update(id, { metadata: textile() })
    expect(status).toBe(400)
    expect(body.code).toBe('GTIN_CHECK_DIGIT_INVALID')
  })

  test('trap 65: null and "" detach the facility, absence leaves it, and so with enrichment', async () => {
    const facilityId = await registerFacility()
    const { id } = await passports.given({ facilityId, enrichment: { tagline: 'T' } })
    const linked = async (json: object) => {
      const { body } = expectStatus(200, await passports.update(id, { metadata: textile(), ...json }))
      return body.passport.manufacturingFacility?.id ?? null
    }
    expect(await linked({})).toBe(facilityId)
    expect((await stored(id))?.enrichment).toEqual({ tagline: 'T' })
    expect(await linked({ facilityId: null })).toBeNull()
    expect(await linked({ facilityId })).toBe(facilityId)
    expect(await linked({ facilityId: '' })).toBeNull()
    expect(await linked({ enrichment: { tagline: 'U' } })).toBeNull()
    expect((await stored(id))?.enrichment).toEqual({ tagline: 'U' })
    expect(await linked({ enrichment: null })).toBeNull()
    expect((await stored(id))?.enrichment).toBeNull()
    for (const unknown of ['nonsense', '00000000-0000-4000-8000-000000000000', await registerFacility(bound.as)]) {
      const { status, body } = await passports.update(id, { metadata: textile(), facilityId: unknown })
      expect(`${status} ${body.code}`).toBe('400 FACILITY_NOT_FOUND')
    }
  })
})

describe('enrichment', () => {
  test('trap 26: what is wrong is cut or dropped, never refused', async () => {
    const { id } = await passports.given({
      enrichment: {
        tagline: 'x'.repeat(500),
        description: 'y'.repeat(5000),
        unknown: 'dropped',
        images: [
          { url: 'javascript:alert(1)' },
          { url: 'data:image/png;base64,AA' },
          { url: 'mailto:a@b.example', caption: 'no' },
          { url: 'https://img.example/1.png', caption: 'c'.repeat(300) },
          'not an object',
          ...Array.from({ length: 30 }, (_, index) => ({ url: `https://img.example/${index}.png` })),
        ],
        links: [
          { url: 'http://shop.example/a' },
          { label: 'l'.repeat(200), url: 'https://shop.example/b' },
          { label: 'no' },
        ],
      },
    })
    const enrichment = (await stored(id))?.enrichment as Record<string, { url: string }[]>
    expect(Object.keys(enrichment).sort()).toEqual(['description', 'images', 'links', 'tagline'])
    expect(enrichment.tagline).toHaveLength(200)
    expect(enrichment.description).toHaveLength(4000)
    expect(enrichment.images?.length).toBeLessThanOrEqual(24)
    expect(enrichment.images?.every(({ url }) => /^https?:/.test(url))).toBe(true)
    expect(enrichment.images?.[0]).toEqual({ url: 'https://img.example/1.png', caption: 'c'.repeat(200) })
    expect(enrichment.links).toEqual([
      { label: 'http://shop.example/a', url: 'http://shop.example/a' },
      { label: 'l'.repeat(120), url: 'https://shop.example/b' },
    ])
  })

  test('an empty value is stored as null', async () => {
    for (const enrichment of [
      'text',
      5,
      [],
      {},
      null,
      { tagline: 5, images: 'x' },
      { links: [{ url: 'ftp://x.example' }] },
    ]) {
      const { id } = await passports.given({ enrichment })
      expect((await stored(id))?.enrichment).toBeNull()
    }
  })
})

describe('status', () => {
  test('any of the three follows any of the three, the same one included', async () => {
    const { id } = await passports.given()
    for (const to of [
      'RECALLED',
      'RECALLED',
      'DECOMMISSIONED',
      'RECALLED',
      'ACTIVE',
      'ACTIVE',
      'DECOMMISSIONED',
      'ACTIVE',
    ]) {
      const { status, body } = await passports.setStatus(id, to)
      expect(status).toBe(200)
      expect(body).toMatchObject({ success: true, status: to, passport: { status: to } })
      expect((await gateway.request('GET', `/passport/${id}`)).body.status).toBe(to)
    }
  })

  test('nothing else is a status', async () => {
    const { id } = await passports.given()
    for (const status of ['DRAFT', 'active', '', null, 5, undefined, ['ACTIVE']]) {
      const answer = await passports.setStatus(id, status)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({
        success: false,
        error: 'Bad Request',
        message: 'status must be one of: ACTIVE, RECALLED, DECOMMISSIONED',
      })
    }
  })

  test('trap 67: a draft has no status and can be deleted; a live passport the other way round', async () => {
    const draft = await passports.given({ draft: true })
    expect((await passports.setStatus(draft.id, 'ACTIVE')).body).toMatchObject({ success: false, error: 'Conflict' })
    const deleted = await passports.remove(draft.id)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ success: true, message: expect.any(String) })
    expect(await stored(draft.id)).toBeUndefined()
    for (const status of ['ACTIVE', 'RECALLED', 'DECOMMISSIONED']) {
      const { id } = await passports.given()
      expect((await passports.setStatus(id, status)).status).toBe(200)
      const refused = await passports.remove(id)
      expect(refused.status).toBe(409)
      expect(refused.body).toMatchObject({ success: false, error: 'Conflict' })
    }
  })

  test('trap 68: a reason is ignored', async () => {
    const { id } = await passports.given()
    const { status } = await passports.setStatus(id, 'RECALLED', { reason: 5, retentionUntil: 'x' })
    expect(status).toBe(200)
    const [row] = await gateway.sqlAs<{ change_reason: string }>(
      workspace.id,
      'select change_reason from passport_history where passport_id = $1',
      [id],
    )
    expect(row?.change_reason).toBe('Status changed: ACTIVE → RECALLED')
  })

  test('trap 72: DECOMMISSIONED keeps ten years; ACTIVE clears retention and archive', async () => {
    const { id } = await givenOfNewOperator()
    const { passport } = (await passports.setStatus(id, 'DECOMMISSIONED')).body
    expect(passport.retentionUntil.slice(0, 4)).toBe(String(Number(passport.updatedAt.slice(0, 4)) + 10))
    expect(passport.retentionUntil.slice(10)).toBe(passport.updatedAt.slice(10))
    expect(passport.archivedAt).toBeNull()
    // It stays publicly resolvable.
    expect((await gateway.request('GET', `/passport/${id}`)).body.status).toBe('DECOMMISSIONED')
    await archiveOperatorOf(id)
    const archived = (await gateway.request('GET', `/passport/${id}`)).body
    expect(archived.archivedAt).not.toBeNull()
    const { body } = await passports.setStatus(id, 'ACTIVE')
    expect(body.passport).toMatchObject({ status: 'ACTIVE', retentionUntil: null, archivedAt: null })
  })
})

test('a key that is limited to an operator moves no passport of another', async () => {
  const { id } = await passports.given()
  const draft = await passports.given({ draft: true })
  const other = await givenOfNewOperator()
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    operatorId: other.economicOperator.id,
  })
  const scoped = passportClient(gateway, bearer(key))
  for (const { status, body } of [
    await scoped.get(id),
    await scoped.update(id, { metadata: textile() }),
    await scoped.setStatus(id, 'RECALLED'),
    await scoped.seal(id),
    await scoped.remove(draft.id),
  ]) {
    expect(status).toBe(403)
    expect(body).toMatchObject({ success: false, error: 'Forbidden', code: 'OPERATOR_SCOPE_FORBIDDEN' })
  }
  expect((await scoped.update(other.id, { metadata: textile() })).status).toBe(200)
})

test('a UUID in capitals is the same UUID', async () => {
  const passport = await givenOfNewOperator()
  const operatorId = passport.economicOperator.id
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    operatorId,
  })
  const scoped = passportClient(gateway, bearer(key))
  const created = await scoped.given({ operatorId: operatorId.toUpperCase() })
  expect(created.economicOperator.id).toBe(operatorId)
  const facility = await gateway.request('POST', '/api/v1/facilities', {
    headers: bearer(key),
    json: { gln: newGln(), name: 'Works', country: 'PT', operatorId: operatorId.toUpperCase() },
  })
  expect(facility.body.facility.operatorId).toBe(operatorId)
  const seen = async () => (await gateway.request('GET', `/passport/${passport.id}`)).body
  for (const size of ['S', 'M', 'L', 'XL']) {
    await seen()
    expectStatus(200, await passports.update(passport.id.toUpperCase(), { metadata: textile({ size }) }))
    expect((await seen()).size).toBe(size)
  }
  const capitals = await gateway.request('GET', `/passport/${passport.id.toUpperCase()}`)
  expect(capitals.body).toEqual(await seen())
})
