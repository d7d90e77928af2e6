import { randomUUID } from 'node:crypto'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { clamped } from '../domain/paging.ts'
import { assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { Transaction } from '../storage/transaction.ts'
import { currentTraceparent } from '../telemetry/current.ts'
import { WebhookDelivery, WebhookListener } from './entities.ts'
import {
  findDelivery,
  listDeliveries,
  listenToEvents,
  type Replayed,
  replayDeliveries,
  replayDelivery,
  type StoredEvent,
} from './webhook-statements.ts'

const STATUSES: readonly Schema<'WebhookDelivery'>['status'][] = ['PENDING', 'DELIVERED', 'FAILED']
/** Listeners expire after this silence. */
const LISTENING_SECONDS = 15

type ReplayTarget =
  | { readonly delivery: string }
  | { readonly workspace: string; readonly from: string; readonly to: string; readonly subscription?: string }

declare module '../cradle.ts' {
  interface Cradle {
    webhookDeliveries: ReturnType<typeof webhookDeliveries>
  }
}

/** Specification 4.5. */
export default function webhookDeliveries({ database, outbox }: Cradle) {
  return { list, replay, replayAll, listen }

  async function list(
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
}

const noDelivery = () => notFound('Webhook delivery not found in your workspace.', 'WEBHOOK_NOT_FOUND')
