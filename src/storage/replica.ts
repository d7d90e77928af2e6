import type { Logger } from 'pino'
import { ConnectionPool, type PooledConnection } from './connection-pool.ts'
import { isPassing } from './database-errors.ts'
import type { Statement } from './statement.ts'

/** Time without the failed server, in which others do not wait for it. */
const AWAY_MS = 1000

interface PoolOptions {
  readonly answeredWithinMs: number
  readonly maxConnections: number
  readonly log: Logger
}

const WRITTEN: Statement = { name: 'written-until', text: 'select pg_current_wal_lsn()::text as lsn' }
const REPLAYED: Statement = {
  name: 'replayed-until',
  text: 'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isCurrent"',
}

/** Two servers for the same reads: `first`, and `second` while the first does not respond. */
export class EitherPool {
  readonly #pools: readonly [ConnectionPool, ConnectionPool]
  #awayUntil = 0

  constructor(first: ConnectionPool, second: ConnectionPool) {
    this.#pools = [first, second]
  }

  async use<T>(work: (connection: PooledConnection) => Promise<T>): Promise<T> {
    const [first, second] = this.#pools
    if (performance.now() < this.#awayUntil) return second.use(work).catch(() => first.use(work))
    try {
      return await first.use(work)
    } catch (error) {
      if (!isPassing(error)) throw error
      this.#awayUntil = performance.now() + AWAY_MS
      return second.use(work)
    }
  }
}

/** Hot standby: reads of public data, lists and exports. It has the roles of the primary. */
export class Replica {
  readonly lookup: ConnectionPool
  readonly app: ConnectionPool

  constructor(urls: { readonly app: string; readonly lookup: string }, options: PoolOptions) {
    this.lookup = new ConnectionPool(urls.lookup, options)
    this.app = new ConnectionPool(urls.app, options)
  }

  /** True if it has every transaction that committed before; also while the primary does not respond. */
  async isCurrent(primary: ConnectionPool): Promise<boolean> {
    try {
      const [[written] = []] = await primary.use((connection) => connection.batch([[WRITTEN, []]]))
      const [[replayed] = []] = await this.app.use((connection) => connection.batch([[REPLAYED, [written?.lsn]]]))
      return replayed?.isCurrent === true
    } catch (error) {
      return isPassing(error)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.lookup.close(), this.app.close()])
  }
}
