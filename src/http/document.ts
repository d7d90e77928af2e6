import type { PluginDocument } from '../plugin/loader.ts'
import { PluginError } from '../plugin/locate.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules, checked by swagger-parser.
export type Document = any

export const METHODS = ['get', 'put', 'post', 'patch', 'delete']

export function follow(document: Document, node: Document): Document {
  if (node.$ref === undefined) return node
  const keys: string[] = node.$ref.slice(2).split('/')
  return keys.reduce((found: Document, key) => found[key], document)
}

export function usedIn(item: Document, components: Document): Document {
  const used: Document = {}
  const take = (node: unknown): void => {
    if (typeof node === 'object' && node !== null) for (const value of Object.values(node)) take(value)
    if (typeof node !== 'string' || !node.startsWith(COMPONENTS)) return
    const [kind, name] = node.slice(COMPONENTS.length).split('/') as [string, string]
    used[kind] ??= {}
    if (used[kind][name] !== undefined) return
    used[kind][name] = components[kind][name]
    take(components[kind][name])
  }
  take(item)
  return used
}

const COMPONENTS = '#/components/'

/**
 * Adds paths and components of a plugin. The properties of a schema with `x-extends` are added to the existing schema.
 * @throws PluginError if a path, an operation, a component or a property exists already, or an extended schema does not
 */
export function addPart(document: Document, { plugin, paths, components }: PluginDocument): void {
  const add = (place: Document, entries: object, label: string) => {
    for (const [name, entry] of Object.entries<Document>(entries)) {
      if (entry?.['x-extends'] === true) {
        if (place[name]?.properties === undefined) throw new PluginError(`Plugin ${plugin}: ${label}${name} not found.`)
        add(place[name].properties, entry.properties, `${label}${name}.`)
      } else {
        if (place[name] !== undefined) throw new PluginError(`Plugin ${plugin}: ${label}${name} already exists.`)
        place[name] = entry
      }
    }
  }
  const known = new Set(operationIdsIn(document.paths))
  const twice = operationIdsIn(paths).find((id) => known.has(id))
  if (twice !== undefined) throw new PluginError(`Plugin ${plugin}: the operation ${twice} already exists.`)
  add(document.paths, paths, '')
  for (const [kind, entries] of Object.entries(components)) {
    document.components[kind] ??= {}
    add(document.components[kind], entries, `components.${kind}.`)
  }
}

const operationIdsIn = (paths: Document): string[] =>
  Object.values<Document>(paths).flatMap((item) =>
    METHODS.flatMap((method) => (item[method] === undefined ? [] : item[method].operationId)),
  )
