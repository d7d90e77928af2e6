import { type EntityManager, MikroORM } from '@mikro-orm/postgresql'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { Facility } from '../facilities/entities.ts'
import { AccessGrant } from '../grants/entities.ts'
import { Operator, OperatorBinding } from '../operators/entities.ts'
import { WebhookDelivery, WebhookListener, WebhookSubscription } from '../webhooks/entities.ts'
import { ApiKey, Workspace } from '../workspaces/entities.ts'
import type { Session } from './statement.ts'
import type { Transaction } from './transaction.ts'

const ENTITIES = [
  Workspace,
  ApiKey,
  Operator,
  OperatorBinding,
  Facility,
  AccessGrant,
  WebhookSubscription,
  WebhookDelivery,
  WebhookListener,
]

/** A transaction also queues writes, so that changes of entities share the round trip of the next read or of the commit. */
type EntitySession = Session & Partial<Pick<Transaction, 'write'>>

/** MikroORM without a pool: statements run in the session and transaction of the caller. */
export class Entities {
  readonly #orm = new MikroORM({
    entities: ENTITIES,
    dbName: 'none',
    driverOptions: dialectOf(new DummyDriver()),
    discovery: { checkDuplicateFieldNames: false },
  })

  of(session: EntitySession): EntityManager {
    const em = this.#orm.em.fork()
    em.setTransactionContext(new Kysely({ dialect: dialectOf(new SessionDriver(session)) }))
    return em
  }
}

const dialectOf = (driver: Driver): Dialect => ({
  createDriver: () => driver,
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (database) => new PostgresIntrospector(database),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

class SessionDriver extends DummyDriver {
  readonly #connection: DatabaseConnection

  constructor(session: EntitySession) {
    super()
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => {
        const statement = { name: '', text: sql }
        if (session.write === undefined || hasResult(sql))
          return { rows: await session.run<Row>(statement, parameters) }
        session.write(statement, parameters)
        return { rows: [] }
      },
      streamQuery() {
        throw new Error('Entities are not streamed.')
      },
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
}

/** True for a read, and for a write that returns columns set by the database. */
const hasResult = (sql: string): boolean => !/^(?:insert|update|delete) /.test(sql) || sql.includes(' returning ')
