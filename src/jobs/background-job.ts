import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { beginWork, settleWork } from '../storage/begun-work.ts'
import type { Database } from '../storage/database.ts'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

/** Work that takes longer than an answer may, for a workspace; its row says how far it is. */
export interface BackgroundJob extends Traced {
  readonly tenantId: string
  readonly jobId: string
}

export const LABELS = 'labels'
export const CAPTURES = 'captures'
export const IMPORTS = 'imports'

const USUALLY = { heartbeatSeconds: 10, retryLimit: 2, expireInSeconds: 3600 } as const

/**
 * The queues of such work: the table of their rows, which expire, how often one may end its process before it is given up, and
 * what holds for their jobs.
 */
export const BACKGROUND_QUEUES = {
  [LABELS]: { table: 'label_job', maxDeaths: 2, options: USUALLY },
  // A document that was accepted is captured, however often the database or a process is away meanwhile: for a quarter of an hour.
  [CAPTURES]: {
    table: 'capture_job',
    // Its documents are bounded before they are accepted, so that it is hardly ever their fault.
    maxDeaths: 5,
    options: { ...USUALLY, retryLimit: 20, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 },
  },
  // Each attempt goes on behind the rows of those before it.
  [IMPORTS]: {
    table: 'import',
    maxDeaths: 2,
    options: {
      ...USUALLY,
      ...{ retryLimit: 9, retryDelay: 1, retryBackoff: true, retryDelayMax: 300, expireInSeconds: 4 * 3600 },
    },
  },
} as const
type BackgroundQueue = keyof typeof BACKGROUND_QUEUES

/** The queue whose job deletes what has expired: its name is older than what else expires. */
const RETENTION = 'label-retention'
/** What does the work. */
interface Worker {
  /** Does nothing where the work is done or gone; a signal ends it. */
  work(tenantId: string, jobId: string, signal: AbortSignal): Promise<void>
  /** @param isDeadly true if the work has ended its process again and again */
  abandon(tenantId: string, jobId: string, isDeadly: boolean): Promise<void>
}

/** Every ten minutes one of the processes deletes what has expired. */
export async function startBackgroundJobRetention(boss: PgBoss): Promise<void> {
  await boss.createQueue(RETENTION, { policy: 'singleton', expireInSeconds: 600, retryLimit: 2 })
  await boss.work(RETENTION, { pollingIntervalSeconds: 30 }, async () => {
    for (const { table } of Object.values(BACKGROUND_QUEUES)) {
      await boss.getDb().executeSql(`delete from public.${table} where expires_at < now()`)
    }
  })
  await boss.schedule(RETENTION, '*/10 * * * *')
}

/** Pieces of work that one process does at once: a long one keeps those of other workspaces waiting no longer than a poll. */
const AT_ONCE = 2
const POLLED_EVERY_SECONDS = 1

/** Services that long work needs. */
interface BackgroundJobOptions {
  readonly boss: PgBoss
  readonly database: Database
  readonly tracing: Tracing | undefined
}

/**
 * Does the work of a queue: of one workspace one piece after the other in each process. What fails to the last is given up, and
 * so is what has ended its process several times.
 * @returns `wake` looks for work at once; `release` says that the process ends in order, whatever becomes of the work
 */
export async function startBackgroundJobs(
  queue: BackgroundQueue,
  worker: Worker,
  { boss, database, tracing }: BackgroundJobOptions,
): Promise<{ readonly wake: () => void; readonly release: () => Promise<void> }> {
  const { table, maxDeaths } = BACKGROUND_QUEUES[queue]
  /** Settles each piece that is at work, or that could not be settled while the database was away. */
  const unsettled = new Map<string, () => Promise<void>>()

  async function settle(tenantId: string, jobId: string): Promise<void> {
    await settleWork(database.forTenant(tenantId), table, jobId)
    unsettled.delete(jobId)
  }

  async function doWork(job: JobWithMetadata<BackgroundJob>): Promise<void> {
    const { tenantId, jobId, traceparent } = job.data
    await unsettled.get(jobId)?.()
    const begun = await beginWork(database.forTenant(tenantId), table, jobId)
    unsettled.set(jobId, () => settle(tenantId, jobId))
    try {
      if (begun > maxDeaths) await worker.abandon(tenantId, jobId, true)
      else await inJob(tracing, queue, traceparent, () => worker.work(tenantId, jobId, job.signal))
    } catch (error) {
      if (job.retryCount >= job.retryLimit) await worker.abandon(tenantId, jobId, false)
      throw error
    } finally {
      await settle(tenantId, jobId).catch(() => {})
    }
  }

  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: POLLED_EVERY_SECONDS,
    // Workers that look at the same moment get past the limit for all processes, and not past this one.
    localGroupConcurrency: 1,
  } as const
  const ids = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      boss.work<BackgroundJob, void, typeof options>(
        queue,
        options,
        async ([job]: JobWithMetadata<BackgroundJob>[]) => {
          if (job !== undefined) await doWork(job)
        },
      ),
    ),
  )
  return {
    wake: () => {
      for (const id of ids) boss.notifyWorker(id)
    },
    release: async () => {
      await Promise.all([...unsettled.values()].map((settleOne) => settleOne()))
    },
  }
}
