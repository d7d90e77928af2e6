import { createHash } from 'node:crypto'
import type { Cradle } from '../cradle.ts'
import { jsonPieces } from '../domain/json-pieces.ts'
import { type Principal, replayScope } from '../domain/principal.ts'
import { conflict, Problem, type ProblemFields } from '../domain/problem.ts'
import { runYielding } from '../domain/yielding.ts'
import type { Statement } from './statement.ts'
import type { Transaction, WriteScope } from './transaction.ts'

/** An answer as it is given, and given again. */
interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object
}

const WINDOW = `interval '24 hours'`
/** Expired keys that one request removes at most. */
const MAX_PURGED = 100
/** Refusals that depend on more than the request: they may be right now and wrong in a minute. */
const PASSING: ReadonlySet<number> = new Set([401, 402, 412, 429])
const LOCK_NOT_AVAILABLE = '55P03'

declare module '../cradle.ts' {
  interface Cradle {
    idempotency: ReturnType<typeof idempotency>
  }
}

/**
 * Executes a write once per key (specification 4.1): key, write and answer are one transaction, so that there is no
 * half-done write to be replayed, and no key that stays taken when a process dies.
 */
export default function idempotency({ config: { bounds }, database, log }: Cradle) {
  const waitForKey: Statement = {
    name: 'wait-for-key',
    text: `set local lock_timeout = '${bounds.idempotencyWait}ms'`,
  }
  return { once }

  /**
   * Answers `work`'s answer, or the one that the same key got in this workspace and at this endpoint within 24 hours, from
   * a caller of the same {@link replayScope}: nobody is told what others wrote. Successes are stored, and rejections that the
   * request alone decides; another body under the same key changes nothing.
   * @throws Problem what `work` throws and is not kept; 409 when the first request with the key takes longer than 2 s
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
          log.warn({ tenantId: principal.tenantId, endpoint }, 'idempotency key used again for another body')
        }
        return { outcome: told(JSON.parse(earlier.answer) as StoredOutcome<T>), isReplay: true }
      }
      const kept = await work(tx).then((answer): StoredOutcome<T> => ({ answer }), keptRefusal<T>)
      tx.write(KEEP, [...at(place), statusOf(kept), JSON.stringify(kept)])
      return { outcome: told(kept), isReplay: false }
    })
  }

  /**
   * Takes the key for this transaction, after whoever has it now has ended.
   * @returns what the key got, or undefined when it is ours
   */
  async function take(tx: Transaction, place: AnswerPlace, hash: string) {
    tx.write(waitForKey)
    const [taken, [row]] = await Promise.all([
      tx.run<object>(TAKE, [...at(place), hash]),
      tx.run<{ request_hash: string; answer: string | null }>(KEPT, at(place)),
    ]).catch((error: { code?: string }) => {
      if (error.code !== LOCK_NOT_AVAILABLE) throw error
      throw new Problem(409, 'Another request with this Idempotency-Key is still being worked on.', {
        title: 'Conflict',
        headers: { 'Retry-After': '2' },
      })
    })
    tx.write(WAIT_NO_MORE)
    tx.write(PURGE)
    if (taken.length > 0) return undefined
    // Removed as expired between the two statements; the next attempt takes it.
    if (row === undefined || row.answer === null) throw conflict('Please send the request again.')
    return { request_hash: row.request_hash, answer: row.answer }
  }
}

/** The hash of a request; a large one in one piece would delay every other request. */
function* hashing(request: unknown): Generator<void, string> {
  const hash = createHash('sha256')
  for (const piece of jsonPieces(request)) {
    hash.update(piece)
    yield
  }
  return hash.digest('base64url')
}

/** Where one answer is kept. */
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
const KEPT: Statement = {
  name: 'kept-answer',
  text: `select request_hash, answer from idempotency_key where ${AT_PLACE}`,
}
const KEEP: Statement = {
  name: 'keep-answer',
  text: `update idempotency_key set status = $5, answer = $6 where ${AT_PLACE}`,
}

const at = ({ tenantId, endpoint, caller, key }: AnswerPlace) => [tenantId, endpoint, caller, key]

/** What a request came to. */
type Outcome<T> = { readonly answer: T } | { readonly refusal: Problem }

/** The same as it is stored. */
type StoredOutcome<T> =
  | { readonly answer: T }
  | { readonly problem: { readonly status: number; readonly message: string; readonly fields: ProblemFields } }

const statusOf = (kept: StoredOutcome<Answer>) => ('answer' in kept ? kept.answer.status : kept.problem.status)

function told<T>(kept: StoredOutcome<T>): Outcome<T> {
  if ('answer' in kept) return kept
  const { status, message, fields } = kept.problem
  return { refusal: new Problem(status, message, fields) }
}

/** What is kept of a failure; anything that may turn out otherwise next time ends the transaction instead. */
function keptRefusal<T>(error: unknown): StoredOutcome<T> {
  const isKept =
    error instanceof Problem &&
    error.status >= 400 &&
    error.status < 500 &&
    !PASSING.has(error.status) &&
    error.fields.headers === undefined
  if (!isKept) throw error
  const { cause: _, ...fields } = error.fields
  return { problem: { status: error.status, message: error.message, fields } }
}
