import type { Commands } from './command.ts'

export const INSTALLATION_COMMANDS: Commands = {
  openapi: {
    summary: 'Print the OpenAPI contract, with the media types of plugins',
    options: { yaml: { meaning: 'As YAML instead of JSON' } },
    async run({ options, config }) {
      const { loadContract } = await import('../http/contract.ts')
      const { loadPlugins } = await import('../plugin/loader.ts')
      const contract = await loadContract(await loadPlugins((await config()).plugins))
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
