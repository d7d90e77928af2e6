import type { Schema } from '../domain/schema.ts'
import type { WebhookEvent } from '../domain/webhooks.ts'
import { iso, type Session, type Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { WebhookSubscription } from './entities.ts'

type Subscription = Schema<'WebhookSubscription'>
type Delivery = Schema<'WebhookDelivery'>

const OWN = 'tenant_id = app_tenant()'

const LOCK_ALL: Statement = {
  name: 'lock-webhook-subscriptions',
  text: `select pg_advisory_xact_lock(hashtextextended('webhooks ' || app_tenant()::text, 0))`,
}

/** Serializes additions until the transaction ends, so that a limit on their number holds. */
export const lockSubscriptions = (tx: Transaction): void => tx.write(LOCK_ALL)

const SUBSCRIBED: Statement = {
  name: 'wanted-webhooks',
  text: `select s.id, s.events from webhook_subscription s where s.${OWN} and s.is_active`,
}
const HAS_LISTENER: Statement = {
  name: 'has-webhook-listener',
  text: `select 1 from webhook_listener where ${OWN} and expires_at > now() limit 1`,
}

/** `hasListener` is true if a listener wants all events. */
export async function findAudience(
  session: Session,
): Promise<{ readonly subscriptions: Pick<Subscription, 'id' | 'events'>[]; readonly hasListener: boolean }> {
  const [subscriptions, listeners] = await Promise.all([
    session.run<Pick<Subscription, 'id' | 'events'>>(SUBSCRIBED),
    session.run(HAS_LISTENER),
  ])
  return { subscriptions, hasListener: listeners.length > 0 }
}

export interface StoredEvent {
  readonly id: string
  readonly type: WebhookEvent
  readonly body: string
}

interface NewDelivery {
  readonly id: string
  readonly eventId: string
  readonly subscriptionId: string
}

const ADD_EVENTS: Statement = {
  name: 'add-webhook-events',
  text: `insert into webhook_event (id, tenant_id, type, body)
    select e.id, app_tenant(), e.type, e.body from jsonb_to_recordset($1::jsonb) as e (id uuid, type text, body text)
    on conflict do nothing`,
}
const ADD_DELIVERIES: Statement = {
  name: 'add-webhook-deliveries',
  // All have the same time, so that a replayed time span has all deliveries of an event or none.
  text: `insert into webhook_delivery (id, tenant_id, subscription_id, event_id, next_attempt_at, created_at)
    select d.id, app_tenant(), s.id, d."eventId", now(), now()
    from jsonb_to_recordset($1::jsonb) as d (id uuid, "eventId" uuid, "subscriptionId" uuid)
    join webhook_subscription s on s.id = d."subscriptionId" and s.${OWN} and s.is_active
    on conflict do nothing`,
}

/** Existing rows are unchanged. */
export function addEvents(tx: Transaction, events: readonly StoredEvent[], deliveries: readonly NewDelivery[]): void {
  tx.write(ADD_EVENTS, [JSON.stringify(events)])
  tx.write(ADD_DELIVERIES, [JSON.stringify(deliveries)])
}

export interface Receiver extends Pick<WebhookSubscription, 'url' | 'secret' | 'formerSecret' | 'formerUntil'> {
  readonly subscriptionId: string
}

export interface OpenDelivery extends Receiver {
  readonly id: string
  readonly attemptCount: number
  /** Attempts before the last replay. */
  readonly planStart: number
  readonly eventId: string
  readonly body: string
}

const OPEN: Statement = {
  name: 'open-webhook-deliveries',
  text: `select d.id, d.attempt_count as "attemptCount", d.plan_start as "planStart", d.event_id as "eventId", e.body,
      s.id as "subscriptionId", s.url, s.secret, s.former_secret as "formerSecret", s.former_until as "formerUntil"
    from webhook_delivery d join webhook_subscription s on s.id = d.subscription_id and s.is_active
      join webhook_event e on e.id = d.event_id
    where d.id = any ($1::uuid[]) and d.${OWN} and d.status = 'PENDING'`,
}

export const findOpenDeliveries = (session: Session, ids: readonly string[]): Promise<OpenDelivery[]> =>
  session.run(OPEN, [ids])

export interface Outcome {
  readonly id: string
  /** Attempts before this one. The outcome is ignored if the stored number differs. */
  readonly attemptCount: number
  readonly status: Delivery['status']
  readonly nextAttemptAt: string | null
  readonly error: string | null
  readonly attempt: Delivery['attempts'][number]
}

const RECORD: Statement = {
  name: 'record-webhook-attempts',
  text: `update webhook_delivery d set status = o.status, attempt_count = d.attempt_count + 1,
      last_attempt_at = (o.attempt ->> 'at')::timestamptz, next_attempt_at = o."nextAttemptAt", error_message = o.error,
      attempts = case when jsonb_array_length(d.attempts) < $2 then d.attempts else d.attempts - 0 end || o.attempt
    from jsonb_to_recordset($1::jsonb) as o
      (id uuid, "attemptCount" int, status text, "nextAttemptAt" timestamptz, error text, attempt jsonb)
    where d.id = o.id and d.${OWN} and d.status = 'PENDING' and d.attempt_count = o."attemptCount"`,
}
const MAX_STORED_ATTEMPTS = 20

export const recordOutcomes = (tx: Transaction, outcomes: readonly Outcome[]): void =>
  tx.write(RECORD, [JSON.stringify(outcomes), MAX_STORED_ATTEMPTS])

const DISABLE: Statement = {
  name: 'disable-webhook-subscriptions',
  text: `update webhook_subscription set is_active = false, updated_at = now() where id = any ($1::uuid[]) and ${OWN}`,
}
const END: Statement = {
  name: 'end-webhook-deliveries',
  text: `update webhook_delivery set status = 'FAILED', next_attempt_at = null, error_message = $2
    where subscription_id = any ($1::uuid[]) and ${OWN} and status = 'PENDING'`,
}

export const disableSubscriptions = (tx: Transaction, ids: readonly string[]): void => tx.write(DISABLE, [ids])

export const endDeliveries = (tx: Transaction, subscriptionIds: readonly string[], reason: string): void =>
  tx.write(END, [subscriptionIds, reason])

const DELIVERY = `d.id, d.subscription_id as "subscriptionId", d.event_id as "webhookId", e.type as event, d.status,
  greatest(d.attempt_count - d.plan_start - 1, 0) as "retryCount", ${iso('d.last_attempt_at')} as "lastAttempt",
  ${iso('d.next_attempt_at')} as "nextRetryAt", d.error_message as "errorMessage", d.attempts,
  ${iso('d.created_at')} as "createdAt"`
const FROM_DELIVERY = 'from webhook_delivery d join webhook_event e on e.id = d.event_id'
const LATEST = `order by d.created_at desc, d.id limit $1`
const LIST_DELIVERIES: Statement = {
  name: 'list-webhook-deliveries',
  text: `select ${DELIVERY} ${FROM_DELIVERY} where d.${OWN} ${LATEST}`,
}
const LIST_DELIVERIES_OF_STATUS: Statement = {
  name: 'list-webhook-deliveries-of-status',
  text: `select ${DELIVERY} ${FROM_DELIVERY} where d.${OWN} and d.status = $2 ${LATEST}`,
}

export const listDeliveries = (
  session: Session,
  status: Delivery['status'] | undefined,
  limit: number,
): Promise<Delivery[]> =>
  status === undefined ? session.run(LIST_DELIVERIES, [limit]) : session.run(LIST_DELIVERIES_OF_STATUS, [limit, status])

export interface Replayed extends Pick<OpenDelivery, 'id' | 'attemptCount' | 'subscriptionId'> {}

const REPLAYED = `returning d.id, d.attempt_count as "attemptCount", d.subscription_id as "subscriptionId"`
const RESTART = `update webhook_delivery d set status = 'PENDING', plan_start = d.attempt_count,
    next_attempt_at = now(), error_message = null
  from webhook_subscription s where s.id = d.subscription_id and s.is_active and d.${OWN}`
const REPLAY_ONE: Statement = {
  name: 'replay-webhook-delivery',
  text: `${RESTART} and d.id = $1 and d.status <> 'PENDING' ${REPLAYED}`,
}
const REPLAY_RANGE: Statement = {
  name: 'replay-webhook-deliveries',
  text: `${RESTART} and d.status <> 'PENDING' and d.created_at >= $1 and d.created_at < $2
    and ($3::uuid is null or d.subscription_id = $3) ${REPLAYED}`,
}

/** Undefined if absent, pending, or of an inactive subscription. */
export async function replayDelivery(tx: Transaction, id: string): Promise<Replayed | undefined> {
  const [replayed] = await tx.run<Replayed>(REPLAY_ONE, [id])
  return replayed
}

/** Restarts ended deliveries of active subscriptions. */
export const replayDeliveries = (
  tx: Transaction,
  { from, to, subscriptionId }: { from: Date; to: Date; subscriptionId: string | undefined },
): Promise<Replayed[]> => tx.run(REPLAY_RANGE, [from.toISOString(), to.toISOString(), subscriptionId ?? null])

const FIND_DELIVERY: Statement = {
  name: 'find-webhook-delivery',
  text: `select ${DELIVERY} ${FROM_DELIVERY} where d.id = $1 and d.${OWN}`,
}

export async function findDelivery(session: Session, id: string): Promise<Delivery | undefined> {
  const [delivery] = await session.run<Delivery>(FIND_DELIVERY, [id])
  return delivery
}

const LISTEN: Statement = {
  name: 'listen-to-webhooks',
  text: `insert into webhook_listener (id, tenant_id, expires_at) values ($1, app_tenant(), now() + $2 * interval '1 second')
    on conflict (id) do update set expires_at = excluded.expires_at`,
}
const HEARD: Statement = {
  name: 'heard-webhook-events',
  text: `select id, type, body from webhook_event where ${OWN} and created_at >= $1 order by created_at, id limit 1000`,
}

/**
 * Stores every event for `forSeconds` from now.
 * @returns events since a time, oldest first
 */
export async function listenToEvents(
  session: Session,
  listenerId: string,
  forSeconds: number,
  since: Date,
): Promise<StoredEvent[]> {
  const [, events] = await Promise.all([
    session.run(LISTEN, [listenerId, forSeconds]),
    session.run<StoredEvent>(HEARD, [since.toISOString()]),
  ])
  return events
}
