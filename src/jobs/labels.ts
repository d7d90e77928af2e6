import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

/** Labels that are to be drawn. */
export interface LabelsJob extends Traced {
  readonly tenantId: string
  readonly jobId: string
}

export const LABELS = 'labels'
/** The queue whose job deletes what has expired. */
const LABEL_RETENTION = 'label-retention'
/** How often drawing is tried. */
const ATTEMPTS = 3

/** What does the work. */
interface Labels {
  work(tenantId: string, jobId: string, signal: AbortSignal): Promise<void>
  abandon(tenantId: string, jobId: string): Promise<void>
}

/** Makes the queues, and every ten minutes one of the processes deletes the labels that have expired. */
export async function createLabelQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(LABELS, { heartbeatSeconds: 10, retryLimit: ATTEMPTS - 1, expireInSeconds: 3600 })
  await boss.createQueue(LABEL_RETENTION, { policy: 'singleton', expireInSeconds: 600, retryLimit: 2 })
  await boss.work(LABEL_RETENTION, { pollingIntervalSeconds: 30 }, async () => {
    await boss.getDb().executeSql(`delete from public.label_job where expires_at < now()`)
  })
  await boss.schedule(LABEL_RETENTION, '*/10 * * * *')
}

/** Draws labels, one job after the other; a job that fails to the last is given up. */
export async function drawLabels(boss: PgBoss, labels: Labels, tracing: Tracing | undefined): Promise<void> {
  await boss.work(LABELS, { includeMetadata: true }, async ([job]: JobWithMetadata<LabelsJob>[]) => {
    if (job === undefined) return
    const { tenantId, jobId, traceparent } = job.data
    try {
      await inJob(tracing, LABELS, traceparent, () => labels.work(tenantId, jobId, job.signal))
    } catch (error) {
      if (job.retryCount >= job.retryLimit) await labels.abandon(tenantId, jobId)
      throw error
    }
  })
}
