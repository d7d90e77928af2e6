import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BODY_LIMITS, type JsonLimits } from '../domain/json-guard.ts'
import { once } from '../domain/once.ts'
import type { LevelName } from '../domain/product-level.ts'
import type { KnownMembers } from '../domain/unknown-keys.ts'
import type { RepresentationPlugin } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import { ROOT } from '../root.ts'
import { digestOf, startupCache } from '../start/startup-cache.ts'
import { type BodyRules, membersOf, readBodyRules } from './body-rules.ts'
import { addPart, type Document, follow, METHODS } from './document.ts'
import type { Form } from './form.ts'
import { assertSchemes, readSecurity, type SecurityRules } from './security-rules.ts'

export type Gate =
  | 'subscription'
  | 'mfa'
  | 'validator-limit'
  | 'verifier-limit'
  | 'resolver-limit'
  | 'request-limit'
  | 'health-limit'
  | 'people-limit'
  | 'rotation-limit'

type BodyType = 'application/json' | 'application/x-www-form-urlencoded' | `image/${string}` | 'text/csv'

export interface Operation extends SecurityRules {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** Undefined if the operation has no body. */
  readonly bodyType: BodyType | undefined
  readonly bodyAliases: ReadonlySet<string>
  /** Limit in bytes. */
  readonly bodyLimit: number
  readonly isEmptyIfTooLarge: boolean
  readonly jsonLimits: JsonLimits
  readonly gates: ReadonlySet<Gate>
  /** Accepts `Idempotency-Key`. */
  readonly isIdempotent: boolean
  readonly problemForm: 'framework' | 'framework-plain' | 'bare'
  readonly bodyRules: BodyRules
  /** See {@link membersOf}; empty if absent or unrestricted. */
  readonly members: KnownMembers
  /** True if all successful responses can have `warnings`. */
  readonly hasWarnings: boolean
  /** Statuses of responses with `success: true`. */
  readonly successes: ReadonlySet<number>
  /** Statuses of errors without `success`. */
  readonly bareStatuses: ReadonlySet<number>
  /** Statuses of errors that representations such as HTML render. */
  readonly problemPages: ReadonlySet<number>
  readonly isInPublicLane: boolean
  readonly isShared: boolean
  /** Seconds in public caches; undefined if not cacheable. */
  readonly maxAge: number | undefined
  readonly forms: ReadonlyMap<string, Form>
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: object
  }[]
}

export interface Contract {
  readonly document: Document
  readonly operations: ReadonlyMap<string, Operation>
  readonly answerHeaders: ReadonlySet<string>
  readonly json: string
  yaml(): Promise<string>
}

/** Response headers that no single operation declares. */
const ANSWERED = ['Allow', 'Retry-After', 'Vary', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

const DEFAULT_BODY_LIMIT = 65_536

/**
 * Reads and validates `openapi.yaml` with additions for request ids, 503 responses and plugins.
 * @throws PluginError if a plugin adds an existing path, operation or component
 */
export async function loadContract(plugins: LoadedPlugins): Promise<Contract> {
  const [text, examples, code] = [join(ROOT, 'openapi.yaml'), EXAMPLES, import.meta.filename].map((file) =>
    readFileSync(file, 'utf8'),
  ) as [string, string, string]
  const sources = [text, examples, code, JSON.stringify(broughtBy(plugins))]
  const key = digestOf(sources)
  const known = contracts.get(key) ?? readContract(sources, plugins)
  contracts.set(key, known)
  return known
}

const contracts = new Map<string, Promise<Contract>>()

async function readContract(sources: readonly string[], plugins: LoadedPlugins): Promise<Contract> {
  const [text = '', examples = ''] = sources
  const [cache, yamlCache] = [startupCache('contract', sources), startupCache('contract.yaml', sources)]
  const cached = cache.text
  const json = cached ?? (await checkedDocument(text, examples, plugins))
  const document: Document = JSON.parse(json)
  // Rendering YAML is too slow for a request.
  if (cached === undefined) {
    cache.keep(json)
    yamlCache.keep(await yamlOf(document))
  }
  const answered = [...allResponses(document)].flatMap(({ headers }) => Object.keys(headers))
  const operations = new Map<string, Operation>()
  for (const [path, item] of Object.entries<Document>(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const operation = readOperation(document, path, method, item, plugins.representations)
      operations.set(operation.operationId, operation)
    }
  }
  return {
    document,
    operations,
    answerHeaders: new Set([...ANSWERED, ...answered]),
    json,
    // Not from `sources`, which would stay in memory: 2 MB.
    yaml: once(async () => yamlCache.text ?? (await yamlOf(document))),
  }
}

const yamlOf = async (document: Document): Promise<string> =>
  (await import('yaml')).stringify(document, { aliasDuplicateObjects: false })

/** Takes 1 s of processor time. */
async function checkedDocument(text: string, examples: string, plugins: LoadedPlugins): Promise<string> {
  const [{ default: SwaggerParser }, { parse }] = await Promise.all([
    import('@apidevtools/swagger-parser'),
    import('yaml'),
  ])
  const document: Document = parse(text)
  for (const part of plugins.openapi) addPart(document, part)
  for (const responses of allResponseMaps(document)) addUnavailable(responses)
  for (const response of allResponses(document)) addToResponse(response, plugins)
  for (const schema of Object.values<Document>(document.components.schemas)) addNotificationTypes(schema, plugins)
  await SwaggerParser.validate(structuredClone(document))
  assertSchemes(document)
  addExamples(document, parse(examples) ?? {})
  return JSON.stringify(document)
}

const broughtBy = ({ openapi, representations, notificationTypes }: LoadedPlugins) => ({
  openapi,
  notificationTypes: [...notificationTypes.keys()],
  representations: representations.map(
    ({ name, extension, mediaTypes, schema, unitSchema, levels, renderUnit, renderProblem }) => ({
      ...{ name, extension, mediaTypes, schema, unitSchema, levels },
      shows: [renderUnit, renderProblem].map((render) => render !== undefined),
    }),
  ),
})

function readOperation(
  document: Document,
  path: string,
  method: string,
  item: Document,
  representations: readonly RepresentationPlugin[],
): Operation {
  const operation = item[method]
  const named = (node: Document): Document => follow(document, node)
  const { content = {} } = named(operation.requestBody ?? {})
  const bodyTypes = Object.keys(content)
  const problem = operation['x-problem'] ?? 'framework'
  const responses = Object.entries<Document>(operation.responses)
  const schemas = responses.map(([status, response]): [number, Document] => [
    Number(status),
    named(response).content?.['application/json']?.schema ?? {},
  ])
  const parameters: Operation['parameters'] = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(named)
  const answer = named(operation.responses['200'] ?? {})
  const answered = new Set(answer['x-representations'] === undefined ? [] : Object.keys(answer.content ?? {}))
  return {
    operationId: operation.operationId,
    method: method.toUpperCase(),
    path,
    ...readSecurity(operation.operationId, operation.security),
    bodyType: bodyTypes[0] as BodyType | undefined,
    bodyAliases: new Set(bodyTypes.slice(1)),
    bodyLimit: operation['x-body-limit'] ?? DEFAULT_BODY_LIMIT,
    isEmptyIfTooLarge: operation['x-body-too-large'] === 'empty',
    jsonLimits: operation['x-json-limits'] ?? BODY_LIMITS,
    gates: new Set(operation['x-gates'] ?? []),
    isIdempotent: operation['x-idempotent'] === true,
    problemForm: problem.request ?? problem,
    bodyRules: readBodyRules(named(content[bodyTypes[0] ?? '']?.schema ?? {}), problem.body, named),
    members: bodyTypes[0] === 'application/json' ? membersOf(content[bodyTypes[0]].schema, named) : new Map(),
    hasWarnings: responses.every(([status, response]) => {
      return !status.startsWith('2') || Object.keys(named(response).content ?? {}).every((type) => /json$/.test(type))
    }),
    successes: statusesWhere(schemas, (schema) => named(schema).properties?.success?.const === true),
    bareStatuses: statusesWhere(schemas, isBare),
    problemPages: statusesWhere(responses, (response) => named(response)['x-problem-representations'] === true),
    isInPublicLane: operation['x-lane'] === 'public',
    isShared: operation['x-cors'] === 'public',
    maxAge: operation['x-max-age'],
    forms: new Map(
      representations
        .filter(({ mediaTypes: [first] }) => parameters.some(({ name }) => name === 'format') && answered.has(first))
        .map(({ name, mediaTypes: [mediaType], extension = name }) => [name, { mediaType, extension }]),
    ),
    parameters,
  }
}

const statusesWhere = (
  entries: readonly (readonly [string | number, Document])[],
  isMeant: (entry: Document) => boolean,
): ReadonlySet<number> => new Set(entries.filter(([, entry]) => isMeant(entry)).map(([status]) => Number(status)))

function isBare(schema: Document): boolean {
  const names: string[] = (schema.anyOf ?? [schema]).map(({ $ref = '' }) => $ref.split('/').at(-1))
  return names.includes('BareError') && !names.some((name) => WITH_SUCCESS.has(name))
}

const WITH_SUCCESS: ReadonlySet<string> = new Set(['StandardError', 'ValidationFailed', 'RowErrors'])

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

/** Adds 503 next to 500: the database may be unavailable. */
function addUnavailable(responses: Document): void {
  const form = /\/(Public)?ServerError$/.exec(responses['500']?.$ref ?? '')
  if (form !== null) responses['503'] ??= { $ref: `#/components/responses/${form[1] ?? ''}Unavailable` }
}

const REQUEST_ID = {
  description: 'Request id in the log. A well-formed id in the request is reused.',
  schema: { type: 'string' },
}

function addToResponse(response: Document, { representations }: LoadedPlugins): void {
  // Specification 4.
  response.headers = { 'X-Request-Id': REQUEST_ID, ...response.headers }
  for (const plugin of representations) {
    const [mediaType] = plugin.mediaTypes
    if (!isShown(response, plugin)) continue
    const own = ownSchema(plugin, response['x-representations']) ?? schemaOf(mediaType)
    const other = response.content?.[mediaType]?.schema
    response.content = { ...response.content, [mediaType]: { schema: other ? { anyOf: [other, own] } : own } }
  }
}

function addNotificationTypes(schema: Document, { notificationTypes }: LoadedPlugins): void {
  if (schema['x-notification-types'] === true) schema.enum = [...new Set([...schema.enum, ...notificationTypes.keys()])]
}

/** Value of `x-representations`. */
type Negotiated = undefined | true | 'units' | LevelName

function ownSchema({ schema, unitSchema, levels }: RepresentationPlugin, negotiated: Negotiated) {
  if (negotiated === true) return schema
  return negotiated === 'units' ? unitSchema : negotiated && levels?.[negotiated]?.schema
}

function isShown(response: Document, { renderUnit, levels, renderProblem }: RepresentationPlugin): boolean {
  if (response['x-problem-representations'] === true) return renderProblem !== undefined
  const negotiated: Negotiated = response['x-representations']
  if (negotiated === undefined || negotiated === true) return negotiated === true
  return (negotiated === 'units' ? renderUnit : levels?.[negotiated]) !== undefined
}

function schemaOf(mediaType: string): object {
  if (/json$/.test(mediaType)) return { type: 'object' }
  // Bytes have no schema (OpenAPI 3.1).
  return /zip$/.test(mediaType) ? {} : { type: 'string' }
}

export interface RecordedExample {
  readonly request?: unknown
  readonly responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Written by `npm run examples`. */
export const EXAMPLES = join(ROOT, 'openapi.examples.yaml')

function addExamples(document: Document, recorded: Readonly<Record<string, RecordedExample>>): void {
  for (const item of Object.values<Document>(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const { operationId, requestBody, responses } = item[method]
      const { request, responses: answers = {} } = recorded[operationId] ?? {}
      const add = (node: Document, mediaType: string, value: unknown) => {
        const media = follow(document, node).content?.[mediaType]
        if (media !== undefined) media.examples = { ...media.examples, [operationId]: { value } }
      }
      if (request !== undefined) add(requestBody, Object.keys(follow(document, requestBody).content)[0] ?? '', request)
      for (const [status, byType] of Object.entries(answers)) {
        for (const [mediaType, value] of Object.entries(byType)) add(responses[status] ?? {}, mediaType, value)
      }
    }
  }
}
