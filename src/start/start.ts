import { PluginError } from '../plugin/locate.ts'
import { ConfigError, loadConfig } from './config.ts'
import { type RunningGateway, startGateway } from './gateway.ts'

/** Less than the 10 s after which orchestrators kill; added to draining. */
const ENDED_WITHIN_MS = 9000

const WITHOUT_DEMO =
  'No demo workspace: PLUGINS has no module that creates one. Create a workspace: npm run -s dpp -- workspace create --name NAME'

const report = (message: string) => console.log(message)

/** Creates the demo workspace. If the process is stopped meanwhile, the next start completes it. */
async function showDemo({ container: { cradle } }: RunningGateway, isStopping: () => boolean) {
  const { demoWorkspace } = cradle.plugins
  if (demoWorkspace === undefined) return report(WITHOUT_DEMO)
  try {
    report((await demoWorkspace.prepare(cradle, report)).join('\n'))
  } catch (error) {
    if (!isStopping()) throw error
  }
}

try {
  const config = loadConfig()
  const gateway = await startGateway(config, report)
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    isStopping = true
    report(`${signal}: finishing requests in flight …`)
    setTimeout(
      () => {
        report('Shutdown timed out.')
        process.exit(1)
      },
      config.drainSeconds * 1000 + ENDED_WITHIN_MS,
    ).unref()
    gateway.close().then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  report(`dpp-gateway is ready at ${config.baseUrl}`)
  if (config.demo) await showDemo(gateway, () => isStopping)
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof PluginError
  console.error(isPlain ? `dpp-gateway cannot start. ${error.message}` : error)
  process.exit(1)
}
