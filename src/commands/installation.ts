import { loadContract } from '../http/contract.ts'
import { loadPlugins } from '../plugin/loader.ts'
import type { Commands } from './command.ts'

/** The installation itself: contract, plugins, schema. */
export const INSTALLATION_COMMANDS: Commands = {
  openapi: {
    usage: '[--yaml]',
    summary: 'Print the contract, media types of the plugins included',
    flags: ['yaml'],
    async run({ options, config }) {
      const contract = await loadContract(await loadPlugins(config.plugins))
      const shown = options.yaml === true ? contract.yaml : JSON.stringify(contract.document, null, 2)
      return { json: contract.document, lines: [shown.trimEnd()] }
    },
  },
  plugins: {
    usage: '',
    summary: 'List the plugins that PLUGINS names',
    async run({ config }) {
      const { list } = await loadPlugins(config.plugins)
      return {
        json: { plugins: list },
        lines: list.map(({ kind, name, folder }) => `${kind.padEnd(14)}  ${name.padEnd(14)}  ${folder}`),
      }
    },
  },
  migrate: {
    usage: '',
    summary: 'Bring the database schema up to date',
    async run({ open }) {
      const { migrated } = await open()
      return {
        json: { migrated },
        lines: migrated.length === 0 ? ['The schema is up to date.'] : migrated.map((name) => `Migrated: ${name}`),
      }
    },
  },
}
