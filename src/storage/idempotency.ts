import { createHash } from 'node:crypto'
import type { Cradle } from '../cradle.ts'
import { jsonPieces } from '../domain/json-pieces.ts'
import { type Principal, replayScope } from '../domain/principal.ts'
import { conflict, Problem, type ProblemFields } from '../domain/problem.ts'
import { runYielding } from '../domain/yielding.ts'
import type { Statement } from './statement.ts'
import type { Transaction, WriteScope } from './transaction.ts'

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

const WINDOW = `interval '24 hours'`
const MAX_PURGED = 100
/** Rejections that depend on more than the request and may not recur. */
const PASSING: ReadonlySet<number> = new Set([401, 402, 412, 429])
const LOCK_NOT_AVAILABLE = '55P03'

declare module '../cradle.ts' {
  interface Cradle {
    idempotency: ReturnType<typeof idempotency>
  }
}

/**
 * Executes a write once per key (specification 4.1). Key, write and response share one transaction: no partial write is replayed, and no
 * key stays taken after a crash.
 */
export default function idempotency({ config: { bounds }, database, log }: Cradle) {
  const waitForKey: Statement = {
    name: 'wait-for-key',
    text: `set local lock_timeout = '${bounds.idempotencyWait}ms'`,
  }
  return { once }

  /**
   * Returns `work`'s response, or the stored one of the same key, workspace, endpoint and {@link replayScope} within 24 hours; other
   * callers never see it.
   * @throws Problem from `work` if not stored; 409 if the first request with the key takes longer than 2 s
   */
  async function once<T extends Answer>(
    principal: Principal,
    { endpoint, key, request }: { endpoint: string; key: string; request: unknown },
    work: (scope: WriteScope) => Promise<T>,
  ): Promise<{ outcome: Outcome<T>; isReplay: boolean }> {
    const place = { tenantId: principal.tenantId, endpoint, caller: replayScope(principal), key }
    const hash = await runYielding(hashing(request))
    return database.transaction(principal.tenantId, async (tx) => {
      const earlier = await take(tx, place, hash)
      if (earlier !== undefined) {
        if (earlier.request_hash !== hash) {
          log.warn({ tenantId: principal.tenantId, endpoint }, 'idempotency key reused with another body')
        }
        return { outcome: toOutcome(JSON.parse(earlier.answer) as StoredOutcome<T>), isReplay: true }
      }
      const stored = await work(tx).then((answer): StoredOutcome<T> => ({ answer }), toStoredProblem<T>)
      tx.write(KEEP, [...at(place), statusOf(stored), JSON.stringify(stored)])
      return { outcome: toOutcome(stored), isReplay: false }
    })
  }

  /** @returns undefined if the key is ours */
  async function take(tx: Transaction, place: AnswerPlace, hash: string) {
    tx.write(waitForKey)
    const [taken, [row]] = await Promise.all([
      tx.run<object>(TAKE, [...at(place), hash]),
      tx.run<{ request_hash: string; answer: string | null }>(STORED, at(place)),
    ]).catch((error: { code?: string }) => {
      if (error.code !== LOCK_NOT_AVAILABLE) throw error
      throw new Problem(409, 'Another request with this Idempotency-Key is still being processed. Retry later.', {
        title: 'Conflict',
        headers: { 'Retry-After': '2' },
      })
    })
    tx.write(WAIT_NO_MORE)
    tx.write(PURGE)
    if (taken.length > 0) return undefined
    // Expired and deleted between the two statements; the next attempt takes it.
    if (row === undefined || row.answer === null) throw conflict('Retry the request.')
    return { request_hash: row.request_hash, answer: row.answer }
  }
}

/** Hashes in pieces, so that a large request does not delay others. */
function* hashing(request: unknown): Generator<void, string> {
  const hash = createHash('sha256')
  for (const piece of jsonPieces(request)) {
    hash.update(piece)
    yield
  }
  return hash.digest('base64url')
}

interface AnswerPlace {
  readonly tenantId: string
  readonly endpoint: string
  readonly caller: string
  readonly key: string
}

const AT_PLACE = 'tenant_id = $1 and endpoint = $2 and caller = $3 and key = $4'

const WAIT_NO_MORE: Statement = { name: 'wait-for-key-no-more', text: 'set local lock_timeout = 0' }
const TAKE: Statement = {
  name: 'take-key',
  text: `insert into idempotency_key as k (tenant_id, endpoint, caller, key, request_hash) values ($1, $2, $3, $4, $5)
    on conflict (tenant_id, endpoint, caller, key) do update
      set request_hash = excluded.request_hash, status = null, answer = null, created_at = now()
      where k.created_at < now() - ${WINDOW}
    returning 1`,
}
const PURGE: Statement = {
  name: 'purge-keys',
  text: `delete from idempotency_key where (tenant_id, endpoint, caller, key) in (
      select tenant_id, endpoint, caller, key from idempotency_key
      where tenant_id = app_tenant() and created_at < now() - ${WINDOW} limit ${MAX_PURGED} for update skip locked)`,
}
const STORED: Statement = {
  name: 'kept-answer',
  text: `select request_hash, answer from idempotency_key where ${AT_PLACE}`,
}
const KEEP: Statement = {
  name: 'keep-answer',
  text: `update idempotency_key set status = $5, answer = $6 where ${AT_PLACE}`,
}

const at = ({ tenantId, endpoint, caller, key }: AnswerPlace) => [tenantId, endpoint, caller, key]

type Outcome<T> = { readonly answer: T } | { readonly refusal: Problem }

type StoredOutcome<T> =
  | { readonly answer: T }
  | { readonly problem: { readonly status: number; readonly message: string; readonly fields: ProblemFields } }

const statusOf = (stored: StoredOutcome<Answer>) => ('answer' in stored ? stored.answer.status : stored.problem.status)

function toOutcome<T>(stored: StoredOutcome<T>): Outcome<T> {
  if ('answer' in stored) return stored
  const { status, message, fields } = stored.problem
  return { refusal: new Problem(status, message, fields) }
}

/** Rethrows errors that may not recur. */
function toStoredProblem<T>(error: unknown): StoredOutcome<T> {
  const isStored =
    error instanceof Problem &&
    error.status >= 400 &&
    error.status < 500 &&
    !PASSING.has(error.status) &&
    error.fields.headers === undefined
  if (!isStored) throw error
  const { cause: _, ...fields } = error.fields
  return { problem: { status: error.status, message: error.message, fields } }
}
