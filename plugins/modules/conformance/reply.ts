import { isRecord, type JsonRecord } from '../../../src/plugin/index.ts'
import { Fault, type Finding, shown, unless } from './finding.ts'

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export class Reply {
  readonly request: SentRequest
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer

  constructor(request: SentRequest, status: number, headers: Record<string, string>, body: Buffer) {
    this.request = request
    this.status = status
    this.headers = headers
    this.body = body
  }

  get text(): string {
    return this.body.toString('utf8')
  }

  header(name: string): string {
    return this.headers[name] ?? ''
  }

  /** Media type in lower case, without parameters. */
  get type(): string {
    return (this.header('content-type').split(';', 1)[0] ?? '').trim().toLowerCase()
  }

  get isJson(): boolean {
    return /^application\/(?:[\w.+-]+\+)?json$/.test(this.type)
  }

  /** @throws Fault if the body is not JSON */
  json(): unknown {
    try {
      return JSON.parse(this.text.replace(/^\uFEFF/, ''))
    } catch (error) {
      throw new Fault(`The body is not JSON: ${(error as Error).message}`)
    }
  }

  /** @throws Fault if the body is not a JSON object */
  record(): JsonRecord {
    const value = this.json()
    if (!isRecord(value)) throw new Fault(`The body is not a JSON object: ${shown(value)}`)
    return value
  }

  /** JSON object of a body, or undefined. */
  maybeRecord(): JsonRecord | undefined {
    try {
      return this.record()
    } catch {
      return undefined
    }
  }
}

export const statusOf = (reply: Reply, ...allowed: readonly number[]): Finding =>
  unless(allowed.includes(reply.status), `Status ${reply.status}, expected ${allowed.join(' or ')}.`)

export const typeOf = (reply: Reply, ...allowed: readonly string[]): Finding =>
  unless(
    allowed.includes(reply.type),
    `Content-Type ${shown(reply.header('content-type'))}, expected ${allowed.join(' or ')}.`,
  )

/** Values of a list header in lower case, without parameters. */
export const listIn = (value: string): string[] =>
  value
    .split(',')
    .map((part) => (part.split(';', 1)[0] ?? '').trim().toLowerCase())
    .filter((part) => part !== '')
