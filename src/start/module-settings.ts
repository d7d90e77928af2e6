import type { ModuleSettings } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Config } from './config.ts'
import { ConfigError, toConfigError } from './variables.ts'

/** By name of the module; undefined if its feature is off. */
type SettingsByModule = ReadonlyMap<string, ReturnType<ModuleSettings['parse']>>

/** Variables of modules in this repository. */
const MODULE_VARIABLES = [
  ...['CDN_PURGE_URL', 'SMTP_URL', 'MEDIA_S3_ENDPOINT', 'REGISTRY_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'EN_PREFIX'],
  ...['CONSOLE', 'OIDC_ISSUER'],
]

/** @throws ConfigError naming the variable */
export function settingsOf({ variables }: Config, { modules }: LoadedPlugins): SettingsByModule {
  const parsed = new Map()
  for (const { name, settings } of modules) {
    if (settings === undefined) continue
    try {
      parsed.set(name, settings.parse(variables.only(settings.variables)))
    } catch (error) {
      throw toConfigError(settings.variables[0], error)
    }
  }
  return parsed
}

/** Moves the interfaces of modules to the prefixes in their settings; removes those that are off. */
export function atPrefixes(plugins: LoadedPlugins, settings: SettingsByModule): LoadedPlugins {
  const off = plugins.modules.flatMap(({ name, needsSettings }) =>
    needsSettings && settings.get(name) === undefined ? [name] : [],
  )
  const prefixOf = (name: string) => settings.get(name)?.prefix
  const apiOf = (name: string) => plugins.modules.find((module) => module.name === name)?.api
  return {
    ...plugins,
    modules: plugins.modules.map((module) => {
      const { name, api } = module
      if (off.includes(name)) return { ...module, isOff: true }
      return api === undefined ? module : { ...module, api: { ...api, prefix: prefixOf(name) ?? api.prefix } }
    }),
    openapi: plugins.openapi
      .filter(({ plugin }) => !off.includes(plugin))
      .map((document) => {
        const [from, to] = [apiOf(document.plugin)?.prefix, prefixOf(document.plugin)]
        if (from === undefined || to === undefined) return document
        const paths = Object.entries(document.paths).map(([path, item]) => [to + path.slice(from.length), item])
        return { ...document, paths: Object.fromEntries(paths) }
      }),
  }
}

/** @throws ConfigError for a variable that no loaded module uses */
export function assertUsed({ variables }: Config, { modules }: LoadedPlugins): void {
  const used = new Set(modules.flatMap(({ settings }) => settings?.variables ?? []))
  const unused = MODULE_VARIABLES.find((name) => variables.text(name) !== undefined && !used.has(name))
  if (unused === undefined) return
  throw new ConfigError(
    `${unused} is set, but no loaded module uses it. Add its module to PLUGINS, or remove ${unused}.`,
  )
}
