import type { AdvisoryCode, ErrorCode, FrameworkCode } from './codes.ts'
import type { Issue } from './issue.ts'

/** `message` is technical English, `friendlyMessage` in the caller's language. */
export interface IssueText {
  readonly path: string
  readonly message: string
  readonly friendlyMessage?: string
}

/** Coded remark that never blocks (specification 2.7). */
export interface Advisory {
  readonly code: AdvisoryCode
  readonly path?: string
  readonly message: string
  readonly friendlyMessage: string
}

export interface ProblemFields {
  readonly title?: string
  readonly code?: ErrorCode
  readonly extra?: Readonly<Record<string, unknown>>
  readonly issues?: readonly IssueText[]
  readonly category?: string
  readonly warnings?: readonly (Advisory | IssueText)[]
  /** Row errors: `{success, error, errors[]}` without `message`. */
  readonly rows?: readonly string[]
  /** Code such as `FW_ERR_VALIDATION`, or `true` without one. */
  readonly framework?: FrameworkCode | true
  readonly isBare?: boolean
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Error of services, rules and plugins. Its fields select the shape (specification 7.1; `src/http/write-problem.ts`). */
export class Problem extends Error {
  readonly status: number
  readonly fields: ProblemFields

  constructor(status: number, message: string, fields: ProblemFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = 'Problem'
    this.status = status
    this.fields = fields
  }
}

/** Never with `success` (specification 4.1). */
export const notAcceptable = (message: string) => new Problem(406, message, { title: 'Not Acceptable' })
export const notFound = (message: string, code?: ErrorCode) => new Problem(404, message, { title: 'Not Found', code })
export const badRequest = (message: string, code?: ErrorCode) =>
  new Problem(400, message, { title: 'Bad Request', code })
export const forbidden = (message: string, code?: ErrorCode) => new Problem(403, message, { title: 'Forbidden', code })
export const conflict = (message: string, code?: ErrorCode) => new Problem(409, message, { title: 'Conflict', code })

export type { Issue }

export const unavailable = (message: string, seconds: number, cause?: unknown): Problem =>
  new Problem(503, message, {
    title: 'Service Unavailable',
    headers: { 'Retry-After': String(seconds) },
    cause,
  })

export function orProblem<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
