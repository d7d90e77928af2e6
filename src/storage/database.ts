import type { EntityManager } from '@mikro-orm/postgresql'
import pg from 'pg'
import type { Logger } from 'pino'
import { batchCalls, retryIndividually } from '../domain/batching.ts'
import { KeyedSemaphore } from '../domain/keyed-semaphore.ts'
import { Problem } from '../domain/problem.ts'
import { currentTraceparent, traced, withoutContext } from '../telemetry/current.ts'
import { ChangeChannel } from './change-channel.ts'
import { batchAttributes, retryIfStale, runOnce } from './connection.ts'
import { ConnectionPool } from './connection-pool.ts'
import type { ConnectionShares } from './connection-shares.ts'
import { isUndone } from './database-errors.ts'
import type { RoleUrls } from './database-roles.ts'
import { Entities } from './entities.ts'
import { EitherPool, Replica } from './replica.ts'
import { type Call, CallQueue, type Rows, type Session, type Statement } from './statement.ts'
import { type PublicChange, runForTenant, type Shared, type SharedWork, Transaction } from './transaction.ts'

const MAX_WAITING_PER_WORKSPACE = 200
/** Exceeds the `statement_timeout` of the roles, for servers that do not even report the timeout. */
const ANSWERED_WITHIN_MS = 35_000
/** A hanging batch delays others for `maxWaitMs`. */
const BATCH = { maxBatch: 16, maxWaitMs: 20 }
const NO_TENANT = '00000000-0000-0000-0000-000000000000'

const PING: Statement = { name: 'ping', text: 'select 1' }

/**
 * Work of a workspace uses `forTenant` and `transaction`; reads before the workspace is known use `lookup`. Each has an own login role, and
 * neither may bypass row-level security.
 */
export class Database {
  /** Each statement is a round trip and a transaction. */
  readonly lookup: Session = sessionOn(() => this.#lookups)
  /** For reads of few rows by key: concurrent reads share a round trip, and fail individually. */
  readonly batchedLookup: Session = batchedSession((call) => this.#lookUpBatched('', call))
  /** For public data, which may be some milliseconds old. */
  readonly publicLookup: Session
  /** Called in each transaction that changes public data; costs it a round trip. */
  onPublicChange: PublicChange | undefined
  readonly #app: ConnectionPool
  readonly #lookupPool: ConnectionPool
  readonly #replica: Replica | undefined
  /** The primary; a replica, which rejects writes, while the primary does not respond. */
  readonly #lookups: Pick<ConnectionPool, 'use'>
  readonly #sessions: Pick<ConnectionPool, 'use'>
  readonly #semaphore: KeyedSemaphore
  readonly #entities = new Entities()
  readonly #signerUrl: string
  readonly #changes: ChangeChannel
  readonly #lookUpBatched = this.batching<Call, Rows>((calls) => lookUpAll(this.#lookups, calls))
  readonly #readBatched = this.batching<Call, Rows>((calls, tenantId) => this.#runForTenant(tenantId, calls))

  /**
   * @param answeredWithin time in ms after which a connection with an unanswered batch is closed
   * @param connectionWait maximum wait in ms for a connection of the workspace
   * @param replicaUrls a hot standby for reads
   */
  constructor({
    urls,
    replicaUrls,
    log,
    answeredWithin = ANSWERED_WITHIN_MS,
    connectionWait,
    connections,
  }: {
    urls: RoleUrls
    replicaUrls?: Pick<RoleUrls, 'app' | 'lookup'> | undefined
    log: Logger
    answeredWithin?: number
    connectionWait: number
    connections: Pick<ConnectionShares, 'app' | 'lookup' | 'workspace'>
  }) {
    this.#semaphore = new KeyedSemaphore({
      places: connections.workspace,
      maxWaiting: MAX_WAITING_PER_WORKSPACE,
      maxWaitMs: connectionWait,
    })
    this.#signerUrl = urls.signer
    this.#changes = new ChangeChannel(urls.jobs, log)
    const options = { answeredWithinMs: answeredWithin, log }
    this.#app = new ConnectionPool(urls.app, { ...options, maxConnections: connections.app })
    this.#lookupPool = new ConnectionPool(urls.lookup, { ...options, maxConnections: connections.lookup })
    this.#lookups = this.#lookupPool
    this.#sessions = this.#app
    this.publicLookup = this.lookup
    if (replicaUrls === undefined) return
    this.#replica = new Replica(replicaUrls, { ...options, maxConnections: connections.lookup })
    this.#lookups = new EitherPool(this.#lookupPool, this.#replica.lookup)
    this.#sessions = new EitherPool(this.#app, this.#replica.app)
    const replicaFirst = new EitherPool(this.#replica.lookup, this.#lookupPool)
    this.publicLookup = sessionOn(() => replicaFirst)
  }

  /** Applies row-level security. Statements queued together are a transaction. */
  forTenant(tenantId: string): Session {
    return new CallQueue((calls) => this.#runForTenant(tenantId, calls))
  }

  /** For lists and exports: the replica if it has every earlier write, otherwise the primary. */
  async reading(tenantId: string): Promise<Session> {
    const replica = this.#replica
    if (replica === undefined || !(await replica.isCurrent(this.#lookupPool))) return this.forTenant(tenantId)
    return new CallQueue((calls) => replica.app.use((connection) => runForTenant(connection, tenantId, calls)))
  }

  /** Like {@link batchedLookup}, under row-level security of the workspace. */
  batchedFor(tenantId: string): Session {
    return batchedSession((call) => this.#readBatched(tenantId, call))
  }

  /**
   * Runs `work` in a transaction of the workspace and commits; rolls back if `work` throws. `work` runs a second time if a prepared
   * statement was stale.
   */
  transaction<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const transact = () => this.#transact(tenantId, work)
    return this.#withPlace(tenantId, () => traced('transaction', 'internal', noAttributes, transact))
  }

  /**
   * Handles concurrent requests of a workspace in one transaction, which costs little more than one request. If it fails, each request is
   * handled individually. A traced request has its own transaction, because jobs continue its trace.
   */
  shared<Item, Answer>(work: SharedWork<Item, Answer>): Shared<Item, Answer> {
    const together = (tenantId: string, items: readonly Item[]) => this.transaction(tenantId, (tx) => work(tx, items))
    const batched = batchCalls<Item, Answer | Problem>(
      (tenantId, items) => withoutContext(() => retryIndividually(items, (some) => together(tenantId, some), isUndone)),
      BATCH,
    )
    const alone = async (tenantId: string, item: Item) => (await together(tenantId, [item]))[0] as Answer | Problem
    return {
      batched: async (tenantId, item) =>
        answerOf(await (currentTraceparent() === undefined ? batched : alone)(tenantId, item)),
      within: async (tx, item) => answerOf((await work(tx, [item]))[0] as Answer | Problem),
    }
  }

  async #withPlace<T>(tenantId: string, transact: () => Promise<T>): Promise<T> {
    const leave = await this.#semaphore.enter(tenantId)
    try {
      return await retryIfStale(transact)
    } finally {
      leave()
    }
  }

  async #transact<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const tx = new Transaction(tenantId, {
      connect: () => this.#app.connect(),
      entities: (session) => this.entities(session),
      notify: (names) => this.#changes.notify(names),
      publicChange: this.onPublicChange,
    })
    try {
      const result = await work(tx)
      await tx.commit()
      return result
    } catch (error) {
      await tx.rollback()
      throw error
    }
  }

  /** Concurrent reads of a key share `read`, outside of their traces; if PostgreSQL rejects one, they are read individually. */
  batching<Item, Answer>(read: (items: readonly Item[], key: string) => Promise<readonly Answer[]>) {
    const isOfOne = (error: unknown) => error instanceof pg.DatabaseError
    return batchCalls<Item, Answer>(
      (key, items) => withoutContext(() => retryIndividually(items, (some) => read(some, key), isOfOne)),
      BATCH,
    )
  }

  /** A transaction has its own. */
  entities(session: Session): EntityManager {
    return this.#entities.of(session)
  }

  async #runForTenant(tenantId: string, calls: readonly Call[]): Promise<Rows[]> {
    const leave = await this.#semaphore.enter(tenantId)
    try {
      return await this.#sessions.use((connection) => runForTenant(connection, tenantId, calls))
    } finally {
      leave()
    }
  }

  get hasReplica(): boolean {
    return this.#replica !== undefined
  }

  connections(): Readonly<Record<'app' | 'lookup', { open: number; busy: number; waiting: number }>> {
    return { app: this.#app.counts(), lookup: this.#lookupPool.counts() }
  }

  connectionsOf(tenantId: string): number {
    return this.#semaphore.inside(tenantId)
  }

  /** Rejects if neither the primary nor a replica answers reads. */
  async pingReads(): Promise<void> {
    await this.lookup.run(PING)
  }

  /** Queries as both roles; rejects if one fails. */
  async ping(): Promise<void> {
    await Promise.all([this.forTenant(NO_TENANT).run(PING), this.lookup.run(PING)])
  }

  /**
   * Stores a key of the node unless there is one for this purpose. The application's role lacks the privilege: a hijacked statement could
   * otherwise replace the key that signs sessions.
   */
  async addNodeKey(key: {
    purpose: string
    signerKey: string
    publicJwk: object
    certificate?: string
  }): Promise<void> {
    await this.#runAsSigner(
      `insert into node_key (purpose, signer_key, public_jwk, certificate) values ($1, $2, $3, $4) on conflict do nothing`,
      [key.purpose, key.signerKey, JSON.stringify(key.publicJwk), key.certificate ?? null],
    )
  }

  /** Permanently revokes certificates of a seal CA. The application's role lacks the privilege. */
  async addRevocations(
    authority: string,
    of: { fingerprint: string; serials: readonly string[]; revokedAt: Date; reason: string },
  ): Promise<void> {
    await this.#runAsSigner(
      `insert into seal_revocation (authority, serial, fingerprint, revoked_at, reason)
       select $1, s, $2, $4, $5 from unnest($3::text[]) s on conflict do nothing`,
      [authority, of.fingerprint, of.serials, of.revokedAt, of.reason],
    )
  }

  #runAsSigner(text: string, values: unknown[]): Promise<void> {
    return runOnce(this.#signerUrl, { text, values })
  }

  listen(onChange: (name: string) => void, onLost: () => void): Promise<() => Promise<void>> {
    return this.#changes.listen(onChange, onLost)
  }

  /** Takes seconds at most, even if the server does not respond. */
  async close(): Promise<void> {
    await this.#changes.settle()
    await Promise.all([this.#app.close(), this.#lookupPool.close(), this.#replica?.close()])
  }
}

const noAttributes = () => ({})
const lookUpAll = (pool: Pick<ConnectionPool, 'use'>, calls: readonly Call[]): Promise<Rows[]> =>
  pool.use((connection) => retryIfStale(() => connection.batch(calls)))

const sessionOn = (pool: () => Pick<ConnectionPool, 'use'>): Session => ({
  run: async <Row>(statement: Statement, values: readonly unknown[] = []) =>
    (await lookUpAll(pool(), [[statement, values]]))[0] as Row[],
})

/** Statements share round trips; each has its own span. */
const batchedSession = (read: (call: Call) => Promise<Rows>): Session => ({
  run: async <Row>(statement: Statement, values: readonly unknown[] = []) => {
    const call: Call = [statement, values]
    return (await traced(
      'batch',
      'client',
      () => batchAttributes([call]),
      () => read(call),
    )) as Row[]
  },
})

function answerOf<Answer>(answer: Answer | Problem): Answer {
  if (answer instanceof Problem) throw answer
  return answer
}
