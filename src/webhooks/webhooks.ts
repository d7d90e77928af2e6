import { randomUUID } from 'node:crypto'
import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { clamped } from '../domain/paging.ts'
import { assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { envelopeOf, newSecret, type WebhookEvent } from '../domain/webhooks.ts'
import type { Transaction } from '../storage/transaction.ts'
import { currentTraceparent } from '../telemetry/current.ts'
import { WebhookDelivery, WebhookListener, WebhookSubscription } from './entities.ts'
import { secretOwner } from './webhook-delivery.ts'
import {
  endDeliveries,
  findDelivery,
  listDeliveries,
  listenToEvents,
  lockSubscriptions,
  type Replayed,
  replayDeliveries,
  replayDelivery,
  type StoredEvent,
} from './webhook-statements.ts'

/** Per workspace (specification 4.5, decisions on webhooks). */
export const MAX_SUBSCRIPTIONS = 25
/** The previous secret also signs for this time. */
const OVERLAP_MS = 24 * 3_600_000
const STATUSES: readonly Schema<'WebhookDelivery'>['status'][] = ['PENDING', 'DELIVERED', 'FAILED']
/** Listeners expire after this silence. */
const LISTENING_SECONDS = 15

type ReplayTarget =
  | { readonly delivery: string }
  | { readonly workspace: string; readonly from: string; readonly to: string; readonly subscription?: string }

declare module '../cradle.ts' {
  interface Cradle {
    webhooks: ReturnType<typeof webhooks>
  }
}

/** Specification 4.5 and 6. */
export default function webhooks({ database, outbox, secretBox, webhookDelivery }: Cradle) {
  return { list, create, update, remove, rotateSecret, test, deliveries, replay, replayAll, listen }

  async function list(principal: Principal): Promise<Content<'WebhookSubscriptionList'>> {
    assertWholeWorkspace(principal)
    const { tenantId } = principal
    const entities = database.entities(database.forTenant(tenantId))
    const found = await entities.find(WebhookSubscription, { tenantId }, { orderBy: { createdAt: 'asc', id: 'asc' } })
    return { subscriptions: found.map(publicForm) }
  }

  /** @throws Problem 400 for a rejected address, 409 at {@link MAX_SUBSCRIPTIONS} */
  async function create(
    principal: Principal,
    { url, events }: Schema<'NewWebhookSubscription'>,
  ): Promise<Schema<'WebhookSubscription'>> {
    assertWholeWorkspace(principal)
    await assertReachable(url)
    const { tenantId } = principal
    const id = randomUUID()
    const secret = newSecret()
    return database.transaction(tenantId, async (tx) => {
      lockSubscriptions(tx)
      if ((await tx.entities.count(WebhookSubscription, { tenantId })) >= MAX_SUBSCRIPTIONS) {
        throw conflict(`A workspace has at most ${MAX_SUBSCRIPTIONS} webhook subscriptions.`, 'WEBHOOK_LIMIT_REACHED')
      }
      const now = new Date()
      const subscription = tx.entities.create(WebhookSubscription, {
        ...{ id, tenantId, url, events: unique(events), isActive: true, createdAt: now, updatedAt: now },
        secret: secretBox.seal(secret, secretOwner(tenantId, id)),
      })
      recordAudit(tx, principal, 'webhook.created', id, auditDetails(subscription))
      return { ...publicForm(subscription), secret }
    })
  }

  /** @throws Problem 400 for a rejected address, 404 */
  async function update(
    principal: Principal,
    id: string,
    { url, events, active, isActive = active }: Schema<'WebhookSubscriptionUpdate'>,
  ): Promise<Omit<Content<'OneWebhookSubscription'>, 'message'> & { readonly isChanged: boolean }> {
    assertWholeWorkspace(principal)
    if (url !== undefined) await assertReachable(url)
    const isChanged = [url, events, isActive].some((value) => value !== undefined)
    const subscription = await change(principal, id, (tx, found) => {
      found.url = url ?? found.url
      found.events = events === undefined ? found.events : unique(events)
      found.isActive = isActive ?? found.isActive
      found.updatedAt = new Date()
      if (isActive === false) endDeliveries(tx, [found.id], 'The subscription was disabled.')
      if (isChanged) recordAudit(tx, principal, 'webhook.updated', found.id, auditDetails(found))
    })
    return { subscription, isChanged }
  }

  /** @throws Problem 404 */
  async function remove(principal: Principal, id: string): Promise<void> {
    assertWholeWorkspace(principal)
    await change(principal, id, (tx, found) => {
      tx.entities.remove(found)
      recordAudit(tx, principal, 'webhook.deleted', found.id)
    })
  }

  /** @throws Problem 404 */
  async function rotateSecret(principal: Principal, id: string): Promise<Schema<'WebhookSubscription'>> {
    assertWholeWorkspace(principal)
    const secret = newSecret()
    const subscription = await change(principal, id, (tx, found) => {
      found.formerSecret = found.secret
      found.formerUntil = new Date(Date.now() + OVERLAP_MS)
      found.secret = secretBox.seal(secret, secretOwner(found.tenantId, found.id))
      found.updatedAt = new Date()
      recordAudit(tx, principal, 'webhook.secret_rotated', found.id)
    })
    return { ...subscription, secret }
  }

  /** Sends a test event once. @throws Problem 404 */
  async function test(principal: Principal, id: string): Promise<Content<'WebhookTestResult'>> {
    assertWholeWorkspace(principal)
    const { tenantId } = principal
    const subscription = await find(database.entities(database.forTenant(tenantId)), principal, id)
    const event = testEventOf(subscription.events)
    const body = envelopeOf(
      event,
      new Date(),
      JSON.stringify(event.startsWith('access.') ? TEST_ACCESS : TEST_PASSPORT),
    )
    const { id: subscriptionId, url, secret, formerSecret, formerUntil } = subscription
    const receiver = { subscriptionId, url, secret, formerSecret, formerUntil }
    const reaction = await webhookDelivery.send(receiver, tenantId, { id: randomUUID(), body })
    const { statusCode = null, error = 'The attempt was aborted.' } = reaction ?? {}
    return { event, url, delivered: error === null, statusCode, error }
  }

  async function deliveries(
    principal: Principal,
    { status, limit }: { readonly status?: string; readonly limit?: string },
  ): Promise<Content<'WebhookDeliveryList'>> {
    assertWholeWorkspace(principal)
    const requestedStatus = STATUSES.find((name) => name === status)
    const found = await listDeliveries(database.forTenant(principal.tenantId), requestedStatus, clamped(limit, 200, 50))
    return { count: found.length, deliveries: found }
  }

  /** @throws Problem 404, 409 if pending or its subscription is disabled */
  async function replay(principal: Principal, id: string): Promise<Schema<'WebhookDelivery'>> {
    assertWholeWorkspace(principal)
    return replayOne(principal.tenantId, id)
  }

  /**
   * @returns ids of the replayed deliveries
   * @throws Problem 400, 404, 409
   */
  async function replayAll(target: ReplayTarget): Promise<string[]> {
    if ('delivery' in target) {
      const { delivery: id } = target
      const lookup = database.entities(database.lookup)
      const delivery = isUuid(id) ? await lookup.findOne(WebhookDelivery, { id }, { fields: ['tenantId'] }) : null
      if (delivery === null) throw noDelivery()
      await replayOne(delivery.tenantId, id)
      return [id]
    }
    const { workspace, subscription } = target
    const [from, to] = [new Date(target.from), new Date(target.to)]
    for (const [name, value] of Object.entries({ workspace, subscription })) {
      if (value !== undefined && !isUuid(value)) throw badRequest(`${name} must be a UUID.`)
    }
    for (const [name, time] of Object.entries({ from, to })) {
      if (Number.isNaN(time.getTime())) throw badRequest(`${name} must be an ISO 8601 timestamp.`)
    }
    return database.transaction(workspace, async (tx) => {
      const replayed = await replayDeliveries(tx, { from, to, subscriptionId: subscription })
      await rescheduleDeliveries(tx, workspace, replayed)
      return replayed.map(({ id }) => id)
    })
  }

  /** Yields each new event once, until `signal` aborts. @param wait pause between reads; shorter than {@link LISTENING_SECONDS} */
  async function* listen(
    workspace: string,
    signal: AbortSignal,
    wait: () => Promise<unknown>,
  ): AsyncGenerator<StoredEvent> {
    if (!isUuid(workspace)) throw badRequest('workspace must be a UUID.')
    const session = database.forTenant(workspace)
    const id = randomUUID()
    const seen = new Set<string>()
    const since = new Date()
    try {
      while (!signal.aborted) {
        for (const event of await listenToEvents(session, id, LISTENING_SECONDS, since)) {
          if (seen.has(event.id)) continue
          seen.add(event.id)
          yield event
        }
        await wait()
      }
    } finally {
      await database.entities(session).nativeDelete(WebhookListener, { id })
    }
  }

  async function replayOne(tenantId: string, id: string): Promise<Schema<'WebhookDelivery'>> {
    if (!isUuid(id)) throw noDelivery()
    return database.transaction(tenantId, async (tx) => {
      const replayed = await replayDelivery(tx, id)
      if (replayed !== undefined) await rescheduleDeliveries(tx, tenantId, [replayed])
      const delivery = await findDelivery(tx, id)
      if (delivery === undefined) throw noDelivery()
      if (replayed === undefined) {
        throw conflict('This delivery is still in progress, or its subscription is disabled.')
      }
      return delivery
    })
  }

  async function rescheduleDeliveries(tx: Transaction, tenantId: string, replayed: readonly Replayed[]): Promise<void> {
    const planned = replayed.map(({ id, ...attempt }) => ({
      ...{ ...attempt, tenantId, deliveryId: id, isRepeated: true },
      traceparent: currentTraceparent(),
    }))
    await outbox.plan(tx, planned)
  }

  /** @throws Problem 404 */
  async function change(
    principal: Principal,
    id: string,
    work: (tx: Transaction, subscription: WebhookSubscription) => void,
  ): Promise<Schema<'WebhookSubscription'>> {
    return database.transaction(principal.tenantId, async (tx) => {
      const subscription = await find(tx.entities, principal, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
      work(tx, subscription)
      return publicForm(subscription)
    })
  }

  async function find(entities: EntityManager, { tenantId }: Principal, id: string, options = {}) {
    const found = isUuid(id) ? await entities.findOne(WebhookSubscription, { id, tenantId }, options) : null
    if (found === null) throw noSubscription()
    return found
  }

  async function assertReachable(url: string): Promise<void> {
    const why = await webhookDelivery.whyNotReachable(url)
    if (why !== undefined) {
      throw badRequest(`Invalid webhook url: it ${why} Use a public https address.`, 'WEBHOOK_URL_REJECTED')
    }
  }
}

const publicForm = (subscription: WebhookSubscription): Schema<'WebhookSubscription'> => ({
  id: subscription.id,
  tenantId: subscription.tenantId,
  url: subscription.url,
  events: subscription.events,
  isActive: subscription.isActive,
  createdAt: subscription.createdAt.toISOString(),
  updatedAt: subscription.updatedAt.toISOString(),
})

/** Excludes the secret, and the query of the address, which may contain one. */
function auditDetails({ url, events, isActive }: WebhookSubscription): object {
  const { origin, pathname } = new URL(url)
  return { url: `${origin}${pathname}`, events, isActive }
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

const noSubscription = () => notFound('Webhook subscription not found in your workspace.', 'WEBHOOK_NOT_FOUND')
const noDelivery = () => notFound('Webhook delivery not found in your workspace.', 'WEBHOOK_NOT_FOUND')

const NO_ID = '00000000-0000-0000-0000-000000000000'

const TEST_PASSPORT = { _test: true, '@type': 'DigitalProductPassport', id: NO_ID, productId: 'TEST', status: 'ACTIVE' }
const TEST_ACCESS = { _test: true, grantId: NO_ID, status: 'PENDING', scopeType: 'TENANT', passportId: null }

const testEventOf = (filters: readonly string[]): WebhookEvent =>
  (filters.find((filter) => filter !== '*') ?? 'passport.sealed') as WebhookEvent
