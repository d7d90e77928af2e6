import { type Commands, text } from './command.ts'

export const INSTALLATION_COMMANDS: Commands = {
  serve: {
    summary: 'Run the gateway',
    options: {
      workers: {
        value: 'N',
        meaning: 'Processes that share the port; auto: all cores but one, for PostgreSQL (default: WORKERS, or 1)',
      },
    },
    async run({ options, env }) {
      const { serve } = await import('../start/serve.ts')
      const workers = text(options, 'workers')
      await serve(workers === undefined ? env : { ...env, WORKERS: workers })
      return undefined
    },
  },
  openapi: {
    summary: 'Print the OpenAPI contract, with the media types of plugins',
    options: { yaml: { meaning: 'As YAML instead of JSON' } },
    async run({ options, config }) {
      const { loadContract } = await import('../http/contract.ts')
      const { loadPlugins } = await import('../plugin/loader.ts')
      const { atPrefixes, settingsOf } = await import('../start/module-settings.ts')
      const given = await config()
      const plugins = await loadPlugins(given.plugins)
      const contract = await loadContract(atPrefixes(plugins, settingsOf(given, plugins)))
      const shown = options.yaml === true ? await contract.yaml() : JSON.stringify(contract.document, null, 2)
      return { json: contract.document, lines: [shown.trimEnd()] }
    },
  },
  plugins: {
    summary: 'List the loaded plugins',
    async run({ config }) {
      const { loadPlugins } = await import('../plugin/loader.ts')
      const { list } = await loadPlugins((await config()).plugins)
      return {
        json: { plugins: list },
        table: {
          headings: ['KIND', 'NAME', 'FOLDER'],
          rows: list.map(({ kind, name, folder }) => [kind, name, folder]),
        },
      }
    },
  },
  migrate: {
    summary: 'Migrate the database schema',
    async run({ open }) {
      const { migrated } = await open()
      return {
        json: { migrated },
        lines: migrated.length === 0 ? ['The schema is up to date.'] : migrated.map((name) => `Migrated: ${name}`),
      }
    },
  },
}
