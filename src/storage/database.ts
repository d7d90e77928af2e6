import { setTimeout as sleep } from 'node:timers/promises'
import { type Migration, Migrator } from '@mikro-orm/migrations'
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'
import { batchCalls, retryIndividually } from '../domain/batching.ts'
import { KeyedSemaphore } from '../domain/keyed-semaphore.ts'
import { PLANS } from '../domain/plans.ts'
import { Problem } from '../domain/problem.ts'
import { dictionary } from '../domain/record.ts'
import { forNobody, thisOccasion, traced } from '../telemetry/current.ts'
import { described, isStale, sendBatch } from './batch.ts'
import { isUndone } from './database-errors.ts'
import { ensureRoles, type RoleUrls, withRoleNames } from './database-roles.ts'
import { Entities } from './entities.ts'
import { RoleClient } from './role-client.ts'
import { type Call, CallQueue, type Rows, type Session, type Statement } from './statement.ts'
import { type BatchedRequest, type Shared, type SharedWork, sendFor, Transaction } from './transaction.ts'

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration

/** A migration with its name, which says whether it has run. */
export interface NamedMigration {
  readonly name: string
  readonly class: MigrationClass
}

interface PrepareOptions {
  /** What the owner does last, while other processes still wait. */
  readonly finish?: (owner: pg.Client) => Promise<void>
  /** The key that `masterKey` replaces: roles that go by it are left as they are. */
  readonly formerKey?: string | undefined
  /** Takes messages about the progress of migrations. */
  readonly say?: (message: string) => void
}

/** Connections of the application in one process; and how many of them one workspace may have, so that none waits for another. */
const APP_CONNECTIONS = 16
export const WORKSPACE_CONNECTIONS = APP_CONNECTIONS / 2
const LOOKUP_CONNECTIONS = 10
const ACQUIRED_WITHIN_MS = 5000
/** Above the `statement_timeout` of the roles: for a server that does not even say that time is up. */
const ANSWERED_WITHIN_MS = 35_000
const CLOSED_WITHIN_MS = 1500
/** For whoever starts, and can say what is wrong. */
const CONNECTED_WITHIN_MS = 10_000
/**
 * Whoever changes a table waits for those who read it, and everybody else waits behind: so a migration waits for a moment only,
 * and comes back, until a back-up that reads everything is made.
 */
const LOCKED_WITHIN_MS = 2000
const LOCK_AGAIN_MS = 2000
const MAX_LOCK_ATTEMPTS = 60
const LOCK_NOT_AVAILABLE = '55P03'
/** A migration that only databases from before the first release have. */
const BEFORE_RELEASE = 'core/20261121-core'
/** Milliseconds between two messages about the progress of migrations. */
const PROGRESS_MS = 5000
/**
 * Requests that share a round trip or a transaction, of which as many documents are in memory; one that hangs keeps others
 * waiting for so many milliseconds.
 */
const BRIEFLY = { most: 16, patience: 20 }
/** Transactions whose changes are told in one go. */
const MAX_TOLD = 1000
/** Stands for no workspace. */
const NO_TENANT = '00000000-0000-0000-0000-000000000000'

/** Where changes are told; each process listens there. No name means that everything may have changed. */
const TELL = {
  name: 'tell',
  text: `select pg_notify('passport_changed', name) from unnest($1::text[]) as name`,
}
const PING: Statement = { name: 'ping', text: 'select 1' }

/**
 * The way to PostgreSQL. Work for a workspace goes through `forTenant` and `transaction`; what must be known before a
 * workspace is known goes through `lookup`. Each has a login role of its own, and neither may bypass row-level security.
 */
export class Database {
  /** Each statement in a round trip and a transaction of its own: its callers share nothing. */
  readonly lookup: Session = { run: (statement, values = []) => this.#lookUp([statement, values]) }
  /**
   * The same for what finds few rows by their key: what several requests ask at once shares a round trip. Each is read after it was
   * asked for, and fails alone.
   */
  readonly batchedLookup: Session = batchedSession((call) => this.#lookUpTogether('', call))
  readonly #app: pg.Pool
  readonly #lookupPool: pg.Pool
  readonly #turnstile: KeyedSemaphore
  readonly #entities = new Entities()
  readonly #urls: RoleUrls
  readonly #watch: NodeJS.Timeout
  readonly #log: Logger
  readonly #tell = batchCalls<readonly string[], undefined>((_, changes) => this.#tellAll(changes), { most: MAX_TOLD })
  readonly #lookUpTogether = batchCalls<Call, Rows>(
    (_, calls) => ofSeveral(calls, (some) => this.#lookUpAll(some)),
    BRIEFLY,
  )
  readonly #readTogether = batchCalls<Call, Rows>(
    (tenantId, calls) => ofSeveral(calls, (some) => this.#sendFor(tenantId, some)),
    BRIEFLY,
  )
  readonly #telling = new Set<Promise<void>>()
  #listener: pg.Client | undefined

  /**
   * @param answeredWithin milliseconds after which a connection that owes an answer is given up
   * @param connectionWait milliseconds that a transaction waits for one of the connections of its workspace
   */
  constructor({
    urls,
    log,
    answeredWithin = ANSWERED_WITHIN_MS,
    connectionWait,
  }: { urls: RoleUrls; log: Logger; answeredWithin?: number; connectionWait: number }) {
    this.#turnstile = new KeyedSemaphore({
      places: WORKSPACE_CONNECTIONS,
      mostWaiting: 200,
      mostMilliseconds: connectionWait,
    })
    this.#urls = urls
    this.#log = log
    this.#app = createPool(urls.app, APP_CONNECTIONS, log)
    this.#lookupPool = createPool(urls.lookup, LOOKUP_CONNECTIONS, log)
    // One timer for all: one of its own for each statement, as pg has it, costs a tenth of the statement.
    const watch = () => this.#cut((client) => client.waitsLonger(answeredWithin))
    this.#watch = setInterval(watch, answeredWithin / 7).unref()
  }

  /** A session of this workspace, which row-level security enforces; each go of it is a transaction of its own. */
  forTenant(tenantId: string): Session {
    return new CallQueue((calls) => this.#sendFor(tenantId, calls))
  }

  /** What finds few rows by their key, for this workspace, which row-level security enforces: see {@link batchedLookup}. */
  batchedFor(tenantId: string): Session {
    return batchedSession((call) => this.#readTogether(tenantId, call))
  }

  /**
   * Runs `work` in a transaction of this workspace, and commits it; undoes it when `work` throws. What was prepared for it
   * may turn out to be stale: then it is run once more.
   */
  transaction<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#inTurn(tenantId, () => inItsSpan(() => this.#transact(tenantId, work)))
  }

  /**
   * Work of which what several requests of a workspace ask at once is done in one transaction, which takes little more than that
   * of one of them. Where it fails all of it is undone, and each is done alone.
   */
  shared<Item, Answer>(work: SharedWork<Item, Answer>): Shared<Item, Answer> {
    const transact = (tenantId: string, asked: readonly BatchedRequest<Item>[]) => {
      const [first, ...others] = asked
      const occasion = first === undefined || others.length > 0 ? forNobody : first.on
      return occasion(() => this.#inTurn(tenantId, () => this.#transact(tenantId, (tx) => work(tx, asked))))
    }
    const together = batchCalls<BatchedRequest<Item>, Answer | Problem>(
      (tenantId, asked) => retryIndividually(asked, (some) => transact(tenantId, some), isUndone),
      BRIEFLY,
    )
    return {
      together: (tenantId, item) =>
        inItsSpan(async () => answered(await together(tenantId, { item, on: thisOccasion() }))),
      within: async (tx, item) => answered((await work(tx, [{ item, on: (then) => then() }]))[0] as Answer | Problem),
    }
  }

  async #inTurn<T>(tenantId: string, transact: () => Promise<T>): Promise<T> {
    const leave = await this.#turnstile.enter(tenantId)
    try {
      return await transact().catch((error) => {
        if (isStale(error)) return transact()
        throw error
      })
    } finally {
      leave()
    }
  }

  async #transact<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const tx = new Transaction(tenantId, {
      connect: () => this.#app.connect(),
      entities: (session) => this.entities(session),
      tell: (names) => this.#tellOf(names),
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

  /** Entities of master data and administration, read through `session`; a transaction has its own. */
  entities(session: Session): EntityManager {
    return this.#entities.of(session)
  }

  async #sendFor(tenantId: string, calls: readonly Call[]): Promise<Rows[]> {
    const leave = await this.#turnstile.enter(tenantId)
    try {
      return await inPool(this.#app, (client) => sendFor(client, tenantId, calls))
    } finally {
      leave()
    }
  }

  async #lookUp<Row>(call: Call): Promise<Row[]> {
    const [rows] = await this.#lookUpAll([call])
    return rows as Row[]
  }

  #lookUpAll(calls: readonly Call[]): Promise<Rows[]> {
    return inPool(this.#lookupPool, (client) =>
      sendBatch(client, calls).catch((error) => {
        if (isStale(error)) return sendBatch(client, calls)
        throw error
      }),
    )
  }

  /** The connections of each role: how many there are, how many of them are at work, and how many requests wait for one. */
  connections(): Readonly<Record<'app' | 'lookup', { open: number; busy: number; waiting: number }>> {
    const countsOf = ({ totalCount: open, idleCount: idle, waitingCount: waiting }: pg.Pool) => {
      return { open, busy: open - idle, waiting }
    }
    return { app: countsOf(this.#app), lookup: countsOf(this.#lookupPool) }
  }

  /** How many connections work for this workspace at the moment. */
  connectionsOf(tenantId: string): number {
    return this.#turnstile.inside(tenantId)
  }

  /** Asks both ways that a write goes; rejects when one does not answer. */
  async ping(): Promise<void> {
    await Promise.all([this.forTenant(NO_TENANT).run(PING), this.lookup.run(PING)])
  }

  /**
   * Stores a key of the node itself, unless there is one for this purpose. The application's role may not, or whoever
   * found a way into its statements could name the key that sessions are signed with.
   */
  async addNodeKey(key: {
    purpose: string
    signerKey: string
    publicJwk: object
    certificate?: string
  }): Promise<void> {
    await this.#asSigner(
      `insert into node_key (purpose, signer_key, public_jwk, certificate) values ($1, $2, $3, $4) on conflict do nothing`,
      [key.purpose, key.signerKey, JSON.stringify(key.publicJwk), key.certificate ?? null],
    )
  }

  /** Revokes certificates of a seal CA for good, those that are not yet; the application's role may not. */
  async addRevocations(
    authority: string,
    of: { fingerprint: string; serials: readonly string[]; revokedAt: Date; reason: string },
  ): Promise<void> {
    await this.#asSigner(
      `insert into seal_revocation (authority, serial, fingerprint, revoked_at, reason)
       select $1, s, $2, $4, $5 from unnest($3::text[]) s on conflict do nothing`,
      [authority, of.fingerprint, of.serials, of.revokedAt, of.reason],
    )
  }

  async #asSigner(text: string, values: unknown[]): Promise<void> {
    const client = new RoleClient(clientOptions(this.#urls.signer))
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(text, values)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /**
   * A connection of its own that hears of changes until what is answered is called. It is the job queue's role, which a pooler has
   * to give sessions anyway: whoever gets another connection for each transaction hears nothing. One that cannot hear is ended.
   * @param onLost is called once, where a connection is lost that has heard
   */
  async listen(onChange: (name: string) => void, onLost: () => void): Promise<() => Promise<void>> {
    const client = new RoleClient(clientOptions(this.#urls.jobs))
    let hears = false
    const lost = () => {
      if (!hears) return
      hears = false
      if (this.#listener === client) this.#listener = undefined
      onLost()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => onChange(payload ?? ''))
    try {
      await client.connect()
      await client.query('listen passport_changed')
    } catch (error) {
      void client.end().catch(() => {})
      throw error
    }
    hears = true
    this.#listener = client
    return () => client.end()
  }

  #tellOf(names: readonly string[]): void {
    const telling: Promise<void> = this.#tell('', names.length === 0 ? [''] : names).finally(() =>
      this.#telling.delete(telling),
    )
    this.#telling.add(telling)
  }

  /** Tells of changes of many transactions at once. Who does not hear of them notices after a few seconds. */
  async #tellAll(changes: readonly (readonly string[])[]): Promise<undefined[]> {
    const told = { ...TELL, values: [[...new Set(changes.flat())]] }
    try {
      if (this.#listener !== undefined) await this.#listener.query(told)
      else await this.#tellAlone(told)
    } catch (error) {
      this.#log.warn({ err: error }, 'other processes are not notified of changes; they detect them within seconds')
    }
    return []
  }

  /** From a process that does not listen. */
  async #tellAlone(told: pg.QueryConfig): Promise<void> {
    const client = new RoleClient(clientOptions(this.#urls.jobs))
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(told)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Ends within seconds, also where the server is silent: what is still at work by then is cut off. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    await Promise.race([Promise.all(this.#telling), sleep(CLOSED_WITHIN_MS, undefined, { ref: false })])
    const ended = Promise.all([this.#app.end(), this.#lookupPool.end()])
    await Promise.race([ended, sleep(CLOSED_WITHIN_MS, undefined, { ref: false })])
    this.#cut(() => true)
    await ended
  }

  #cut(isMeant: (client: PooledClient) => boolean): void {
    for (const client of [...clientsOf(this.#app), ...clientsOf(this.#lookupPool)]) if (isMeant(client)) client.cut()
  }
}

/** A session whose statements go with others; each tells a trace of its own. */
const batchedSession = (read: (call: Call) => Promise<Rows>): Session => ({
  run: async <Row>(statement: Statement, values: readonly unknown[] = []) => {
    const call: Call = [statement, values]
    return (await traced(
      'batch',
      'client',
      () => described([call]),
      () => read(call),
    )) as Row[]
  },
})

function answered<Answer>(answer: Answer | Problem): Answer {
  if (answer instanceof Problem) throw answer
  return answer
}

const inItsSpan = <T>(transact: () => Promise<T>) => traced('transaction', 'internal', () => ({}), transact)

/** Sends calls of several requests together, for none of them. */
const ofSeveral = (calls: readonly Call[], send: (calls: readonly Call[]) => Promise<readonly Rows[]>) =>
  // Where the server is not there, nobody is.
  forNobody(() => retryIndividually(calls, send, (error) => error instanceof pg.DatabaseError))

/** Takes a connection for `work`, and gives it back; one that is lost leaves the pool by itself. */
async function inPool<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

/** pg-pool keeps them to itself; those that are still connecting count too. */
const clientsOf = (pool: pg.Pool): readonly PooledClient[] => (pool as unknown as { _clients: PooledClient[] })._clients

type Release = (error?: Error | boolean) => void

/** A connection that leaves its pool by itself when it is lost, and is then given back by nobody. */
class PooledClient extends RoleClient {
  #release: Release | undefined
  #askedAt = 0

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.once('end', () => this.release(new Error('The database connection was lost.')))
  }

  /** Set by the pool each time that it hands this connection out; good for one call, and more do nothing. */
  set release(release: Release) {
    this.#release = release
  }

  get release(): Release {
    return (error) => {
      const release = this.#release
      this.#release = undefined
      release?.(error)
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: passes on whatever pg takes.
  override query(config: any, values?: any, callback?: any): any {
    this.#askedAt = performance.now()
    return super.query(config, values, callback)
  }

  /** Whether the server has owed an answer for longer than so many milliseconds. */
  waitsLonger(milliseconds: number): boolean {
    const { readyForQuery } = this as unknown as { readyForQuery: boolean | null }
    return readyForQuery === false && performance.now() - this.#askedAt > milliseconds
  }

  /** Closes the socket without a word. */
  cut(): void {
    ;(this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}

const clientOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'dpp-gateway',
  keepAlive: true,
  connectionTimeoutMillis: ACQUIRED_WITHIN_MS,
})

const poolOptions = (url: string, max: number): pg.PoolConfig => ({
  ...clientOptions(url),
  max,
  Client: PooledClient as unknown as pg.PoolConfig['Client'],
})

/** A pool. Lost connections are logged: an unhandled `error` of a checked-out client would end the process. */
function createPool(url: string, max: number, log: Logger): pg.Pool {
  const pool = new pg.Pool(poolOptions(url, max))
  const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Makes the roles and brings the schema up to date as the owner, who is not needed afterwards. Several processes may
 * start at once: one does it, the others wait.
 * @returns the way in for each role, and the names of the migrations that ran
 * @throws ConfigError where the owner may not make roles, or MASTER_KEY is not the one in use
 */
export async function prepareDatabase(
  url: string,
  masterKey: string,
  migrations: readonly NamedMigration[],
  { finish = async () => {}, formerKey, say = () => {} }: PrepareOptions = {},
): Promise<{ urls: RoleUrls; migrated: string[] }> {
  const client = await connectAsOwner(url)
  try {
    // One number of our own choice; whoever holds the lock migrates.
    await client.query('select pg_advisory_lock(7031)')
    const urls = await ensureRoles(client, url, { masterKey, formerKey })
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const missing = await missingIn(client, migrations)
    const isMigrated = missing.length === 0
    if (!isMigrated) say(`Migrating the database (pending migrations: ${missing.length}) …`)
    const migrated = isMigrated ? [] : await migrate(url, rows[0]?.name ?? '', migrations, say)
    await finish(client)
    return { urls, migrated }
  } catch (error) {
    throw isDenied(error) ? notOwner(error) : error
  } finally {
    await client.end()
  }
}

/** @throws ConfigError where the database is not reached, with what to do; never with the address, which holds a password */
export async function connectAsOwner(url: string): Promise<pg.Client> {
  let place = 'the server'
  try {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'dpp-gateway migration',
      connectionTimeoutMillis: CONNECTED_WITHIN_MS,
    })
    place = `${client.host}:${client.port}`
    client.on('error', () => {})
    await client.connect()
    return client
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const advice =
      ADVICE[code] ?? ADVICE[code.slice(0, 2)] ?? (/password must be a string/.test(message) ? NO_PASSWORD : '')
    throw new ConfigError(
      `DATABASE_URL: PostgreSQL at ${place} cannot be reached: ${message || code}. ${advice}`.trimEnd(),
      { cause: error },
    )
  }
}

const NO_PASSWORD = 'Add the password to the address: postgres://user:password@host:5432/database'

/** What to do about a connection that fails, by code or class of SQLSTATE (PostgreSQL, appendix A) or code of sockets. */
const ADVICE = dictionary<string>({
  ECONNREFUSED: 'Start the server, or correct host and port.',
  ENOTFOUND: 'Correct the host.',
  EAI_AGAIN: 'Correct the host, or the DNS configuration of this machine.',
  ETIMEDOUT: 'Correct host and port, or open the firewall for this machine.',
  ERR_INVALID_URL: 'Percent-encode special characters in user and password.',
  '28': 'Correct user and password, or allow the user in pg_hba.conf.',
  '3D': 'Create the database, owned by that user: create database … owner …',
  '53': 'Increase max_connections, or close other connections.',
  '57': 'PostgreSQL is starting or stopping. Restart the gateway later.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Set its certificate authority: ?sslrootcert=FILE&sslmode=verify-full',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Set its certificate: ?sslrootcert=FILE&sslmode=verify-full',
})

/** Whether PostgreSQL has refused a statement of the owner for want of a right. */
function isDenied(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof ConfigError) && (error as { code?: string }).code === '42501'
}

const notOwner = (cause: Error) =>
  new ConfigError(
    `DATABASE_URL: the user does not have the rights that the gateway needs: ${cause.message}. As a superuser run: ` +
      'alter database <that database> owner to <that user>',
    { cause },
  )

/** The database holds workspaces to what their plan includes, and is told so by whoever starts. */
export async function tellPlans(client: pg.Client): Promise<void> {
  const plans = Object.entries(PLANS)
  await client.query(
    `insert into plan as p (name, storage_limit, row_limit) select * from unnest($1::text[], $2::bigint[], $3::bigint[])
     on conflict (name) do update set storage_limit = excluded.storage_limit, row_limit = excluded.row_limit
     where (p.storage_limit, p.row_limit) is distinct from (excluded.storage_limit, excluded.row_limit)`,
    [
      plans.map(([name]) => name),
      plans.map(([, { storageLimit }]) => storageLimit),
      plans.map(([, { rowLimit }]) => rowLimit),
    ],
  )
}

/**
 * Migrations that have not run. If there are none, the migrator need not be loaded.
 * @throws ConfigError if the database is older than the first release
 */
async function missingIn(client: pg.Client, migrations: readonly NamedMigration[]): Promise<readonly NamedMigration[]> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('dpp_migration') is not null as "isThere"`,
  )
  if (rows[0]?.isThere !== true) return migrations
  const ran = await client.query<{ name: string }>('select name from dpp_migration')
  const names = new Set(ran.rows.map(({ name }) => name))
  if (names.has(BEFORE_RELEASE)) {
    throw new ConfigError(
      'DATABASE_URL: this database is older than 1.15.0, the first release, and cannot be migrated. Use an empty database,  ' +
        'or an empty DATA_DIR.',
    )
  }
  return migrations.filter(({ name }) => !names.has(name))
}

async function migrate(
  url: string,
  database: string,
  migrations: readonly NamedMigration[],
  say: (message: string) => void,
): Promise<string[]> {
  let toldAt = Date.now()
  const onStart = (name: string) => {
    if (Date.now() - toldAt < PROGRESS_MS) return
    toldAt = Date.now()
    say(`… ${name}`)
  }
  const orm = new MikroORM({
    // Those that do the migrating have no need to know them.
    entities: [],
    discovery: { warnWhenNoEntities: false },
    clientUrl: url,
    // Read by pg itself, which knows all that such an address may say.
    driverOptions: { connectionString: url, application_name: 'dpp-gateway migration' },
    extensions: [Migrator],
    migrations: {
      tableName: 'dpp_migration',
      migrationsList: migrations.map(({ name, class: migration }) => ({
        name,
        class: inDatabase(migration, database, () => onStart(name)),
      })),
      snapshot: false,
    },
    logger: () => {},
  })
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const ran = await orm.migrator.up()
        return ran.map(({ name }) => name)
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
        if (attempt === MAX_LOCK_ATTEMPTS) throw inUse(error)
      }
      await sleep(LOCK_AGAIN_MS)
    }
  } finally {
    await orm.close(true)
  }
}

const inUse = (cause: unknown) =>
  new ConfigError(
    'DATABASE_URL: the tables cannot be changed, because a long-running transaction has been reading them for minutes.  ' +
      'Find it in pg_stat_activity, end it, and start again.',
    { cause },
  )

/** The migration with this database's names of the roles, and a bound on its waiting: none can be written that forgets them. */
function inDatabase(migration: MigrationClass, database: string, onStart: () => void): MigrationClass {
  const Given = migration as unknown as new (
    ...args: unknown[]
  ) => {
    addSql(sql: unknown): void
    up(): void | Promise<void>
  }
  class InDatabase extends Given {
    override up(): void | Promise<void> {
      onStart()
      this.addSql(`set local lock_timeout = '${LOCKED_WITHIN_MS}ms'`)
      return super.up()
    }

    override addSql(sql: unknown): void {
      super.addSql(typeof sql === 'string' ? withRoleNames(sql, database) : sql)
    }
  }
  return InDatabase as unknown as MigrationClass
}
