import type { TestGateway } from './gateway.ts'

/** Has the workers of a queue look for jobs now, and not when they poll next. */
export function wake({ container: { cradle } }: TestGateway, queue: string): void {
  cradle.outbox.wake(queue)
  for (const { id, name } of cradle.boss.getWipData()) if (name === queue) cradle.boss.notifyWorker(id)
}

/** Adds a job to a queue that no write adds to, and has it done now. */
export async function runJob(gateway: TestGateway, queue: string): Promise<void> {
  await gateway.container.cradle.boss.send(queue)
  wake(gateway, queue)
}

/**
 * Has the jobs of a queue that wait for their time done now.
 * @param data members that the data of the jobs have
 * @param change SQL that changes them besides
 * @returns the number of jobs that waited
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

/** Lets the time pass after which jobs come back whose process has died. */
export async function expireHeartbeats(gateway: TestGateway, queue: string): Promise<void> {
  await gateway.sql(
    `update pgboss.job set heartbeat_on = heartbeat_on - heartbeat_seconds * interval '1 s'
     where name = $1 and state = 'active'`,
    [queue],
  )
}
