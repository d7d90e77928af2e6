import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { batchCalls } from '../domain/batching.ts'
import { type AttemptJob, WEBHOOK_DELIVERIES } from '../jobs/outbox.ts'

const MAX_AT_ONCE = 128
/** Attempts to receivers whose last attempt failed; the others keep the rest. */
const MAX_TO_FAILING = 32
/** Attempts to one receiver after its first success; until then one. */
const MAX_TO_ONE = 16
/** Receivers with half as many waiting jobs are skipped. */
const BATCH = 64
const MAX_WAITING = 2000
const MAX_KNOWN = 20_000

const POLLED_EVERY_MS = 500
/** Less than half of the queue's heartbeat. */
const HEARTBEAT_EVERY_MS = 4000

/** Outcome of a job. `unreachable` applies to all waiting jobs of the receiver; `lost` is unknown, so the job is retried. */
export type Ending = 'taken' | 'refused' | 'unreachable' | 'nothing' | 'lost'

interface Work {
  /** Never throws. */
  attempt(job: AttemptJob, signal: AbortSignal): Promise<Ending>
  /** Fails a job without an attempt, because its receiver was unreachable. Never throws. */
  giveUp(job: AttemptJob): Promise<Ending>
}

interface Receiver {
  running: number
  readonly waiting: Job<AttemptJob>[]
  /** Result of the last attempt; undefined before the first. */
  answers: boolean | undefined
}

/**
 * Runs many jobs in total and few per receiver, so that slow receivers do not delay others; docs/reference/dependencies.md compares it
 * with workers of pg-boss. A receiver has one attempt at a time until one succeeds. If it is unreachable, its waiting jobs fail too and follow
 * the retry plan. A heartbeat keeps fetched jobs; `lost` jobs and those of a dead process are retried after it.
 */
export class DeliveryQueue {
  readonly #boss: PgBoss
  readonly #log: Logger
  readonly #work: Work
  readonly #receivers = new Map<string, Receiver>()
  readonly #taken = new Map<string, Job<AttemptJob>>()
  readonly #stopping = new AbortController()
  readonly #aborting = new AbortController()
  readonly #runs = new Set<Promise<void>>()
  readonly #complete = batchCalls<Job<AttemptJob>, undefined>((_, jobs) => this.#completeAll(jobs), { maxBatch: 1000 })
  #running = 0
  #runningToFailing = 0
  #wake = () => {}
  #looping: Promise<void> = Promise.resolve()
  #heartbeat: NodeJS.Timeout | undefined

  constructor({ boss, log, work }: { boss: PgBoss; log: Logger; work: Work }) {
    this.#boss = boss
    this.#log = log
    this.#work = work
  }

  start(): void {
    this.#looping = this.#loop()
    this.#heartbeat = setInterval(() => void this.#touch(), HEARTBEAT_EVERY_MS)
  }

  wake(): void {
    this.#wake()
  }

  /** Stops fetching, waits `graceMs` for running attempts, and returns other jobs to the queue. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#looping
    await Promise.race([Promise.all(this.#runs), sleep(graceMs, undefined, { ref: false })])
    this.#aborting.abort()
    clearInterval(this.#heartbeat)
    const left = [...this.#taken.values()]
    if (left.length > 0) await this.#boss.fail(WEBHOOK_DELIVERIES, left, { message: 'The gateway was stopped.' })
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const count = await this.#take()
      if (count < BATCH) await Promise.race([woken, sleep(POLLED_EVERY_MS, undefined, { ref: false })])
    }
  }

  async #take(): Promise<number> {
    const waiting = this.#taken.size - this.#running
    if (waiting >= MAX_WAITING) return 0
    const full = [...this.#receivers].filter(([, receiver]) => receiver.waiting.length >= BATCH / 2)
    try {
      const jobs = await this.#boss.fetch<AttemptJob>(WEBHOOK_DELIVERIES, {
        batchSize: BATCH,
        ignoreGroups: full.map(([id]) => id),
      })
      for (const job of jobs) this.#add(job)
      this.#startWaiting()
      return jobs.length
    } catch (error) {
      this.#log.warn({ err: error }, 'webhook deliveries cannot be fetched')
      return 0
    }
  }

  #add(job: Job<AttemptJob>): void {
    const id = job.groupId ?? job.id
    let receiver = this.#receivers.get(id)
    if (receiver === undefined) {
      this.#removeIdle()
      receiver = { running: 0, waiting: [], answers: undefined }
      this.#receivers.set(id, receiver)
    }
    this.#taken.set(job.id, job)
    receiver.waiting.push(job)
  }

  #removeIdle(): void {
    if (this.#receivers.size < MAX_KNOWN) return
    for (const [id, { running, waiting }] of this.#receivers) {
      if (running === 0 && waiting.length === 0) this.#receivers.delete(id)
    }
  }

  /** Starts attempts round-robin, so that no receiver takes all capacity. */
  #startWaiting(): void {
    let candidates = [...this.#receivers.values()].filter(({ waiting }) => waiting.length > 0)
    while (candidates.length > 0) {
      candidates = candidates.filter((receiver) => this.#mayRun(receiver))
      for (const receiver of candidates) if (this.#mayRun(receiver)) this.#begin(receiver)
    }
  }

  #mayRun({ running, waiting, answers }: Receiver): boolean {
    if (waiting.length === 0 || this.#running >= MAX_AT_ONCE || this.#stopping.signal.aborted) return false
    if (answers === false && this.#runningToFailing >= MAX_TO_FAILING) return false
    return running < (answers === true ? MAX_TO_ONE : 1)
  }

  #begin(receiver: Receiver): void {
    const job = receiver.waiting.shift() as Job<AttemptJob>
    const isFailing = receiver.answers === false
    receiver.running += 1
    this.#running += 1
    if (isFailing) this.#runningToFailing += 1
    this.#track(async () => {
      const ending = await this.#work.attempt(job.data, this.#aborting.signal)
      receiver.running -= 1
      this.#running -= 1
      if (isFailing) this.#runningToFailing -= 1
      this.#learn(receiver, ending)
      this.#startWaiting()
      if (receiver.waiting.length < BATCH / 2) this.#wake()
      await this.#end(job, ending)
    })
  }

  #learn(receiver: Receiver, ending: Ending): void {
    if (ending === 'taken') receiver.answers = true
    if (ending === 'refused' || ending === 'unreachable') receiver.answers = false
    if (ending !== 'unreachable') return
    for (const job of receiver.waiting.splice(0)) {
      this.#track(async () => this.#end(job, await this.#work.giveUp(job.data)))
    }
  }

  #track(work: () => Promise<void>): void {
    const run = work().finally(() => this.#runs.delete(run))
    this.#runs.add(run)
  }

  async #end(job: Job<AttemptJob>, ending: Ending): Promise<void> {
    if (ending !== 'lost') await this.#complete('', job)
    if (!this.#aborting.signal.aborted) this.#taken.delete(job.id)
  }

  /** Uncompleted jobs are retried and then do nothing. */
  async #completeAll(jobs: readonly Job<AttemptJob>[]): Promise<undefined[]> {
    await this.#boss.complete(WEBHOOK_DELIVERIES, [...jobs]).catch((error) => {
      this.#log.warn({ err: error }, 'webhook deliveries cannot be completed')
    })
    return []
  }

  async #touch(): Promise<void> {
    const jobs = [...this.#taken.values()]
    if (jobs.length === 0) return
    await this.#boss.touch(WEBHOOK_DELIVERIES, jobs).catch((error) => {
      this.#log.warn({ err: error }, 'heartbeat of webhook deliveries failed')
    })
  }
}
