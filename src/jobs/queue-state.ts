import type { PgBoss } from 'pg-boss'

interface QueueState {
  readonly queue: string
  readonly ready: number
  readonly deferred: number
  readonly active: number
  readonly failed: number
  /** Seconds since the next job became due. */
  readonly due: number
}

/** One index lookup per queue, regardless of length. */
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
