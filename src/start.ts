import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ConfigError, loadConfig } from './config.ts'
import { prepareDemo } from './demo.ts'
import { startDemoTimestamps } from './demo-timestamps.ts'
import { startGateway } from './gateway.ts'
import { PluginError } from './plugin/loader.ts'

/** Less than the ten seconds after which orchestrators kill, whatever it is that does not answer; what drains has longer. */
const ENDED_WITHIN_MS = 9000

const say = (message: string) => console.log(message)

try {
  const given = loadConfig()
  // A demo has an authority of its own; another that is set up is the one that is asked.
  const hasOwn = given.demo && given.tsaUrl === undefined && given.tsaCa === undefined
  const config = hasOwn ? { ...given, ...(await startDemoTimestamps(given.dataDir)) } : given
  const gateway = await startGateway(config, say, giveBack)
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    // A second signal means that somebody does not want to wait.
    if (isStopping) process.exit(1)
    isStopping = true
    say(`${signal}: finishing what is in flight …`)
    setTimeout(
      () => {
        say('Something did not answer, and is left as it is.')
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
  say(`dpp-gateway is ready at ${config.baseUrl}`)
  if (config.demo) say((await prepareDemo(gateway.container, say)).join('\n'))
} catch (error) {
  // What an operator can mend is said in one line; anything else is a defect and shows where.
  const isPlain = error instanceof ConfigError || error instanceof PluginError
  console.error(isPlain ? `dpp-gateway cannot start. ${error.message}` : error)
  process.exit(1)
}

/**
 * Gives back what starting has left behind, which is a quarter of all memory: syntax trees, the contract's earlier forms.
 * By itself V8 keeps the pages for what may come.
 */
function giveBack(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort' })
}
