import { describe, expect, test } from 'vitest'
import { isUuid } from '../../src/domain/identifiers.ts'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import {
  bearer,
  createWorkspace,
  newGln,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
  widenedAuditor,
} from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { pdf } from '../support/pictures.ts'
import {
  givenCapture,
  givenDelivery,
  givenHandover,
  givenImport,
  givenLabelJob,
  givenLink,
  givenTable,
  givenTraceEvent,
  inDays,
} from '../support/sample-calls.ts'
import { changedTables, tableDigests } from '../support/table-digests.ts'
import { useGateway } from '../support/use-gateway.ts'
import { withoutOwnFilters } from '../support/without-own-filters.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type Document = any

interface Protected {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly permission: string | undefined
  readonly permissions: readonly string[]
}

const ABSENT = '00000000-0000-4000-8000-000000000000'
/** Bodies that would be valid changes. */
const BODIES: Record<string, object> = {
  arrangePassportMedia: { media: [] },
  linkPassport: { rel: 'replaces', target: ABSENT },
  createPassport: { productId: newGtin(), metadata: textile() },
  updatePassport: { metadata: textile({ size: 'stolen' }) },
  updatePassportStatus: { status: 'RECALLED' },
  revisePassport: { metadata: textile({ size: 'stolen' }), changeReason: 'stolen' },
  updateOperator: { name: 'stolen' },
  updateFacility: { name: 'stolen' },
  approveGrant: { expiresAt: inDays(1) },
  renewGrant: { expiresAt: inDays(1) },
  serializeBatteryUnits: { serialNumber: 'STOLEN' },
  validateBatteryUnits: { serialNumber: 'STOLEN' },
  recordBatteryUnitEvent: { eventType: 'STATUS_CHANGE', status: 'RECYCLED' },
  updateWebhookSubscription: { isActive: false },
}

/**
 * The public validator accepts every credential and stores nothing (specification 5.4), labels only show existing data,
 * and every reader of a notification may mark it.
 */
const FREE_WRITES: ReadonlySet<string> = new Set([
  'validatePassportPublic',
  'printPassportLabels',
  'printUnitLabels',
  'readNotification',
  'screenEventLineage',
])

const { gateway, workspace: owner } = await useGateway()
// Only effects of the calls are observed, without background work.
await gateway.container.cradle.boss.offWork('imports')
// Observed entries must not be chained meanwhile.
await gateway.container.cradle.auditChaining.stop()
const stranger = await createWorkspace(gateway)
const operations = protectedOperations(gateway.container.cradle.contract.document)

/** Every operation that requires a credential, with the permission of its `security`. */
function protectedOperations(document: Document): Protected[] {
  return Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    ['get', 'put', 'post', 'delete', 'patch']
      .map((method) => ({ method: method.toUpperCase(), path, operation: item[method] }))
      .filter(({ operation }) =>
        operation?.security?.every((requirement: object) => Object.keys(requirement).length > 0),
      )
      .map(({ method, operation }) => ({
        operationId: operation.operationId,
        method,
        path,
        permission: operation.security[0].bearer[0],
        permissions: operation.security[0].bearer,
      })),
  )
}

const keyFor = async (workspaceId: string, more: object = {}) => {
  const created = await gateway.container.cradle.workspaces.createKey({ workspaceId, role: 'BRAND_OPERATOR', ...more })
  return bearer(created.key)
}
const send = (
  { operationId, method, path }: Protected,
  id: string,
  headers: Record<string, string>,
  through: TestGateway = gateway,
) =>
  through.request(method, path.replace('{elementIdPath}', '%24.size').replace(/\{[^}]+\}/, encodeURIComponent(id)), {
    headers,
    ...(operationId === 'uploadPassportMedia'
      ? { file: { type: 'application/pdf', bytes: pdf() } }
      : operationId === 'importPassports'
        ? { file: { type: 'text/csv', bytes: givenTable(newGtin()) } }
        : { json: method === 'GET' || method === 'DELETE' ? undefined : (BODIES[operationId] ?? {}) }),
  })

/** Ids of a workspace's resources, by the first segment after `/api/v1/`. */
async function givenThings(workspace: TestWorkspace): Promise<Record<string, string[]>> {
  const passports = passportClient(gateway, workspace.as)
  const facility = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works', country: 'PT', operatorId: workspace.operatorId },
  })
  const open = await passports.given({ metadata: battery() })
  const draft = await passports.given({ draft: true })
  await gateway.request('POST', `/request-access?passport=${open.id}`, {
    form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example' },
  })
  const { body } = await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })
  const listed = await gateway.request('GET', '/api/v1/notifications', { headers: workspace.as })
  const requested = listed.body.notifications.filter(({ type }: { type: string }) => type === 'access.requested')
  expect(requested).not.toEqual([])
  return {
    passports: [open.id, draft.id, open.productId],
    // Operations of EN 18222.
    '{dppId}': [open.id, draft.id],
    operators: [workspace.operatorId],
    facilities: [facility.body.facility.id],
    grants: body.grants.map(({ id }: { id: string }) => id),
    units: await givenUnits(gateway, workspace, open.id, ['U-1']),
    imports: [await givenImport(gateway, workspace.id)],
    capture: [await givenCapture(gateway, workspace.id, { isSuccess: true })],
    'label-jobs': [await givenLabelJob(gateway, workspace.id, open.id)],
    webhooks: Object.values(await givenDelivery(gateway, workspace.id)),
    links: [await givenLink(gateway, open.id)],
    handovers: [await givenHandover(gateway, workspace, open.id)],
    events: (await gateway.request('POST', '/api/v1/events', { headers: workspace.as, json: givenTraceEvent() })).body
      .eventIds,
    batches: [await givenBatch(workspace, open.id)],
    notifications: requested.map(({ id }: { id: string }) => id),
  }
}

async function givenBatch(workspace: TestWorkspace, passportId: string): Promise<string> {
  const { body } = await gateway.request('POST', `/api/v1/passports/${passportId}/batches`, {
    headers: workspace.as,
    json: { batchNumber: 'L-1' },
  })
  return body.batches[0].id
}

/** All stored data of a workspace, as text. */
async function contentOf(workspaceId: string): Promise<string> {
  const tables = await gateway.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity
       and relname not in ('rendition', 'access_audit') order by 1`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) =>
      gateway.sqlAs(workspaceId, `select '${name}' as t, to_jsonb(x) as row from ${name} x order by x::text`),
    ),
  )
  return JSON.stringify(rows)
}

/** A rejection without its own id and time. */
const steady = (text: string) => text.replaceAll(/"(?:correlationId|timestamp)":"[^"]+"/g, '')

/** Calls every operation with an id on resources of `owner` and checks that nothing changes. */
async function expectUntouched(
  headers: Record<string, string>,
  {
    isSeenByOthers = false,
    reads = [],
    through = gateway,
  }: { isSeenByOthers?: boolean; reads?: readonly string[]; through?: TestGateway } = {},
): Promise<void> {
  const things = await givenThings(owner)
  const withId = operations.filter(({ path, operationId }) => path.includes('{') && !reads.includes(operationId))
  expect(withId.length).toBeGreaterThan(10)
  const before = await contentOf(owner.id)
  const ownBefore = await contentOf(stranger.id)
  for (const operation of withId) {
    const kind = operation.path.split('/')[3] ?? ''
    const ids = things[kind]
    if (ids === undefined) throw new Error(`Say which ids ${operation.path} has.`)
    for (const id of ids) {
      // Foreign resources respond like absent ones of the same format.
      const nobodys = isUuid(id) ? ABSENT : 'NO-SUCH-THING'
      const absent = isSeenByOthers ? undefined : await send(operation, nobodys, headers, through)
      const answer = await send(operation, id, headers, through)
      expect([403, 404], `${operation.operationId} ${id}: ${answer.text}`).toContain(answer.status)
      if (absent === undefined) continue
      expect(answer.status).toBe(absent.status)
      expect(steady(answer.text.replaceAll(id, nobodys))).toBe(steady(absent.text))
    }
  }
  expect(await contentOf(owner.id)).toBe(before)
  expect(await contentOf(stranger.id)).toBe(ownBefore)
}

describe("another workspace's things", () => {
  test('are untouched and unseen by every operation with an id', () => expectUntouched(stranger.as))

  test('and still are when the services forget to name the workspace: row-level security holds alone', {
    timeout: 300_000,
  }, async () => {
    const weak = await withoutOwnFilters(gateway.databaseUrl)
    const forgetful = await startTestGateway({ DATABASE_URL: weak.url })
    await forgetful.container.cradle.auditChaining.stop()
    try {
      await expectUntouched(stranger.as, { through: forgetful })
      for (const { path, method } of operations.filter(({ path, method }) => method === 'GET' && !path.includes('{'))) {
        const { text } = await forgetful.request(method, path, { headers: stranger.as })
        for (const id of [owner.id, owner.operatorId]) expect(`${path} ${text}`).not.toContain(id)
      }
      expect(weak.weakened()).toBeGreaterThan(15)
    } finally {
      await forgetful.stop()
      await weak.close()
    }
  })

  test("another operator's are out of reach of a key that is limited to one", async () => {
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: owner.as,
      json: { name: 'Second', regId: `SECOND-${newGln()}` },
    })
    const limited = await keyFor(owner.id, { operatorId: body.operator.id })
    await expectUntouched(limited, { isSeenByOthers: true })
  })

  test('are in no list', async () => {
    for (const { path, method } of operations.filter(({ path, method }) => method === 'GET' && !path.includes('{'))) {
      const { text } = await gateway.request(method, path, { headers: stranger.as })
      for (const id of [owner.id, owner.operatorId]) expect(`${path} ${text}`).not.toContain(id)
    }
  })

  test('are in reach of a bound workspace only within the operator', async () => {
    const bound = await createWorkspace(gateway)
    const { passports, facilities } = await givenThings(owner)
    await gateway.container.cradle.workspaces.bindOperator(owner.operatorId, bound.id)
    expect((await passportClient(gateway, bound.as).get(passports?.[0] ?? '')).status).toBe(200)
    const facility = await gateway.request('GET', `/api/v1/facilities/${facilities?.[0]}`, { headers: bound.as })
    expect(facility.status).toBe(404)
  })
})

describe('trap 4: permissions', () => {
  test('the contract names no other than those that a key can have, and a key none that does not exist', async () => {
    const named = new Set(operations.map(({ permission }) => permission).filter((name) => name !== undefined))
    expect([...named].filter((name) => !(PERMISSIONS as readonly string[]).includes(name))).toEqual([])
    await expect(keyFor(owner.id, { permissions: [...PERMISSIONS] })).resolves.toBeDefined()
    await expect(keyFor(owner.id, { permissions: ['passport:write'] })).rejects.toThrow(
      /unknown permission "passport:write"/,
    )
  })

  test('an auditor writes nothing, and a key cannot have more than its role', async () => {
    const auditor = await keyFor(owner.id, { role: 'AUDITOR' })
    await expect(keyFor(owner.id, { role: 'AUDITOR', permissions: ['passport:create'] })).rejects.toThrow(
      /the role AUDITOR does not have passport:create/,
    )
    const widened = await widenedAuditor(gateway, owner.id)
    for (const operation of operations) {
      const isRead = operation.permission === undefined || operation.permission.endsWith(':read')
      for (const headers of [auditor, widened]) {
        const { status } = await send(operation, ABSENT, headers)
        expect(`${operation.operationId} ${status === 403}`).toBe(`${operation.operationId} ${!isRead}`)
      }
    }
  })
})

describe('subscriptions', () => {
  test('traps 7 and 9: a lapsed one stops every write and no read, with a body that has no code', async () => {
    const workspace = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.set(workspace.id, { subscription: 'lapsed' })
    for (const operation of operations) {
      const { status, body } = await send(operation, ABSENT, workspace.as)
      const isFree = operation.method === 'GET' || FREE_WRITES.has(operation.operationId)
      expect(`${operation.operationId} ${status === 402}`).toBe(`${operation.operationId} ${!isFree}`)
      const ofStandard = {
        statusCode: 'ClientErrorBadRequest',
        message: [expect.not.objectContaining({ code: expect.anything() })],
      }
      const usual = { success: false, error: 'Payment Required', message: expect.any(String) }
      if (!isFree) expect(body).toEqual(operation.path.startsWith('/v1/') ? ofStandard : usual)
    }
    await gateway.container.cradle.workspaces.set(workspace.id, { subscription: 'grace' })
    expect((await passportClient(gateway, workspace.as).create(BODIES.createPassport)).status).toBe(201)
  })

  test('trap 9: a plan without API access names it and where to upgrade, for keys alone', async () => {
    const workspace = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.set(workspace.id, { plan: 'starter' })
    const client = passportClient(gateway, workspace.as)
    const { status, body } = await client.validate({ productId: newGtin(), metadata: textile() })
    expect(status).toBe(402)
    expect(body).toEqual({
      success: false,
      error: 'Payment Required',
      message: expect.any(String),
      code: 'api_access_required',
      upgradeUrl: 'https://dpp.example.test/console/billing',
    })
    expect((await client.list()).status).toBe(200)
    const { token } = await gateway.container.cradle.workspaces.createSession({
      workspaceId: workspace.id,
      user: 'u@x.example',
      role: 'BRAND_OPERATOR',
      mfa: false,
    })
    expect((await passportClient(gateway, bearer(token)).create(BODIES.createPassport)).status).toBe(201)
  })

  test('trap 9: the cap on published passports carries the quota; drafts do not count until they are published', async () => {
    const workspace = await createWorkspace(gateway, { plan: 'growth' })
    const client = passportClient(gateway, workspace.as)
    await gateway.container.cradle.workspaces.set(workspace.id, { passportLimit: 1 })
    const draft = await client.given({ draft: true })
    await client.given()
    const refused = await client.create({ productId: newGtin(), metadata: textile() })
    expect(refused.status).toBe(402)
    expect(refused.body).toEqual({
      success: false,
      error: 'Payment Required',
      message: expect.any(String),
      code: 'passport_quota_exceeded',
      quota: { tier: 'growth', activePassports: 1, passportLimit: 1 },
      upgradeUrl: 'https://dpp.example.test/console/billing',
    })
    const published = await client.update(draft.id, { metadata: textile() })
    expect(published.body.code).toBe('passport_quota_exceeded')
    expect((await client.create({ productId: newGtin(), metadata: {}, draft: true })).status).toBe(201)
    const { body } = await gateway.request('GET', '/api/v1/whoami', { headers: workspace.as })
    expect(body.usage).toEqual({ activePassports: 1, passportLimit: 1 })
  })
})

test('the signing key of the workspace is not for a key of one operator', async () => {
  const methods = async () =>
    (await gateway.request('GET', `/tenants/${owner.id}/did.json`)).body.verificationMethod.length
  const before = [await methods(), await tableDigests(gateway, owner.id)] as const
  const limited = await keyFor(owner.id, { operatorId: owner.operatorId })
  const refused = await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: limited })
  expect([refused.status, refused.body.code]).toEqual([403, 'OPERATOR_SCOPE_FORBIDDEN'])
  expect(await methods()).toBe(before[0])
  expect(changedTables(before[1], await tableDigests(gateway, owner.id))).toEqual(['api_key', 'audit_entry'])
  expectStatus(200, await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: owner.as }))
  expect(await methods()).toBe(before[0] + 3)
})

test('a role and a plan are of the list, and no word that every object has', async () => {
  const { workspaces, identity } = gateway.container.cradle
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty', '']) {
    const session = { workspaceId: owner.id, user: 'u@x.example', role: word, mfa: false }
    await expect(keyFor(owner.id, { role: word }), word).rejects.toThrow(/^role must be one of BRAND_OPERATOR, /)
    await expect(workspaces.createSession(session), word).rejects.toThrow(/^role must be one of BRAND_OPERATOR, /)
    await expect(workspaces.create({ name: 'n', plan: word }), word).rejects.toThrow(/^plan must be one of pilot, /)
    await expect(workspaces.set(owner.id, { plan: word }), word).rejects.toThrow(/^plan must be one of pilot, /)
    // A session signed before this node had such a list.
    const { token } = await identity.createSession({ tenantId: owner.id, user: 'u@x.example', role: word, mfa: false })
    expect((await passportClient(gateway, bearer(token)).list()).status, word).toBe(403)
  }
})

test('trap 8: invalid, revoked and expired keys answer 401', async () => {
  const { workspaces } = gateway.container.cradle
  const revoked = await workspaces.createKey({ workspaceId: owner.id, role: 'BRAND_OPERATOR' })
  expect((await passportClient(gateway, bearer(revoked.key)).list()).status).toBe(200)
  await workspaces.revokeKey(revoked.id)
  const expired = await keyFor(owner.id, { expiresAt: '2020-01-01T00:00:00Z' })
  const [prefix, kind, id, ...secret] = owner.key.split('_')
  for (const headers of [
    bearer(revoked.key),
    expired,
    bearer([prefix, kind, id, `${'A'.repeat(42)}A`].join('_')),
    bearer([prefix, kind, 'AAAAAAAA', ...secret].join('_')),
    bearer(`${owner.key}A`),
    bearer(owner.key.toUpperCase()),
    bearer(''),
    { authorization: owner.key },
    { authorization: `Basic ${owner.key}` },
    { cookie: `dpp_session=${owner.key}` },
  ] as Record<string, string>[]) {
    const { status, body } = await passportClient(gateway, headers).list()
    expect(`${JSON.stringify(headers)} ${status}`).toBe(`${JSON.stringify(headers)} 401`)
    expect(body).toEqual({ success: false, error: 'Unauthorized', message: expect.any(String) })
  }
  expectStatus(200, await passportClient(gateway, { authorization: `bearer ${owner.key}` }).list())
})
