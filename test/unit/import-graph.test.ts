import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const CRADLE = 'cradle.ts'

/** Folders that every subject may import; `operations` of a subject also import `http`. */
const BASE = ['domain', 'generated', 'plugin', 'storage', 'telemetry', 'start/startup-cache.ts', 'root.ts', CRADLE]

/** Folders and files of `src` that each folder may import, including types. `start` and files directly in `src` may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: ['generated'],
  client: ['generated'],
  verify: ['domain'],
  telemetry: ['domain', 'plugin'],
  outside: ['domain', 'telemetry', 'verify', 'start/config.ts', CRADLE],
  plugin: [
    ...['commands', 'credentials', 'domain', 'storage', 'telemetry', 'root.ts'],
    ...['start/startup-cache.ts', 'start/variables.ts'],
  ],
  storage: ['domain', 'telemetry', 'start/config.ts', CRADLE],
  jobs: ['domain', 'plugin', 'storage', 'telemetry', 'webhooks', 'start/config.ts', CRADLE],
  http: [...[...BASE, 'renditions', 'resolution', 'workspaces'], ...['start/bounds.ts', 'start/config.ts']],
  audit: [...BASE, 'workspaces'],
  carriers: [...BASE, 'units'],
  categories: [...BASE, 'renditions', 'units'],
  credentials: [...BASE, 'renditions', 'seals'],
  facilities: [...BASE, 'audit', 'operators'],
  grants: [...BASE, 'audit', 'passports', 'resolution', 'workspaces'],
  operators: [...BASE, 'audit', 'outside', 'passports'],
  passports: [
    ...BASE,
    'audit',
    'categories',
    'facilities',
    'operators',
    'renditions',
    'resolution',
    'seals',
    'workspaces',
  ],
  renditions: [...BASE, 'audit', 'operators', 'passports', 'resolution', 'units'],
  resolution: [...BASE, 'carriers', 'operators', 'passports', 'renditions'],
  seals: [...BASE, 'audit', 'operators', 'outside', 'passports', 'verify', 'workspaces'],
  units: [...BASE, 'audit', 'categories', 'operators', 'passports', 'workspaces'],
  webhooks: [...BASE, 'audit', 'jobs', 'outside', 'renditions', 'start/config.ts'],
  workspaces: [...BASE, 'audit', 'operators', 'passports'],
}

/** The lists of entities and the statements of a unit of work name files of subjects. */
const LISTS = ['src/storage/entities.ts', 'src/storage/tables.ts', 'src/storage/unit-of-work.ts']

/** Published entries re-export parts of every folder for plugins. */
const ENTRIES = [
  'src/plugin/index.ts',
  'src/plugin/module.ts',
  'src/plugin/command.ts',
  'src/plugin/installation.ts',
  'src/plugin/certificates.ts',
  'src/plugin/thread.ts',
]
const MODULE_ENTRIES = [...ENTRIES, 'src/client/index.ts']

const FILES = globSync(['src/**/*.ts', 'plugins/**/*.ts', 'optional/**/*.ts']).filter(
  (file) => !/\.test\.ts$|(^|\/)generated(\/|\.ts$)/.test(file),
)

const isOperation = (file: string) => /^src\/\w+\/operations\/\w+\.ts$/.test(file)

function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)
  return [...found].map(([, path = '']) => join(dirname(file), path))
}

test('each folder of src imports only what it may', () => {
  const folderOf = (file: string) => {
    const [, folder = '', name] = file.split('/')
    return folder === 'start' ? `start/${name}` : folder
  }
  const faults = FILES.filter((file) => file.startsWith('src/') && ![...ENTRIES, ...LISTS].includes(file)).flatMap(
    (file) => {
      const ofFolder = MAY_IMPORT[folderOf(file)]
      const allowed = isOperation(file) && ofFolder !== undefined ? [...ofFolder, 'http'] : ofFolder
      return importsOf(file)
        .filter((path) => allowed !== undefined && path.startsWith('src/'))
        .filter((path) => folderOf(path) !== folderOf(file) && !allowed?.includes(folderOf(path)))
        .map((path) => `${file} imports ${path}`)
    },
  )
  expect(faults).toEqual([])
})

test('no file imports an operation', () => {
  const faults = FILES.flatMap((file) =>
    importsOf(file)
      .filter(isOperation)
      .map((path) => `${file} imports ${path}`),
  )
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
