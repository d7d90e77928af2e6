import type { JobInsert } from 'pg-boss'
import type { Cradle } from '../cradle.ts'
import type { Schema } from '../domain/schema.ts'
import { type AccessEvent, derivedUuid, type PassportEvent } from '../domain/webhooks.ts'
import type { Message, ModuleTransaction } from '../plugin/contracts.ts'
import { currentTraceparent, type Traced } from '../telemetry/current.ts'
import type { BackgroundJob } from './background-job.ts'

/** Passport ids, never documents. The text is a rendition of that version, made on notification if absent. */
interface PassportEventJob extends Traced {
  readonly event: PassportEvent
  readonly tenantId: string
  readonly passports: readonly { readonly id: string; readonly version: number }[]
}

/** Facts without personal data or token. */
interface AccessEventJob extends Traced {
  readonly event: AccessEvent
  readonly tenantId: string
  readonly facts: Schema<'AccessEventData'>
}

export type EventJob = PassportEventJob | AccessEventJob

export interface AttemptJob extends Traced {
  readonly tenantId: string
  readonly deliveryId: string
  /** A job whose attempt was already made does nothing. */
  readonly attemptCount: number
}

interface PlannedAttempt extends AttemptJob {
  readonly subscriptionId: string
  readonly at?: Date
  /** True to repeat an already planned attempt, which may have failed. */
  readonly isRepeated?: boolean
}

export const PASSPORT_EVENTS = 'passport-event'
export const WEBHOOK_DELIVERIES = 'webhook-delivery'

declare module '../cradle.ts' {
  interface Cradle {
    outbox: ReturnType<typeof outbox>
  }
}

/** The job row is the outbox, written in the transaction of its cause (specification 6). */
export default function outbox({ boss }: Cradle) {
  const names = new Map<string, string>()
  const wakes = new Map<string, () => void>()

  return { publish, plan, work, send, onAdded, wake }

  /** Calls `wakeWorker` after commits of this process that add jobs; other processes poll. */
  function onAdded(queue: string, wakeWorker: () => void): void {
    wakes.set(queue, wakeWorker)
  }

  function wake(queue: string): void {
    wakes.get(queue)?.()
  }

  async function publish(tx: ModuleTransaction, job: EventJob): Promise<void> {
    if ('passports' in job && job.passports.length === 0) return
    await add(tx, PASSPORT_EVENTS, [{ data: inTrace(job) }])
  }

  /** Queues attempts, once each unless `isRepeated`. */
  async function plan(tx: ModuleTransaction, attempts: readonly PlannedAttempt[]): Promise<void> {
    if (attempts.length === 0) return
    const jobs = attempts.map(({ subscriptionId, at, isRepeated, ...data }) => ({
      id: isRepeated === true ? undefined : derivedUuid(data.deliveryId, String(data.attemptCount)),
      data,
      group: { id: subscriptionId },
      startAfter: at?.toISOString(),
    }))
    await add(tx, WEBHOOK_DELIVERIES, jobs)
  }

  function work(tx: ModuleTransaction, queue: string, job: BackgroundJob): Promise<void> {
    return add(tx, queue, [{ data: inTrace(job), group: { id: job.tenantId } }])
  }

  /** Adds messages to a queue without a table. */
  async function send(tx: ModuleTransaction, queue: string, messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return
    const jobs = messages.map(({ data, group }) => ({ data: inTrace(data), ...(group && { group: { id: group } }) }))
    await add(tx, queue, jobs)
  }

  async function add(tx: ModuleTransaction, queue: string, jobs: readonly JobInsert[]): Promise<void> {
    await boss.insert(queue, [...jobs], { db: { executeSql: async (text, values = []) => written(tx, text, values) } })
    tx.afterCommit(() => wake(queue))
  }

  /** Rows are not read, so the statement shares a later round trip. */
  function written(tx: ModuleTransaction, text: string, values: readonly unknown[]) {
    const name = names.get(text) ?? `add-jobs-${names.size}`
    names.set(text, name)
    tx.write({ name, text }, values)
    return { rows: [] }
  }
}

const inTrace = <Job extends object>(job: Job): Job & Traced => ({ ...job, traceparent: currentTraceparent() })
