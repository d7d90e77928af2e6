import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Schema } from '../../src/domain/schema.ts'
import { derivedUuid } from '../../src/domain/webhooks.ts'
import { PASSPORT_EVENTS, WEBHOOK_DELIVERIES } from '../../src/jobs/outbox.ts'
import { fanOut } from '../../src/webhooks/fan-out-events.ts'
import { createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { givenUnits } from '../support/given-units.ts'
import { hurry } from '../support/jobs.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { selfSigned } from '../support/self-signed.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { type Mode, startReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const { gateway, workspace, passports } = await useGateway({ LOG_LEVEL: 'silent' })
const webhooks = webhookClient(gateway, workspace.as)

let receiver: WebhookReceiver
beforeEach(async () => {
  // New subscriptions also receive earlier undelivered events; wait until they are delivered.
  const waiting = () => gateway.sql(`select 1 from pgboss.job where name = 'passport-event' and state < 'completed'`)
  await until(waiting).toEqual([])
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const { id } of (await webhooks.list()).body.subscriptions) await webhooks.remove(id)
  await receiver.close()
})

/** A subscription whose deliveries the receiver verifies with the published library. */
async function subscribed(events: readonly string[] = ['*'], to = receiver) {
  const subscription = await webhooks.given(to.url, events)
  to.verifyWith(subscription.secret)
  return subscription
}
const typesOf = ({ received }: WebhookReceiver) => received.map(({ body }) => body.type)
const deliveryOf = async (subscriptionId: string): Promise<Schema<'WebhookDelivery'>> =>
  (await webhooks.deliveries()).find(
    (delivery: Schema<'WebhookDelivery'>) => delivery.subscriptionId === subscriptionId,
  )
const until = (check: () => unknown, timeout = 10_000) => expect.poll(check, { timeout, interval: 20 })
/** Runs the planned attempts now. */
const hasten = () => hurry(gateway, WEBHOOK_DELIVERIES)

describe('sent messages', () => {
  test('every event of a passport to subscribers of all, and the selected ones to others', async () => {
    const named = await startReceiver()
    await subscribed()
    await subscribed(['passport.sealed', 'passport.recalled'], named)
    const { id } = await passports.given({ metadata: battery() })
    await passports.update(id, { metadata: battery({ productName: 'New' }) })
    await passports.seal(id)
    await passports.setStatus(id, 'RECALLED')
    await passports.setStatus(id, 'ACTIVE')
    await until(() => typesOf(receiver).toSorted()).toEqual([
      'passport.ingested',
      'passport.recalled',
      'passport.sealed',
      'passport.status_updated',
      'passport.updated',
    ])
    await until(() => typesOf(named).toSorted()).toEqual(['passport.recalled', 'passport.sealed'])
    await named.close()
  })

  test('trap 76: the public document of that version, masked and with the whole proof', async () => {
    await subscribed(['passport.sealed', 'passport.ingested'])
    const given = await passports.given({ metadata: battery() })
    const sealed = (await passports.seal(given.id)).body.passport
    await passports.setStatus(given.id, 'RECALLED')
    await until(() => receiver.received.length).toBe(2)
    const [ingested, second] = ['passport.ingested', 'passport.sealed'].map((type) =>
      receiver.received.find(({ body }) => body.type === type),
    )
    expect(ingested?.body.data).toEqual(given)
    expect(second?.body.data).toEqual(sealed)
    expect(Object.keys(second?.body.data.proof.redactedLeaves)).toContain('facilityDetails')
    expect(second?.text).not.toMatch(/Works 1|Cologne|in use/)
  })

  test('each passport of a bulk individually, also if it was never read', async () => {
    await subscribed()
    const rows = [newGtin(), newGtin(), newGtin()].map((productId) => ({ productId, metadata: textile() }))
    const json = { passports: rows }
    expectStatus(201, await gateway.request('POST', '/api/v1/passports/bulk', { headers: workspace.as, json }))
    await until(() => receiver.received.length).toBe(3)
    expect(receiver.received.map(({ body }) => body.data.productId).toSorted()).toEqual(
      rows.map(({ productId }) => productId).toSorted(),
    )
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3)
  })

  test('access.requested and access.decided to their subscribers, without a person and without a token', async () => {
    const all = await startReceiver()
    await subscribed(['access.requested', 'access.decided'])
    await subscribed(['*'], all)
    const { id: passportId } = await passports.given()
    const form = { granteeName: 'Ada Moreau', granteeEmail: 'ada@repair.example', purpose: 'Repair' }
    for (const granteeName of ['Ada Moreau', 'Ben Costa']) {
      await gateway.request('POST', `/request-access?passport=${passportId}`, { form: { ...form, granteeName } })
    }
    const { grants } = (await gateway.request('GET', '/api/v1/grants', { headers: workspace.as })).body
    const [one, other] = grants
    const at = (id: string, what: string) => `/api/v1/grants/${id}/${what}`
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const approved = await gateway.request('POST', at(one.id, 'approve'), {
      headers: workspace.as,
      json: { expiresAt },
    })
    await gateway.request('POST', at(other.id, 'deny'), { headers: workspace.as })
    await until(() => receiver.received.length).toBe(4)
    const facts = { scopeType: 'PASSPORT', passportId, batteryUnitId: null, expiresAt: expect.any(String) }
    expect(receiver.received.map(({ body: { type, data } }) => [type, data])).toEqual(
      expect.arrayContaining([
        ['access.requested', { ...facts, grantId: one.id, status: 'PENDING' }],
        ['access.requested', { ...facts, grantId: other.id, status: 'PENDING' }],
        ['access.decided', { ...facts, grantId: one.id, status: 'ACTIVE', expiresAt }],
        ['access.decided', { ...facts, grantId: other.id, status: 'DENIED' }],
      ]),
    )
    const sent = receiver.received.map(({ text }) => text).join()
    expect(sent).not.toMatch(/Ada|Ben|repair|dpp_li/)
    expect(sent).not.toContain(approved.body.token)
    await until(() => typesOf(all)).toEqual(['passport.ingested'])
    await all.close()
  })

  test('access.requested with the unit that it is for', async () => {
    await subscribed(['access.requested'])
    const { id: passportId } = await passports.given()
    const [batteryUnitId = ''] = await givenUnits(gateway, workspace, passportId, ['SN-1'])
    const form = { granteeName: 'Ada Moreau', granteeEmail: 'ada@repair.example' }
    await gateway.request('POST', `/request-access?unit=${batteryUnitId}`, { form })
    await until(() => receiver.received.length).toBe(1)
    expect(receiver.received[0]?.body.data).toMatchObject({ scopeType: 'UNIT', passportId, batteryUnitId })
  })

  test('nothing of another workspace', async () => {
    await subscribed()
    const other = await createWorkspace(gateway)
    await passportClient(gateway, other.as).given()
    const { id } = await passports.given()
    await until(() => receiver.received.map(({ body }) => body.data.id)).toEqual([id])
  })

  test('nothing of a draft', async () => {
    await subscribed()
    await passports.given({ draft: true, metadata: {} })
    const { id } = await passports.given()
    await until(() => receiver.received.map(({ body }) => body.data.id)).toEqual([id])
  })

  test('with two signatures for a while after the secret was replaced', async () => {
    const { id, secret } = await subscribed()
    const { body } = await webhooks.rotate(id)
    expect(body.subscription.secret).not.toBe(secret)
    await passports.given()
    await until(() => receiver.received.length).toBe(1)
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
    await gateway.sqlAs(workspace.id, 'update webhook_subscription set former_until = now()')
    receiver.verifyWith(body.subscription.secret)
    await passports.given()
    await until(() => receiver.received.length).toBe(2)
    expect(receiver.received[1]?.headers['webhook-signature']).toMatch(/^v1,\S{44}$/)
  })
})

describe('how it is answered', () => {
  const taken: Mode[] = ['ok', 'ok with a body', 'huge body', 'half an answer', 'slow drip']
  const refused: Partial<Record<Mode, number>> = {
    'server error': 500,
    unavailable: 503,
    redirect: 302,
    'permanent redirect': 308,
    'not modified': 304,
  }
  const broken: Mode[] = ['reset', 'garbage', 'huge head']

  test.each(taken)('%s: it is delivered, and the body of the response is ignored', async (mode) => {
    const { id } = await subscribed()
    receiver.mode = mode
    await passports.given()
    await until(async () => (await deliveryOf(id))?.status).toBe('DELIVERED')
    expect(await deliveryOf(id)).toMatchObject({ retryCount: 0, nextRetryAt: null, errorMessage: null })
    expect(receiver.received).toHaveLength(1)
  })

  test.each(Object.entries(refused) as [Mode, number][])(
    '%s: it is tried again, under the same id',
    async (mode, code) => {
      const { id, url } = await subscribed()
      receiver.mode = mode
      await passports.given()
      await until(async () => (await deliveryOf(id))?.attempts).toHaveLength(1)
      const error = `${url}: HTTP ${code}`
      const attempt = { at: expect.any(String), durationMs: expect.any(Number), statusCode: code, error }
      expect(await deliveryOf(id)).toMatchObject({ status: 'PENDING', errorMessage: error, attempts: [attempt] })
      receiver.mode = 'ok'
      await hasten()
      await until(async () => (await deliveryOf(id))?.status).toBe('DELIVERED')
      expect(await deliveryOf(id)).toMatchObject({
        retryCount: 1,
        attempts: [attempt, { statusCode: 204, error: null }],
      })
      const [first, second] = receiver.received
      expect(second?.id).toBe(first?.id)
      expect(second?.text).toBe(first?.text)
      // Redirects are not followed.
      expect(receiver.received).toHaveLength(2)
    },
  )

  test.each(broken)('%s: it is tried again', async (mode) => {
    const { id } = await subscribed()
    receiver.mode = mode
    await passports.given()
    await until(async () => (await deliveryOf(id))?.attempts).toMatchObject([
      { statusCode: null, error: expect.stringContaining(receiver.url) },
    ])
    expect(await deliveryOf(id)).toMatchObject({ status: 'PENDING', nextRetryAt: expect.any(String) })
  })

  test('no listener: it is tried again', async () => {
    const gone = await startReceiver()
    await gone.close()
    const { id } = await webhooks.given(gone.url)
    await passports.given()
    await until(async () => (await deliveryOf(id))?.attempts).toMatchObject([
      { statusCode: null, error: expect.stringContaining('ECONNREFUSED') },
    ])
  })

  test('an untrusted certificate: nothing is sent', async () => {
    const secure = await startReceiver(await selfSigned())
    const { id } = await webhooks.given(secure.url)
    await passports.given()
    await until(async () => (await deliveryOf(id))?.attempts).toMatchObject([
      { statusCode: null, error: expect.stringMatching(/certificate/) },
    ])
    expect(secure.received).toEqual([])
    await secure.close()
  })

  test('too many: Retry-After puts the next attempt off', async () => {
    const { id } = await subscribed()
    receiver.mode = 'too many'
    await passports.given()
    await until(async () => (await deliveryOf(id))?.attempts).toHaveLength(1)
    const { nextRetryAt } = await deliveryOf(id)
    expect(Date.parse(nextRetryAt ?? '') - Date.now()).toBeGreaterThan(7_100_000)
    const [job] = await gateway.sql<{ due: Date }>(
      `select start_after as due from pgboss.job where name = 'webhook-delivery' and group_id = $1 and state < 'active'`,
      [id],
    )
    expect(job?.due.toISOString()).toBe(nextRetryAt)
  })

  test('gone: the subscription is switched off, and what waits for it ends', async () => {
    const { id } = await subscribed()
    receiver.mode = 'unavailable'
    await passports.given()
    await until(async () => (await deliveryOf(id))?.attempts).toHaveLength(1)
    receiver.mode = 'gone'
    await passports.given()
    await until(async () => (await webhooks.list()).body.subscriptions).toMatchObject([{ id, isActive: false }])
    const deliveries = await webhooks.deliveries('?status=FAILED')
    expect(deliveries.filter(({ subscriptionId }: Record<string, unknown>) => subscriptionId === id)).toMatchObject([
      { attempts: [{ statusCode: 410 }], nextRetryAt: null },
      { attempts: [{ statusCode: 503 }], nextRetryAt: null, errorMessage: expect.stringContaining('disabled') },
    ])
    await passports.given()
    const handedOver = `select 1 from pgboss.job where name = 'passport-event' and state < 'completed'`
    await until(() => gateway.sql(handedOver)).toEqual([])
    await hasten()
    receiver.mode = 'ok'
    await webhooks.update(id, { isActive: true })
    const { id: last } = await passports.given()
    await until(() => receiver.received.at(-1)?.body.data.id).toBe(last)
    expect(receiver.received).toHaveLength(3)
  })

  test('the tenth failure is the last', async () => {
    const { id } = await subscribed()
    receiver.mode = 'server error'
    await passports.given()
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await until(async () => (await deliveryOf(id))?.attempts).toHaveLength(attempts)
      expect((await deliveryOf(id)).status).toBe(attempts === 10 ? 'FAILED' : 'PENDING')
      await hasten()
    }
    expect(await deliveryOf(id)).toMatchObject({ retryCount: 9, nextRetryAt: null })
    expect(new Set(receiver.received.map(({ id: webhookId }) => webhookId)).size).toBe(1)
    expect(receiver.received).toHaveLength(10)
  })
})

describe('a subscription that ends', () => {
  test.each([
    ['is deleted', (id: string) => webhooks.remove(id)],
    ['is switched off', (id: string) => webhooks.update(id, { isActive: false })],
  ])('and %s gets nothing more, not even what waits', async (_, end) => {
    const { id } = await subscribed()
    receiver.mode = 'unavailable'
    await passports.given()
    await until(async () => (await deliveryOf(id))?.attempts).toHaveLength(1)
    expectStatus(200, await end(id))
    receiver.mode = 'ok'
    await hasten()
    const waiting = `select 1 from pgboss.job where name = 'webhook-delivery' and group_id = $1 and state < 'completed'`
    await until(() => gateway.sql(waiting, [id])).toEqual([])
    expect(receiver.received).toHaveLength(1)
    const [delivery] = await webhooks.deliveries('?status=PENDING')
    expect(delivery).toBeUndefined()
  })
})

describe('a replay', () => {
  const delivered = async (id: string) => {
    await passports.given()
    await until(async () => (await deliveryOf(id))?.status).toBe('DELIVERED')
    return deliveryOf(id)
  }

  test('sends the same event under the same id, with its own plan', async () => {
    const { id } = await subscribed()
    const first = await delivered(id)
    receiver.mode = 'server error'
    const { body } = expectStatus(200, await webhooks.replay(first.id))
    expect(body.delivery).toMatchObject({ id: first.id, status: 'PENDING', retryCount: 0, attempts: first.attempts })
    await until(async () => (await deliveryOf(id))?.attempts).toHaveLength(2)
    expect(await deliveryOf(id)).toMatchObject({ status: 'PENDING', retryCount: 0 })
    receiver.mode = 'ok'
    await hasten()
    await until(async () => (await deliveryOf(id))?.status).toBe('DELIVERED')
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ id: webhookId, text }) => webhookId + text)).size).toBe(1)
  })

  test('is refused while it is attempted, and for a subscription that is off', async () => {
    const { id } = await subscribed()
    receiver.mode = 'unavailable'
    await passports.given()
    await until(async () => (await deliveryOf(id))?.attempts).toHaveLength(1)
    const { id: deliveryId } = await deliveryOf(id)
    expect((await webhooks.replay(deliveryId)).status).toBe(409)
    await webhooks.update(id, { isActive: false })
    expect((await webhooks.replay(deliveryId)).status).toBe(409)
    await webhooks.update(id, { isActive: true })
    receiver.mode = 'ok'
    // The former attempt is still planned; the replay neither waits for it nor duplicates it.
    expectStatus(200, await webhooks.replay(deliveryId))
    await until(async () => (await deliveryOf(id))?.status).toBe('DELIVERED')
    await hasten()
    await until(() =>
      gateway.sql(`select 1 from pgboss.job where group_id = $1 and state < 'completed'`, [id]),
    ).toEqual([])
    expect(receiver.received).toHaveLength(2)
  })

  test('in a time span selects those that began in it and have ended, of one subscription or of all', async () => {
    const { replayAll } = gateway.container.cradle.webhookDeliveries
    const other = await startReceiver()
    const { id } = await subscribed()
    await subscribed(['*'], other)
    const { id: deliveryId, createdAt } = await delivered(id)
    await until(() => webhooks.deliveries('?status=PENDING')).toEqual([])
    const workspaceId = workspace.id
    const later = new Date(Date.parse(createdAt) + 1).toISOString()
    const span = { workspace: workspaceId, from: createdAt, to: later }
    expect(await replayAll({ ...span, subscription: id })).toEqual([deliveryId])
    expect(await replayAll({ ...span, to: createdAt })).toEqual([])
    expect(await replayAll({ ...span, from: later, to: '2100-01-01' })).toEqual([])
    expect(await replayAll({ ...span, subscription: workspaceId })).toEqual([])
    await until(() => receiver.received.length).toBe(2)
    await until(() => webhooks.deliveries('?status=PENDING')).toEqual([])
    expect(await replayAll(span)).toHaveLength(2)
    await until(() => [receiver.received.length, other.received.length]).toEqual([3, 2])
    await other.close()
    for (const wrong of [{ from: 'never' }, { to: '' }, { subscription: 'x' }, { workspace: 'x' }]) {
      await expect(replayAll({ ...span, ...wrong })).rejects.toThrow('must be')
    }
  })

  test('of another workspace is not found', async () => {
    const { id } = await subscribed()
    const { id: deliveryId } = await delivered(id)
    const other = await createWorkspace(gateway)
    expect((await webhookClient(gateway, other.as).replay(deliveryId)).status).toBe(404)
    expect((await deliveryOf(id)).status).toBe('DELIVERED')
  })
})

describe('an event is transferred once', () => {
  test('a job that is done twice makes no second delivery, and a new subscription gets no past', async () => {
    const { id } = await subscribed()
    const { id: passportId } = await passports.given()
    await until(async () => (await deliveryOf(id))?.status).toBe('DELIVERED')
    const [job] = await gateway.sql<{ id: string; data: never; createdOn: Date }>(
      `select id, data, created_on as "createdOn" from pgboss.job where name = 'passport-event' and data -> 'passports' @> $1`,
      [JSON.stringify([{ id: passportId }])],
    )
    if (job === undefined) throw new Error('There is no job.')
    expect(receiver.received[0]?.id).toBe(derivedUuid(job.id, passportId))
    const before = await webhooks.deliveries()
    for (let round = 0; round < 3; round += 1) await fanOut(gateway.container.cradle, workspace.id, [job])
    expect(await webhooks.deliveries()).toEqual(before)
    const { id: later } = await passports.given()
    await until(() => receiver.received.at(-1)?.body.data.id).toBe(later)
    expect(receiver.received).toHaveLength(2)
  })

  test('a crash between the write and the end of its job leaves neither event nor delivery, or both', async () => {
    const { id } = await subscribed()
    // Fails at the commit, after all writes.
    await gateway.sql(`create function refuse_commit() returns trigger language plpgsql as $$
      begin raise exception 'refused at commit'; end $$`)
    await gateway.sql(`create constraint trigger refuse_commit after insert on webhook_delivery
      deferrable initially deferred for each row execute function refuse_commit()`)
    await passports.given()
    const failed = `select 1 from pgboss.job where name = 'passport-event' and state = 'retry'`
    await until(() => gateway.sql(failed)).toHaveLength(1)
    expect(await deliveryOf(id)).toBeUndefined()
    expect(await gateway.sql(`select 1 from pgboss.job where group_id = $1`, [id])).toEqual([])
    await gateway.sql('drop trigger refuse_commit on webhook_delivery')
    await hurry(gateway, PASSPORT_EVENTS)
    await until(() => receiver.received.length).toBe(1)
    await until(async () => (await deliveryOf(id))?.status).toBe('DELIVERED')
  })
})

test('secrets are in the database encrypted, and are shown when they are made and never again', async () => {
  const { secret } = await subscribed()
  const rows = await gateway.sqlAs<{ text: string; secret: Buffer }>(
    workspace.id,
    'select s::text as text, secret from webhook_subscription s',
  )
  expect(rows).toHaveLength(1)
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(rows[0]?.text).not.toContain(secret)
  expect(rows[0]?.secret.includes(bytes)).toBe(false)
  expect((await webhooks.list()).text).not.toMatch(/secret/)
})
