import type { EntityManager } from '@mikro-orm/postgresql'
import { fromKysely, type KyselyTransactionLike, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Events of specification section 6. */
export type PassportEvent =
  | 'passport.ingested'
  | 'passport.updated'
  | 'passport.sealed'
  | 'passport.recalled'
  | 'passport.status_updated'

/** What a job carries: names, never a document; the rendition of that version has the text. */
export interface PassportEventJob {
  readonly event: PassportEvent
  readonly tenantId: string
  readonly passportId: string
  readonly version: number
}

export const PASSPORT_EVENTS = 'passport-event'

/** The job row is the outbox: it is written in the transaction of the write that causes it (specification 6). */
export class Outbox {
  readonly #boss: PgBoss

  constructor({ boss }: { boss: PgBoss }) {
    this.#boss = boss
  }

  /** Enqueues in the transaction that `em` is in; a rollback takes the jobs with it. */
  async publish(em: EntityManager, jobs: readonly PassportEventJob[]): Promise<void> {
    const transaction = em.getTransactionContext<never>() as unknown as KyselyTransactionLike | undefined
    if (transaction === undefined) throw new Error('An event belongs in the transaction of its write.')
    if (jobs.length === 0) return
    await this.#boss.insert(
      PASSPORT_EVENTS,
      jobs.map((data) => ({ data })),
      { db: fromKysely(transaction) },
    )
  }
}

/**
 * Starts pg-boss as the login role, makes the queues, and lets the application role add jobs to them.
 * A job that was running when its process died comes back after the heartbeat, not after the default 15 minutes.
 */
export async function startBoss(url: string, log: Logger): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, max: 2, application_name: 'dpp-gateway jobs' })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  await boss.createQueue(PASSPORT_EVENTS, { heartbeatSeconds: 10, retryLimit: 10, retryBackoff: true })
  const db = boss.getDb()
  await db.executeSql('grant usage on schema pgboss to dpp_app')
  await db.executeSql('grant select, insert, update on all tables in schema pgboss to dpp_app')
  await db.executeSql('grant execute on all functions in schema pgboss to dpp_app')
  return boss
}
