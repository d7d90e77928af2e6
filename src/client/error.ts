import type { ErrorCode } from './contract.ts'

export interface DppIssue {
  /** Metadata key; undefined for errors of a row or request. */
  readonly path?: string
  readonly message: string
  /** Message for people in the requested language. */
  readonly friendlyMessage?: string
}

type ClientCode =
  /** Invalid request; see `issues`. */
  | 'VALIDATION_FAILED'
  /** Resource not found or not visible. */
  | 'NOT_FOUND'
  /** No response; see `cause`. */
  | 'UNREACHABLE'
  /** No response within `timeoutMs`. */
  | 'TIMED_OUT'
  /** Body does not match its media type. */
  | 'UNREADABLE'
  /** Redirected write, not followed: it would become a read. */
  | 'REDIRECTED'

interface Refusal {
  readonly operationId: string
  readonly message: string
  readonly status?: number
  readonly code?: string
  readonly title?: string
  readonly issues?: readonly DppIssue[]
  readonly requestId?: string
  readonly retryAfter?: number
  readonly body?: unknown
  readonly cause?: unknown
}

/** Error response in any of the gateway's five formats, or missing response. Branch on `status` and `code`; texts may change. */
export class DppError extends Error {
  override readonly name = 'DppError'
  readonly operationId: string
  /** HTTP status; 0 without a response. */
  readonly status: number
  readonly code: ErrorCode | ClientCode | (string & {}) | undefined
  /** Short title, such as `Validation Failed`. */
  readonly title: string | undefined
  /** All errors of metadata and rows. */
  readonly issues: readonly DppIssue[]
  /** Request id in the gateway's log. */
  readonly requestId: string | undefined
  /** Wait before a retry, in seconds. */
  readonly retryAfter: number | undefined
  /** Original body, for example with `quota` and `upgradeUrl`. */
  readonly body: unknown

  constructor({ message, cause, status = 0, issues = [], ...refusal }: Refusal) {
    super(message, cause === undefined ? undefined : { cause })
    this.operationId = refusal.operationId
    this.status = status
    this.code = refusal.code
    this.title = refusal.title
    this.issues = issues
    this.requestId = refusal.requestId
    this.retryAfter = refusal.retryAfter
    this.body = refusal.body
  }
}

export function refusalOf(
  operationId: string,
  answer: { readonly status: number; readonly headers: Headers; readonly retryAfter: number | undefined },
  body: unknown,
): DppError {
  const problem: Readonly<Record<string, unknown>> = isObject(body) ? body : {}
  const issues = Array.isArray(problem.errors) ? problem.errors.flatMap(issueOf) : []
  const title = text(problem.error)
  return new DppError({
    operationId,
    status: answer.status,
    title,
    // Row errors have no overall message.
    message:
      text(problem.message) ?? ([title, issues[0]?.message].filter(Boolean).join(': ') || `HTTP ${answer.status}`),
    code: text(problem.code) ?? codeOf(answer.status),
    issues,
    requestId: answer.headers.get('x-request-id') ?? text(problem.requestId),
    retryAfter: answer.retryAfter,
    body,
  })
}

function codeOf(status: number): ClientCode | undefined {
  if (status === 404) return 'NOT_FOUND'
  return status === 400 ? 'VALIDATION_FAILED' : undefined
}

function issueOf(entry: unknown): DppIssue[] {
  if (typeof entry === 'string') return [{ message: entry }]
  const message = isObject(entry) ? text(entry.message) : undefined
  if (message === undefined) return []
  const { path, friendlyMessage } = entry as Record<string, unknown>
  return [
    {
      message,
      ...(typeof path === 'string' ? { path } : {}),
      ...(typeof friendlyMessage === 'string' ? { friendlyMessage } : {}),
    },
  ]
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
