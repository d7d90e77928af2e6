import { basename, join } from 'node:path'
import { type AwilixContainer, asValue, createContainer, InjectionMode, Lifetime, listModules } from 'awilix'
import type { Cradle, Opened } from './cradle.ts'
import type { OperationHandler } from './http/handler.ts'

export type Container = AwilixContainer<Cradle>

/** Folders whose modules with a default export are factories. */
export const FACTORIES = ['storage', 'outside', 'publication', 'jobs', 'services', 'http']

const EXTENSION = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
const modulesOf = (folder: string) => join(import.meta.dirname, folder, `*.${EXTENSION}`)

/** The composition root: what start-up opened, and every factory under the name of its file, made when it is first asked for. */
export async function compose(opened: Omit<Opened, 'contract'> & Partial<Opened>): Promise<Container> {
  const container = createContainer<Cradle>({ injectionMode: InjectionMode.PROXY, strict: true })
  for (const [name, value] of Object.entries(opened)) container.register(name, asValue(value))
  // The command line serves no requests: it has no contract, and does not load Express.
  const folders = FACTORIES.filter((folder) => folder !== 'http' || opened.contract !== undefined)
  await container.loadModules(folders.map(modulesOf), {
    esModules: true,
    formatName: 'camelCase',
    resolverOptions: { lifetime: Lifetime.SINGLETON },
  })
  return container
}

/**
 * Loads `src/operations`, one handler per file, each named as its operationId.
 * @throws Error naming the difference when handlers and operations of the contract do not match
 */
export async function loadHandlers(container: Container): Promise<ReadonlyMap<string, OperationHandler>> {
  const scope = container.createScope<Record<string, OperationHandler>>()
  await scope.loadModules([modulesOf('operations')], { esModules: true })
  const handlers = new Map(
    listModules(modulesOf('operations')).map(({ name }) => [basename(name), scope.resolve<OperationHandler>(name)]),
  )
  const { operations } = container.cradle.contract
  const missing = [...operations.keys()].filter((id) => !handlers.has(id))
  const unknown = [...handlers.keys()].filter((id) => !operations.has(id))
  if (missing.length > 0 || unknown.length > 0) {
    throw new Error(
      `openapi.yaml and src/operations differ. Without a handler: ${missing.join(', ') || 'none'}. Without an operation: ${unknown.join(', ') || 'none'}.`,
    )
  }
  return handlers
}
