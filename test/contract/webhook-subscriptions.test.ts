// Also runs without modules (vitest project `core`).
import { describe, expect, test } from 'vitest'
import { MAX_SUBSCRIPTIONS } from '../../src/webhooks/webhooks.ts'
import { createWorkspace } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const { gateway, workspace } = await useGateway()
const webhooks = webhookClient(gateway, workspace.as)
const URL_OF_ERP = 'https://erp.example.com/hooks/dpp'

describe('a subscription', () => {
  test('is created with its secret, which is never shown again, changed, and deleted', async () => {
    const { status, body } = await webhooks.create({
      url: ` ${URL_OF_ERP} `,
      events: ['passport.sealed', 'passport.sealed'],
    })
    const { secret, ...subscription } = body.subscription
    const row = {
      id: expect.any(String),
      tenantId: workspace.id,
      url: URL_OF_ERP,
      events: ['passport.sealed'],
      isActive: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    }
    expect([status, body]).toEqual([
      201,
      { success: true, message: expect.any(String), subscription: { ...row, secret: expect.any(String) } },
    ])
    expect((await webhooks.list()).body).toEqual({ success: true, subscriptions: [subscription] })

    const changed = await webhooks.update(subscription.id, { url: `${URL_OF_ERP}/2`, events: ['*'], isActive: false })
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        success: true,
        message: 'Webhook subscription updated',
        subscription: { ...row, url: `${URL_OF_ERP}/2`, events: ['*'], isActive: false },
      },
    ])
    expect(changed.body.subscription.updatedAt > subscription.updatedAt).toBe(true)

    const rotated = (await webhooks.rotate(subscription.id)).body.subscription
    expect(rotated.secret).not.toBe(secret)
    expect((await webhooks.list()).text).not.toMatch(/whsec/)

    expect((await webhooks.remove(subscription.id)).body).toEqual({ success: true, message: expect.any(String) })
    expect((await webhooks.list()).body.subscriptions).toEqual([])
    for (const answer of [
      await webhooks.update(subscription.id, { isActive: true }),
      await webhooks.remove(subscription.id),
      await webhooks.rotate(subscription.id),
      await webhooks.test(subscription.id),
      await webhooks.remove('not-a-uuid'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    }
  })

  test('is named by its UUID in capitals too', async () => {
    const { id } = await webhooks.given(URL_OF_ERP)
    const { body } = await webhooks.rotate(id.toUpperCase())
    const receiver = await startReceiver()
    receiver.verifyWith(body.subscription.secret)
    await webhooks.update(id.toUpperCase(), { url: receiver.url })
    expect((await webhooks.test(id.toUpperCase())).body).toMatchObject({ delivered: true, statusCode: 204 })
    await webhooks.remove(id.toUpperCase())
    await receiver.close()
  })

  test('without anything to change stays as it is, and nothing is said', async () => {
    const { secret: _, ...subscription } = await webhooks.given(URL_OF_ERP)
    const { body } = await webhooks.update(subscription.id, {})
    expect(body).toEqual({ success: true, subscription: { ...subscription, updatedAt: expect.any(String) } })
    await webhooks.remove(subscription.id)
  })

  test('review-3-inputs N21: `active` is another name of `isActive`', async () => {
    const { id } = await webhooks.given(URL_OF_ERP)
    expect((await webhooks.update(id, { active: false })).body.subscription.isActive).toBe(false)
    expect((await webhooks.update(id, { active: false, isActive: true })).body.subscription.isActive).toBe(true)
    await webhooks.remove(id)
  })

  test.each([
    [{ url: URL_OF_ERP }],
    [{ url: URL_OF_ERP, events: [] }],
    [{ url: URL_OF_ERP, events: '*' }],
    [{ url: URL_OF_ERP, events: ['passport.status_updated'] }],
    [{ url: URL_OF_ERP, events: ['*', 'batteryunit.created'] }],
    [{ url: URL_OF_ERP, events: [1] }],
    [{ url: URL_OF_ERP, events: Array(21).fill('*') }],
    [{ events: ['*'] }],
    [{ url: 7, events: ['*'] }],
    [{ url: null, events: ['*'] }],
    [{}],
    [[]],
  ])('%j is refused', async (json) => {
    const { status, body } = await webhooks.create(json)
    expect([status, body.success, body.error]).toEqual([400, false, 'Bad Request'])
    expect((await webhooks.list()).body.subscriptions).toEqual([])
  })

  test.each([[{ isActive: 'yes' }], [{ events: [] }], [{ url: 'ftp://erp.example.com/' }], [{ url: '' }]])(
    'a change to %j is refused, and changes nothing',
    async (json) => {
      const { secret: _, ...subscription } = await webhooks.given(URL_OF_ERP)
      expect((await webhooks.update(subscription.id, json)).status).toBe(400)
      expect((await webhooks.list()).body.subscriptions).toEqual([subscription])
      await webhooks.remove(subscription.id)
    },
  )

  test('of another workspace is not seen', async () => {
    const { id } = await webhooks.given(URL_OF_ERP)
    const stranger = webhookClient(gateway, (await createWorkspace(gateway)).as)
    expect((await stranger.list()).body.subscriptions).toEqual([])
    expect(await stranger.deliveries()).toEqual([])
    for (const { status } of [
      await stranger.update(id, { isActive: false }),
      await stranger.rotate(id),
      await stranger.test(id),
      await stranger.remove(id),
    ]) {
      expect(status).toBe(404)
    }
    expect((await webhooks.list()).body.subscriptions).toMatchObject([{ id, isActive: true }])
    await webhooks.remove(id)
  })
})

test('a workspace has 25 at most, even if requested concurrently', async () => {
  const full = webhookClient(gateway, (await createWorkspace(gateway)).as)
  const answers = await Promise.all(
    Array.from({ length: MAX_SUBSCRIPTIONS + 15 }, (_, index) =>
      full.create({ url: `${URL_OF_ERP}/${index}`, events: ['*'] }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(MAX_SUBSCRIPTIONS)
  for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe('WEBHOOK_LIMIT_REACHED')
  const { subscriptions } = (await full.list()).body
  expect(subscriptions).toHaveLength(MAX_SUBSCRIPTIONS)
  await full.remove(subscriptions[0].id)
  expect((await full.create({ url: URL_OF_ERP, events: ['*'] })).status).toBe(201)
})

describe('a test event', () => {
  test.each([
    [['*'], 'passport.sealed'],
    [['*', 'passport.recalled'], 'passport.recalled'],
    [['access.decided'], 'access.decided'],
  ])('for %j is %s, signed and marked, and is not a delivery', async (events, event) => {
    const receiver = await startReceiver()
    const { id, secret, url } = await webhooks.given(receiver.url, events)
    receiver.verifyWith(secret)
    const { status, body } = await webhooks.test(id)
    expect([status, body]).toEqual([200, { success: true, event, url, delivered: true, statusCode: 204, error: null }])
    expect(receiver.received.map(({ body }) => [body.type, body.data._test])).toEqual([[event, true]])
    expect(await webhooks.deliveries()).toEqual([])
    await webhooks.remove(id)
    await receiver.close()
  })

  test('a rejected or undeliverable one is reported with success', async () => {
    const receiver = await startReceiver()
    receiver.mode = 'redirect'
    const { id, url } = await webhooks.given(receiver.url)
    const refused = { success: true, event: 'passport.sealed', url, delivered: false }
    expect((await webhooks.test(id)).body).toEqual({ ...refused, statusCode: 302, error: `${url}: HTTP 302` })
    await receiver.close()
    expect((await webhooks.test(id)).body).toEqual({
      ...refused,
      statusCode: null,
      error: expect.stringContaining('ECONNREFUSED'),
    })
    await webhooks.remove(id)
  })
})
