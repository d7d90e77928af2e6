import pg from 'pg'
import { type Clock, PgBoss, type QueueOptions, systemClock } from 'pg-boss'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type RoleUrls, roleOf } from '../storage/database-roles.ts'
import { RoleClient } from '../storage/role-client.ts'
import { BACKGROUND_QUEUES, startBackgroundJobRetention } from './background-job.ts'
import { MAIL } from './mail.ts'
import { startMonthPartitions } from './month-partitions.ts'
import { startNotificationRetention } from './notification-retention.ts'
import { PASSPORT_EVENTS, WEBHOOK_DELIVERIES } from './outbox.ts'
import { REGISTRATIONS } from './registrations.ts'
import { startRetention } from './retention.ts'
import { startWebhookRetention } from './webhook-retention.ts'

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

/**
 * Queues, and what holds for their jobs. A job that was running when its process died comes back after the heartbeat, and
 * not after the default 15 minutes; one that failed is tried again for days, since it is all that is left of an event.
 */
const QUEUES: Readonly<Record<string, QueueOptions>> = {
  [PASSPORT_EVENTS]: {
    heartbeatSeconds: 10,
    retryLimit: 200,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 3600,
    deleteAfterSeconds: 86_400,
  },
  // Retries of the receiver's failures are jobs of their own; these are those of ours.
  [WEBHOOK_DELIVERIES]: {
    heartbeatSeconds: 10,
    expireInSeconds: 3600,
    retryLimit: 1000,
    retryDelay: 0,
    deleteAfterSeconds: 3600,
  },
  // 13 attempts in a day. What is to be said is in the job, encrypted; it goes as soon as the message has gone.
  [MAIL]: {
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    retryLimit: 12,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: 6 * 3600,
    retentionSeconds: 7 * 86_400,
    deleteAfterSeconds: 60,
  },
  // 20 attempts in half a day; being told twice does a registry no harm.
  [REGISTRATIONS]: {
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    retryLimit: 19,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 3600,
    deleteAfterSeconds: 3600,
  },
}

/** How often it is looked for jobs whose process died: together with the heartbeat less than 15 seconds. */
const SUPERVISED_EVERY_SECONDS = 2

/** pg-boss in the role that owns its tables, to add jobs and no more. Their schema is made by the migrations. */
export function createBoss(urls: RoleUrls): PgBoss {
  const boss = new PgBoss({ ...connectionOf(urls), supervise: false, schedule: false })
  // Unheard, it would end the process; what fails is told to whoever asked.
  boss.on('error', () => {})
  return boss
}

/**
 * The clock of pg-boss, which goes on whatever is done to the machine's. By that a worker measures how long it took to look for
 * jobs, to look again so much earlier: set back an hour meanwhile, it would look again in an hour.
 */
const STEADY_CLOCK: Clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }

const connectionOf = (urls: RoleUrls) => ({
  clock: STEADY_CLOCK,
  connectionString: urls.jobs,
  Client: RoleClient,
  createSchema: false,
  max: 4,
  connectionTimeoutMillis: 5000,
  // For a server that does not answer and does not say so: its connection is given up, and the work goes on with another.
  query_timeout: 60_000,
  keepAlive: true,
})

/** Starts pg-boss, makes the queues, and lets the application's role add jobs to them, and no more: it cannot read a job. */
export async function startBoss(
  urls: RoleUrls,
  log: Logger,
  { unitEventRetentionMonths }: Pick<Config, 'unitEventRetentionMonths'>,
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...connectionOf(urls),
    superviseIntervalSeconds: SUPERVISED_EVERY_SECONDS,
    monitorIntervalSeconds: SUPERVISED_EVERY_SECONDS,
    maintenanceIntervalSeconds: 300,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  const longWork = Object.entries(BACKGROUND_QUEUES).map(([queue, { options }]) => [queue, options] as const)
  for (const [queue, options] of [...Object.entries(QUEUES), ...longWork]) {
    await boss.createQueue(queue, options)
    // What an earlier version has made is brought up to date.
    await boss.updateQueue(queue, options)
  }
  await letApplicationAdd(boss, roleOf(urls.app))
  await startBackgroundJobRetention(boss)
  await startWebhookRetention(boss, log)
  await startNotificationRetention(boss, log)
  await startRetention(boss, log, 'archive-retention', '17 4 * * *', [
    { table: 'deleted_passport', where: 'retention_until < now()' },
  ])
  await startMonthPartitions(boss, log, { unitEventMonths: unitEventRetentionMonths })
  return boss
}

async function letApplicationAdd(boss: PgBoss, app: string): Promise<void> {
  const queues = await Promise.all(
    [...Object.keys(QUEUES), ...Object.keys(BACKGROUND_QUEUES)].map((queue) => boss.getQueue(queue)),
  )
  const tables = new Set(queues.map((queue) => queue?.table ?? 'job_common'))
  const role = pg.escapeIdentifier(app)
  // One text is one transaction. Two processes that grant at once would fail over each other.
  await boss.getDb().executeSql(`
    select pg_advisory_xact_lock(7032);
    grant select (${READ_OF_QUEUE.join()}) on pgboss.queue to ${role};
    ${[...tables].map((table) => `grant insert on pgboss.${pg.escapeIdentifier(table)} to ${role}`).join(';')}`)
}
