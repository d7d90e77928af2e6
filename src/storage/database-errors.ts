/**
 * Transient errors (PostgreSQL, appendix A): connection lost, rolled back for another transaction, out of resources, operator intervention,
 * system failure.
 */
const PASSING_CLASSES: ReadonlySet<string> = new Set(['08', '40', '53', '57', '58'])
const PASSING_CODES: ReadonlySet<string> = new Set([
  '25006', // read_only_sql_transaction: a standby, during a failover
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
])
const OF_SOCKETS: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** Messages of pg 8 and pg-pool 3 without a code. */
const WITHOUT_CODE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end)/

export const isPassing = (error: unknown): boolean =>
  matchesCause(
    error,
    ({ code, message }) => (typeof code === 'string' && isPassingCode(code)) || WITHOUT_CODE.test(message),
  )

/** True if the database rejects the statement itself. */
export const isRefused = (error: unknown): boolean =>
  !isPassing(error) && matchesCause(error, ({ code }) => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))

/** Rolled back for another transaction or after `statement_timeout`, so certainly undone. */
const ROLLED_BACK: ReadonlySet<unknown> = new Set(['40001', '40P01', '57014'])

/** True if certainly nothing was written; after other transient errors a commit may have succeeded. */
export const isUndone = (error: unknown): boolean =>
  !isPassing(error) || matchesCause(error, ({ code }) => ROLLED_BACK.has(code))

/** True on disk_full: reads continue, writes fail. */
export const isDiskFull = (error: unknown): boolean => matchesCause(error, ({ code }) => code === '53100')

function matchesCause(error: unknown, matches: (error: { code?: unknown; message: string }) => boolean): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (matches(cause)) return true
  }
  return false
}

const isPassingCode = (code: string): boolean =>
  OF_SOCKETS.has(code) || (code.length === 5 && (PASSING_CLASSES.has(code.slice(0, 2)) || PASSING_CODES.has(code)))
