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
import { Facility, Operator, OperatorBinding } from '../entities/master-data.ts'
import { ApiKey, Workspace } from '../entities/workspace.ts'
import type { Session } from './statement.ts'

const ENTITIES = [Workspace, ApiKey, Operator, OperatorBinding, Facility]

/** MikroORM without a pool: statements run in the session and transaction of the caller. */
export class Entities {
  readonly #orm = new MikroORM({
    entities: ENTITIES,
    dbName: 'none',
    driverOptions: dialectOf(new DummyDriver()),
    discovery: { checkDuplicateFieldNames: false },
  })

  of(session: Session): EntityManager {
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

  constructor(session: Session) {
    super()
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => ({
        rows: await session.run<Row>({ name: '', text: sql }, parameters),
      }),
      streamQuery() {
        throw new Error('Entities are not streamed.')
      },
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
}
