import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type AwilixContainer, asValue, createContainer, InjectionMode, Lifetime, listModules } from 'awilix'
import type { Cradle, Opened } from '../cradle.ts'
import type { OperationHandler } from '../http/handler.ts'
import { PluginError } from '../plugin/locate.ts'

export type Container = AwilixContainer<Cradle>

/** One folder per subject of the specification. */
const SUBJECTS = [
  ...['passports', 'categories', 'operators', 'facilities', 'units', 'seals', 'carriers', 'grants'],
  ...['resolution', 'renditions', 'credentials', 'webhooks', 'audit', 'workspaces'],
]
export const FACTORIES = ['storage', 'jobs', ...SUBJECTS, 'http']

const filesIn = (folder: string, name: string) => {
  const isTypeScript = folder === SOURCE ? import.meta.filename.endsWith('.ts') : existsSync(join(folder, 'index.ts'))
  return join(folder, name, isTypeScript ? '*.ts' : '*.js')
}
const SOURCE = join(import.meta.dirname, '..')

export const toCamelCase = (name: string) => name.replace(/-./g, (part) => part.slice(1).toUpperCase())

/** Composition root; factories are lazy, by file name. */
export async function compose(opened: Omit<Opened, 'contract'> & Partial<Opened>): Promise<Container> {
  const container = createContainer<Cradle>({ injectionMode: InjectionMode.PROXY, strict: true })
  for (const [name, value] of Object.entries(opened)) container.register(name, asValue(value))
  const load = (files: readonly string[], label: string) =>
    container.loadModules([...files], {
      esModules: true,
      resolverOptions: { lifetime: Lifetime.SINGLETON },
      formatName: (file) => {
        const name = toCamelCase(file)
        if (container.hasRegistration(name))
          throw new PluginError(`${label}: the container already has ${name}. Rename one of them.`)
        return name
      },
    })
  // The command line has no contract and does not load Express.
  const folders = FACTORIES.filter((folder) => folder !== 'http' || opened.contract !== undefined)
  await load(
    folders.map((folder) => filesIn(SOURCE, folder)),
    'src',
  )
  for (const { name, folder } of opened.plugins.modules) await load([filesIn(folder, 'services')], `Plugin ${name}`)
  for (const { name, worker } of opened.plugins.queues) {
    if (!container.hasRegistration(worker)) throw new PluginError(`Queue ${name}: service ${worker} not found.`)
  }
  for (const { name, records } of opened.plugins.levels) {
    if (!container.hasRegistration(records)) throw new PluginError(`Level ${name}: service ${records} not found.`)
  }
  return container
}

/**
 * Loads all handlers, one file per operationId.
 * @throws Error if handlers and contract differ
 */
export async function loadHandlers(container: Container): Promise<ReadonlyMap<string, OperationHandler>> {
  const { contract, plugins } = container.cradle
  const scope = container.createScope<Record<string, OperationHandler>>()
  const files = [
    ...[...SUBJECTS, 'http'].map((folder) => filesIn(SOURCE, join(folder, 'operations'))),
    ...plugins.modules.filter(({ isOff }) => !isOff).map(({ folder }) => filesIn(folder, 'operations')),
  ]
  const names = listModules(files).map(({ name }) => basename(name))
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new PluginError(`The operation ${twice} has two handlers.`)
  await scope.loadModules(files, { esModules: true })
  const handlers = new Map(names.map((name) => [name, scope.resolve<OperationHandler>(name)]))
  const missing = [...contract.operations.keys()].filter((id) => !handlers.has(id))
  const unknown = [...handlers.keys()].filter((id) => !contract.operations.has(id))
  if (missing.length > 0 || unknown.length > 0) {
    throw new Error(
      `Contract and handlers differ. Without a handler: ${missing.join(', ') || 'none'}. Without an operation: ${unknown.join(', ') || 'none'}.`,
    )
  }
  return handlers
}
