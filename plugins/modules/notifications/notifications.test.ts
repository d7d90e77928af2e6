import { afterAll, describe, expect, test } from 'vitest'
import type { Schema } from '../../../src/domain/schema.ts'
import { WEBHOOK_DELIVERIES } from '../../../src/jobs/outbox.ts'
import { bearer, createWorkspace, newGln, newGtin, startTestGateway, textile } from '../../../test/support/gateway.ts'
import { hurry, runJob } from '../../../test/support/jobs.ts'
import { battery, expectStatus, passportClient } from '../../../test/support/passport-client.ts'
import { inDays, newSerial } from '../../../test/support/sample-calls.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { webhookClient } from '../../../test/support/webhook-client.ts'
import { startReceiver } from '../../../test/support/webhook-receiver.ts'
import type { components } from './generated.ts'
import module from './index.ts'

const { gateway, workspace, passports } = await useGateway()
const { workspaces } = gateway.container.cradle
const until = (check: () => unknown) => expect.poll(check, { timeout: 20_000, interval: 20 })

type Notification = components['schemas']['Notification']
const list = async (query = '', as = workspace.as) =>
  expectStatus(200, await gateway.request('GET', `/api/v1/notifications${query}`, { headers: as })).body
const all = async (as = workspace.as): Promise<Notification[]> => (await list('?limit=200', as)).notifications
const read = (id: string, as = workspace.as) =>
  gateway.request('POST', `/api/v1/notifications/${id}/read`, { headers: as })
const notificationsFor = async (type: string, subjectId: string, as = workspace.as) =>
  (await all(as)).filter((one) => one.type === type && one.subjectId === subjectId)
const post = async (path: string, json: unknown = {}, status = 201) =>
  expectStatus(status, await gateway.request('POST', path, { headers: workspace.as, json })).body
const request = (passportId: string) =>
  gateway.request('POST', `/request-access?passport=${passportId}`, {
    form: { granteeName: 'Ada', granteeEmail: 'ada@repair.example' },
  })
const pendingOf = async (passportId: string) =>
  (await gateway.request('GET', '/api/v1/grants?limit=200', { headers: workspace.as })).body.grants.find(
    (row: { passportId: string; status: string }) => row.passportId === passportId && row.status === 'PENDING',
  )

describe('notifications', () => {
  test.each(['approve', 'deny'])('a request for access, and the decision to %s it', async (verdict) => {
    const { id } = await passports.given({ metadata: battery() })
    await request(id)
    await request(id)
    const { id: grantId } = await pendingOf(id)
    const [requested, ...more] = await notificationsFor('access.requested', grantId)
    expect(requested).toEqual({
      id: expect.any(String),
      type: 'access.requested',
      message: `New request for access to passport ${id}.`,
      subjectId: grantId,
      readAt: null,
      createdAt: expect.any(String),
    })
    expect(more).toEqual([])
    const { grant } = await post(`/api/v1/grants/${grantId}/${verdict}`, { expiresAt: inDays(1) }, 200)
    const [decided] = await notificationsFor('access.decided', grantId)
    expect(decided?.message).toBe(
      `A request for access was ${verdict === 'deny' ? 'denied' : 'approved'} by ${grant.decidedBy}.`,
    )
  })

  test('changes of operators, facilities, units and passports', async () => {
    const { operator } = await post('/api/v1/operators', { name: 'Nord', regId: `REG-${newGtin()}` })
    expect(await notificationsFor('operator.created', operator.id)).toMatchObject([
      { message: 'Economic operator Nord was registered.' },
    ])
    const gln = newGln()
    const { facility } = await post('/api/v1/facilities', { gln, name: 'Works', country: 'DE' })
    expect(await notificationsFor('facility.created', facility.id)).toMatchObject([
      { message: `Facility Works (GLN ${gln}) was registered.` },
    ])
    await gateway.request('DELETE', `/api/v1/facilities/${facility.id}`, { headers: workspace.as })
    expect(await notificationsFor('facility.deleted', facility.id)).toMatchObject([
      { message: `Facility Works (GLN ${gln}) was deleted.` },
    ])
    const { id, productId } = await passports.given({ metadata: battery() })
    await post(`/api/v1/passports/${id}/units`, {
      units: [{ serialNumber: newSerial() }, { serialNumber: newSerial() }],
    })
    expect(await notificationsFor('batteryunit.created', id)).toMatchObject([
      { message: `Battery units of passport ${productId} were registered: 2.` },
    ])
    const draft = await passports.given({ metadata: {}, draft: true })
    expect(await notificationsFor('passport.published', draft.id)).toEqual([])
    expectStatus(200, await passports.update(draft.id, { metadata: textile() }))
    expectStatus(200, await passports.update(draft.id, { metadata: textile({ size: 'M' }) }))
    expect(await notificationsFor('passport.published', draft.id)).toHaveLength(1)
    const moved = await gateway.request('PUT', `/api/v1/passports/${id}/status`, {
      headers: workspace.as,
      json: { status: 'RECALLED' },
    })
    expectStatus(200, moved)
    expect(await notificationsFor('passport.status_updated', id)).toMatchObject([
      { message: `Passport ${productId} is now RECALLED.` },
    ])
  })

  test('nothing of an act that fails', async () => {
    const before = await all()
    const { id } = await passports.given({ metadata: {}, draft: true })
    expect((await passports.update(id, { metadata: { category: 'textiles' } })).status).toBe(400)
    expect((await gateway.request('DELETE', `/api/v1/facilities/${id}`, { headers: workspace.as })).status).toBe(404)
    expect(await all()).toEqual(before)
  })

  test('a receiver of events that wants no more, and that deliveries were given up, once an hour', async () => {
    const receiver = await startReceiver()
    const webhooks = webhookClient(gateway, workspace.as)
    const of = async (subscriptionId: string): Promise<Schema<'WebhookDelivery'>[]> =>
      (await webhooks.deliveries('?limit=200')).filter(
        (one: Schema<'WebhookDelivery'>) => one.subscriptionId === subscriptionId,
      )
    try {
      receiver.mode = 'gone'
      const gone = await webhooks.given(receiver.url, ['passport.ingested'])
      await passports.given()
      await until(() => notificationsFor('webhook.subscription_disabled', gone.id)).toMatchObject([
        { message: `${receiver.url} responded with 410: the webhook subscription was disabled.` },
      ])
      // New subscriptions also receive earlier undelivered events; wait until they are delivered.
      await until(() =>
        gateway.sql(`select 1 from pgboss.job where name = 'passport-event' and state < 'completed'`),
      ).toEqual([])
      receiver.mode = 'server error'
      const dead = await webhooks.given(receiver.url, ['passport.ingested'])
      await passports.given()
      await passports.given()
      for (let attempts = 1; attempts <= 10; attempts += 1) {
        await until(async () => (await of(dead.id)).map((one) => one.attempts.length)).toEqual([attempts, attempts])
        await hurry(gateway, WEBHOOK_DELIVERIES)
      }
      const given = (await all()).filter(({ type }) => type === 'webhook.delivery_failed')
      expect(given).toHaveLength(1)
      expect((await of(dead.id)).map(({ id }) => id)).toContain(given[0]?.subjectId)
      expect(given[0]?.message).toBe(`A webhook delivery failed after its last attempt. ${receiver.url}: HTTP 500`)
      expect(await notificationsFor('webhook.subscription_disabled', dead.id)).toEqual([])
    } finally {
      await receiver.close()
    }
  })
})

describe('readers', () => {
  test.each([
    [['grant:read'], ['access.decided', 'access.requested']],
    [['webhook:read'], ['webhook.delivery_failed', 'webhook.subscription_disabled']],
    [
      ['passport:read', 'battery:read'],
      ['batteryunit.created', 'passport.published', 'passport.status_updated'],
    ],
    [['key:write'], []],
  ])('a key with %j sees %j', async (permissions, types) => {
    const { key } = await workspaces.createKey({ workspaceId: workspace.id, role: 'TENANT_ADMIN', permissions })
    const seen = [...new Set((await all(bearer(key))).map(({ type }) => type))]
    expect(seen.sort()).toEqual(types)
    const hidden = (await all()).find(({ type }) => !(types as string[]).includes(type))
    expect((await read(hidden?.id ?? '', bearer(key))).status).toBe(404)
    expect((await all()).find(({ id }) => id === hidden?.id)?.readAt).toBeNull()
  })

  test('a key of an operator sees what concerns that operator, and another workspace nothing', async () => {
    const { operator } = await post('/api/v1/operators', { name: 'Süd', regId: `REG-${newGtin()}` })
    const { key } = await workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId: operator.id,
    })
    const { id } = await passportClient(gateway, bearer(key)).given({ metadata: battery() })
    await request(id)
    expect((await all(bearer(key))).map(({ type }) => type)).toEqual(['access.requested', 'operator.created'])
    const other = await createWorkspace(gateway)
    expect((await all(other.as)).map(({ type }) => type)).toEqual(['operator.created'])
    const [mine] = await all(bearer(key))
    expect((await read(mine?.id ?? '', other.as)).status).toBe(404)
  })
})

test('pages lead from the newest to the oldest, each once', async () => {
  const whole = await all()
  const paged: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: { count: number; next: string | null; notifications: Notification[] } = await list(
      `?limit=3${next && `&before=${next}`}`,
    )
    expect(page.count).toBe(page.notifications.length)
    paged.push(...page.notifications.map(({ id }) => id))
    next = page.next
  }
  expect(paged).toEqual(whole.map(({ id }) => id))
  const times = whole.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().reverse())
  for (const before of ['x', '0b0e7f5a-9f6d-4d4c-9d0a-6c6c8f1c2b11']) {
    expect(await list(`?before=${before}`)).toEqual({ success: true, count: 0, next: null, notifications: [] })
  }
})

test('read ones are omitted from the unread, and keep their first time', async () => {
  const [first] = await all()
  const id = first?.id ?? ''
  const { notification } = expectStatus(200, await read(id)).body
  expect(notification).toEqual({ ...first, readAt: expect.any(String) })
  expect(expectStatus(200, await read(id)).body.notification).toEqual(notification)
  const unread = (await list('?unread=true&limit=200')).notifications.map((one: Notification) => one.id)
  expect(unread).not.toContain(id)
  expect(unread).toHaveLength((await all()).length - 1)
  expect((await read('x')).status).toBe(404)
})

test('a notification goes after its days, and none before', async () => {
  const own = await startTestGateway()
  afterAll(() => own.close())
  const mine = await createWorkspace(own)
  const age = (days: number) =>
    own.sqlAs(
      mine.id,
      `insert into notification (id, tenant_id, type, subject_id, message, created_at)
       values (gen_random_uuid(), $1, 'operator.created', 'x', $2::text, now() - $2::int * interval '1 day')`,
      [mine.id, days],
    )
  const days = module.retention[0]?.days ?? 0
  await age(days + 1)
  await age(days - 1)
  await runJob(own, 'notification-retention')
  const left = async () =>
    own.sqlAs<{ message: string }>(mine.id, `select message from notification where subject_id = 'x'`)
  await until(left).toHaveLength(1)
  expect(await left()).toEqual([{ message: String(days - 1) }])
})
