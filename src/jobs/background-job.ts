import type { JobWithMetadata, PgBoss, QueueOptions } from 'pg-boss'
import type { BackgroundQueue, BackgroundWorker, MessageQueue } from '../plugin/contracts.ts'
import { beginWork, settleWork } from '../storage/begun-work.ts'
import type { Database } from '../storage/database.ts'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

export interface BackgroundJob extends Traced {
  readonly tenantId: string
  readonly jobId: string
}

const USUALLY = { heartbeatSeconds: 10, retryLimit: 2, expireInSeconds: 3600 } as const

export const optionsOfQueue = ({ options }: BackgroundQueue | MessageQueue): QueueOptions => ({
  ...USUALLY,
  ...options,
})

const RETENTION = 'label-retention'

/** Deletes expired jobs. */
export async function startBackgroundJobRetention(boss: PgBoss, tables: readonly string[]): Promise<void> {
  await boss.createQueue(RETENTION, { policy: 'singleton', expireInSeconds: 600, retryLimit: 2 })
  await boss.work(RETENTION, { pollingIntervalSeconds: 30 }, async () => {
    for (const table of tables) {
      await boss.getDb().executeSql(`delete from public.${table} where expires_at < now()`)
    }
  })
  await boss.schedule(RETENTION, '*/10 * * * *')
}

/** Jobs per process; long ones delay other workspaces by at most one poll. */
const AT_ONCE = 2
const POLLED_EVERY_SECONDS = 1

interface BackgroundJobOptions {
  readonly boss: PgBoss
  readonly database: Database
  readonly tracing: Tracing | undefined
}

/**
 * Runs one job per workspace at a time in each process. Abandons a job after its last retry or repeated crashes.
 * @returns `wake` polls immediately; `release` settles unfinished jobs at an orderly shutdown
 */
export async function startBackgroundJobs(
  queue: BackgroundQueue,
  worker: BackgroundWorker,
  { boss, database, tracing }: BackgroundJobOptions,
): Promise<{ readonly wake: () => void; readonly release: () => Promise<void> }> {
  const { name, table, maxDeaths = 2 } = queue
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
      else await inJob(tracing, name, traceparent, () => worker.work(tenantId, jobId, job.signal))
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
    // Concurrent polls can exceed the global limit, but not this one.
    localGroupConcurrency: 1,
  } as const
  const ids = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      boss.work<BackgroundJob, void, typeof options>(name, options, async ([job]: JobWithMetadata<BackgroundJob>[]) => {
        if (job !== undefined) await doWork(job)
      }),
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
