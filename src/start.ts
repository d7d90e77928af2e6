import { ConfigError, loadConfig } from './config.ts'
import { prepareDemo } from './demo.ts'
import { startDemoTimestamps } from './demo-timestamps.ts'
import { startGateway } from './gateway.ts'
import { PluginError } from './plugin/locate.ts'

/** Less than the 10 s after which orchestrators kill; added to draining. */
const ENDED_WITHIN_MS = 9000

const report = (message: string) => console.log(message)

/** Creates the demo workspace. If the process is stopped meanwhile, the next start completes it. */
async function showDemo({ container }: Awaited<ReturnType<typeof startGateway>>, isStopping: () => boolean) {
  try {
    report((await prepareDemo(container, report)).join('\n'))
  } catch (error) {
    if (!isStopping()) throw error
  }
}

try {
  const given = loadConfig()
  const hasOwn = given.demo && given.tsaUrl === undefined && given.tsaCa === undefined
  const config = hasOwn ? { ...given, ...(await startDemoTimestamps(given.dataDir)) } : given
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
