import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

/** Work that takes longer than an answer may, for a workspace; its row says how far it is. */
export interface LongWork extends Traced {
  readonly tenantId: string
  readonly jobId: string
}

export const LABELS = 'labels'
export const CAPTURES = 'captures'
export const IMPORTS = 'imports'

const USUALLY = { heartbeatSeconds: 10, retryLimit: 2, expireInSeconds: 3600 } as const

/** The queues of such work: the table of their rows, which expire, and what holds for their jobs. */
export const LONG_WORK = {
  [LABELS]: { table: 'label_job', options: USUALLY },
  // A document that was accepted is captured, however often the database or a process is away meanwhile: for a quarter of an hour.
  [CAPTURES]: {
    table: 'capture_job',
    options: { ...USUALLY, retryLimit: 20, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 },
  },
  // Each attempt goes on behind the rows of those before it.
  [IMPORTS]: {
    table: 'import',
    options: {
      ...USUALLY,
      ...{ retryLimit: 9, retryDelay: 1, retryBackoff: true, retryDelayMax: 300, expireInSeconds: 4 * 3600 },
    },
  },
} as const
type LongWorkQueue = keyof typeof LONG_WORK

/** The queue whose job deletes what has expired: its name is older than what else expires. */
const RETENTION = 'label-retention'
/** What does the work. */
interface Worker {
  /** Does nothing where the work is done or gone; a signal ends it. */
  work(tenantId: string, jobId: string, signal: AbortSignal): Promise<void>
  abandon(tenantId: string, jobId: string): Promise<void>
}

/** Every ten minutes one of the processes deletes what has expired. */
export async function startLongWorkRetention(boss: PgBoss): Promise<void> {
  await boss.createQueue(RETENTION, { policy: 'singleton', expireInSeconds: 600, retryLimit: 2 })
  await boss.work(RETENTION, { pollingIntervalSeconds: 30 }, async () => {
    for (const { table } of Object.values(LONG_WORK)) {
      await boss.getDb().executeSql(`delete from public.${table} where expires_at < now()`)
    }
  })
  await boss.schedule(RETENTION, '*/10 * * * *')
}

/**
 * Does the work of a queue, one piece after the other; what fails to the last is given up.
 * @returns a function that wakes the worker
 */
export async function startLongWork(
  boss: PgBoss,
  queue: LongWorkQueue,
  worker: Worker,
  tracing: Tracing | undefined,
): Promise<() => void> {
  const id = await boss.work(queue, { includeMetadata: true }, async ([job]: JobWithMetadata<LongWork>[]) => {
    if (job === undefined) return
    const { tenantId, jobId, traceparent } = job.data
    try {
      await inJob(tracing, queue, traceparent, () => worker.work(tenantId, jobId, job.signal))
    } catch (error) {
      if (job.retryCount >= job.retryLimit) await worker.abandon(tenantId, jobId)
      throw error
    }
  })
  return () => boss.notifyWorker(id)
}
