import { setTimeout as sleep } from 'node:timers/promises'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { MessageQueue, MessageWorker } from '../plugin/contracts.ts'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

const AT_ONCE = 4

/** @returns `wake` polls immediately; `stop` aborts messages that are not sent within `graceMs` */
export async function startMessageQueue(
  { name, isGrouped = false }: MessageQueue,
  worker: MessageWorker,
  { boss, tracing }: { readonly boss: PgBoss; readonly tracing: Tracing | undefined },
): Promise<{ readonly wake: () => void; readonly stop: (graceMs: number) => Promise<void> }> {
  const stopping = new AbortController()
  const options = {
    // A batch ends with its slowest job, which must not delay other groups.
    ...(isGrouped ? { groupConcurrency: 1 } : { batchSize: AT_ONCE, burstWhenBatchFull: true }),
    pollingIntervalSeconds: 1,
    perJobResults: true,
    includeMetadata: true,
  } as const
  const attemptAll = (jobs: readonly JobWithMetadata<Traced>[]) =>
    Promise.all(
      jobs.map(({ id, createdOn, data, retryCount, retryLimit }) => {
        const tries = { isFirst: retryCount === 0, isLast: retryCount >= retryLimit }
        return inJob(tracing, name, data.traceparent, () =>
          worker.attempt({ id, createdOn, data, ...tries, signal: stopping.signal }),
        ).then(
          () => ({ id, status: 'completed' as const }),
          (error) => ({ id, status: 'failed' as const, output: { message: String(error) } }),
        )
      }),
    )
  const polled = await Promise.all(
    Array.from({ length: isGrouped ? AT_ONCE : 1 }, () =>
      boss.work<Traced, unknown, typeof options>(name, options, attemptAll),
    ),
  )
  return {
    wake: () => {
      for (const id of polled) boss.notifyWorker(id)
    },
    stop: async (graceMs) => {
      const ended = boss.offWork(name)
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
      stopping.abort()
      await ended
    },
  }
}
