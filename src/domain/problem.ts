import type { AdvisoryCode, ErrorCode, FrameworkCode } from './codes.ts'
import type { Issue } from './issue.ts'

/** An issue with its texts: `message` is technical English, `friendlyMessage` is in the caller's language. */
export interface IssueText {
  readonly path: string
  readonly message: string
  readonly friendlyMessage?: string
}

/** A coded remark that never blocks (specification 2.7). */
export interface Advisory {
  readonly code: AdvisoryCode
  readonly path?: string
  readonly message: string
  readonly friendlyMessage: string
}

export interface ProblemFields {
  /** The `error` member, such as `Conflict`. Absent: the minimal envelope. */
  readonly title?: string
  /** Machine-stable code. */
  readonly code?: ErrorCode
  /** Further members of the standard envelope, such as `quota` and `upgradeUrl`. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Metadata findings: the Validation Failed shape. */
  readonly issues?: readonly IssueText[]
  readonly category?: string
  readonly warnings?: readonly (Advisory | IssueText)[]
  /** Row errors: `{success, error, errors[]}` without `message`. */
  readonly rows?: readonly string[]
  /** The framework's own shape; a code such as `FW_ERR_VALIDATION`, or `true` for none. */
  readonly framework?: FrameworkCode | true
  /** Written without `success` where the operation's document allows both forms for this status. */
  readonly isBare?: boolean
  /** Response headers that belong to this answer, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * The one error that services, rules and plugins throw. Which of the five shapes of specification
 * section 7.1 is written follows from the fields that are present; see `src/http/write-problem.ts`.
 */
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

/** 406 as specification 4.1 shows it: no operation writes it with `success`. */
export const notAcceptable = (message: string) => new Problem(406, message, { title: 'Not Acceptable' })
/** 404 in the standard envelope. */
export const notFound = (message: string, code?: ErrorCode) => new Problem(404, message, { title: 'Not Found', code })
/** 400 in the standard envelope. */
export const badRequest = (message: string, code?: ErrorCode) =>
  new Problem(400, message, { title: 'Bad Request', code })
/** 403 in the standard envelope. */
export const forbidden = (message: string, code?: ErrorCode) => new Problem(403, message, { title: 'Forbidden', code })
/** 409 in the standard envelope. */
export const conflict = (message: string, code?: ErrorCode) => new Problem(409, message, { title: 'Conflict', code })

export type { Issue }

/** 503 for what will pass: the caller sends the request again after so many seconds. */
export const unavailable = (message: string, seconds: number, cause?: unknown): Problem =>
  new Problem(503, message, {
    title: 'Service Unavailable',
    headers: { 'Retry-After': String(seconds) },
    cause,
  })

/** What `work` gives, or the problem that it throws. */
export function orProblem<T>(work: () => T): T | Problem {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
