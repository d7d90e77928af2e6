import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { PluginError } from '../plugin/locate.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import type { RunningGateway } from './gateway.ts'
import { openWorkers, type ReadyMessage, STOP } from './workers.ts'

/** Less than the 10 s after which orchestrators kill; added to draining. */
const ENDED_WITHIN_MS = 9000

const WITHOUT_DEMO =
  'No demo workspace: PLUGINS has no module that creates one. Create a workspace: npm run -s dpp -- workspace create --name NAME'

const report = (message: string) => console.log(message)

/** Runs the gateway until a signal. Ends the process with code 1 if it cannot start. */
export async function serve(env?: NodeJS.ProcessEnv): Promise<void> {
  try {
    const config = loadConfig(env)
    if (config.workers > 1 && config.worker === undefined) await serveByWorkers(config)
    else await serveHere(config)
  } catch (error) {
    const isPlain = error instanceof ConfigError || error instanceof PluginError
    console.error(isPlain ? `dpp-gateway cannot start. ${error.message}` : error)
    process.exit(1)
  }
}

async function serveByWorkers(config: Config): Promise<void> {
  const workers = await openWorkers(config, report)
  stopOnSignal(config, workers.stop)
  const lines = await workers.start()
  report([`dpp-gateway is ready at ${config.baseUrl} with ${config.workers} workers`, ...lines].join('\n'))
}

async function serveHere(config: Config): Promise<void> {
  let gateway: RunningGateway | undefined
  const isStopping = stopOnSignal(config, async () => gateway?.close())
  // Not loaded by the primary of workers.
  const { startGateway } = await import('./gateway.ts')
  const { validatorsOf } = await import('../http/validate.ts')
  gateway = await startGateway(config, report)
  validatorsOf(gateway.container.cradle.contract).prepare()
  if (config.worker === undefined) {
    report([`dpp-gateway is ready at ${config.baseUrl}`, ...unusedCores(availableParallelism())].join('\n'))
  }
  const lines = config.demo ? await demoLines(gateway, isStopping) : []
  // Returns memory of the start to the system. Node's option --expose-gc provides it, as in `npm start`.
  await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
  if (config.worker === undefined) for (const line of lines) report(line)
  else cluster.worker?.send({ lines } satisfies ReadyMessage)
}

export const unusedCores = (cores: number): string[] =>
  cores > 2 ? [`One of ${cores} cores is used. Set WORKERS=auto to use all.`] : []

/** Creates the demo workspace. If the process is stopped meanwhile, the next start completes it. */
async function demoLines(
  { container: { cradle } }: RunningGateway,
  isStopping: () => boolean,
): Promise<readonly string[]> {
  const { demoWorkspace, modules } = cradle.plugins
  if (demoWorkspace === undefined) return [WITHOUT_DEMO]
  try {
    const lines = await demoWorkspace.prepare(cradle, report)
    const greetings = await Promise.all(modules.map((module) => module.greet?.(cradle) ?? []))
    return [...lines, ...greetings.flat()]
  } catch (error) {
    if (!isStopping()) throw error
    return []
  }
}

/** Stops gracefully at the first signal, or message to a worker; immediately at the second signal, which the primary handles for its workers. */
function stopOnSignal({ drainSeconds, worker }: Config, close: () => Promise<void>): () => boolean {
  let isStopping = false
  const stop = (signal: string) => {
    if (isStopping && worker !== undefined) return
    if (isStopping) process.exit(1)
    isStopping = true
    if (worker === undefined) report(`${signal}: finishing requests in flight …`)
    setTimeout(
      () => {
        report('Shutdown timed out.')
        process.exit(1)
      },
      drainSeconds * 1000 + ENDED_WITHIN_MS,
    ).unref()
    close().then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('message', (message) => message === STOP && stop(STOP))
  return () => isStopping
}
