import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { parse, stringify } from 'yaml'
import { BODY_LIMITS, type JsonLimits } from '../domain/json-guard.ts'
import { type LoadedPlugins, PluginError } from '../plugin/loader.ts'
import { ROOT } from '../root.ts'

export type Gate =
  | 'subscription'
  | 'mfa'
  | 'validator-limit'
  | 'verifier-limit'
  | 'resolver-limit'
  | 'request-limit'
  | 'health-limit'
  | 'rotation-limit'

/** What a body may be declared as. */
export type BodyType = 'application/json' | 'application/x-www-form-urlencoded'

/** What the pipeline reads of one operation. */
export interface Operation {
  readonly operationId: string
  readonly method: string
  /** As in the document, with `{name}`. */
  readonly path: string
  /** Callers without credentials are served. */
  readonly isPublic: boolean
  /** Names of the security schemes that it takes. */
  readonly credentials: ReadonlySet<string>
  /** Absent: the operation has no body. */
  readonly bodyType: BodyType | undefined
  /** Other names under which the same body is taken, such as the media type of the format that it is in. */
  readonly bodyAliases: ReadonlySet<string>
  /** Bytes. */
  readonly bodyLimit: number
  /** What a JSON body may hold. */
  readonly jsonLimits: JsonLimits
  readonly gates: ReadonlySet<Gate>
  readonly problemForm: 'framework' | 'framework-plain' | 'bare'
  /** Statuses of errors that representations such as HTML show. */
  readonly problemPages: ReadonlySet<number>
  readonly isInPublicLane: boolean
  /** Pages of other origins may read its answers. */
  readonly isShared: boolean
  /** Seconds for which its answer may be kept, which is the same for everybody; absent: it may not be kept. */
  readonly maxAge: number | undefined
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
}

/** The contract: the merged document, and its operations by id. */
export interface Contract {
  readonly document: Document
  readonly operations: ReadonlyMap<string, Operation>
  readonly json: string
  readonly yaml: string
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules, checked by swagger-parser.
type Document = any

const METHODS = ['get', 'put', 'post', 'delete', 'patch']
const DEFAULT_BODY_LIMIT = 65_536

/**
 * Reads `openapi.yaml`, adds what is said in one place only (media types of the representations, the request id of
 * every response, 503 beside every 500, components of plugins) and checks the result.
 * @throws PluginError when a plugin brings a component that exists already
 */
export async function loadContract(plugins: LoadedPlugins): Promise<Contract> {
  const document: Document = parse(readFileSync(join(ROOT, 'openapi.yaml'), 'utf8'), { merge: true })
  addComponents(document, plugins)
  for (const responses of allResponseMaps(document)) addUnavailable(responses)
  for (const response of allResponses(document)) addToResponse(response, plugins)
  const json = JSON.stringify(document)
  await SwaggerParser.validate(JSON.parse(json))
  const operations = new Map<string, Operation>()
  for (const [path, item] of Object.entries<Document>(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const operation = readOperation(document, path, method, item)
      operations.set(operation.operationId, operation)
    }
  }
  return { document, operations, json, yaml: stringify(document, { aliasDuplicateObjects: false }) }
}

function readOperation(document: Document, path: string, method: string, item: Document): Operation {
  const operation = item[method]
  const security: object[] = operation.security ?? []
  const follow = (node: Document): Document => (node.$ref === undefined ? node : pointer(document, node.$ref))
  const bodyTypes = Object.keys(follow(operation.requestBody ?? {}).content ?? {})
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path,
    isPublic: security.length === 0 || security.some((requirement) => Object.keys(requirement).length === 0),
    credentials: new Set(security.flatMap((requirement) => Object.keys(requirement))),
    bodyType: bodyTypes[0] as BodyType | undefined,
    bodyAliases: new Set(bodyTypes.slice(1)),
    bodyLimit: operation['x-body-limit'] ?? DEFAULT_BODY_LIMIT,
    jsonLimits: operation['x-json-limits'] ?? BODY_LIMITS,
    gates: new Set(operation['x-gates'] ?? []),
    problemForm: operation['x-problem'] ?? 'framework',
    problemPages: new Set(
      Object.keys(operation.responses)
        .filter((status) => follow(operation.responses[status])['x-problem-representations'] === true)
        .map(Number),
    ),
    isInPublicLane: operation['x-lane'] === 'public',
    isShared: operation['x-cors'] === 'public',
    maxAge: operation['x-max-age'],
    parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(follow),
  }
}

function pointer(document: Document, reference: string): Document {
  return reference
    .slice(2)
    .split('/')
    .reduce((node: Document, key) => node[key], document)
}

function* allResponseMaps(document: Document): Iterable<Document> {
  for (const item of Object.values<Document>(document.paths)) {
    for (const method of METHODS) if (item[method] !== undefined) yield item[method].responses
  }
}

function* allResponses(document: Document): Iterable<Document> {
  yield* Object.values(document.components.responses)
  for (const responses of allResponseMaps(document)) {
    for (const response of Object.values<Document>(responses)) if (response.$ref === undefined) yield response
  }
}

/** Whatever asks the database may find it away. */
function addUnavailable(responses: Document): void {
  const form = /\/(Public)?ServerError$/.exec(responses['500']?.$ref ?? '')
  if (form !== null) responses['503'] ??= { $ref: `#/components/responses/${form[1] ?? ''}Unavailable` }
}

function addToResponse(response: Document, { representations }: LoadedPlugins): void {
  // Every response carries the request id (specification 4).
  response.headers = { 'X-Request-Id': { schema: { type: 'string' } }, ...response.headers }
  const isPassport = response['x-representations'] === true
  const shown = isPassport
    ? representations
    : response['x-problem-representations']
      ? representations.filter((plugin) => plugin.renderProblem !== undefined)
      : []
  for (const { mediaTypes, schema } of shown) {
    const [mediaType] = mediaTypes
    response.content = {
      ...response.content,
      [mediaType]: { schema: (isPassport ? schema : undefined) ?? schemaOf(mediaType) },
    }
  }
}

function schemaOf(mediaType: string): object {
  if (/json$/.test(mediaType)) return { type: 'object' }
  // Bytes have no schema (OpenAPI 3.1).
  return /zip$/.test(mediaType) ? {} : { type: 'string' }
}

function addComponents(document: Document, plugins: LoadedPlugins): void {
  for (const { plugin, components } of plugins.openapi) {
    for (const [kind, entries] of Object.entries(components)) {
      document.components[kind] ??= {}
      for (const [name, entry] of Object.entries(entries)) {
        if (document.components[kind][name] !== undefined) {
          throw new PluginError(`Plugin ${plugin}: components.${kind}.${name} exists already.`)
        }
        document.components[kind][name] = entry
      }
    }
  }
}
