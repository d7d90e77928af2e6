import type { EntityManager } from '@mikro-orm/postgresql'
import type pg from 'pg'
import type { Problem } from '../domain/problem.ts'
import { isStale, sendBatch } from './batch.ts'
import { type Call, CallQueue, type Rows, type Session, type Statement } from './statement.ts'

const BEGIN: Statement = { name: 'begin', text: 'begin' }
const COMMIT: Statement = { name: 'commit', text: 'commit' }
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback' }
/** Workspace for row-level security, until the transaction ends. */
const SET_TENANT: Statement = { name: 'set-tenant', text: `select set_config('app.tenant', $1, true)` }
/**
 * Sets the workspace and two more settings. Generic plans: the statements and their triggers write few rows by key, and custom plans took a
 * third of their time. `app.changed`: triggers collect the changed names, which are notified after the commit.
 */
const OPEN_FOR_TENANT: Statement = {
  name: 'open-for-tenant',
  text: `select set_config('app.tenant', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('app.changed', '-', true)`,
}
const CHANGED: Statement = { name: 'changed', text: `select current_setting('app.changed', true) as changed` }
const SAVEPOINT: Statement = { name: 'savepoint', text: 'savepoint part' }
const RELEASE: Statement = { name: 'release', text: 'release savepoint part' }
const UNDO: Statement = { name: 'undo', text: 'rollback to savepoint part' }

/** Runs calls in one round trip and one transaction; retries once if their prepared statements are stale. */
export async function sendFor(client: pg.ClientBase, tenantId: string, calls: readonly Call[]): Promise<Rows[]> {
  const named: Call[] = [[SET_TENANT, [tenantId]], ...calls]
  const rows = await sendBatch(client, named).catch((error) => {
    if (isStale(error)) return sendBatch(client, named)
    throw error
  })
  return rows.slice(1)
}

/** Separate transaction of a write, or part of a larger one. */
export interface WriteScope {
  /** For reads before the transaction. Uses the connection of the larger one, because waiting for a second one could deadlock. */
  readonly session: Session
  /** Runs `work` in a transaction; within a larger one, rolls back only `work` if it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** Item of one request in shared work. */
export interface BatchedRequest<Item> {
  readonly item: Item
  /** Runs work of this request only, in its trace. */
  on<T>(work: () => T): T
}

/**
 * Processes items in any order.
 * @returns one result per item, in the order of the items; a Problem rejects its item, for which nothing may have been written
 * @throws to roll back all items
 */
export type SharedWork<Item, Answer> = (
  tx: Transaction,
  asked: readonly BatchedRequest<Item>[],
) => Promise<readonly (Answer | Problem)[]>

/** See `Database.shared`. */
export interface Shared<Item, Answer> {
  /** @throws Problem if the item is rejected */
  together(tenantId: string, item: Item): Promise<Answer>
  /** Runs the work in the caller's transaction. @throws Problem if the item is rejected */
  within(tx: Transaction, item: Item): Promise<Answer>
}

interface TransactionDeps {
  connect(): Promise<pg.PoolClient>
  entities(session: Session): EntityManager
  /** Notifies every process of changed passports and units; without names, of a change to anything. */
  tell(names: readonly string[]): void
}

/**
 * Transaction of one workspace. It begins with its first round trip; writes are queued for the next round trip or the commit. A read and
 * later writes take two round trips, and only writes take one.
 */
export class Transaction implements Session, WriteScope {
  readonly tenantId: string
  readonly #means: TransactionDeps
  readonly #queue = new CallQueue((calls) => this.#send(calls))
  #client: pg.PoolClient | undefined
  #entities: EntityManager | undefined
  #actions: (() => void)[] = []
  /** First error; only a rollback is possible after it. */
  #failure: unknown
  /** Round trips of a transaction run in order. */
  #lastTrip: Promise<unknown> = Promise.resolve()

  constructor(tenantId: string, means: TransactionDeps) {
    this.tenantId = tenantId
    this.#means = means
  }

  /** Changes are queued by `flush`, or before the commit, and share a round trip with what follows. */
  get entities(): EntityManager {
    this.#entities ??= this.#means.entities(this)
    return this.#entities
  }

  get session(): Session {
    return this
  }

  run<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> {
    return this.#queue.run(statement, values)
  }

  /** Queues a statement without a result for the next round trip, which fails if the statement does. */
  write(statement: Statement, values: readonly unknown[] = []): void {
    this.#queue.add([statement, values])
  }

  /** Runs `action` after the commit; never after a rollback. */
  afterCommit(action: () => void): void {
    this.#actions.push(action)
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const actions = this.#actions.length
    // Earlier writes must fail before the savepoint.
    await this.#queue.flush()
    const isSent = this.#queue.add([SAVEPOINT, []])
    try {
      const result = await work(this)
      await this.run(RELEASE)
      return result
    } catch (error) {
      const isToUndo = isSent()
      this.#queue.take(error)
      this.#actions.length = actions
      await this.#lastTrip
      this.#failure = undefined
      if (isToUndo) for (const statement of [UNDO, RELEASE]) this.write(statement)
      throw error
    }
  }

  /** Commits, releases the connection, and runs the actions of {@link afterCommit}. */
  async commit(): Promise<void> {
    await this.#entities?.flush()
    const rest = this.#queue.take(ENDED)
    await this.#lastTrip
    if (this.#failure !== undefined) throw this.#failure
    if (this.#client !== undefined) {
      const [changed] = (await this.#send([...rest, [CHANGED, []], [COMMIT, []]])).at(-2) ?? []
      this.#tell(String(changed?.changed ?? ''))
    } else if (rest.length > 0) await this.#alone(rest)
    this.#release()
    for (const action of this.#actions) action()
  }

  /** Never throws. */
  async rollback(): Promise<void> {
    this.#queue.take(ENDED)
    await this.#lastTrip
    if (this.#client === undefined) return
    try {
      await sendBatch(this.#client, [[ROLLBACK, []]])
      this.#release()
    } catch (error) {
      this.#release(error as Error)
    }
  }

  #send(calls: readonly Call[]): Promise<Rows[]> {
    const trip = this.#lastTrip.then(() => this.#trip(calls))
    this.#lastTrip = trip.catch((error) => {
      this.#failure = error
    })
    return trip
  }

  async #trip(calls: readonly Call[]): Promise<Rows[]> {
    if (this.#client !== undefined) return sendBatch(this.#client, calls)
    this.#client = await this.#means.connect()
    const rows = await sendBatch(this.#client, [[BEGIN, []], [OPEN_FOR_TENANT, [this.tenantId]], ...calls])
    return rows.slice(2)
  }

  /** One batch is one transaction without `begin` and `commit`. */
  async #alone(calls: readonly Call[]): Promise<void> {
    const client = await this.#means.connect()
    try {
      await sendFor(client, this.tenantId, calls)
    } finally {
      // The pool removes lost connections.
      client.release()
    }
  }

  /** @param changed names after a first word; an asterisk stands for everything */
  #tell(changed: string): void {
    const names = changed.split(' ').slice(1)
    if (names.length > 0) this.#means.tell(names.includes('*') ? [] : names)
  }

  #release(error?: Error): void {
    this.#client?.release(error)
    this.#client = undefined
  }
}

const ENDED = new Error('The transaction has ended.')
