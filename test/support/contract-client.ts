import http from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export interface RequestOptions {
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly file?: { readonly type: string; readonly bytes: Uint8Array }
  /** Body as is, declared as JSON unless a header says otherwise. */
  readonly raw?: string | Uint8Array
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Alternating names and values, unchanged. */
  readonly rawHeaders: readonly string[]
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read into bodies that the contract has checked.
  readonly body: any
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type Document = any

const METHODS = ['get', 'put', 'post', 'delete', 'patch']

export interface Exchange {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
}

/**
 * HTTP client that knows the contract: a response with an undocumented status, media type or body fails the test.
 * Records the rows it saw. Built on node:http, so that it adds no headers.
 */
export class ContractClient {
  /** `operationId status mediaType` of every documented response. */
  readonly seen = new Set<string>()
  onAnswer: ((exchange: Exchange) => void) | undefined
  readonly #origin: string
  readonly #document: Document
  readonly #validator: ContractValidator

  /** @param contract the served document */
  constructor(origin: string, contract: string) {
    this.#origin = origin
    this.#validator = validatorOf(contract)
    this.#document = this.#validator.document
  }

  /** All documented rows, formatted like `seen`. */
  promised(): readonly string[] {
    this.#validator.promised ??= this.#promised()
    return this.#validator.promised
  }

  #promised(): string[] {
    const rows: string[] = []
    for (const [, item] of Object.entries<Document>(this.#document.paths)) {
      for (const method of METHODS.filter((name) => item[name] !== undefined)) {
        const { operationId, responses } = item[method]
        for (const [status, response] of Object.entries<Document>(responses)) {
          const mediaTypes = Object.keys(this.#follow(response).content ?? {})
          for (const mediaType of mediaTypes.length > 0 ? mediaTypes : ['-'])
            rows.push(`${operationId} ${status} ${mediaType}`)
        }
      }
    }
    return rows
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const answer = await this.send(method, path, options)
    const operation = this.#operationAt(method, path.split('?')[0] ?? '')
    if (operation !== undefined) {
      this.#check(operation, answer, method === 'HEAD')
      const { status, headers } = answer
      this.onAnswer?.({ operationId: operation.operationId, method, path, status, headers })
    }
    if (answer.headers['x-request-id'] === undefined) throw new Error(`${method} ${path}: no X-Request-Id`)
    return answer
  }

  send(
    method: string,
    path: string,
    { headers = {}, json, form, file, raw = file?.bytes }: RequestOptions = {},
  ): Promise<Answer> {
    const payload =
      form !== undefined ? new URLSearchParams(form).toString() : json === undefined ? raw : JSON.stringify(json)
    const sent: Record<string, string> = { ...headers }
    if (form !== undefined) sent['content-type'] ??= 'application/x-www-form-urlencoded'
    if (payload !== undefined) {
      sent['content-type'] ??= file?.type ?? 'application/json'
      if (sent['transfer-encoding'] === undefined) sent['content-length'] ??= String(Buffer.byteLength(payload))
    }
    return new Promise((resolve, reject) => {
      // The path is passed as an option: in a URL its dot segments would be resolved.
      const request = http.request(this.#origin, { path, method, headers: sent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const text = bytes.toString()
          const isJson = /(?<!nd)json/.test(response.headers['content-type'] ?? '') && text !== ''
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            rawHeaders: response.rawHeaders,
            text,
            bytes,
            body: isJson ? JSON.parse(text) : undefined,
          })
        })
      })
      request.on('error', reject)
      request.end(payload)
    })
  }

  #follow(node: Document): Document {
    if (node.$ref === undefined) return node
    return node.$ref
      .slice(2)
      .split('/')
      .reduce((found: Document, key: string) => found[key], this.#document)
  }

  #operationAt(method: string, path: string): Document | undefined {
    const { templates } = this.#validator
    const parts = path.split('/')
    const found = templates
      .get(parts.length)
      ?.find(({ names }) => names.every((name, at) => name === parts[at] || name.startsWith('{')))
    return found?.item[method === 'HEAD' ? 'get' : method.toLowerCase()]
  }

  #check(operation: Document, { status, headers, text, body }: Answer, isHead: boolean): void {
    const { operationId } = operation
    const response = operation.responses[status]
    if (response === undefined)
      throw new Error(`${operationId} answered ${status}, which is not documented: ${text.slice(0, 500)}`)
    const content = this.#follow(response).content ?? {}
    const mediaType = (headers['content-type'] ?? '-').split(';')[0] ?? '-'
    if (mediaType !== '-' && content[mediaType] === undefined) {
      throw new Error(`${operationId} ${status} answered ${mediaType}, which is not documented: ${text.slice(0, 500)}`)
    }
    if (mediaType === '-' && Object.keys(content).length > 0) {
      throw new Error(`${operationId} ${status} answered no content, but the document promises some.`)
    }
    if (isHead) return
    this.seen.add(`${operationId} ${status} ${mediaType}`)
    const schema = content[mediaType]?.schema
    if (schema === undefined || body === undefined) return
    const validate = this.#validatorOf(schema)
    if (!validate(body)) {
      throw new Error(
        `${operationId} ${status}: ${this.#validator.ajv.errorsText(validate.errors)}\n${text.slice(0, 1000)}`,
      )
    }
  }

  #validatorOf(schema: object): ValidateFunction {
    const { ajv, compiled, byText } = this.#validator
    let validate = compiled.get(schema)
    if (validate === undefined) {
      const text = JSON.stringify(schema)
      validate = byText.get(text) ?? ajv.compile(withNamedReferences(schema))
      byText.set(text, validate)
      compiled.set(schema, validate)
    }
    return validate
  }
}

interface ContractValidator {
  readonly document: Document
  /** Paths by number of segments, literal ones first. */
  readonly templates: ReadonlyMap<number, readonly { readonly names: readonly string[]; readonly item: Document }[]>
  readonly ajv: Ajv2020
  promised?: readonly string[]
  readonly compiled: WeakMap<object, ValidateFunction>
  /** Validators by schema text: most responses share a schema. */
  readonly byText: Map<string, ValidateFunction>
}

/** Shared by all test files of a worker: compiling takes longer than most of them. */
const validators = new Map<string, ContractValidator>()

function validatorOf(contract: string): ContractValidator {
  let validator = validators.get(contract)
  if (validator === undefined) {
    const document: Document = JSON.parse(contract)
    const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
    addFormats.default(ajv)
    // Separate names: a schema inside another is compiled again at each reference.
    for (const [name, schema] of Object.entries<Document>(document.components.schemas)) {
      ajv.addSchema(withNamedReferences(schema), `urn:dpp:${name}`)
    }
    validator = { document, templates: templatesOf(document), ajv, compiled: new WeakMap(), byText: new Map() }
    validators.set(contract, validator)
  }
  return validator
}

const withNamedReferences = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"urn:dpp:'))

function templatesOf(document: Document): ContractValidator['templates'] {
  const paths = Object.entries<Document>(document.paths).map(([path, item]) => ({ names: path.split('/'), item }))
  const isLiteral = ({ names }: { names: readonly string[] }) => names.every((name) => !name.startsWith('{'))
  const ordered = [...paths.filter(isLiteral), ...paths.filter((path) => !isLiteral(path))]
  return Map.groupBy(ordered, ({ names }) => names.length)
}
