import cluster, { type Worker } from 'node:cluster'
import { getCompileCacheDir } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import type { Config } from './config.ts'
import { openPostgres, type ReportProgress } from './installation.ts'
import { masterKeysOf } from './master-key.ts'

/** Message to a worker. */
export const STOP = 'stop'

/** Message of a worker that listens. */
export interface ReadyMessage {
  readonly lines: readonly string[]
}

/** Workers that end sooner are replaced after the pause. */
const SHORT_LIFE_MS = 5000
const PAUSE_MS = 1000
/** As in `npm start`. */
const NODE_OPTIONS = ['--expose-gc', '--max-semi-space-size=16']
const PROGRAM = join(import.meta.dirname, `start${extname(import.meta.filename)}`)

/** Supervises processes that share a port (node:cluster). Opens the embedded PostgreSQL if there is no DATABASE_URL. */
export async function openWorkers(config: Config, report: ReportProgress) {
  const { masterKey, formerKey = '' } = await masterKeysOf(config)
  const postgres = await openPostgres(config, report)
  // A folder for each version of Node.
  const cache = getCompileCacheDir()
  const environment = {
    DATABASE_URL: config.databaseUrl ?? postgres?.url,
    MASTER_KEY: masterKey,
    MASTER_KEY_PREVIOUS: formerKey,
    DEMO: config.demo ? 'on' : 'off',
    WORKERS: String(config.workers),
    NODE_COMPILE_CACHE: cache === undefined ? '' : dirname(cache),
  }
  const living = new Set<Worker>()
  /** Numbers of workers that have been ready. */
  const replaceable = new Set<number>()
  let isStopping = false
  new RateLimiterClusterMaster()
  // A connection that this process hands to a worker stays open and unanswered if the worker is killed at that moment.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: PROGRAM, args: [], execArgv: [...new Set([...process.execArgv, ...NODE_OPTIONS])] })
  process.on('exit', () => {
    for (const worker of living) worker.process.kill('SIGKILL')
  })
  return { start, stop }

  /**
   * Starts the first worker, which migrates, then the others. Ends this process if one ends before it is ready.
   * @returns lines to print, of the first
   */
  async function start(): Promise<readonly string[]> {
    const lines = await startWorker(1)
    await Promise.all(Array.from({ length: config.workers - 1 }, (_, index) => startWorker(index + 2)))
    return lines
  }

  async function stop(): Promise<void> {
    isStopping = true
    const ended = [...living].map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
    for (const worker of living) worker.send(STOP)
    await Promise.all(ended)
    await postgres?.stop()
  }

  function startWorker(number: number): Promise<readonly string[]> {
    const startedAt = performance.now()
    const worker = cluster.fork({ ...environment, WORKER: String(number) })
    living.add(worker)
    // A message to a worker that has just ended must not end this process.
    worker.on('error', () => {})
    worker.once('exit', (code: number, signal: string | null) => {
      living.delete(worker)
      if (isStopping) return
      report(`Worker ${number} ended (${signal ?? code})${replaceable.has(number) ? ' and is replaced' : ''}.`)
      if (!replaceable.has(number)) return stop().finally(() => process.exit(1))
      const pauseMs = performance.now() - startedAt < SHORT_LIFE_MS ? PAUSE_MS : 0
      setTimeout(() => !isStopping && startWorker(number), pauseMs)
    })
    return new Promise((resolve) => {
      worker.on('message', ({ lines }: Partial<ReadyMessage>) => {
        if (lines === undefined) return
        replaceable.add(number)
        resolve(lines)
      })
    })
  }
}
