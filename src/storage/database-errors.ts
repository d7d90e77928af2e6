/**
 * Classes and codes of SQLSTATE (PostgreSQL, appendix A) that speak of the moment and not of the statement: connection
 * lost, rolled back for another's sake, out of resources, taken by an operator's hand, failed below the database.
 */
const PASSING_CLASSES: ReadonlySet<string> = new Set(['08', '40', '53', '57', '58'])
const PASSING_CODES: ReadonlySet<string> = new Set([
  '25006', // read_only_sql_transaction: a standby, during a failover
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
])
/** Errors of sockets and of looking up their addresses, by code. */
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
/** What pg 8 and pg-pool 3 say without a code. */
const WITHOUT_CODE =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end)/

/** Whether the same request may well succeed in a moment: the database is away, restarting, or out of room for it. */
export const isPassing = (error: unknown): boolean =>
  matchesCause(
    error,
    ({ code, message }) => (typeof code === 'string' && isPassingCode(code)) || WITHOUT_CODE.test(message),
  )

/** True if the database refuses the statement itself, which will fail again. */
export const isRefused = (error: unknown): boolean =>
  !isPassing(error) && matchesCause(error, ({ code }) => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code))

/** Rolled back for another's sake, and so surely undone: serialization_failure, deadlock_detected. */
const ROLLED_BACK: ReadonlySet<unknown> = new Set(['40001', '40P01'])

/** Whether it is certain that nothing has been done: where the moment is to blame, a commit may have got through. */
export const isUndone = (error: unknown): boolean =>
  !isPassing(error) || matchesCause(error, ({ code }) => ROLLED_BACK.has(code))

/** Whether the database has no room left on its disk (disk_full): it reads on, and writes nothing. */
export const isDiskFull = (error: unknown): boolean => matchesCause(error, ({ code }) => code === '53100')

/** Whether an error, or what caused it, says so. */
function matchesCause(error: unknown, says: (error: { code?: unknown; message: string }) => boolean): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (says(cause)) return true
  }
  return false
}

const isPassingCode = (code: string): boolean =>
  OF_SOCKETS.has(code) || (code.length === 5 && (PASSING_CLASSES.has(code.slice(0, 2)) || PASSING_CODES.has(code)))
