import type { JobInsert } from 'pg-boss'
import type { Cradle } from '../cradle.ts'
import type { Schema } from '../domain/schema.ts'
import { type AccessEvent, derivedUuid, type PassportEvent } from '../domain/webhooks.ts'
import type { Transaction } from '../storage/transaction.ts'
import { currentTraceparent, type Traced } from '../telemetry/current.ts'
import type { BACKGROUND_QUEUES, BackgroundJob } from './background-job.ts'
import { MAIL, type MailJob } from './mail.ts'
import { REGISTRATIONS, type RegistrationJob } from './registrations.ts'

/**
 * What a job about passports carries: names, never a document. The rendition of that version has the text; of passports that
 * came in bulk and that nobody has read since it is made when they are told of.
 */
interface PassportEventJob extends Traced {
  readonly event: PassportEvent
  readonly tenantId: string
  /** One for each that is to be told of. */
  readonly passports: readonly { readonly id: string; readonly version: number }[]
}

/** What a job about access carries: facts without a person and without a token. */
interface AccessEventJob extends Traced {
  readonly event: AccessEvent
  readonly tenantId: string
  readonly facts: Schema<'AccessEventData'>
}

export type EventJob = PassportEventJob | AccessEventJob

/** One attempt to deliver, which is one job. */
export interface AttemptJob extends Traced {
  readonly tenantId: string
  readonly deliveryId: string
  /** Attempts before this one: a job whose attempt was made already has nothing to do. */
  readonly attemptCount: number
}

/** An attempt that is to be made, for which subscription, and when. */
interface PlannedAttempt extends AttemptJob {
  readonly subscriptionId: string
  /** Absent: now. */
  readonly at?: Date
  /** Whether it is made also where the same attempt was planned before, which may have come to nothing. */
  readonly isAnew?: boolean
}

export const PASSPORT_EVENTS = 'passport-event'
export const WEBHOOK_DELIVERIES = 'webhook-delivery'

declare module '../cradle.ts' {
  interface Cradle {
    outbox: ReturnType<typeof outbox>
  }
}

/** The job row is the outbox: it is written in the transaction of the write that causes it (specification 6). */
export default function outbox({ boss }: Cradle) {
  /** Names of the statements of pg-boss, by their text: one for each form of a job. */
  const names = new Map<string, string>()
  const wakes = new Map<string, () => void>()

  return { publish, plan, work, mail, register, onAdded, wake }

  /** Calls `wakeWorker` after each commit of this process that added jobs to the queue. Other processes find the jobs when they poll. */
  function onAdded(queue: string, wakeWorker: () => void): void {
    wakes.set(queue, wakeWorker)
  }

  /** Wakes the worker that this process has for the queue, if any. */
  function wake(queue: string): void {
    wakes.get(queue)?.()
  }

  /** Enqueues one job in the transaction; a rollback takes it with it. */
  async function publish(tx: Transaction, job: EventJob): Promise<void> {
    if ('passports' in job && job.passports.length === 0) return
    await add(tx, PASSPORT_EVENTS, [{ data: inTrace(job) }])
  }

  /** Enqueues attempts in the transaction. One that was planned before is not enqueued again, unless it is made anew. */
  async function plan(tx: Transaction, attempts: readonly PlannedAttempt[]): Promise<void> {
    if (attempts.length === 0) return
    const jobs = attempts.map(({ subscriptionId, at, isAnew, ...data }) => ({
      id: isAnew === true ? undefined : derivedUuid(data.deliveryId, String(data.attemptCount)),
      data,
      group: { id: subscriptionId },
      startAfter: at?.toISOString(),
    }))
    await add(tx, WEBHOOK_DELIVERIES, jobs)
  }

  /** Has long work done after the commit. */
  function work(tx: Transaction, queue: keyof typeof BACKGROUND_QUEUES, job: BackgroundJob): Promise<void> {
    return add(tx, queue, [{ data: inTrace(job), group: { id: job.tenantId } }])
  }

  /** Has a message sent after the commit. */
  function mail(tx: Transaction, job: MailJob): Promise<void> {
    return add(tx, MAIL, [{ data: inTrace(job) }])
  }

  /** Has a registry told after the commit: of one passport or unit one job after the other, in all processes. */
  async function register(tx: Transaction, jobs: readonly RegistrationJob[]): Promise<void> {
    if (jobs.length === 0) return
    await add(
      tx,
      REGISTRATIONS,
      jobs.map((data) => ({ data: inTrace(data), group: { id: subjectOf(data) } })),
    )
  }

  async function add(tx: Transaction, queue: string, jobs: readonly JobInsert[]): Promise<void> {
    await boss.insert(queue, [...jobs], { db: { executeSql: async (text, values = []) => written(tx, text, values) } })
    tx.afterCommit(() => wake(queue))
  }

  /** The rows are not read, so that the statement shares a later round trip. */
  function written(tx: Transaction, text: string, values: readonly unknown[]) {
    const name = names.get(text) ?? `add-jobs-${names.size}`
    names.set(text, name)
    tx.write({ name, text }, values)
    return { rows: [] }
  }
}

/** A job as part of the trace that we are in. JSON leaves out what is not there. */
const inTrace = <Job extends object>(job: Job): Job & Traced => ({ ...job, traceparent: currentTraceparent() })

const subjectOf = (job: RegistrationJob): string =>
  'unitId' in job ? job.unitId : 'unitsOf' in job ? job.unitsOf : job.passportId
