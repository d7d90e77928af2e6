import type { EntityManager } from '@mikro-orm/postgresql'
import type pg from 'pg'
import type { Problem } from '../domain/problem.ts'
import { isStale, sendBatch } from './batch.ts'
import { type Call, CallQueue, type Rows, type Session, type Statement } from './statement.ts'

const BEGIN: Statement = { name: 'begin', text: 'begin' }
const COMMIT: Statement = { name: 'commit', text: 'commit' }
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback' }
/** The workspace that row-level security goes by, until the transaction ends. */
const SET_TENANT: Statement = { name: 'set-tenant', text: `select set_config('app.tenant', $1, true)` }
/**
 * The same for a transaction, with two things more. Its statements write few rows by their keys, and their triggers do: left
 * to itself PostgreSQL plans some of them anew each time, which was a third of what they cost it. And it asks what it
 * changes, to tell it after the commit (migration told-after-commit).
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

/** Runs calls in one round trip and a transaction of their own; once more where what was prepared for them is stale. */
export async function sendFor(client: pg.ClientBase, tenantId: string, calls: readonly Call[]): Promise<Rows[]> {
  const named: Call[] = [[SET_TENANT, [tenantId]], ...calls]
  const rows = await sendBatch(client, named).catch((error) => {
    if (isStale(error)) return sendBatch(client, named)
    throw error
  })
  return rows.slice(1)
}

/** Where a write works: in a transaction of its own, or joined to a larger one. */
export interface WriteScope {
  /** What is read ahead of a transaction: on the connection of the larger one, or whoever waits for another may wait for himself. */
  readonly session: Session
  /** Runs `work` in a transaction; inside a larger one, all of `work` is undone alone when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** What one request asks of shared work. */
export interface BatchedRequest<Item> {
  readonly item: Item
  /** Does what is of that request alone, as its trace shows. */
  on<T>(work: () => T): T
}

/**
 * Does what was asked, in whatever order, and answers each in its place; who gets a Problem is refused, and nothing may have been
 * written for him. What it throws undoes all of it.
 */
export type SharedWork<Item, Answer> = (
  tx: Transaction,
  asked: readonly BatchedRequest<Item>[],
) => Promise<readonly (Answer | Problem)[]>

/** See `Database.shared`. */
export interface Shared<Item, Answer> {
  /** @throws Problem where this item is refused */
  together(tenantId: string, item: Item): Promise<Answer>
  /** Does it in a transaction that is the caller's. @throws Problem likewise */
  within(tx: Transaction, item: Item): Promise<Answer>
}

/** What a transaction works with. */
interface TransactionDeps {
  /** Takes a connection out of its pool. */
  connect(): Promise<pg.PoolClient>
  entities(session: Session): EntityManager
  /** Tells every process which passports and units have changed; no name is everything. */
  tell(names: readonly string[]): void
}

/**
 * A transaction of one workspace. It begins with its first round trip, and what is written goes with the next one or, with
 * the commit, the last: one that reads once and then writes costs two, one that only writes costs one.
 */
export class Transaction implements Session, WriteScope {
  /** Whose transaction it is. */
  readonly tenantId: string
  readonly #means: TransactionDeps
  readonly #queue = new CallQueue((calls) => this.#send(calls))
  #client: pg.PoolClient | undefined
  #entities: EntityManager | undefined
  #actions: (() => void)[] = []
  /** Why nothing but undoing is possible any more. */
  #failure: unknown
  /** Trips of one transaction do not overtake each other. */
  #lastTrip: Promise<unknown> = Promise.resolve()

  constructor(tenantId: string, means: TransactionDeps) {
    this.tenantId = tenantId
    this.#means = means
  }

  /** Master data and administration as entities; what is changed is written at the end, or by their `flush`. */
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

  /** Runs a statement whose rows nobody asks for: with the next round trip, which then fails where it does. */
  write(statement: Statement, values: readonly unknown[] = []): void {
    this.#queue.add([statement, values])
  }

  /** Does `action` once the transaction has been committed, and not at all without a commit. */
  afterCommit(action: () => void): void {
    this.#actions.push(action)
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const actions = this.#actions.length
    // What was written before must not fail in its midst.
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

  /** Commits, and does what was to be done then. Its connection is free again, also where it throws. */
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

  /** Undoes everything that there is to be undone. Never throws. */
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

  /** Everything in one batch, which needs neither beginning nor commit. */
  async #alone(calls: readonly Call[]): Promise<void> {
    const client = await this.#means.connect()
    try {
      await sendFor(client, this.tenantId, calls)
    } finally {
      // One that is lost leaves the pool by itself.
      client.release()
    }
  }

  /** @param changed names behind a first word, or an asterisk for everything */
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
