import type { Operation } from './contract.ts'

export interface Route {
  readonly path: string
  readonly operations: ReadonlyMap<string, Operation>
  /** `Allow` header (RFC 9110, 10.2.1). */
  readonly allow: string
  readonly isShared: boolean
}

interface Node {
  readonly literal: Map<string, Node>
  parameter?: Node
  end?: { readonly route: Route; readonly names: readonly string[] }
}

const PARAMETER = /^\{([^{}/]+)\}$/

/** Tree of path segments. A literal segment wins over a parameter (OpenAPI 3.1, 4.8.8.2). */
export class Routes {
  readonly #root = newNode()

  /** @throws Error for ambiguous paths, or a parameter within a segment */
  constructor(operations: Iterable<Operation>) {
    const byPath = Map.groupBy(operations, ({ path }) => path)
    for (const [path, ofPath] of byPath) {
      const byMethod = new Map(ofPath.map((operation) => [operation.method, operation]))
      const isShared = ofPath.some((operation) => operation.isShared)
      const methods = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['HEAD', 'GET'] : [method]))
      this.#add({ path, operations: byMethod, allow: methods.reverse().join(', '), isShared })
    }
  }

  /**
   * @param path with its escapes; a trailing slash is ignored
   * @throws URIError for invalid escapes
   */
  find(path: string): { route: Route; parameters: Record<string, string> } | undefined {
    const values: string[] = []
    const end = walk(this.#root, path.endsWith('/') ? path.slice(0, -1) : path, 1, values)
    if (end === undefined) return undefined
    const parameters: Record<string, string> = {}
    for (const [index, name] of end.names.entries()) parameters[name] = decodeURIComponent(values[index] as string)
    return { route: end.route, parameters }
  }

  #add(route: Route): void {
    const names: string[] = []
    let node = this.#root
    for (const segment of route.path === '/' ? [] : route.path.split('/').slice(1)) {
      const [, name] = PARAMETER.exec(segment) ?? []
      if (name === undefined) {
        if (segment === '' || /[{}]/.test(segment)) throw new Error(`openapi.yaml: unsupported path ${route.path}.`)
        node = getOrAdd(node.literal, segment)
      } else {
        names.push(name)
        node.parameter ??= newNode()
        node = node.parameter
      }
    }
    if (node.end !== undefined) {
      throw new Error(`openapi.yaml: ${route.path} and ${node.end.route.path} are the same path.`)
    }
    node.end = { route, names }
  }
}

const newNode = (): Node => ({ literal: new Map() })

function getOrAdd(nodes: Map<string, Node>, segment: string): Node {
  const node = nodes.get(segment) ?? newNode()
  nodes.set(segment, node)
  return node
}

function walk(node: Node, path: string, start: number, values: string[]): Node['end'] {
  if (start > path.length) return node.end
  const slash = path.indexOf('/', start)
  const stop = slash === -1 ? path.length : slash
  const segment = path.slice(start, stop)
  const literal = node.literal.get(segment)
  const end = literal && walk(literal, path, stop + 1, values)
  if (end !== undefined || node.parameter === undefined || segment === '') return end
  const depth = values.push(segment)
  const behind = walk(node.parameter, path, stop + 1, values)
  if (behind === undefined) values.length = depth - 1
  return behind
}
