import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const CRADLE = 'cradle.ts'

/** Folders and files of `src` that each folder may import, including types. `start` and files directly in `src` may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  carriers: ['domain'],
  client: ['generated'],
  domain: ['generated'],
  entities: ['domain'],
  jobs: ['domain', 'entities', 'plugin', 'storage', 'telemetry', 'start/config.ts', CRADLE],
  operations: ['domain', 'http', 'read-model', 'services', 'root.ts', CRADLE],
  outbound: ['domain', 'telemetry', 'verify', 'start/config.ts', CRADLE],
  plugin: ['carriers', 'commands', 'domain', 'entities', 'telemetry', 'root.ts', 'start/startup-cache.ts'],
  'read-model': ['domain', 'generated', 'plugin', 'storage', 'telemetry', 'root.ts', CRADLE],
  storage: ['domain', 'entities', 'telemetry', 'start/config.ts', CRADLE],
  telemetry: ['domain', 'plugin'],
  verify: ['domain'],
  http: [
    ...['domain', 'generated', 'plugin', 'read-model', 'services', 'storage', 'telemetry'],
    ...['start/bounds.ts', 'start/config.ts', 'root.ts', 'start/startup-cache.ts', CRADLE],
  ],
  services: [
    ...['carriers', 'domain', 'entities', 'jobs', 'outbound', 'plugin', 'read-model', 'storage', 'telemetry'],
    ...['verify', 'start/startup-cache.ts', CRADLE],
  ],
}

/** Published entries re-export parts of every folder for plugins. */
const ENTRIES = [
  'src/plugin/index.ts',
  'src/plugin/module.ts',
  'src/plugin/command.ts',
  'src/plugin/installation.ts',
  'src/plugin/thread.ts',
]
const MODULE_ENTRIES = [...ENTRIES, 'src/client/index.ts']

const FILES = globSync(['src/**/*.ts', 'plugins/**/*.ts', 'optional/**/*.ts']).filter(
  (file) => !/\.test\.ts$|(^|\/)generated(\/|\.ts$)/.test(file),
)

function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)
  return [...found].map(([, path = '']) => join(dirname(file), path))
}

test('each folder of src imports only what it may', () => {
  const folderOf = (file: string) => {
    const [, folder = '', name] = file.split('/')
    return folder === 'start' ? `start/${name}` : folder
  }
  const faults = FILES.filter((file) => file.startsWith('src/') && !ENTRIES.includes(file)).flatMap((file) => {
    const allowed = MAY_IMPORT[folderOf(file)]
    return importsOf(file)
      .filter((path) => allowed !== undefined && path.startsWith('src/'))
      .filter((path) => folderOf(path) !== folderOf(file) && !allowed?.includes(folderOf(path)))
      .map((path) => `${file} imports ${path}`)
  })
  expect(faults).toEqual([])
})

test('the gateway imports no plugin', () => {
  const faults = FILES.filter((file) => file.startsWith('src/')).flatMap((file) =>
    importsOf(file)
      .filter((path) => path.startsWith('plugins/') || path.startsWith('optional/'))
      .map((path) => `${file} imports ${path}`),
  )
  expect(faults).toEqual([])
})

test('a plugin imports its own folder and published entries', () => {
  const faults = FILES.filter((file) => !file.startsWith('src/')).flatMap((file) => {
    const [kind = '', group = '', name = ''] = file.split('/')
    const own = kind === 'optional' ? `${kind}/${group}` : `${kind}/${group}/${name}`
    return importsOf(file)
      .filter((path) => !path.startsWith(`${own}/`) && !MODULE_ENTRIES.includes(path))
      .map((path) => `${file} imports ${path}`)
  })
  expect(faults).toEqual([])
})
