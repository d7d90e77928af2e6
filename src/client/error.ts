import type { ErrorCode } from './contract.ts'

/** One thing that is wrong with what was sent. */
export interface DppIssue {
  /** The metadata key that it is about; absent where a row or the whole was refused. */
  readonly path?: string
  readonly message: string
  /** The same for people, in the language that was asked for. */
  readonly friendlyMessage?: string
}

/** Codes of the client: a refusal to which the gateway gives no code, or no answer at all. */
type ClientCode =
  /** The request has errors; those of metadata and rows are in `issues`. */
  | 'VALIDATION_FAILED'
  /** There is no such resource, or the caller may not see it. */
  | 'NOT_FOUND'
  /** Nobody answered. The reason is in `cause`. */
  | 'UNREACHABLE'
  /** No answer within `timeoutMs`. */
  | 'TIMED_OUT'
  /** The answer is not what its media type says. */
  | 'UNREADABLE'
  /** A write was sent elsewhere, which nobody follows: it would become a read on the way. */
  | 'REDIRECTED'

/** What a {@link DppError} is made of. */
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

/**
 * Whatever the gateway refuses, in each of its five forms, and whatever keeps an answer from arriving. Branch on `status` and
 * `code`; texts may change.
 */
export class DppError extends Error {
  override readonly name = 'DppError'
  /** Which operation was called. */
  readonly operationId: string
  /** The HTTP status; 0 where no answer came. */
  readonly status: number
  /** What exactly was refused, where a program may want to tell cases apart. */
  readonly code: ErrorCode | ClientCode | (string & {}) | undefined
  /** What the status says, or what has failed, such as `Validation Failed`. */
  readonly title: string | undefined
  /** Everything that was found, of metadata and of rows. */
  readonly issues: readonly DppIssue[]
  /** Under this id the log of the gateway says more. */
  readonly requestId: string | undefined
  /** In how many seconds the same request is worth another attempt. */
  readonly retryAfter: number | undefined
  /** The answer as it came, for what is not said above, such as `quota` and `upgradeUrl`. */
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

/** Reads a refusal in whichever form it was written. */
export function refusalOf(
  operationId: string,
  answer: { readonly status: number; readonly headers: Headers; readonly retryAfter: number | undefined },
  body: unknown,
): DppError {
  const said: Readonly<Record<string, unknown>> = isObject(body) ? body : {}
  const issues = Array.isArray(said.errors) ? said.errors.flatMap(issueOf) : []
  const title = text(said.error)
  return new DppError({
    operationId,
    status: answer.status,
    title,
    // Row errors say nothing but what is wrong with each row.
    message: text(said.message) ?? ([title, issues[0]?.message].filter(Boolean).join(': ') || `HTTP ${answer.status}`),
    code: text(said.code) ?? codeOf(answer.status),
    issues,
    requestId: answer.headers.get('x-request-id') ?? text(said.requestId),
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
