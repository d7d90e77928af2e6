import type { PgBoss } from 'pg-boss'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

/** Recipient and text are read when the message is sent. */
export interface MailJob extends Traced {
  readonly tenantId: string
  readonly grantId: string
  /** `request` goes to the workspace, others to the requester. */
  readonly kind: 'request' | 'receipt' | 'approved' | 'denied'
  /** Secret of the link, encrypted, in Base64; stored nowhere else. */
  readonly sealed?: string
}

export interface MailAttempt {
  readonly id: string
  readonly createdOn: Date
  readonly job: MailJob
  readonly isFirst: boolean
  readonly isLast: boolean
}

export const MAIL = 'mail'
const AT_ONCE = 4

/** @returns function that wakes the worker */
export async function startMail(
  boss: PgBoss,
  send: (attempt: MailAttempt) => Promise<void>,
  tracing: Tracing | undefined,
): Promise<() => void> {
  const options = {
    batchSize: AT_ONCE,
    pollingIntervalSeconds: 1,
    burstWhenBatchFull: true,
    perJobResults: true,
    includeMetadata: true,
  } as const
  const worker = await boss.work<MailJob, unknown, typeof options>(MAIL, options, (jobs) =>
    Promise.all(
      jobs.map(({ id, createdOn, data, retryCount, retryLimit }) =>
        inJob(tracing, MAIL, data.traceparent, () =>
          send({ id, createdOn, job: data, isFirst: retryCount === 0, isLast: retryCount >= retryLimit }),
        ).then(
          () => ({ id, status: 'completed' as const }),
          (error) => ({ id, status: 'failed' as const, output: { message: String(error) } }),
        ),
      ),
    ),
  )
  return () => boss.notifyWorker(worker)
}
