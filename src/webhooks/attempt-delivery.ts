import type { Cradle } from '../cradle.ts'
import { batchCalls } from '../domain/batching.ts'
import { derivedUuid, nextAttempt } from '../domain/webhooks.ts'
import { type AttemptJob, WEBHOOK_DELIVERIES } from '../jobs/outbox.ts'
import type { NewNotification } from '../plugin/contracts.ts'
import { inJob, type Traced } from '../telemetry/current.ts'
import type { Ending } from './delivery-queue.ts'
import type { Reaction } from './webhook-sender.ts'
import {
  disableSubscriptions,
  endDeliveries,
  findOpenDeliveries,
  type OpenDelivery,
  type Outcome,
  recordOutcomes,
} from './webhook-statements.ts'

const MAX_BATCH = 200

/** Receiver has unsubscribed (RFC 9110, 15.5.11; Standard Webhooks 1.0, "Response codes"). */
const GONE = 410

type Services = Pick<Cradle, 'counters' | 'database' | 'log' | 'moduleHooks' | 'outbox' | 'tracing' | 'webhookSender'>

type Attempt = (delivery: OpenDelivery) => Promise<Reaction | undefined>

interface Recorded extends Traced {
  readonly delivery: OpenDelivery
  readonly reaction: Reaction
}

/** Makes the attempts of a {@link DeliveryQueue}. */
export function deliveryAttempts(services: Services) {
  const { counters, database, log, tracing, webhookSender } = services
  const findOpen = batchCalls<string, OpenDelivery | undefined>(
    async (tenantId, ids) => {
      const open = await findOpenDeliveries(database.forTenant(tenantId), ids)
      const byId = new Map(open.map((delivery) => [delivery.id, delivery]))
      return ids.map((id) => byId.get(id))
    },
    { maxBatch: MAX_BATCH },
  )
  const record = batchCalls<Recorded, undefined>(
    async (tenantId, recorded) => {
      await recordAll(services, tenantId, recorded)
      return []
    },
    { maxBatch: MAX_BATCH },
  )

  return { attempt, giveUp }

  function attempt(job: AttemptJob, signal: AbortSignal): Promise<Ending> {
    const send: Attempt = (delivery) =>
      webhookSender.send(delivery, job.tenantId, { id: delivery.eventId, body: delivery.body }, signal)
    return inJob(tracing, WEBHOOK_DELIVERIES, job.traceparent, () => concluded(job, send))
  }

  function giveUp(job: AttemptJob): Promise<Ending> {
    const error = 'Not sent: the receiver did not respond to a previous event.'
    const reaction = { durationMs: 0, statusCode: null, retryAfter: undefined, error }
    return concluded(job, async () => ({ at: new Date(), ...reaction }))
  }

  async function concluded(job: AttemptJob, make: Attempt): Promise<Ending> {
    const ending = await endingOf(job, make)
    counters.webhookAttempts[ending] += 1
    return ending
  }

  async function endingOf(
    { tenantId, deliveryId, attemptCount, traceparent }: AttemptJob,
    make: Attempt,
  ): Promise<Ending> {
    try {
      const delivery = await findOpen(tenantId, deliveryId)
      if (delivery === undefined || delivery.attemptCount !== attemptCount) return 'nothing'
      const reaction = await make(delivery)
      if (reaction === undefined) return 'lost'
      await record(tenantId, { delivery, reaction, traceparent })
      if (reaction.error === null) return 'taken'
      return reaction.statusCode === null ? 'unreachable' : 'refused'
    } catch (error) {
      log.warn({ err: error, delivery: deliveryId }, 'webhook delivery could not be attempted or recorded')
      return 'lost'
    }
  }
}

async function recordAll(
  { counters, database, moduleHooks, outbox }: Services,
  tenantId: string,
  recorded: readonly Recorded[],
): Promise<void> {
  const outcomes = recorded.map((one) => ({ ...one, outcome: outcomeOf(one) }))
  const gone = recorded.filter(({ reaction }) => reaction.statusCode === GONE)
  const ended = gone.map(({ delivery }) => delivery.subscriptionId)
  const next = outcomes.flatMap(
    ({ delivery: { id: deliveryId, attemptCount, subscriptionId }, outcome: { nextAttemptAt }, traceparent }) =>
      nextAttemptAt === null || ended.includes(subscriptionId)
        ? []
        : {
            ...{ tenantId, deliveryId, attemptCount: attemptCount + 1, subscriptionId, traceparent },
            at: new Date(nextAttemptAt),
          },
  )
  await database.transaction(tenantId, async (tx) => {
    recordOutcomes(
      tx,
      outcomes.map(({ outcome }) => outcome),
    )
    if (ended.length > 0) {
      disableSubscriptions(tx, ended)
      endDeliveries(tx, ended, 'The receiver responded with 410: the subscription was disabled.')
    }
    for (const one of outcomes) if (one.outcome.status === 'FAILED') moduleHooks.notify(tx, failureNotification(one))
    await outbox.plan(tx, next)
  })
  for (const { outcome } of outcomes) {
    if (outcome.status === 'DELIVERED') counters.webhookDeliveries.delivered += 1
    if (outcome.status === 'FAILED') counters.webhookDeliveries.failed += 1
  }
}

/** At most once per hour and subscription, since many deliveries fail together. */
function failureNotification({ delivery, reaction }: Recorded): NewNotification {
  const { id, subscriptionId, url } = delivery
  const isGone = reaction.statusCode === GONE
  const type = isGone ? 'webhook.subscription_disabled' : 'webhook.delivery_failed'
  return {
    id: derivedUuid(subscriptionId, type, reaction.at.toISOString().slice(0, 13)),
    type,
    operatorId: null,
    subjectId: isGone ? subscriptionId : id,
    message: isGone
      ? `${url} responded with 410: the webhook subscription was disabled.`
      : `A webhook delivery failed after its last attempt. ${reaction.error}`,
  }
}

function outcomeOf({ delivery: { id, attemptCount, planStart }, reaction }: Recorded): Outcome {
  const { at, statusCode, error, durationMs, retryAfter } = reaction
  const attempt = { at: at.toISOString(), statusCode, error, durationMs }
  if (error === null) return { id, attemptCount, status: 'DELIVERED', nextAttemptAt: null, error, attempt }
  const made = attemptCount + 1 - planStart
  const next = statusCode === GONE ? undefined : nextAttempt(made, new Date(), Math.random(), retryAfter)
  const nextAttemptAt = next?.toISOString() ?? null
  return { id, attemptCount, status: next === undefined ? 'FAILED' : 'PENDING', nextAttemptAt, error, attempt }
}
