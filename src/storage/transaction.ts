import type { EntityManager } from '@mikro-orm/postgresql'
import type { Problem } from '../domain/problem.ts'
import { retryIfStale } from './connection.ts'
import type { PooledConnection } from './connection-pool.ts'
import { type Call, CallQueue, type Rows, type Session, type Statement } from './statement.ts'

const unprepared = (text: string, name = text): Call => [{ name, text, isPrepared: false }, []]

const BEGIN = unprepared('begin')
const COMMIT = unprepared('commit')
const ROLLBACK = unprepared('rollback')
const SAVEPOINT = unprepared('savepoint part')
const RELEASE = unprepared('release savepoint part')
const UNDO = unprepared('rollback to savepoint part')
/** Sets the workspace of row-level security until the transaction ends. */
const SET_TENANT: Statement = { name: 'set-tenant', text: `select set_config('app.tenant', $1, true)` }
/** For writes of few rows by key: PostgreSQL would plan some of them, and of their triggers, on every use, a third of their cost. */
const SET_WRITER: Statement = {
  name: 'set-writer',
  text: `select set_config('app.tenant', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
}
/** Like SET_WRITER. Triggers collect changed ids in `app.changed`, for notification after the commit. */
const OPEN_FOR_TENANT: Statement = {
  name: 'open-for-tenant',
  text: `${SET_WRITER.text}, set_config('app.changed', '-', true)`,
}
const CHANGED: Statement = { name: 'changed', text: `select current_setting('app.changed', true) as changed` }
const COMMIT_CHANGES = unprepared(`select current_setting('app.changed', true) as changed; commit`, 'commit')

/** Runs calls of a workspace in one round trip, as a transaction. */
export async function runForTenant(
  connection: Pick<PooledConnection, 'batch'>,
  tenantId: string,
  calls: readonly Call[],
  settings = SET_TENANT,
): Promise<Rows[]> {
  const rows = await retryIfStale(() => connection.batch([BEGIN, [settings, [tenantId]], ...calls, COMMIT]))
  return rows.slice(2, -1)
}

/** Own transaction, or part of a larger one. */
export interface WriteScope {
  /** For reads before a transaction. Inside a larger one it shares the connection, or the process could wait for itself. */
  readonly session: Session
  /** Runs `work` in a transaction. Inside a larger one an error only rolls back `work`. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Like `transaction`; outside of a larger one, concurrent requests share it. */
  share<Item, Answer>(work: Shared<Item, Answer>, item: Item): Promise<Answer>
}

/**
 * Handles several requests in one transaction, in any order. Returns one result per item, in their order; nothing may be written for an
 * item whose result is a Problem. An error rolls back everything.
 */
export type SharedWork<Item, Answer> = (
  tx: Transaction,
  items: readonly Item[],
) => Promise<readonly (Answer | Problem)[]>

export interface Shared<Item, Answer> {
  /** @throws Problem if this item is rejected */
  batched(tenantId: string, item: Item): Promise<Answer>
  /**
   * Runs in the caller's transaction.
   * @throws Problem if the item is rejected
   */
  within(tx: Transaction, item: Item): Promise<Answer>
}

interface TransactionDeps {
  connect(): Promise<PooledConnection>
  entities(session: Session): EntityManager
  /** Notifies all processes of changed passports and units; no name stands for everything. */
  notify(names: readonly string[]): void
  /** Called before the commit with the names for {@link notify}, if set. */
  readonly publicChange?: PublicChange | undefined
}

export type PublicChange = (tx: Transaction, names: readonly string[]) => Promise<void>

/**
 * Transaction of one workspace. It begins with its first round trip; writes share the next one or the commit. A transaction that reads once
 * and then writes takes two round trips, one that only writes takes one.
 */
export class Transaction implements Session, WriteScope {
  readonly tenantId: string
  readonly #deps: TransactionDeps
  readonly #queue = new CallQueue((calls) => this.#send(calls))
  #connection: PooledConnection | undefined
  #entities: EntityManager | undefined
  #actions: (() => void)[] = []
  readonly #changes: string[] = []
  /** Error after which the transaction can only be rolled back. */
  #failure: unknown
  /** Round trips are sequential. */
  #lastRoundTrip: Promise<unknown> = Promise.resolve()

  constructor(tenantId: string, deps: TransactionDeps) {
    this.tenantId = tenantId
    this.#deps = deps
  }

  /** Changes are written at the commit, or by `flush`. */
  get entities(): EntityManager {
    this.#entities ??= this.#deps.entities(this)
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

  /** Adds names of changed public data to those that triggers collect. */
  changes(names: readonly string[]): void {
    this.#changes.push(...names)
  }

  /** Calls `action` after the commit, if there is one. */
  afterCommit(action: () => void): void {
    this.#actions.push(action)
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const actions = this.#actions.length
    // Earlier writes must not fail inside the part.
    await this.#queue.flush()
    const isSent = this.#queue.add(SAVEPOINT)
    try {
      const result = await work(this)
      await this.run(...RELEASE)
      return result
    } catch (error) {
      const isToUndo = isSent()
      this.#queue.take(error)
      this.#actions.length = actions
      await this.#lastRoundTrip
      this.#failure = undefined
      if (isToUndo) for (const call of [UNDO, RELEASE]) this.#queue.add(call)
      throw error
    }
  }

  share<Item, Answer>(work: Shared<Item, Answer>, item: Item): Promise<Answer> {
    return this.transaction((tx) => work.within(tx, item))
  }

  /** Call `rollback` if it throws. */
  async commit(): Promise<void> {
    await this.#entities?.flush()
    await this.#reportChange()
    const rest = this.#queue.take(ENDED)
    await this.#lastRoundTrip
    if (this.#failure !== undefined) throw this.#failure
    if (this.#connection !== undefined) {
      const [changed] = (await this.#send([...rest, COMMIT_CHANGES])).at(-1) ?? []
      const names = this.#namesOfChanges(changed?.changed)
      if (names !== undefined) this.#deps.notify(names)
      this.#release()
    } else if (rest.length > 0) await this.#runOnly(rest)
    for (const action of this.#actions) action()
  }

  /** Rolls back if the transaction is open. Never throws. */
  async rollback(): Promise<void> {
    this.#queue.take(ENDED)
    await this.#lastRoundTrip
    await this.#connection?.batch([ROLLBACK]).catch(() => {})
    this.#release()
  }

  #send(calls: readonly Call[]): Promise<Rows[]> {
    const roundTrip = this.#lastRoundTrip.then(() => this.#roundTrip(calls))
    this.#lastRoundTrip = roundTrip.catch((error) => {
      this.#failure = error
    })
    return roundTrip
  }

  async #roundTrip(calls: readonly Call[]): Promise<Rows[]> {
    if (this.#connection !== undefined) return this.#connection.batch(calls)
    this.#connection = await this.#deps.connect()
    const rows = await this.#connection.batch([BEGIN, [OPEN_FOR_TENANT, [this.tenantId]], ...calls])
    return rows.slice(2)
  }

  async #runOnly(calls: readonly Call[]): Promise<void> {
    const connection = await this.#deps.connect()
    try {
      await runForTenant(connection, this.tenantId, calls, SET_WRITER)
    } finally {
      connection.release()
    }
  }

  async #reportChange(): Promise<void> {
    const { publicChange } = this.#deps
    if (publicChange === undefined || this.#connection === undefined) return
    await this.#lastRoundTrip
    if (this.#failure !== undefined) return
    const [row] = await this.run<{ changed: string }>(CHANGED)
    const names = this.#namesOfChanges(row?.changed)
    if (names !== undefined) await publicChange(this, names)
  }

  /**
   * @param changed a first word, then names, separated by spaces; `*` stands for everything
   * @returns undefined if nothing changed; empty for everything
   */
  #namesOfChanges(changed: unknown): readonly string[] | undefined {
    const collected = String(changed ?? '')
      .split(' ')
      .slice(1)
    if (collected.includes('*')) return []
    const names = [...new Set([...collected, ...this.#changes])]
    return names.length === 0 ? undefined : names
  }

  #release(): void {
    this.#connection?.release()
    this.#connection = undefined
  }
}

const ENDED = new Error('The transaction has ended.')
