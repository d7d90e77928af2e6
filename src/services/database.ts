import { type Migration, Migrator } from '@mikro-orm/migrations'
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import type { Logger } from 'pino'
import { Facility, Operator, OperatorBinding } from '../entities/master-data.ts'
import { Passport, PassportHistory } from '../entities/passport.ts'
import { ApiKey, AuditEntry, TenantKey, Workspace } from '../entities/workspace.ts'

const ENTITIES = [
  Workspace,
  ApiKey,
  TenantKey,
  AuditEntry,
  Operator,
  OperatorBinding,
  Facility,
  Passport,
  PassportHistory,
]

export type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration

/**
 * The way to PostgreSQL. Work for a workspace goes through `forTenant`; what must be known before a workspace is known
 * goes through `lookup`. Neither role may bypass row-level security.
 */
export class Database {
  readonly lookup: pg.Pool
  readonly #orm: MikroORM
  readonly #url: string

  constructor({ url, log }: { url: string; log: Logger }) {
    this.#url = url
    this.#orm = new MikroORM({
      entities: ENTITIES,
      clientUrl: url,
      driverOptions: { options: '-c role=dpp_app', application_name: 'dpp-gateway' },
      pool: { min: 0, max: 10 },
      // Names of columns and tables are ours alone; the schema belongs to the migrations.
      discovery: { checkDuplicateFieldNames: false },
      logger: (message) => log.warn(message),
    })
    this.lookup = createPool(url, 'dpp_lookup', 10, log)
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

  /** An EntityManager for the node's own rows; row-level security hides those of every workspace from it. */
  forNode(): EntityManager {
    return this.#orm.em.fork()
  }

  /** A connection of its own that listens to `channel` until `close` is called. */
  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onLost: () => void,
  ): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.#url, options: '-c role=dpp_lookup', keepAlive: true })
    client.on('error', () => onLost())
    client.on('end', () => onLost())
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    return () => client.end()
  }

  async close(): Promise<void> {
    await Promise.all([this.#orm.close(true), this.lookup.end()])
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
export interface Packed {
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

/**
 * A pool that works as `role`. Lost connections are logged: an unhandled `error` of a checked-out client would end the
 * process.
 */
export function createPool(url: string, role: string, max: number, log: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    options: `-c role=${role}`,
    max,
    keepAlive: true,
    application_name: 'dpp-gateway',
    connectionTimeoutMillis: 5000,
  })
  const onError = (error: Error) => log.warn({ err: error }, 'lost a database connection')
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Brings the schema up to date as the login role. Several processes may start at once: one migrates, the others wait.
 * @returns the names of the migrations that ran
 */
export async function migrate(
  url: string,
  migrations: readonly { name: string; class: MigrationClass }[],
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // One number of our own choice; whoever holds the lock migrates.
  await client.query('select pg_advisory_lock(7031)')
  const orm = new MikroORM({
    entities: ENTITIES,
    clientUrl: url,
    extensions: [Migrator],
    migrations: {
      tableName: 'dpp_migration',
      migrationsList: migrations.map(({ name, class: migration }) => ({ name, class: migration })),
      snapshot: false,
    },
    logger: () => {},
  })
  try {
    const ran = await orm.migrator.up()
    return ran.map(({ name }) => name)
  } finally {
    await orm.close(true)
    await client.end()
  }
}
