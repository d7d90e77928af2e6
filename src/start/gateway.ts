import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Cradle } from '../cradle.ts'
import { dictionary } from '../domain/record.ts'
import { loadContract } from '../http/contract.ts'
import { type MetricsServer, startMetricsServer } from '../http/metrics-server.ts'
import { startBackgroundJobs } from '../jobs/background-job.ts'
import { createBoss, startBoss } from '../jobs/boss.ts'
import { startMessageQueue } from '../jobs/message-queue.ts'
import { readQueues } from '../jobs/queue-state.ts'
import { startSchedule } from '../jobs/schedule.ts'
import { openSharedCounters } from '../outside/shared-counters.ts'
import type { BackgroundWorker, MessageWorker, TracingServices } from '../plugin/contracts.ts'
import { type LoadedPlugins, loadMigrations, loadPlugins } from '../plugin/loader.ts'
import { VERSION } from '../root.ts'
import { connectionShares } from '../storage/connection-shares.ts'
import { Database } from '../storage/database.ts'
import { loginsIn, type MasterKeys, type RoleUrls, urlAs } from '../storage/database-roles.ts'
import { type NamedMigration, withDigest } from '../storage/migrate.ts'
import { prepareDatabase, storePlans } from '../storage/prepare-database.ts'
import { SecretBox } from '../storage/secret-box.ts'
import { Counters } from '../telemetry/counters.ts'
import { instrumentedSigner } from '../telemetry/instrumented-signer.ts'
import { type Config, ConfigError } from './config.ts'
import { type Container, compose, loadHandlers, toCamelCase } from './container.ts'
import { openPostgres } from './installation.ts'
import { createLog } from './log.ts'
import { masterKeysOf } from './master-key.ts'
import { assertUsed, atPrefixes, settingsOf } from './module-settings.ts'
import { toConfigError, Variables } from './variables.ts'

// In total below the ten seconds before orchestrators kill.
const IN_FLIGHT_MS = 4500
const FLUSHED_WITHIN_MS = 1500
const CLOSED_WITHIN_MS = 2500

interface OpenGateway {
  readonly container: Container
  readonly migrated: readonly string[]
  close(): Promise<void>
}

interface OpenOptions {
  readonly report: (message: string) => void
  readonly isServer: boolean
}

export async function openGateway(given: Config, { report, isServer }: OpenOptions): Promise<OpenGateway> {
  const log = createLog(given)
  const loaded = await loadPlugins(given.plugins)
  const settings = settingsOf(given, loaded)
  const plugins = atPrefixes(loaded, settings)
  const signerPlugin = plugins.signers.get(given.signer)
  if (signerPlugin === undefined) {
    throw new ConfigError(
      `SIGNER: unknown signer "${given.signer}". Loaded signers: ${[...plugins.signers.keys()].join(', ') || 'none'}.`,
    )
  }
  const { masterKey, formerKey } = await masterKeysOf(given)
  if (isServer) assertUsed(given, plugins)
  const [contract, postgres] = await Promise.all([
    isServer ? loadContract(plugins) : undefined,
    openPostgres(given, report),
  ])
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    await Promise.all(closing.map((step) => withTimeout(CLOSED_WITHIN_MS, step(), log)))
    await postgres?.stop()
  }
  try {
    const { urls, migrated } = await prepareDatabase(
      given.databaseUrl ?? postgres?.url ?? '',
      masterKey,
      await allMigrations(plugins),
      { finish: storePlans, formerKey, report, isForeign: isServer && given.databaseUrl !== undefined },
    )
    const counters = new Counters()
    const tracing = isServer ? await openTraces(plugins, settings, { log, counters, version: VERSION }) : undefined
    closing.push(async () => tracing?.close())
    const connections = connectionShares(given)
    const databaseConnections = String(connections.signer)
    const opened = await signerPlugin
      .open({ ...given.signerOptions, ...signerOptionsOf(urls, { masterKey, formerKey }), databaseConnections })
      .catch((error) => Promise.reject(toConfigError('SIGNER', error)))
    const signer = instrumentedSigner(opened, signerPlugin.name, counters)
    closing.push(async () => signer.close?.())
    const boss = isServer ? await startBoss(urls, log, given, plugins) : createBoss(urls)
    closing.push(() => boss.stop({ graceful: true, timeout: 1500 }))
    const sharedCounters =
      isServer && given.redisUrl !== undefined ? await openSharedCounters(given.redisUrl, log) : undefined
    closing.push(async () => sharedCounters?.close())
    const replicaUrls =
      given.databaseReplicaUrl === undefined ? undefined : replicaUrlsOf(given.databaseReplicaUrl, urls)
    const database = new Database({ urls, replicaUrls, log, connectionWait: given.bounds.connectionWait, connections })
    closing.push(() => database.close())
    // Services get role connections but neither the owner's URL nor keys.
    const config: Config = {
      ...given,
      ...(isServer && (await timestampsOf(given, plugins))),
      ...{ databaseUrl: undefined, databaseReplicaUrl: undefined, masterKey: undefined, masterKeyPrevious: undefined },
      variables: new Variables({}),
    }
    const container = await compose({
      ...{ config, log, plugins, database, signer, boss, sharedCounters, counters, tracing },
      ...(contract !== undefined && { contract }),
      ...Object.fromEntries([...settings].map(([name, parsed]) => [`${toCamelCase(name)}Settings`, parsed])),
      secretBox: new SecretBox(masterKey, formerKey),
    })
    const publishing = plugins.modules.filter(
      (module) =>
        module.onPublicChange !== undefined &&
        (module.settings === undefined || settings.get(module.name) !== undefined),
    )
    if (publishing.length > 0) {
      database.onPublicChange = async (tx, names) => {
        for (const module of publishing) await module.onPublicChange?.(tx, names, container.cradle)
      }
    }
    return { container, migrated, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns the timestamp authority of the demo, if there is no other. */
async function timestampsOf({ demo, tsaUrl, tsaCa, dataDir }: Config, { demoWorkspace }: LoadedPlugins) {
  return demo && tsaUrl === undefined && tsaCa === undefined ? demoWorkspace?.startTimestamps(dataDir) : undefined
}

export function signerOptionsOf(
  urls: Pick<RoleUrls, 'signer'>,
  { masterKey, formerKey }: MasterKeys,
): Record<string, string> {
  const { next } = loginsIn(urls.signer)
  return {
    databaseUrl: urls.signer,
    masterKey,
    ...(formerKey === undefined ? {} : { masterKeyPrevious: formerKey }),
    ...(next === undefined ? {} : { databaseUrlNext: urlAs(urls.signer, next) }),
  }
}

/** A hot standby has the roles of the primary. */
const replicaUrlsOf = (url: string, urls: RoleUrls) => ({
  app: urlAs(url, loginsIn(urls.app).now),
  lookup: urlAs(url, loginsIn(urls.lookup).now),
})

export async function allMigrations(plugins: LoadedPlugins): Promise<NamedMigration[]> {
  const ofCore = await loadMigrations(join(import.meta.dirname, '../../migrations'), 'core')
  return Promise.all([...ofCore, ...plugins.migrations].map(withDigest))
}

export interface RunningGateway {
  readonly container: Container
  readonly server: Server
  /** Differs from `BASE_URL` behind a proxy or with port 0. */
  readonly origin: string
  readonly metricsOrigin: string | undefined
  /** Drains, finishes requests (at most 4.5 s), flushes and closes. */
  close(): Promise<void>
}

/** Opens the gateway and listens. */
export async function startGateway(config: Config, report: (message: string) => void): Promise<RunningGateway> {
  const opened = await openGateway(config, { report, isServer: true })
  const { cradle } = opened.container
  let metrics: MetricsServer | undefined
  try {
    // Not loaded by the command line: takes 0.2 s of CPU.
    const { createApp } = await import('../http/app.ts')
    const { Forwarding } = await import('../http/forwarding.ts')
    const { createGatewayServer } = await import('../http/server.ts')
    const handlers = await loadHandlers(opened.container)
    const forwarding = new Forwarding(config)
    const server = createGatewayServer(createApp(cradle, handlers, forwarding), cradle, forwarding)
    const stopFollowing = cradle.publicCache.follow()
    await cradle.webhookDelivery.start()
    const queues = await startQueues(opened.container)
    for (const schedule of cradle.plugins.schedules) await startSchedule(cradle.boss, schedule, cradle)
    metrics = await openMetrics(cradle)
    await listen(server, config)
    cradle.auditChaining.start()
    const { port } = server.address() as AddressInfo
    cradle.log.info({ host: config.host, port }, 'listening')
    return {
      container: opened.container,
      server,
      origin: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
      metricsOrigin: metrics?.origin,
      close: async () => {
        cradle.health.stop()
        await sleep(config.drainSeconds * 1000)
        const delivered = cradle.webhookDelivery.stop(IN_FLIGHT_MS)
        const sent = Promise.all([delivered, ...queues.stops.map((stop) => stop(IN_FLIGHT_MS))])
        await Promise.all([stopServer(server), withTimeout(IN_FLIGHT_MS + FLUSHED_WITHIN_MS, sent, cradle.log)])
        const chained = cradle.protectedReadAudit.flush().then(() => cradle.auditChaining.stop())
        const released = queues.releases.map((release) => release())
        const last = [stopFollowing(), cradle.accessAudit.flush(), cradle.grants.flush(), chained, ...released]
        await Promise.all(last.map((work) => withTimeout(FLUSHED_WITHIN_MS, work, cradle.log)))
        await metrics?.close()
        await opened.close()
        cradle.log.info('stopped')
      },
    }
  } catch (error) {
    await metrics?.close()
    await opened.close()
    throw error
  }
}

/** Starts the workers of modules. At an orderly shutdown, `stops` end messages and `releases` settle unfinished jobs. */
async function startQueues(container: Container) {
  const { outbox, plugins } = container.cradle
  const [stops, releases]: [((graceMs: number) => Promise<void>)[], (() => Promise<void>)[]] = [[], []]
  for (const queue of plugins.queues) {
    if (queue.table !== undefined) {
      const worker = container.resolve<BackgroundWorker>(queue.worker)
      const { wake, release } = await startBackgroundJobs(queue, worker, container.cradle)
      outbox.onAdded(queue.name, wake)
      releases.push(release)
    } else {
      const worker = container.resolve<MessageWorker>(queue.worker)
      if (!worker.isOn) continue
      const { wake, stop } = await startMessageQueue(queue, worker, container.cradle)
      outbox.onAdded(queue.name, wake)
      stops.push(stop)
    }
  }
  return { stops, releases }
}

async function openTraces(
  { modules }: LoadedPlugins,
  settings: ReturnType<typeof settingsOf>,
  services: TracingServices,
) {
  const module = modules.find(({ openTracing }) => openTracing !== undefined)
  const parsed = module && settings.get(module.name)
  return parsed && module?.openTracing?.(parsed, services)
}

/** Loaded only if metrics are configured. */
async function openMetrics(cradle: Cradle): Promise<MetricsServer | undefined> {
  const { config, counters, publicCache, database, boss } = cradle
  if (config.metrics === undefined) return undefined
  const { createExposition } = await import('../telemetry/exposition.ts')
  const exposition = createExposition({
    ...{ counters, publicCache, database, signer: config.signer },
    build: { version: VERSION, commit: config.commit },
    queues: () => readQueues(boss),
  })
  return startMetricsServer(config.metrics, exposition)
}

const NOT_LISTENING = dictionary<(at: Pick<Config, 'host' | 'port'>) => string>({
  EADDRINUSE: ({ host, port }) => `PORT: ${port} on ${host} is in use. Set another port, for example PORT=${port + 1}.`,
  EACCES: ({ port }) =>
    `PORT: this user may not listen on ${port}. Set a port of 1024 or higher, for example PORT=3000.`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST: ${host} is not an address of this machine. Set one of its addresses, or 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) => `HOST: ${host} cannot be resolved. Set an IP address, or 0.0.0.0 for all.`,
})

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = NOT_LISTENING[error.code ?? '']?.({ host, port })
      reject(sentence === undefined ? error : new ConfigError(sentence, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
}

/** Waits up to a limit: an unavailable database must not block the shutdown. */
async function withTimeout(milliseconds: number, work: Promise<unknown>, log: Logger): Promise<void> {
  const done = work.then(
    () => true,
    (error) => {
      log.warn({ err: error }, 'could not be closed')
      return true
    },
  )
  const isDone = await Promise.race([done, sleep(milliseconds, false, { ref: false })])
  if (!isDone) log.warn('gateway stopped before all work had finished')
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS)
    server.close(() => {
      clearTimeout(impatient)
      resolve()
    })
    server.closeIdleConnections()
  })
}
