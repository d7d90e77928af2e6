import pg from 'pg'
import { type Clock, PgBoss, type QueueOptions, systemClock } from 'pg-boss'
import type { Logger } from 'pino'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Config } from '../start/config.ts'
import { connectionShares } from '../storage/connection-shares.ts'
import { type RoleUrls, roleOf } from '../storage/database-roles.ts'
import { RoleClient } from '../storage/role-client.ts'
import { startWebhookRetention } from '../webhooks/webhook-retention.ts'
import { optionsOfQueue, startBackgroundJobRetention } from './background-job.ts'
import { startMonthPartitions, startRollUp } from './month-partitions.ts'
import { PASSPORT_EVENTS, WEBHOOK_DELIVERIES } from './outbox.ts'
import { startRetention } from './retention.ts'

/** Columns that the application role reads to add a job, without job content. */
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
 * Job options by queue. Jobs of a dead process are retried after the heartbeat instead of 15 minutes; failed jobs are retried for days,
 * because nothing else records the event.
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
  // Receiver failures create separate jobs; these retries are for gateway failures.
  [WEBHOOK_DELIVERIES]: {
    heartbeatSeconds: 10,
    expireInSeconds: 3600,
    retryLimit: 1000,
    retryDelay: 0,
    deleteAfterSeconds: 3600,
  },
}

const SUPERVISED_EVERY_SECONDS = 2

/** For commands: connects with the first job. */
export function createBoss(urls: RoleUrls): PgBoss {
  const boss = new PgBoss({ ...connectionOf(urls, 4), supervise: false, schedule: false })
  // An unhandled error event would end the process; callers get the error too.
  boss.on('error', () => {})
  const insert = boss.insert.bind(boss)
  boss.insert = async (...job: Parameters<typeof insert>) => {
    await boss.start()
    return insert(...job)
  }
  return boss
}

/** Monotonic clock: pg-boss would poll an hour late if the system clock were set back by an hour. */
const STEADY_CLOCK: Clock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }

const connectionOf = (urls: RoleUrls, max: number) => ({
  clock: STEADY_CLOCK,
  connectionString: urls.jobs,
  Client: RoleClient,
  createSchema: false,
  max,
  connectionTimeoutMillis: 5000,
  // Replaces connections to an unresponsive server.
  query_timeout: 60_000,
  keepAlive: true,
})

/** Starts pg-boss and creates the queues. The application role may add jobs but not read them. */
export async function startBoss(
  urls: RoleUrls,
  log: Logger,
  config: Pick<Config, 'unitEventRetentionMonths' | 'databaseConnections' | 'workers'>,
  plugins: Pick<LoadedPlugins, 'queues' | 'retention'>,
): Promise<PgBoss> {
  const boss = new PgBoss({
    ...connectionOf(urls, connectionShares(config).jobs),
    superviseIntervalSeconds: SUPERVISED_EVERY_SECONDS,
    monitorIntervalSeconds: SUPERVISED_EVERY_SECONDS,
    maintenanceIntervalSeconds: 300,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  await boss.start()
  const stored = new Map<string, Readonly<Record<string, unknown>>>()
  for (const queue of await boss.getQueues()) stored.set(queue.name, { ...queue })
  const queues = new Map(Object.entries(QUEUES))
  for (const queue of plugins.queues) queues.set(queue.name, optionsOfQueue(queue))
  for (const [queue, options] of queues) {
    // Takes a lock in a transaction even if the queue exists.
    if (!stored.has(queue)) await boss.createQueue(queue, options)
    const isStored = Object.entries(options).every(([name, value]) => stored.get(queue)?.[name] === value)
    if (!isStored) await boss.updateQueue(queue, options)
  }
  await letApplicationAdd(boss, [...queues.keys()], roleOf(urls.app))
  await startBackgroundJobRetention(
    boss,
    plugins.queues.flatMap(({ table }) => table ?? []),
  )
  await startWebhookRetention(boss, log)
  for (const { table, days } of plugins.retention) {
    const where = `created_at < now() - interval '${days} days'`
    await startRetention(boss, log, `${table}-retention`, '57 3 * * *', [{ table, where }])
  }
  await startRetention(boss, log, 'archive-retention', '17 4 * * *', [
    { table: 'deleted_passport', where: 'retention_until < now()' },
  ])
  await startMonthPartitions(boss, log, { unitEventMonths: config.unitEventRetentionMonths })
  await startRollUp(boss)
  return boss
}

async function letApplicationAdd(boss: PgBoss, names: readonly string[], app: string): Promise<void> {
  const tables = new Set((await boss.getQueues([...names])).map(({ table }) => table))
  const role = pg.escapeIdentifier(app)
  // One text is one transaction. Concurrent grants would fail.
  await boss.getDb().executeSql(`
    select pg_advisory_xact_lock(7032);
    grant select (${READ_OF_QUEUE.join()}) on pgboss.queue to ${role};
    ${[...tables].map((table) => `grant insert on pgboss.${pg.escapeIdentifier(table)} to ${role}`).join(';')}`)
}
