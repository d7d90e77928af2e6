import { randomUUID } from 'node:crypto'
import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { envelopeOf, newSecret, secretOwner, type WebhookEvent } from '../domain/webhooks.ts'
import type { Transaction } from '../storage/transaction.ts'
import { WebhookSubscription } from './entities.ts'
import { endDeliveries, lockSubscriptions } from './webhook-statements.ts'

/** Per workspace (specification 4.5, decisions on webhooks). */
export const MAX_SUBSCRIPTIONS = 25
/** The previous secret also signs for this time. */
const OVERLAP_MS = 24 * 3_600_000

declare module '../cradle.ts' {
  interface Cradle {
    webhooks: ReturnType<typeof webhooks>
  }
}

/** Specification 4.5 and 6. */
export default function webhooks({ database, secretBox, webhookSender }: Cradle) {
  return { list, create, update, remove, rotateSecret, test }

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
    const reaction = await webhookSender.send(receiver, tenantId, { id: randomUUID(), body })
    const { statusCode = null, error = 'The attempt was aborted.' } = reaction ?? {}
    return { event, url, delivered: error === null, statusCode, error }
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
    const why = await webhookSender.whyNotReachable(url)
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

const NO_ID = '00000000-0000-0000-0000-000000000000'

const TEST_PASSPORT = { _test: true, '@type': 'DigitalProductPassport', id: NO_ID, productId: 'TEST', status: 'ACTIVE' }
const TEST_ACCESS = { _test: true, grantId: NO_ID, status: 'PENDING', scopeType: 'TENANT', passportId: null }

const testEventOf = (filters: readonly string[]): WebhookEvent =>
  (filters.find((filter) => filter !== '*') ?? 'passport.sealed') as WebhookEvent
