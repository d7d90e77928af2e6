import http from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export interface RequestOptions {
  readonly headers?: Record<string, string>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as a browser sends a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as a file of this type. */
  readonly file?: { readonly type: string; readonly bytes: Uint8Array }
  /** Sent as it is, declared as JSON unless a header says otherwise. */
  readonly raw?: string | Uint8Array
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read into bodies that the contract has checked.
  readonly body: any
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is walked by its own rules.
type Document = any

const METHODS = ['get', 'put', 'post', 'delete', 'patch']

/**
 * An HTTP client that knows the contract: an answer with a status, media type or body that the document does not
 * promise fails the test that asked. It remembers what it saw. Built on node:http, so that it adds no headers.
 */
export class ContractClient {
  /** `operationId status mediaType` of every answer to a documented operation. */
  readonly seen = new Set<string>()
  readonly #origin: string
  readonly #document: Document
  readonly #judge: Judge

  constructor(origin: string, document: Document) {
    this.#origin = origin
    this.#document = document
    this.#judge = judgeOf(document)
  }

  /** Everything that the document promises, in the form of `seen`. */
  promised(): string[] {
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
    if (operation !== undefined) this.#check(operation, answer, method === 'HEAD')
    if (answer.headers['x-request-id'] === undefined) throw new Error(`${method} ${path}: no X-Request-Id`)
    return answer
  }

  /** Sends without checking. */
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
      // As an option the path is sent as it is; in an address its dot segments would be resolved.
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
    const parts = path.split('/')
    for (const [template, item] of Object.entries<Document>(this.#document.paths)) {
      const names = template.split('/')
      const isMatch =
        names.length === parts.length && names.every((name, index) => name.startsWith('{') || name === parts[index])
      // Literal paths come before those with parameters, as in the document.
      const isShadowed = isMatch && template.includes('{') && this.#document.paths[path] !== undefined
      if (isMatch && !isShadowed) return item[method === 'HEAD' ? 'get' : method.toLowerCase()]
    }
    return undefined
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
    const validate = this.#validatorOf(`${operationId} ${status} ${mediaType}`, schema)
    if (!validate(body)) {
      throw new Error(
        `${operationId} ${status}: ${this.#judge.ajv.errorsText(validate.errors)}\n${text.slice(0, 1000)}`,
      )
    }
  }

  #validatorOf(key: string, schema: object): ValidateFunction {
    const { ajv, compiled } = this.#judge
    let validate = compiled.get(key)
    if (validate === undefined) {
      validate = ajv.compile(withNamedReferences(schema))
      compiled.set(key, validate)
    }
    return validate
  }
}

/** What judges the answers of one contract. */
interface Judge {
  readonly ajv: Ajv2020
  readonly compiled: Map<string, ValidateFunction>
}

/** By contract, since test files of one worker have the same, and compiling takes longer than most of them. */
const judges = new Map<string, Judge>()

function judgeOf(document: Document): Judge {
  const key = JSON.stringify([document.paths, document.components])
  let judge = judges.get(key)
  if (judge === undefined) {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    // Each under a name of its own: what is inside of another schema is compiled anew wherever it is named.
    for (const [name, schema] of Object.entries<Document>(document.components.schemas)) {
      ajv.addSchema(withNamedReferences(schema), `urn:dpp:${name}`)
    }
    judge = { ajv, compiled: new Map() }
    judges.set(key, judge)
  }
  return judge
}

const withNamedReferences = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"urn:dpp:'))
