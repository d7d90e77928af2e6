import { type Commands, EXIT, readRecord, required, UsageError, writeWhole } from '../../../../src/plugin/command.ts'
import type { ModuleCradle } from '../../../../src/plugin/module.ts'
import { checkedCell, conflictsOf, directoryFiles, parseEntries } from '../directory.ts'

export default {
  'cells entries': {
    summary: 'List the GS1 company prefixes and workspace hosts of this installation',
    options: {
      cell: { value: 'NAME', needed: true, meaning: 'Name of this installation among the cells' },
      address: { value: 'HOST:PORT', needed: true, meaning: 'Its load balancer' },
    },
    notes: ['Store the output of --json for `dpp cells directory`.'],
    async run({ options, open, config }) {
      const [cell, address] = [required(options, 'cell'), required(options, 'address')]
      asUsage(() => checkedCell(cell, address))
      const { baseUrl, workspaceHostSuffix } = await config()
      const { companyPrefixes, workspaces } = (await open<ModuleCradle>()).cradle
      const prefixes = (await companyPrefixes.list()).map(({ prefix, workspaceId }) => ({ name: prefix, workspaceId }))
      const hosts = (await workspaces.list()).flatMap(({ id, subdomain }) =>
        workspaceHostSuffix === undefined || !subdomain
          ? []
          : [{ name: `${subdomain}${workspaceHostSuffix}`.toLowerCase(), workspaceId: id }],
      )
      return {
        json: { cell, address, baseUrl, prefixes, hosts },
        table: {
          headings: ['PREFIX OR HOST', 'WORKSPACE ID'],
          rows: [...prefixes, ...hosts].map(({ name, workspaceId }) => [name, workspaceId]),
        },
      }
    },
  },
  'cells directory': {
    summary: 'Write HAProxy files that send product links and workspace hosts to their cell',
    words: ['FILE'],
    anyWords: true,
    options: {
      out: { value: 'FOLDER', needed: true, meaning: 'Existing folder for cells.cfg and the two maps' },
      redirects: { meaning: 'Redirect (307) to BASE_URL of the cell instead of forwarding' },
    },
    notes: ['Exit code 1 if two cells claim the same number, host or workspace.'],
    async run({ words, options }) {
      const out = required(options, 'out')
      if (words.length === 0) throw new UsageError('FILE is missing.')
      const documents = await Promise.all(words.map(async (file) => [await readRecord(file), file] as const))
      const cells = asUsage(() => documents.map(([document, file]) => parseEntries(document, file)))
      const conflicts = conflictsOf(cells)
      if (conflicts.length > 0) return { json: { conflicts }, lines: conflicts, exitCode: EXIT.no }
      const files = directoryFiles(cells, { redirects: options.redirects === true })
      for (const [name, content] of Object.entries(files)) {
        await writeWhole(`${out}/${name}`, bytesOf(content))
      }
      const count = (list: 'prefixes' | 'hosts') => cells.reduce((sum, cell) => sum + cell[list].length, 0)
      return {
        json: { cells: cells.length, prefixes: count('prefixes'), hosts: count('hosts'), files: Object.keys(files) },
        lines: [
          `${cells.length} cells, ${count('prefixes')} prefixes and ${count('hosts')} hosts are in ${out}.`,
          `Start or reload HAProxy there: CELLS_BIND=:8080 haproxy -f cells.cfg`,
        ],
      }
    },
  },
} satisfies Commands

async function* bytesOf(content: string) {
  yield Buffer.from(content)
}

function asUsage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
