import type { Cradle } from '../cradle.ts'
import { type EventJob, PASSPORT_EVENTS, WEBHOOK_DELIVERIES } from '../jobs/outbox.ts'
import { beginJob, within } from '../telemetry/current.ts'
import { deliveryAttempts } from './attempt-delivery.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import { fanOutAll, type TakenEvent } from './fan-out-events.ts'

const EVENTS_AT_ONCE = 50
const POLLED_EVERY_SECONDS = 0.5
const GATHERED_MS = 50
const FAILED = { name: 'Failed' }

declare module '../cradle.ts' {
  interface Cradle {
    webhookDelivery: ReturnType<typeof webhookDelivery>
  }
}

/** Starts and stops the workers of events and deliveries (specification 6). */
export default function webhookDelivery(services: Cradle) {
  const { boss, log, outbox, tracing, webhookSender } = services
  const queue = new DeliveryQueue({ boss, log, work: deliveryAttempts(services) })

  return { start, stop }

  async function start(): Promise<void> {
    const options = {
      batchSize: EVENTS_AT_ONCE,
      pollingIntervalSeconds: POLLED_EVERY_SECONDS,
      burstWhenBatchFull: true,
      perJobResults: true,
      includeMetadata: true,
    } as const
    const worker = await boss.work<EventJob, unknown, typeof options>(PASSPORT_EVENTS, options, async (jobs) => {
      const failures = await fanOutInSpans(jobs)
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
    await queue.stop(graceMs).finally(() => webhookSender.close())
    await eventsEnd
  }

  /** Uses one span per job; shared work appears in the first. */
  async function fanOutInSpans(jobs: readonly TakenEvent[]): Promise<Map<string, string>> {
    if (tracing === undefined) return fanOutAll(services, jobs)
    const taken = jobs.map((job) => ({ ...job, span: beginJob(tracing, PASSPORT_EVENTS, job.data.traceparent) }))
    const activity = { isOver: false }
    const failures = await within(activity, taken[0]?.span, () => fanOutAll(services, taken))
    activity.isOver = true
    for (const { id, span } of taken) span.end(failures.has(id) ? FAILED : undefined)
    return failures
  }
}
