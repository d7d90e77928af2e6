import type { Cradle } from '../cradle.ts'
import { batchCalls } from '../domain/batching.ts'
import { passportDocument } from '../domain/passport-document.ts'
import { isMetadataAddress, isPublicAddress, literalOf, whyNotPublicUrl } from '../domain/public-address.ts'
import type { Schema } from '../domain/schema.ts'
import { derivedUuid, envelopeOf, isSubscribed, nextAttempt, signedHeaders } from '../domain/webhooks.ts'
import { type AttemptJob, type EventJob, PASSPORT_EVENTS, WEBHOOK_DELIVERIES } from '../jobs/outbox.ts'
import { ANYWHERE, dnsResolver, Outgoing } from '../outside/http-client.ts'
import type { NewNotification } from '../plugin/contracts.ts'
import { findDefaultTexts } from '../renditions/rendition-statements.ts'
import type { Session } from '../storage/statement.ts'
import { beginJob, currentTraceparent, inJob, type Traced, type TraceSpan, within } from '../telemetry/current.ts'
import { DeliveryQueue, type Ending } from './delivery-queue.ts'
import {
  addEvents,
  disableSubscriptions,
  endDeliveries,
  findAudience,
  findOpenDeliveries,
  type OpenDelivery,
  type Outcome,
  type Receiver,
  recordOutcomes,
  type StoredEvent,
} from './webhook-statements.ts'

/** Total, from DNS lookup to the end of the response (decisions on webhooks). */
const ATTEMPTED_WITHIN_MS = 15_000
const NAMED_WITHIN_MS = 5000
/** Read so that the connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024
/** In addition to 443. */
const PORTS = ['8443']
const MAX_BATCH = 200
const EVENTS_AT_ONCE = 50
const POLLED_EVERY_SECONDS = 0.5
const GATHERED_MS = 50
const MAX_REASON_CHARACTERS = 300

interface TakenEvent {
  readonly id: string
  readonly data: EventJob
  readonly createdOn: Date
  readonly span?: TraceSpan | undefined
}

interface Reaction {
  readonly at: Date
  readonly durationMs: number
  readonly statusCode: number | null
  readonly retryAfter: string | undefined
  readonly error: string | null
}

declare module '../cradle.ts' {
  interface Cradle {
    webhookDelivery: ReturnType<typeof webhookDelivery>
  }
}

/** Specification 6. */
export default function webhookDelivery({
  passportRows,
  boss,
  config,
  counters,
  database,
  log,
  moduleHooks,
  outbox,
  passportViews,
  renditions,
  plugins,
  secretBox,
  sharedAddresses,
  tracing,
}: Cradle) {
  const { webhookAllowPrivate } = config
  const outgoing = new Outgoing(
    webhookAllowPrivate
      ? { ...ANYWHERE, keepAlive: true }
      : { mayConnect: isPublicAddress, resolver: dnsResolver(NAMED_WITHIN_MS), keepAlive: true },
  )
  const queue = new DeliveryQueue({ boss, log, work: { attempt, giveUp } })
  const findOpen = batchCalls<string, OpenDelivery | undefined>(findAll, { maxBatch: MAX_BATCH })
  const record = batchCalls<Recorded, undefined>(recordAll, { maxBatch: MAX_BATCH })

  return { start, stop, fanOut, send, whyNotReachable }

  async function start(): Promise<void> {
    const options = {
      batchSize: EVENTS_AT_ONCE,
      pollingIntervalSeconds: POLLED_EVERY_SECONDS,
      burstWhenBatchFull: true,
      perJobResults: true,
      includeMetadata: true,
    } as const
    const worker = await boss.work<EventJob, unknown, typeof options>(PASSPORT_EVENTS, options, async (jobs) => {
      const failures = await inSpans(jobs, fanOutAll)
      return jobs.map(({ id }) =>
        failures.has(id)
          ? { id, status: 'failed' as const, output: { message: failures.get(id) } }
          : { id, status: 'completed' as const },
      )
    })
    let isPlanned = false
    outbox.onAdded(PASSPORT_EVENTS, () => {
      if (isPlanned) return
      isPlanned = true
      const fanOutSoon = () => {
        isPlanned = false
        boss.notifyWorker(worker)
      }
      setTimeout(fanOutSoon, GATHERED_MS).unref()
    })
    outbox.onAdded(WEBHOOK_DELIVERIES, () => queue.wake())
    queue.start()
  }

  async function stop(graceMs: number): Promise<void> {
    const eventsEnd = boss.offWork(PASSPORT_EVENTS)
    await queue.stop(graceMs).finally(() => outgoing.close())
    await eventsEnd
  }

  /** Runs a batch with one span per job; shared work appears in the first. */
  async function inSpans(
    jobs: readonly TakenEvent[],
    work: (jobs: readonly TakenEvent[]) => Promise<Map<string, string>>,
  ): Promise<Map<string, string>> {
    if (tracing === undefined) return work(jobs)
    const taken = jobs.map((job) => ({ ...job, span: beginJob(tracing, PASSPORT_EVENTS, job.data.traceparent) }))
    const activity = { isOver: false }
    const failures = await within(activity, taken[0]?.span, () => work(taken))
    activity.isOver = true
    for (const { id, span } of taken) span.end(failures.has(id) ? FAILED : undefined)
    return failures
  }

  /** @returns errors by job id */
  async function fanOutAll(jobs: readonly TakenEvent[]): Promise<Map<string, string>> {
    const failures = new Map<string, string>()
    const ofTenants = Map.groupBy(jobs, ({ data }) => data.tenantId)
    await Promise.all(
      [...ofTenants].map(([tenantId, taken]) =>
        fanOut(tenantId, taken)
          // Retries individually, so that one failing event does not block the others.
          .catch(async () => {
            for (const job of taken) {
              await fanOut(tenantId, [job]).catch((error) => {
                log.error({ err: error, event: job.data.event, tenantId }, 'webhook event could not be queued')
                failures.set(job.id, String(error))
              })
            }
          }),
      ),
    )
    return failures
  }

  /**
   * Stores events and deliveries, and schedules the first attempts, in one transaction. Ids derive from the job's, so repeated jobs are
   * idempotent.
   */
  async function fanOut(tenantId: string, jobs: readonly TakenEvent[]): Promise<void> {
    const session = database.forTenant(tenantId)
    const { subscriptions, hasListener } = await findAudience(session)
    const subscribed = jobs.filter(
      ({ data }) => hasListener || subscriptions.some(({ events }) => isSubscribed(events, data.event)),
    )
    if (subscribed.length > 0) await deliver(tenantId, session, subscriptions, subscribed)
    const published = jobs.flatMap(({ data, createdOn }) =>
      data.event === 'passport.ingested' ? data.passports.map(({ id }) => ({ id, at: createdOn })) : [],
    )
    await sharedAddresses.notifyOthers(tenantId, published)
  }

  async function deliver(
    tenantId: string,
    session: Session,
    subscriptions: readonly Pick<Schema<'WebhookSubscription'>, 'id' | 'events'>[],
    subscribed: readonly TakenEvent[],
  ): Promise<void> {
    const events = await eventsOf(session, subscribed)
    const deliveries = events.flatMap(({ id: eventId, type, traceparent }) =>
      subscriptions
        .filter(({ events: filters }) => isSubscribed(filters, type))
        .map(({ id: subscriptionId }) => ({
          id: derivedUuid(eventId, subscriptionId),
          eventId,
          subscriptionId,
          traceparent,
        })),
    )
    await database.transaction(tenantId, async (tx) => {
      addEvents(tx, events, deliveries)
      await outbox.plan(
        tx,
        deliveries.map(({ id, subscriptionId, traceparent }) => ({
          ...{ tenantId, deliveryId: id, attemptCount: 0, subscriptionId, traceparent },
        })),
      )
    })
  }

  async function eventsOf(session: Session, jobs: readonly TakenEvent[]): Promise<(StoredEvent & Traced)[]> {
    const named = jobs.flatMap(({ data }) => ('passports' in data ? data.passports : []))
    const texts = await findDefaultTexts(session, plugins.defaultRepresentation?.name ?? '', named)
    const missing = named.filter(({ id, version }) => !texts.has(`${id} ${version}`))
    const present = await presentTexts(session, new Set(missing.map(({ id }) => id)))
    const events: (StoredEvent & Traced)[] = []
    for (const { id: jobId, data, createdOn, span } of jobs) {
      const { event: type } = data
      const add = (id: string, text: string) =>
        events.push({ id, type, body: envelopeOf(type, createdOn, text), traceparent: span?.traceparent })
      if ('facts' in data) add(derivedUuid(jobId), JSON.stringify(data.facts))
      else {
        for (const { id, version } of data.passports) {
          const text = texts.get(`${id} ${version}`) ?? present.get(id)
          if (text !== undefined) add(derivedUuid(jobId, id), text)
          else log.warn({ passport: id, event: type }, 'webhook event skipped: passport is no longer public')
        }
      }
    }
    return events
  }

  /** Renders current documents, for passports without a stored text of this version. */
  async function presentTexts(session: Session, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const rows = await Promise.all([...ids].map((id) => passportRows.load(session, id)))
    const texts = new Map<string, string>()
    for (const row of rows) {
      if (row === undefined || row.status === 'DRAFT') continue
      const rendition = await renditions.renderDefault(row)
      const text = rendition?.body.toString() ?? JSON.stringify(passportDocument(passportViews.view(row, 'public')))
      texts.set(row.id, text)
      await new Promise(setImmediate)
    }
    return texts
  }

  async function attempt(job: AttemptJob, signal: AbortSignal): Promise<Ending> {
    return inJob(tracing, WEBHOOK_DELIVERIES, job.traceparent, () =>
      concluded(job, (delivery) => send(delivery, job.tenantId, { id: delivery.eventId, body: delivery.body }, signal)),
    )
  }

  async function giveUp(job: AttemptJob): Promise<Ending> {
    return concluded(job, async () => ({
      at: new Date(),
      durationMs: 0,
      statusCode: null,
      retryAfter: undefined,
      error: 'Not sent: the receiver did not respond to a previous event.',
    }))
  }

  async function concluded(
    job: AttemptJob,
    make: (delivery: OpenDelivery) => Promise<Reaction | undefined>,
  ): Promise<Ending> {
    const ending = await endingOf(job, make)
    counters.webhookAttempts[ending] += 1
    return ending
  }

  async function endingOf(
    { tenantId, deliveryId, attemptCount, traceparent }: AttemptJob,
    make: (delivery: OpenDelivery) => Promise<Reaction | undefined>,
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

  /** Sends one message. @param signal aborts the attempt, with undefined outcome */
  async function send(
    { subscriptionId, url, secret, formerSecret, formerUntil }: Receiver,
    tenantId: string,
    message: { readonly id: string; readonly body: string },
    signal?: AbortSignal,
  ): Promise<Reaction | undefined> {
    const traceparent = currentTraceparent()
    const owner = secretOwner(tenantId, subscriptionId)
    const at = new Date()
    const secrets = formerSecret && formerUntil && formerUntil > at ? [secret, formerSecret] : [secret]
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'dpp-gateway',
      ...(traceparent !== undefined && { traceparent }),
      ...signedHeaders(
        message,
        secrets.map((sealed) => secretBox.open(sealed, owner)),
        at,
      ),
    }
    const begun = performance.now()
    const since = () => Math.round(performance.now() - begun)
    const request = { url, headers, body: message.body, withinMs: ATTEMPTED_WITHIN_MS, maxBytes: MAX_ANSWER_BYTES }
    try {
      // Validated again: the rules may have become stricter.
      const why = whyNotUrl(url)
      if (why !== undefined) throw new Error(`${url} ${why}`)
      const { status, headers: answered } = await outgoing.notify(request, signal)
      const isTaken = status >= 200 && status < 300
      const error = isTaken ? null : `${url}: HTTP ${status}`
      return { at, durationMs: since(), statusCode: status, retryAfter: answered['retry-after'], error }
    } catch (error) {
      if (signal?.aborted) return undefined
      const { message: reason, code } = error as NodeJS.ErrnoException
      const text = `${url}: ${reason || code}`.slice(0, MAX_REASON_CHARACTERS)
      return { at, durationMs: since(), statusCode: null, retryAfter: undefined, error: text }
    }
  }

  /** Returns why an address is rejected, else undefined. Never discloses its IP address. */
  async function whyNotReachable(url: string): Promise<string | undefined> {
    const why = whyNotUrl(url)
    if (why !== undefined || webhookAllowPrivate || (await outgoing.isConnectable(url))) return why
    return 'does not resolve to public addresses.'
  }

  function whyNotUrl(url: string): string | undefined {
    if (!webhookAllowPrivate) return whyNotPublicUrl(url, { ports: PORTS, literals: true })
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return 'is not an http or https URL.'
    const address = literalOf(new URL(url).hostname)
    return address !== undefined && isMetadataAddress(address) ? 'is a link-local or metadata address.' : undefined
  }

  async function findAll(tenantId: string, ids: readonly string[]): Promise<(OpenDelivery | undefined)[]> {
    const open = await findOpenDeliveries(database.forTenant(tenantId), ids)
    const byId = new Map(open.map((delivery) => [delivery.id, delivery]))
    return ids.map((id) => byId.get(id))
  }

  async function recordAll(tenantId: string, recorded: readonly Recorded[]): Promise<undefined[]> {
    const outcomes = recorded.map((one) => ({ ...one, outcome: outcomeOf(one) }))
    const gone = recorded.filter(({ reaction }) => reaction.statusCode === GONE)
    const ended = gone.map(({ delivery }) => delivery.subscriptionId)
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
      await outbox.plan(
        tx,
        outcomes.flatMap(
          ({ delivery: { id, attemptCount, subscriptionId }, outcome: { nextAttemptAt }, traceparent }) =>
            nextAttemptAt === null || ended.includes(subscriptionId)
              ? []
              : [
                  {
                    tenantId,
                    deliveryId: id,
                    attemptCount: attemptCount + 1,
                    subscriptionId,
                    at: new Date(nextAttemptAt),
                    traceparent,
                  },
                ],
        ),
      )
    })
    for (const { outcome } of outcomes) {
      if (outcome.status === 'DELIVERED') counters.webhookDeliveries.delivered += 1
      if (outcome.status === 'FAILED') counters.webhookDeliveries.failed += 1
    }
    return []
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

interface Recorded extends Traced {
  readonly delivery: OpenDelivery
  readonly reaction: Reaction
}

const FAILED = { name: 'Failed' }

/** Receiver has unsubscribed (RFC 9110, 15.5.11; Standard Webhooks 1.0, "Response codes"). */
const GONE = 410

function outcomeOf({ delivery: { id, attemptCount, planStart }, reaction }: Recorded): Outcome {
  const { at, statusCode, error, durationMs, retryAfter } = reaction
  const attempt = { at: at.toISOString(), statusCode, error, durationMs }
  if (error === null) return { id, attemptCount, status: 'DELIVERED', nextAttemptAt: null, error, attempt }
  const made = attemptCount + 1 - planStart
  const next = statusCode === GONE ? undefined : nextAttempt(made, new Date(), Math.random(), retryAfter)
  const nextAttemptAt = next?.toISOString() ?? null
  return { id, attemptCount, status: next === undefined ? 'FAILED' : 'PENDING', nextAttemptAt, error, attempt }
}

/** Name under which a subscription's secret is encrypted. */
export const secretOwner = (tenantId: string, subscriptionId: string): string => `${tenantId} ${subscriptionId}`
