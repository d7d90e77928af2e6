import type { Cradle } from '../cradle.ts'
import { passportDocument } from '../domain/passport-document.ts'
import { derivedUuid, envelopeOf, isSubscribed } from '../domain/webhooks.ts'
import type { EventJob } from '../jobs/outbox.ts'
import { findDefaultTexts } from '../renditions/rendition-statements.ts'
import type { Session } from '../storage/statement.ts'
import type { Traced, TraceSpan } from '../telemetry/current.ts'
import { addEvents, findAudience, type StoredEvent } from './webhook-statements.ts'

export interface TakenEvent {
  readonly id: string
  readonly data: EventJob
  readonly createdOn: Date
  readonly span?: TraceSpan | undefined
}

type Services = Pick<
  Cradle,
  'database' | 'log' | 'outbox' | 'passportRows' | 'passportViews' | 'plugins' | 'renditions' | 'sharedAddresses'
>

/** @returns errors by job id */
export async function fanOutAll(services: Services, jobs: readonly TakenEvent[]): Promise<Map<string, string>> {
  const failures = new Map<string, string>()
  const ofTenants = Map.groupBy(jobs, ({ data }) => data.tenantId)
  await Promise.all(
    [...ofTenants].map(([tenantId, taken]) =>
      fanOut(services, tenantId, taken)
        // Retries individually, so that one failing event does not block the others.
        .catch(async () => {
          for (const job of taken) {
            await fanOut(services, tenantId, [job]).catch((error) => {
              services.log.error({ err: error, event: job.data.event, tenantId }, 'webhook event could not be queued')
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
export async function fanOut(services: Services, tenantId: string, jobs: readonly TakenEvent[]): Promise<void> {
  const session = services.database.forTenant(tenantId)
  const audience = await findAudience(session)
  const subscribed = jobs.filter(
    ({ data }) => audience.hasListener || audience.subscriptions.some(({ events }) => isSubscribed(events, data.event)),
  )
  if (subscribed.length > 0) {
    await deliver(services, tenantId, audience, await eventsOf(services, session, subscribed))
  }
  const published = jobs.flatMap(({ data, createdOn }) =>
    data.event === 'passport.ingested' ? data.passports.map(({ id }) => ({ id, at: createdOn })) : [],
  )
  await services.sharedAddresses.notifyOthers(tenantId, published)
}

async function deliver(
  { database, outbox }: Services,
  tenantId: string,
  { subscriptions }: Pick<Awaited<ReturnType<typeof findAudience>>, 'subscriptions'>,
  events: readonly (StoredEvent & Traced)[],
): Promise<void> {
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
    const attempts = deliveries.map(({ id: deliveryId, subscriptionId, traceparent }) => ({
      ...{ tenantId, deliveryId, attemptCount: 0, subscriptionId, traceparent },
    }))
    await outbox.plan(tx, attempts)
  })
}

async function eventsOf(
  services: Services,
  session: Session,
  jobs: readonly TakenEvent[],
): Promise<(StoredEvent & Traced)[]> {
  const { log, plugins } = services
  const named = jobs.flatMap(({ data }) => ('passports' in data ? data.passports : []))
  const texts = await findDefaultTexts(session, plugins.defaultRepresentation?.name ?? '', named)
  const missing = named.filter(({ id, version }) => !texts.has(`${id} ${version}`))
  const present = await presentTexts(services, session, new Set(missing.map(({ id }) => id)))
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
async function presentTexts(
  { passportRows, passportViews, renditions }: Services,
  session: Session,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
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
