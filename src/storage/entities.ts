import { isRaw, type RawQueryFragment } from '@mikro-orm/core'
import {
  type Configuration,
  type EntityManager,
  MikroORM,
  PostgreSqlConnection,
  PostgreSqlDriver,
} from '@mikro-orm/postgresql'
import { Facility, Operator, OperatorBinding } from '../entities/master-data.ts'
import { ApiKey, Workspace } from '../entities/workspace.ts'
import type { Session } from './statement.ts'

const ENTITIES = [Workspace, ApiKey, Operator, OperatorBinding, Facility]

/** MikroORM without connections of its own: what it asks goes through the session of whoever asks it. */
export class Entities {
  readonly #orm = new MikroORM({
    entities: ENTITIES,
    // It is never connected to.
    dbName: 'none',
    driver: SessionDriver,
    // Names of columns and tables are ours alone; the schema belongs to the migrations.
    discovery: { checkDuplicateFieldNames: false },
  })

  /** An EntityManager in `session`. It keeps an identity map; what is changed is written by its `flush`. */
  of(session: Session): EntityManager {
    const em = this.#orm.em.fork()
    em.setTransactionContext(session as never)
    return em
  }
}

/** Sends values as parameters, where MikroORM itself would write them into the text. */
class SessionConnection extends PostgreSqlConnection {
  override async execute<T>(
    ...[given, values = [], method = 'all', session]: Parameters<PostgreSqlConnection['execute']>
  ): Promise<T> {
    if (session === undefined) throw new Error('Entities are read and written in a session.')
    const { sql, params } = typeof given === 'string' ? { sql: given, params: values } : rawOf(given)
    const { text, parameters } = numbered(sql, params as readonly unknown[])
    const rows = await (session as unknown as Session).run<object>({ name: '', text }, parameters)
    return this.transformRawResult({ rows }, method)
  }
}

const rawOf = (query: { toRaw(): RawQueryFragment } | RawQueryFragment): RawQueryFragment =>
  'toRaw' in query ? query.toRaw() : query

/**
 * The text with `$1` … for each `?`, of which a list takes one for each of its values.
 * @throws Error for what MikroORM may put in place of a value and these entities have no need of
 */
function numbered(sql: string, params: readonly unknown[]): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const left = [...params]
  if (/\\\?|\?\?/.test(sql)) throw new Error(`This query has more than values in it: ${sql}`)
  const text = sql.replaceAll('?', () => {
    const values = [left.shift()].flat()
    if (values.some(isRaw)) throw new Error(`This query has SQL in place of a value: ${sql}`)
    return values.map((value) => `$${parameters.push(value)}`).join()
  })
  return { text, parameters }
}

class SessionDriver extends PostgreSqlDriver {
  override readonly connection: SessionConnection

  constructor(config: Configuration) {
    super(config)
    this.connection = new SessionConnection(config)
  }
}
