import type { TestGateway } from './gateway.ts'

/** Makes the workers of a queue poll now. */
export function wake({ container: { cradle } }: TestGateway, queue: string): void {
  cradle.outbox.wake(queue)
  for (const { id, name } of cradle.boss.getWipData()) if (name === queue) cradle.boss.notifyWorker(id)
}

/** Adds a job to a queue and runs it now. */
export async function runJob(gateway: TestGateway, queue: string): Promise<void> {
  await gateway.container.cradle.boss.send(queue)
  wake(gateway, queue)
}

/**
 * Runs the delayed jobs of a queue now.
 * @param data members that the jobs' data contain
 * @param change SQL that also changes them
 * @returns the number of jobs
 */
export async function hurry(gateway: TestGateway, queue: string, data: object = {}, change = ''): Promise<number> {
  const hurried = await gateway.sql(
    `update pgboss.job set start_after = now()${change && `, ${change}`}
     where name = $1 and state < 'active' and start_after > now() and data @> $2 returning 1`,
    [queue, JSON.stringify(data)],
  )
  wake(gateway, queue)
  return hurried.length
}

/** Expires the heartbeats of jobs whose process has died. */
export async function expireHeartbeats(gateway: TestGateway, queue: string): Promise<void> {
  await gateway.sql(
    `update pgboss.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 s'
     where name = $1 and state = 'active'`,
    [queue],
  )
}
