// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { auditOf } from '../support/audit.ts'
import { bearer, createWorkspace, newGln, newGtin, textile } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

const ABSENT = '00000000-0000-4000-8000-000000000000'

const { gateway, workspace, passports } = await useGateway()

const call = (method: string, path = '', json?: unknown, headers: Record<string, string> = workspace.as) =>
  gateway.request(method, `/api/v1/facilities${path}`, { headers, json })
const register = async (json: object = {}, headers = workspace.as) => {
  const body = { gln: newGln(), name: 'Works', country: 'PT', ...json }
  return expectStatus(201, await call('POST', '', body, headers)).body.facility
}
const audits = async (subjectId: string) =>
  (await auditOf(gateway, workspace.id, subjectId)).map(({ action }) => action)
const registerOperator = async () => {
  const regId = `REG-${newGln()}`
  const { body } = await gateway.request('POST', '/api/v1/operators', {
    headers: workspace.as,
    json: { name: regId, regId },
  })
  return body.operator.id as string
}
const scopedTo = async (operatorId: string) => {
  const { key } = await gateway.container.cradle.workspaces.createKey({
    workspaceId: workspace.id,
    role: 'BRAND_OPERATOR',
    operatorId,
  })
  return bearer(key)
}
const ids = (facilities: { id: string }[]) => facilities.map(({ id }) => id)

describe('registering', () => {
  test('trims, uppercases the country, turns empty texts to null, and records it', async () => {
    const gln = newGln()
    const json = {
      gln: ` ${gln} `,
      name: ' Works ',
      country: ' pt ',
      activity: ' ',
      streetAddress: ' Rua 1 ',
      city: '',
    }
    const { status, body } = await call('POST', '', json)
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Facility registered successfully',
      facility: {
        id: expect.any(String),
        gln,
        name: 'Works',
        activity: null,
        streetAddress: 'Rua 1',
        city: null,
        postalCode: null,
        country: 'PT',
        operatorId: null,
        tenantId: workspace.id,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    expect(await audits(body.facility.id)).toEqual(['facility.created'])
    expect((await call('GET', `/${body.facility.id}`)).body).toEqual({ success: true, facility: body.facility })
  })

  test('trap 83: with everything wrong, the GLN is named first, then the name, then the country', async () => {
    const message = async (json: unknown) => {
      const { status, body } = await call('POST', '', json)
      expect(status).toBe(400)
      expect(body).toMatchObject({ success: false, error: 'Bad Request' })
      return body.message as string
    }
    expect(await message([])).toMatch(/object/)
    expect(await message(undefined)).toMatch(/^gln/)
    expect(await message({})).toMatch(/^gln/)
    expect(await message({ gln: '1', name: '', country: 'PRT' })).toMatch(/^gln/)
    expect(await message({ gln: newGln(), name: '  ', country: 'PRT' })).toMatch(/^name/)
    expect(await message({ gln: newGln(), name: 5, country: 'PRT' })).toMatch(/^name/)
    expect(await message({ gln: newGln(), name: 'N', country: 'PRT' })).toMatch(/^country/)
    expect(await message({ gln: newGln(), name: 'N' })).toMatch(/^country/)
    expect(await message({ gln: newGln(), name: 'N', country: 'P1' })).toMatch(/^country/)
    const gln = newGln()
    const wrong = `${gln.slice(0, 12)}${(Number(gln[12]) + 1) % 10}`
    for (const bad of [wrong, gln.slice(1), `${gln}0`, Number(gln), '0'.repeat(13), '5601234567896']) {
      expect(await message({ gln: bad, name: 'N', country: 'PT' })).toMatch(/^gln/)
    }
  })

  test('malformed JSON has the framework form without code', async () => {
    const { status, body } = await gateway.request('POST', '/api/v1/facilities', { headers: workspace.as, raw: '{' })
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['statusCode', 'error', 'message'])
  })

  test('trap 82: a GLN is taken on the whole platform', async () => {
    const other = await createWorkspace(gateway)
    const { gln } = await register({}, other.as)
    for (const headers of [workspace.as, other.as]) {
      const { status, body } = await call('POST', '', { gln, name: 'N', country: 'PT' }, headers)
      expect(status).toBe(409)
      expect(body).toMatchObject({ success: false, error: 'Conflict', code: 'FACILITY_DUPLICATE' })
    }
    const raced = newGln()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call('POST', '', { gln: raced, name: 'N', country: 'PT' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })

  test('trap 98: a failure of the database has the printed message and no detail', async () => {
    await gateway.sql(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'secret detail'; end $$`)
    await gateway.sql(`create trigger refuse before insert on facility for each row
      when (new.name = 'Impossible') execute function refuse()`)
    const { status, body } = await call('POST', '', { gln: newGln(), name: 'Impossible', country: 'PT' })
    expect(status).toBe(500)
    expect(body).toEqual({
      success: false,
      error: 'Internal Server Error',
      message: 'Failed to register facility',
      requestId: expect.any(String),
    })
  })

  test('the operator must be bound; an empty one is rejected', async () => {
    const other = await createWorkspace(gateway)
    for (const operatorId of [other.operatorId, ABSENT, 'nonsense', 5]) {
      const { status, body } = await call('POST', '', { gln: newGln(), name: 'N', country: 'PT', operatorId })
      expect(status).toBe(403)
      expect(body.code).toBe('OPERATOR_NOT_BOUND')
    }
    for (const operatorId of ['', '  ', null]) expect((await register({ operatorId })).operatorId).toBeNull()
    expect((await register({ operatorId: workspace.operatorId })).operatorId).toBe(workspace.operatorId)
  })

  test('a limited key registers for its own operator and for no other', async () => {
    const operatorId = await registerOperator()
    const scoped = await scopedTo(operatorId)
    expect((await register({}, scoped as never)).operatorId).toBe(operatorId)
    const { status, body } = await call(
      'POST',
      '',
      { gln: newGln(), name: 'N', country: 'PT', operatorId: workspace.operatorId },
      scoped,
    )
    expect(status).toBe(403)
    expect(body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
  })
})

describe('reading', () => {
  test('lists newest first, its own workspace alone', async () => {
    const own = await createWorkspace(gateway)
    const made = []
    for (let count = 0; count < 3; count += 1) made.push(await register({}, own.as))
    const { body } = await call('GET', '', undefined, own.as)
    expect(Object.keys(body)).toEqual(['success', 'count', 'facilities'])
    expect(body.count).toBe(3)
    expect(ids(body.facilities).sort()).toEqual(ids(made).sort())
    const times = body.facilities.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
  })

  test("trap 86, review-3-inputs N34: a limited key's list leaves out facilities without operator; it can read one, and not change it", async () => {
    const operatorId = await registerOperator()
    const mine = await register({ operatorId })
    const others = await register({ operatorId: workspace.operatorId })
    const nobodys = await register()
    const scoped = await scopedTo(operatorId)
    expect(ids((await call('GET', '', undefined, scoped)).body.facilities)).toEqual([mine.id])
    expect((await call('GET', `/${nobodys.id}`, undefined, scoped)).body.facility).toEqual(nobodys)
    for (const refused of [
      await call('GET', `/${others.id}`, undefined, scoped),
      await call('PUT', `/${others.id}`, { name: 'X' }, scoped),
      await call('DELETE', `/${others.id}`, undefined, scoped),
    ]) {
      expect(refused.status).toBe(403)
      expect(refused.body.code).toBe('OPERATOR_SCOPE_FORBIDDEN')
    }
    // Passports of every operator may reference it, so a key restricted to one operator cannot change it.
    for (const refused of [
      await call('PUT', `/${nobodys.id}`, { country: 'FR' }, scoped),
      await call('DELETE', `/${nobodys.id}`, undefined, scoped),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'OPERATOR_SCOPE_FORBIDDEN'])
    }
    expect((await call('GET', `/${nobodys.id}`)).body.facility).toEqual(nobodys)
    expect((await call('DELETE', `/${nobodys.id}`)).body).toEqual({ success: true })
  })

  test('a facility that is not there has the printed message', async () => {
    for (const id of [ABSENT, 'nonsense']) {
      for (const answer of [
        await call('GET', `/${id}`),
        await call('PUT', `/${id}`, {}),
        await call('DELETE', `/${id}`),
      ]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toMatchObject({
          success: false,
          error: 'Not Found',
          message: `Facility ${id} not found under your Tenant workspace`,
        })
      }
    }
  })
})

describe('changing', () => {
  test('trap 84: gln and operatorId are ignored; an empty body moves updatedAt alone', async () => {
    const facility = await register({ activity: 'sewing' })
    const json = { gln: newGln(), operatorId: workspace.operatorId, id: ABSENT, tenantId: ABSENT }
    const ignored = await call('PUT', `/${facility.id}`, json)
    expect(ignored.status).toBe(200)
    // The specification ignores GLN and operator silently; other members are reported.
    expect(ignored.body.warnings.map(({ path }: { path: string }) => path)).toEqual(['id', 'tenantId'])
    expect(ignored.body.facility).toEqual({ ...facility, updatedAt: expect.any(String) })
    for (const empty of [{}, undefined]) {
      const { status, body } = await call('PUT', `/${facility.id}`, empty)
      expect(status).toBe(200)
      expect(body.facility).toEqual({ ...facility, updatedAt: expect.any(String) })
      expect(body.facility.updatedAt > facility.updatedAt).toBe(true)
    }
  })

  test('trap 85: a country of another type is ignored, a bad one refused; an empty name is ignored, an empty city clears', async () => {
    const facility = await register({ city: 'Porto', activity: 'sewing', postalCode: '4000' })
    const changed = async (json: object) => (await call('PUT', `/${facility.id}`, json)).body.facility
    expect((await changed({ country: 5 })).country).toBe('PT')
    const refused = await call('PUT', `/${facility.id}`, { country: 'DEU', name: 'Not kept' })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ success: false, error: 'Bad Request' })
    expect((await changed({ name: '', country: 'de' })).name).toBe('Works')
    expect(await changed({ city: '', activity: null, postalCode: 4100, streetAddress: ' Rua 2 ' })).toMatchObject({
      country: 'DE',
      city: null,
      activity: null,
      postalCode: '4100',
      streetAddress: 'Rua 2',
    })
    expect(await changed({ name: ' New ' })).toMatchObject({ name: 'New', city: null, streetAddress: 'Rua 2' })
    expect(new Set(await audits(facility.id))).toEqual(new Set(['facility.created', 'facility.updated']))
  })

  test('passports show the change and the unlinking immediately', async () => {
    const facility = await register({ activity: 'sewing' })
    const { id } = await passports.given({ facilityId: facility.id })
    const seen = async () => (await gateway.request('GET', `/passport/${id}`)).body.manufacturingFacility
    expect(await seen()).toMatchObject({ gln: facility.gln, name: 'Works', activity: 'sewing', country: 'PT' })
    await call('PUT', `/${facility.id}`, { name: 'Renamed', country: 'DE' })
    expect(await seen()).toMatchObject({ name: 'Renamed', country: 'DE' })
    const { status, body } = await call('DELETE', `/${facility.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true })
    expect(await seen()).toBeNull()
    expect((await passports.get(id)).body.manufacturingFacility).toBeNull()
    expect(await audits(facility.id)).toEqual(['facility.created', 'facility.updated', 'facility.deleted'])
  })
})

describe('a passport names a facility of its workspace', () => {
  const linkOf = async (productId: string) => {
    const rows = await gateway.sqlAs<{ facility_id: string | null; status: string }>(
      workspace.id,
      'select facility_id, status from passport where product_id = $1',
      [productId],
    )
    return rows
  }

  test('review-3-inputs N7: of whichever operator, by a key of the workspace', async () => {
    const operatorId = await registerOperator()
    const facilities = [
      await register({ operatorId: workspace.operatorId }),
      await register({ operatorId }),
      await register(),
    ]
    for (const { id: facilityId } of facilities) {
      for (const draft of [false, true]) {
        const json = { productId: newGtin(), metadata: textile(), operatorId, facilityId, draft }
        expectStatus(201, await passports.create(json))
        expect(await linkOf(json.productId)).toMatchObject([{ facility_id: facilityId }])
      }
      const { id, productId } = await passports.given({ operatorId })
      expectStatus(200, await passports.update(id, { metadata: textile(), facilityId: facilityId.toUpperCase() }))
      expect(await linkOf(productId)).toMatchObject([{ facility_id: facilityId }])
    }
    const rows = facilities.map(({ id: facilityId }) => ({
      productId: newGtin(),
      metadata: textile(),
      operatorId,
      facilityId,
    }))
    const bulk = await gateway.request('POST', '/api/v1/passports/bulk', {
      headers: workspace.as,
      json: { passports: rows },
    })
    expect([bulk.status, bulk.body.insertedCount, bulk.body.errors]).toEqual([201, 3, undefined])
  })

  test("of the key's operator, by a restricted key", async () => {
    const operatorId = await registerOperator()
    const headers = await scopedTo(operatorId)
    const client = passportClient(gateway, headers)
    const own = await register({ operatorId })
    const strangers = [
      await register({ operatorId: workspace.operatorId, streetAddress: 'Secret Lane 7' }),
      await register(),
    ]
    const content = () => ({ productId: newGtin(), metadata: textile(), operatorId })
    const json = content()
    const { id } = await client.given({ ...json, facilityId: own.id })
    for (const { id: facilityId } of strangers) {
      for (const draft of [false, true]) {
        const refused = { ...content(), facilityId: facilityId.toUpperCase(), draft }
        const created = await client.create(refused)
        expect([created.status, created.body.code]).toEqual([403, 'OPERATOR_SCOPE_FORBIDDEN'])
        expect(await linkOf(refused.productId)).toEqual([])
      }
      const updated = await client.update(id, { metadata: textile({ size: 'M' }), facilityId })
      expect([updated.status, updated.body.code]).toEqual([403, 'OPERATOR_SCOPE_FORBIDDEN'])
      expect((await client.get(id)).body.metadata.size).toBeUndefined()
      expect((await linkOf(json.productId))[0]?.facility_id).toBe(own.id)
    }
    const rows = [...strangers, own].map((facility) => ({ ...content(), facilityId: facility.id }))
    const bulk = await gateway.request('POST', '/api/v1/passports/bulk', { headers, json: { passports: rows } })
    expect([bulk.body.insertedCount, bulk.body.errors.length]).toEqual([1, 2])
    expect(bulk.body.errors[0]).toContain(rows[0]?.productId)
    expect((await linkOf(rows[2]?.productId ?? ''))[0]?.facility_id).toBe(own.id)
  })
})
