import type { PgBoss } from 'pg-boss'

/** How a queue is, in all processes together. */
interface QueueState {
  readonly queue: string
  /** Jobs that could be done now. */
  readonly ready: number
  /** Jobs that are to be done later. */
  readonly deferred: number
  readonly active: number
  /** Jobs that were tried to the last, until they are deleted. */
  readonly failed: number
  /** Seconds that the job which is next has been due. */
  readonly due: number
}

/**
 * The queues, as pg-boss counts them every few seconds, and what each has next: one row and one look into an index for each,
 * however many jobs wait.
 */
export async function readQueues(boss: PgBoss): Promise<QueueState[]> {
  const { rows } = await boss.getDb().executeSql(`
    select q.name as queue, q.ready_count as ready, q.deferred_count as deferred, q.active_count as active,
      q.failed_count as failed, coalesce(extract(epoch from now() - next.start_after), 0)::float8 as due
    from pgboss.queue q left join lateral (
      select j.start_after from pgboss.job j
      where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
      order by j.priority desc, j.created_on limit 1) next on true
    where q.name not like '\\_\\_%' order by q.name`)
  return rows as QueueState[]
}
