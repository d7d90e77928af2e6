import { type Contract, loadContract } from '../../src/http/contract.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import { loadConfig } from '../../src/start/config.ts'
import { atPrefixes, settingsOf } from '../../src/start/module-settings.ts'

/** Contract that a gateway with these variables serves, without modules that are off: the console, as in test gateways. */
export async function servedContract(env: Record<string, string | undefined> = {}): Promise<Contract> {
  const config = loadConfig({ CONSOLE: 'off', ...env })
  const plugins = await loadPlugins(config.plugins)
  return loadContract(atPrefixes(plugins, settingsOf(config, plugins)))
}
