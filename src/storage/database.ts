import { setTimeout as sleep } from 'node:timers/promises'
import { type Migration, Migrator } from '@mikro-orm/migrations'
import {
  type Configuration,
  type EntityManager,
  MikroORM,
  PostgreSqlConnection,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql'
import pg from 'pg'
import type { Logger } from 'pino'
import { PLANS } from '../domain/plans.ts'
import { Facility, Operator, OperatorBinding } from '../entities/master-data.ts'
import { ApiKey, Workspace } from '../entities/workspace.ts'
import { ensureRoles, type RoleUrls, withRoleNames } from './database-roles.ts'
import { Turnstile } from './turnstile.ts'

const ENTITIES = [Workspace, ApiKey, Operator, OperatorBinding, Facility]

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration

/** Connections of the application in one process; and how many of them one workspace may have, so that none waits for another. */
const APP_CONNECTIONS = 16
export const WORKSPACE_CONNECTIONS = APP_CONNECTIONS / 2
const LOOKUP_CONNECTIONS = 10
const ACQUIRED_WITHIN_MS = 5000
/** Above the `statement_timeout` of the roles: for a server that does not even say that time is up. */
const ANSWERED_WITHIN_MS = 35_000
const CLOSED_WITHIN_MS = 1500
/** Stands for no workspace. */
const NO_TENANT = '00000000-0000-0000-0000-000000000000'

/**
 * The way to PostgreSQL. Work for a workspace goes through `forTenant`; what must be known before a workspace is known
 * goes through `lookup`. Each has a login role of its own, and neither may bypass row-level security.
 */
export class Database {
  readonly lookup: pg.Pool
  /** The connections of `forTenant`; absent until the first is needed. */
  app: pg.Pool | undefined
  readonly #orm: MikroORM
  readonly #urls: RoleUrls
  readonly #watch: NodeJS.Timeout

  /** `answeredWithin`: milliseconds after which a connection that owes an answer is given up. */
  constructor({
    urls,
    log,
    answeredWithin = ANSWERED_WITHIN_MS,
  }: { urls: RoleUrls; log: Logger; answeredWithin?: number }) {
    this.#urls = urls
    this.#orm = new MikroORM({
      entities: ENTITIES,
      clientUrl: urls.app,
      driver: FairDriver,
      driverOptions: {
        ...poolOptions(urls.app, APP_CONNECTIONS),
        onPoolCreated: (pool: pg.Pool) => {
          this.app = pool
        },
      },
      // Names of columns and tables are ours alone; the schema belongs to the migrations.
      discovery: { checkDuplicateFieldNames: false },
      logger: (message) => log.warn(message),
    })
    this.lookup = createPool(urls.lookup, LOOKUP_CONNECTIONS, log)
    // One timer for all: one of its own for each statement, as pg has it, costs a tenth of the statement.
    const watch = () => this.#cut((client) => client.waitsLonger(answeredWithin))
    this.#watch = setInterval(watch, answeredWithin / 7).unref()
  }

  /**
   * An EntityManager whose every statement runs in a transaction that names this workspace, which row-level security
   * then enforces. It keeps an identity map, so take a new one for each unit of work.
   */
  forTenant(tenantId: string): EntityManager {
    const em = this.#orm.em.fork()
    em.setSessionContext({ variables: { 'app.tenant': tenantId } })
    return em
  }

  /** How many connections work for this workspace at the moment. */
  connectionsOf(tenantId: string): number {
    return (this.#orm.driver as FairDriver).connection.turnstile.inside(tenantId)
  }

  /** Asks both ways that a write goes; rejects when one does not answer. */
  async ping(): Promise<void> {
    await Promise.all([this.forTenant(NO_TENANT).execute('select 1'), this.lookup.query('select 1')])
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
    const client = new pg.Client(clientOptions(this.#urls.signer))
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(
        `insert into node_key (purpose, signer_key, public_jwk, certificate) values ($1, $2, $3, $4) on conflict do nothing`,
        [key.purpose, key.signerKey, JSON.stringify(key.publicJwk), key.certificate ?? null],
      )
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** A connection of its own that listens to `channel` until `close` is called. */
  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onLost: () => void,
  ): Promise<() => Promise<void>> {
    const client = new pg.Client(clientOptions(this.#urls.lookup))
    client.on('error', () => onLost())
    client.on('end', () => onLost())
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    return () => client.end()
  }

  /** Ends within seconds, also where the server is silent: what is still at work by then is cut off. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    const ended = Promise.all([this.#orm.close(true), this.lookup.end()])
    await Promise.race([ended, sleep(CLOSED_WITHIN_MS, undefined, { ref: false })])
    this.#cut(() => true)
    await ended
  }

  #cut(isMeant: (client: PooledClient) => boolean): void {
    for (const client of [...clientsOf(this.app), ...clientsOf(this.lookup)]) if (isMeant(client)) client.cut()
  }
}

/** Transactions pass a turnstile under the name of their workspace, the same by which row-level security knows it. */
class FairConnection extends PostgreSqlConnection {
  readonly turnstile = new Turnstile({ places: WORKSPACE_CONNECTIONS, mostWaiting: 200, mostMilliseconds: 10_000 })
  readonly #leaving = new WeakMap<object, () => void>()

  override async begin(options: Parameters<PostgreSqlConnection['begin']>[0] = {}) {
    // A savepoint has its connection already.
    if (options.ctx !== undefined) return super.begin(options)
    const leave = await this.turnstile.enter(String(options.sessionContext?.variables?.['app.tenant'] ?? NO_TENANT))
    try {
      const transaction = await super.begin(options)
      this.#leaving.set(transaction, leave)
      return transaction
    } catch (error) {
      leave()
      throw error
    }
  }

  override async commit(...[transaction, ...rest]: Parameters<PostgreSqlConnection['commit']>): Promise<void> {
    // One that fails is rolled back.
    await super.commit(transaction, ...rest)
    this.#leaving.get(transaction)?.()
  }

  override async rollback(...[transaction, ...rest]: Parameters<PostgreSqlConnection['rollback']>): Promise<void> {
    try {
      await super.rollback(transaction, ...rest)
    } finally {
      this.#leaving.get(transaction)?.()
    }
  }
}

class FairDriver extends PostgreSqlDriver {
  override readonly connection: FairConnection

  constructor(config: Configuration) {
    super(config)
    this.connection = new FairConnection(config)
  }
}

/** pg-pool keeps them to itself; those that are still connecting count too. */
const clientsOf = (pool: pg.Pool | undefined): readonly PooledClient[] =>
  (pool as unknown as { _clients: PooledClient[] } | undefined)?._clients ?? []

type Release = (error?: Error | boolean) => void

/**
 * A connection that leaves its pool by itself when it is lost. Whoever has taken it out may never give it back: Kysely
 * releases the connection of a transaction only after a commit or rollback that succeeds, which on a lost connection
 * neither can.
 */
class PooledClient extends pg.Client {
  #release: Release | undefined
  #askedAt = 0

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.once('end', () => this.release(new Error('The connection is lost.')))
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

/** What MikroORM works with inside a transaction (Kysely), as far as it is needed here. */
interface Transaction {
  executeQuery(query: object): Promise<{ readonly rows: readonly unknown[] }>
}

/**
 * Runs one statement with parameters `$1` … in the transaction of `tx`. For large values: MikroORM's own `execute`
 * writes values into the text, which took three times as long for the rows of a bulk.
 */
export async function executeWithParameters<Row>(
  tx: EntityManager,
  text: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const transaction = tx.getTransactionContext<never>() as unknown as Transaction | undefined
  if (transaction === undefined) throw new Error('This statement belongs in a transaction.')
  const query = { sql: text, parameters, query: { kind: 'RawNode' }, queryId: { queryId: 'dpp' } }
  return [...(await transaction.executeQuery(query)).rows] as Row[]
}

/** Texts as parameters of one statement, taken apart by `convert_from(substr(bytes, start, length), 'UTF8')`. */
interface Packed {
  readonly bytes: Buffer
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
}

/** Many texts as one value that goes over the wire as it is: an array or JSON would be quoted here and parsed there. */
export function pack(texts: readonly (string | Buffer)[]): Packed {
  const buffers = texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text))
  const lengths = buffers.map(({ length }) => length)
  let next = 1
  const starts = lengths.map((length) => {
    const start = next
    next += length
    return start
  })
  return { bytes: Buffer.concat(buffers), starts, lengths }
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
  const onError = (error: Error) => log.warn({ err: error }, 'lost a database connection')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Makes the roles and brings the schema up to date as the owner, who is not needed afterwards. Several processes may
 * start at once: one does it, the others wait.
 * @param finish what the owner does last, while the others still wait
 * @returns the way in for each role, and the names of the migrations that ran
 * @throws ConfigError where the owner may not make roles, or MASTER_KEY is not the one in use
 */
export async function prepareDatabase(
  url: string,
  masterKey: string,
  migrations: readonly { name: string; class: MigrationClass }[],
  finish: (owner: pg.Client) => Promise<void> = async () => {},
): Promise<{ urls: RoleUrls; migrated: string[] }> {
  const client = new pg.Client({ connectionString: url, application_name: 'dpp-gateway migration' })
  client.on('error', () => {})
  await client.connect()
  try {
    // One number of our own choice; whoever holds the lock migrates.
    await client.query('select pg_advisory_lock(7031)')
    const urls = await ensureRoles(client, url, masterKey)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const migrated = await migrate(url, rows[0]?.name ?? '', migrations)
    await finish(client)
    return { urls, migrated }
  } finally {
    await client.end()
  }
}

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

async function migrate(
  url: string,
  database: string,
  migrations: readonly { name: string; class: MigrationClass }[],
): Promise<string[]> {
  const orm = new MikroORM({
    entities: ENTITIES,
    clientUrl: url,
    // Read by pg itself, which knows all that such an address may say.
    driverOptions: { connectionString: url, application_name: 'dpp-gateway migration' },
    extensions: [Migrator],
    migrations: {
      tableName: 'dpp_migration',
      migrationsList: migrations.map(({ name, class: migration }) => ({
        name,
        class: inDatabase(migration, database),
      })),
      snapshot: false,
    },
    logger: () => {},
  })
  try {
    const ran = await orm.migrator.up()
    return ran.map(({ name }) => name)
  } finally {
    await orm.close(true)
  }
}

/** The migration with this database's names of the roles: none can be written that forgets them. */
function inDatabase(migration: MigrationClass, database: string): MigrationClass {
  const Given = migration as unknown as new (...args: unknown[]) => { addSql(sql: unknown): void }
  class InDatabase extends Given {
    override addSql(sql: unknown): void {
      super.addSql(typeof sql === 'string' ? withRoleNames(sql, database) : sql)
    }
  }
  return InDatabase as unknown as MigrationClass
}
