import { follow, type Node, type Source } from './document.ts'

export interface OperationFacts {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly bodyType: string | undefined
  readonly bodyLimit: number
  readonly gates: ReadonlySet<string>
  readonly isIdempotent: boolean
  readonly isPublic: boolean
  readonly permissions: ReadonlyMap<string, readonly string[]>
  readonly isInPublicLane: boolean
  readonly isShared: boolean
  readonly maxAge: number | undefined
}

export interface ParsedContract {
  readonly document: Node
  readonly operations: ReadonlyMap<string, OperationFacts>
}

/** Merged document with what its pages look up. */
export interface Contract extends ParsedContract, Source {
  readonly operationsByTag: ReadonlyMap<string, readonly OperationFacts[]>
  readonly schemaNames: readonly string[]
  /** Address of the gateway, for commands. */
  readonly baseUrl: string
}

export const HOME = '/docs'
export const ERRORS = 'errors'
export const SCHEMAS = 'schemas'

/** Schemas whose values have a separate meaning. */
export const CODE_SCHEMAS: readonly string[] = ['ErrorCode', 'FrameworkCode']

export function toContract({ document, operations }: ParsedContract, baseUrl: string): Contract {
  const { tags, components } = document
  const operationsByTag = new Map<string, OperationFacts[]>(tags.map(({ name }: Node) => [name, []]))
  for (const operation of operations.values()) {
    operationsByTag.get(nodeOf(document, operation).tags[0])?.push(operation)
  }
  const codes = new Set<string>(CODE_SCHEMAS.flatMap((name) => components.schemas[name].enum))
  return {
    document,
    operations,
    operationsByTag,
    schemaNames: Object.keys(components.schemas).toSorted(),
    baseUrl,
    explained(word) {
      if (operations.has(word)) return `${HOME}/${word}`
      if (Object.hasOwn(components.schemas, word)) return `${HOME}/${SCHEMAS}/${word}`
      return codes.has(word) ? `${HOME}/${ERRORS}#${word}` : undefined
    },
  }
}

export function nodeOf(document: Node, { path, method }: OperationFacts): Node {
  return document.paths[path][method.toLowerCase()]
}

/** Returns the parameters of the path, then of the operation. */
export function parametersOf(document: Node, operation: OperationFacts): Node[] {
  const shared: readonly Node[] = document.paths[operation.path].parameters ?? []
  return [...shared, ...(nodeOf(document, operation).parameters ?? [])].map((one) => follow(document, one))
}

export const requiredQuery = (document: Node, operation: OperationFacts): string[] =>
  parametersOf(document, operation).flatMap((one) => (one.in === 'query' && one.required === true ? one.name : []))

export const isProvisional = (node: Node): boolean => node['x-provisional'] === true
