import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Cradle } from '../cradle.ts'
import { type RoleUrls, roleOf } from '../storage/database-roles.ts'
import type { Statement } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { startAccessAuditRetention } from './access-audit-retention.ts'
import { createLabelQueues, LABELS, type LabelsJob } from './labels.ts'
import { startUnitEventPartitions } from './unit-event-partitions.ts'

/** Events of specification section 6. */
export type PassportEvent =
  | 'passport.ingested'
  | 'passport.updated'
  | 'passport.sealed'
  | 'passport.recalled'
  | 'passport.status_updated'

/**
 * What a job carries: names, never a document. The rendition of that version has the text; of passports that came in bulk and
 * that nobody has read since it is made when they are told of.
 */
interface PassportEventJob {
  readonly event: PassportEvent
  readonly tenantId: string
  /** One for each that is to be told of. */
  readonly passports: readonly { readonly id: string; readonly version: number }[]
}

export const PASSPORT_EVENTS = 'passport-event'

declare module '../cradle.ts' {
  interface Cradle {
    outbox: ReturnType<typeof outbox>
  }
}

/** The job row is the outbox: it is written in the transaction of the write that causes it (specification 6). */
export default function outbox({ boss }: Cradle) {
  const statements = new Map<string, Promise<Statement>>()

  return { publish, drawLabels }

  /** Enqueues one job in the transaction; a rollback takes it with it. */
  async function publish(tx: Transaction, job: PassportEventJob): Promise<void> {
    if (job.passports.length > 0) await add(tx, PASSPORT_EVENTS, job)
  }

  /** Has labels drawn after the commit. */
  function drawLabels(tx: Transaction, job: LabelsJob): Promise<void> {
    return add(tx, LABELS, job)
  }

  async function add(tx: Transaction, queue: string, job: object): Promise<void> {
    const statement = statements.get(queue) ?? insertStatement(boss, queue)
    statements.set(queue, statement)
    const text = await statement.catch((error) => {
      statements.delete(queue)
      throw error
    })
    tx.write(text, [JSON.stringify([{ data: job }])])
  }
}

/**
 * The statement with which pg-boss adds jobs to the queue, as it would run it itself.
 * @throws Error where it no longer takes all jobs as one parameter
 */
async function insertStatement(boss: PgBoss, queue: string): Promise<Statement> {
  const asked: { text: string; values: readonly unknown[] }[] = []
  const capture = {
    async executeSql(text: string, values: readonly unknown[] = []) {
      asked.push({ text, values })
      return { rows: [] }
    },
  }
  const probe = { data: { event: 'probe' } }
  await boss.insert(queue, [probe], { db: capture })
  const [only, ...others] = asked
  if (
    only === undefined ||
    others.length > 0 ||
    only.values.length !== 1 ||
    only.values[0] !== JSON.stringify([probe])
  ) {
    throw new Error('pg-boss adds jobs in a new way; review src/jobs/outbox.ts.')
  }
  return { name: `add-${queue}-job`, text: only.text }
}

/** What the application's role reads of a queue to add a job to it, and nothing about what is in it. */
const READ_OF_QUEUE = [
  'name',
  'policy',
  'dead_letter',
  'expire_seconds',
  'deletion_seconds',
  'retention_seconds',
  'retry_limit',
  'retry_delay',
  'retry_backoff',
  'retry_delay_max',
  'heartbeat_seconds',
]

/** pg-boss in the role that owns its tables. Their schema is made by the migrations. */
export const createBoss = (urls: RoleUrls): PgBoss =>
  new PgBoss({
    connectionString: urls.jobs,
    createSchema: false,
    max: 2,
    connectionTimeoutMillis: 5000,
    application_name: 'dpp-gateway jobs',
  })

/**
 * Starts pg-boss, makes the queues, and lets the application's role add jobs to them, and no more: it cannot read a job.
 * A job that was running when its process died comes back after the heartbeat, not after the default 15 minutes.
 */
export async function startBoss(
  urls: RoleUrls,
  log: Logger,
  { unitEventRetentionMonths }: Pick<Config, 'unitEventRetentionMonths'>,
): Promise<PgBoss> {
  const boss = createBoss(urls)
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  await boss.createQueue(PASSPORT_EVENTS, { heartbeatSeconds: 10, retryLimit: 10, retryBackoff: true })
  await letApplicationAdd(boss, roleOf(urls.app))
  await createLabelQueues(boss)
  await startAccessAuditRetention(boss, log)
  await startUnitEventPartitions(boss, log, unitEventRetentionMonths)
  return boss
}

async function letApplicationAdd(boss: PgBoss, app: string): Promise<void> {
  const { table = 'job_common' } = (await boss.getQueue(PASSPORT_EVENTS)) ?? {}
  const role = pg.escapeIdentifier(app)
  // One text is one transaction. Two processes that grant at once would fail over each other.
  await boss.getDb().executeSql(`
    select pg_advisory_xact_lock(7032);
    grant select (${READ_OF_QUEUE.join()}) on pgboss.queue to ${role};
    grant insert on pgboss.${pg.escapeIdentifier(table)} to ${role}`)
}
