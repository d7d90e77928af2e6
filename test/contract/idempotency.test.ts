import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { bearer, createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { eventsOf, expectStatus, passportClient } from '../support/passport-client.ts'
import { FULL_KEY_SCOPE } from '../support/replay-scope.ts'
import { useGateway } from '../support/use-gateway.ts'

const CREATE = '/api/v1/passports'
const BULK = '/api/v1/passports/bulk'
let keys = 0

const { gateway, workspace } = await useGateway()

const newKey = () => {
  keys += 1
  return `key ${keys}`
}
const send = (path: string, key: string, json: unknown, of = workspace): Promise<Answer> =>
  gateway.request('POST', path, { headers: { ...of.as, 'idempotency-key': key }, json })
const content = (more: object = {}) => ({ productId: newGtin(), metadata: textile(), ...more })
const count = async (productId: string) =>
  (await gateway.sqlAs(workspace.id, 'select 1 from passport where product_id = $1', [productId])).length

describe('trap 52: the same key', () => {
  test('gets the original status and body, and nothing is done twice', async () => {
    const key = newKey()
    const json = content()
    const first = await send(CREATE, key, json)
    const second = await send(CREATE, key, json)
    expect(first.status).toBe(201)
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await eventsOf(gateway, first.body.passport.id)).toEqual(['passport.ingested'])
  })

  test('gets the original answer for another body too', async () => {
    const key = newKey()
    const first = await send(CREATE, key, content())
    const other = content()
    const second = await send(CREATE, key, other)
    expect(second.text).toBe(first.text)
    expect(await count(other.productId)).toBe(0)
  })

  test('is another key at the other endpoint and in another workspace', async () => {
    const key = newKey()
    const stranger = await createWorkspace(gateway)
    await send(CREATE, key, content())
    const bulk = await send(BULK, key, { passports: [content()] })
    const elsewhere = await send(CREATE, key, content(), stranger)
    for (const answer of [bulk, elsewhere]) {
      expect(answer.status).toBe(201)
      expect(answer.headers['idempotent-replayed']).toBeUndefined()
    }
    const again = await send(BULK, key, { passports: [content()] })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([bulk.text, 'true'])
  })

  test.each([
    ['a validation failure', () => content({ metadata: textile({ originCountry: 'ZZ' }) }), 400],
    ['an operator of somebody else', () => content({ operatorId: '0b0e7f5a-9f6d-4d4c-9d0a-6c6c8f1c2b11' }), 403],
    ['an unknown facility', () => content({ facilityId: '0b0e7f5a-9f6d-4d4c-9d0a-6c6c8f1c2b11' }), 400],
  ])('gets a refusal again: %s', async (_, json, status) => {
    const key = newKey()
    const first = await send(CREATE, key, json())
    const second = await send(CREATE, key, content())
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([status, undefined])
    expect([second.status, second.text]).toEqual([status, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
  })

  test('review-3-claims 2.2: is another key at another passport', async () => {
    const key = newKey()
    const passports = passportClient(gateway, workspace.as)
    const [one, other] = await Promise.all([passports.given(), passports.given()])
    await Promise.all([one, other].map(async ({ id }) => expectStatus(200, await passports.seal(id))))
    const json = { metadata: textile({ size: 'L' }), changeReason: 'size' }
    const revise = (id: string) => send(`/api/v1/passports/${id}/revisions`, key, json)
    const first = expectStatus(200, await revise(one.id))
    const second = expectStatus(200, await revise(other.id))
    expect([first, second].map(({ body }) => body.passport.id)).toEqual([one.id, other.id])
    expect(second.headers['idempotent-replayed']).toBeUndefined()
    expect((await revise(one.id)).headers['idempotent-replayed']).toBe('true')
  })

  test('gets a conflict again, although it has gone', async () => {
    const [key, taken] = [newKey(), await send(CREATE, newKey(), content({ draft: true }))]
    const json = content({ productId: taken.body.passport.productId })
    expect((await send(CREATE, key, json)).status).toBe(409)
    await gateway.request('DELETE', `${CREATE}/${taken.body.passport.id}`, { headers: workspace.as })
    expect((await send(CREATE, key, json)).status).toBe(409)
    expect((await send(CREATE, newKey(), json)).status).toBe(201)
  })

  test('is free again after what may turn out otherwise next time', async () => {
    const { workspaces } = gateway.container.cradle
    const small = await createWorkspace(gateway)
    await workspaces.set(small.id, { passportLimit: 0 })
    const key = newKey()
    const json = content()
    expect((await send(CREATE, key, json, small)).body.code).toBe('passport_quota_exceeded')
    await workspaces.set(small.id, { passportLimit: 1 })
    const second = await send(CREATE, key, json, small)
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, undefined])
  })

  test('is free again after 24 hours, and goes then', async () => {
    const [old, older] = [newKey(), newKey()]
    const json = content()
    await send(CREATE, old, json)
    await send(CREATE, older, content())
    await gateway.sqlAs(
      workspace.id,
      `update idempotency_key set created_at = now() - interval '24 hours 1 second' where tenant_id = $1`,
      [workspace.id],
    )
    expect((await send(CREATE, old, json)).status).toBe(409)
    const rows = await gateway.sqlAs<{ key: string }>(
      workspace.id,
      'select key from idempotency_key where tenant_id = $1',
      [workspace.id],
    )
    expect(rows).toEqual([{ key: old }])
  })
})

describe('trap 53: a malformed key', () => {
  const refused = async (path: string, key: string) => {
    const json = path === BULK ? { passports: [content()] } : content()
    const { status, body } = await send(path, key, json)
    expect(status, JSON.stringify(key)).toBe(400)
    return body
  }

  test.each([CREATE, BULK])('is refused at %s: too long, or with a control character', async (path) => {
    for (const key of ['k'.repeat(256), 'a\tb', 'a\u0085b', '']) await refused(path, key)
    expect(Object.keys(await refused(path, 'k'.repeat(256))).sort()).toEqual(
      path === BULK ? ['code', 'error', 'message', 'statusCode'] : ['error', 'message'],
    )
  })

  test('is not one of 255 characters', async () => {
    expect((await send(CREATE, 'k'.repeat(255), content())).status).toBe(201)
  })
})

test('a preview is neither captured nor replayed', async () => {
  const key = newKey()
  const passports = [content()]
  const preview = await send(BULK, key, { passports, dryRun: true })
  const real = await send(BULK, key, { passports })
  const previewAgain = await send(BULK, key, { passports: [content()], dryRun: true })
  expect([preview.status, preview.body.insertedCount]).toEqual([200, 0])
  expect([real.status, real.headers['idempotent-replayed']]).toEqual([201, undefined])
  expect([previewAgain.status, previewAgain.headers['idempotent-replayed']]).toEqual([200, undefined])
})

test('a duplicate that waits too long is asked to retry, and changes nothing', async () => {
  const key = newKey()
  const json = content()
  const holder = new pg.Client({ connectionString: gateway.inspectorUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query(`select set_config('app.tenant', $1, true)`, [workspace.id])
  await holder.query(
    `insert into idempotency_key (tenant_id, endpoint, caller, key, request_hash) values ($1, 'createPassport', $2, $3, '')`,
    [workspace.id, FULL_KEY_SCOPE, key],
  )
  const { status, body, headers } = await send(CREATE, key, json)
  await holder.end()
  expect([status, headers['retry-after']]).toEqual([409, '2'])
  expect(body).toEqual({ success: false, error: 'Conflict', message: expect.stringContaining('Idempotency-Key') })
  expect(await count(json.productId)).toBe(0)
  // The key is free again.
  expect((await send(CREATE, key, json)).status).toBe(201)
})

describe('a replay is for those who may see what it says', () => {
  const keyOf = (more: object = {}) =>
    gateway.container.cradle.workspaces
      .createKey({ workspaceId: workspace.id, role: 'BRAND_OPERATOR', ...more })
      .then(({ key }) => bearer(key))
  const sessionOf = (user: string) =>
    gateway.container.cradle.workspaces
      .createSession({ workspaceId: workspace.id, user, role: 'BRAND_OPERATOR', mfa: false })
      .then(({ token }) => bearer(token))
  const as = (headers: Record<string, string>, key: string, json: unknown) =>
    gateway.request('POST', CREATE, { headers: { ...headers, 'idempotency-key': key }, json })
  const secondOperator = async () => {
    const json = { name: 'Second', regId: `R-${newGtin()}` }
    const { body } = await gateway.request('POST', '/api/v1/operators', { headers: workspace.as, json })
    return body.operator.id as string
  }

  test('a key of the same scope gets the answer, as the specification says; a narrower, wider or other one works', async () => {
    const operatorId = await secondOperator()
    const callers: Record<string, Record<string, string>> = {
      'one operator': await keyOf({ operatorId }),
      'another operator': await keyOf({ operatorId: workspace.operatorId }),
      'create only': await keyOf({ permissions: ['passport:create'] }),
      'another that creates only': await keyOf({ permissions: ['passport:create'] }),
      'create and read': await keyOf({ permissions: ['passport:create', 'passport:read'] }),
      'a user': await sessionOf('a@x.example'),
      'another user': await sessionOf('b@x.example'),
    }
    const key = newKey()
    const first = await as(workspace.as, key, content({ draft: true, metadata: { unreleased: 'Model Z' } }))
    expect((await as(await keyOf(), key, content())).text).toBe(first.text)
    for (const [name, headers] of Object.entries(callers)) {
      const json = content()
      const own = await as(headers, key, json)
      expect([name, own.status, own.headers['idempotent-replayed']]).toEqual([name, 201, undefined])
      expect(own.text).not.toContain('unreleased')
      expect(await count(json.productId), name).toBe(1)
      const again = await as(headers, key, content())
      expect([name, again.text, again.headers['idempotent-replayed']]).toEqual([name, own.text, 'true'])
    }
    // A new session of the same user has the same scope.
    expect((await as(await sessionOf('a@x.example'), key, content())).headers['idempotent-replayed']).toBe('true')
  })

  test('in bulk too', async () => {
    const limited = await keyOf({ operatorId: await secondOperator() })
    const key = newKey()
    const first = await send(BULK, key, { passports: [content()] })
    const json = { passports: [content()] }
    const own = await gateway.request('POST', BULK, { headers: { ...limited, 'idempotency-key': key }, json })
    expect([own.status, own.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect(own.text).not.toBe(first.text)
  })
})
