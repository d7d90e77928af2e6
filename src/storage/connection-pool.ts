import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { Connection, connectionOptions } from './connection.ts'
import type { Call, Rows } from './statement.ts'

/** Time for running work to finish when the pool closes. */
const CLOSED_WITHIN_MS = 1500

interface PoolOptions {
  readonly maxConnections: number
  /** Time after which a connection with an unanswered batch is closed. */
  readonly answeredWithinMs: number
  readonly log: Logger
}

export interface PooledConnection {
  batch(calls: readonly Call[]): Promise<Rows[]>
  /** Closes the connection if it is lost or has an open transaction. Further calls have no effect. */
  release(): void
}

/** Connections of one database role. */
export class ConnectionPool {
  readonly #pool: pg.Pool
  /** Release function of the current use, by connection. */
  readonly #connections = new Map<Connection, () => void>()
  readonly #watch: NodeJS.Timeout

  constructor(url: string, { maxConnections, answeredWithinMs, log }: PoolOptions) {
    const connections = this.#connections
    class TrackedConnection extends Connection {
      constructor(options: pg.ClientConfig) {
        super(options)
        connections.set(this, () => {})
        this.once('end', () => {
          connections.get(this)?.()
          connections.delete(this)
        })
      }
    }
    this.#pool = new pg.Pool({
      ...connectionOptions(url),
      max: maxConnections,
      Client: TrackedConnection as unknown as pg.PoolConfig['Client'],
    })
    // An unhandled `error` event would end the process.
    const onError = (error: Error) => log.warn({ err: error }, 'database connection lost')
    this.#pool.on('error', onError)
    this.#pool.on('connect', (client) => client.on('error', onError))
    // A timer per statement, the `query_timeout` of pg, costs a tenth of the statement.
    const watch = () => this.#cut((connection) => connection.waitsLonger(answeredWithinMs))
    this.#watch = setInterval(watch, answeredWithinMs / 7).unref()
  }

  async connect(): Promise<PooledConnection> {
    const client = await this.#pool.connect()
    const connection = client as unknown as Connection
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      client.release(client.getTransactionStatus() !== 'I')
    }
    // A lost connection leaves the pool even if its user never releases it.
    this.#connections.set(connection, release)
    return { batch: (calls) => connection.batch(calls), release }
  }

  async use<T>(work: (connection: PooledConnection) => Promise<T>): Promise<T> {
    const connection = await this.connect()
    try {
      return await work(connection)
    } finally {
      connection.release()
    }
  }

  counts(): { open: number; busy: number; waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool
    return { open, busy: open - idle, waiting }
  }

  /** Takes seconds at most: connections still in use are cut. */
  async close(): Promise<void> {
    clearInterval(this.#watch)
    const ended = this.#pool.end()
    await Promise.race([ended, sleep(CLOSED_WITHIN_MS, undefined, { ref: false })])
    this.#cut(() => true)
    await ended
  }

  #cut(isMeant: (connection: Connection) => boolean): void {
    for (const connection of this.#connections.keys()) if (isMeant(connection)) connection.cut()
  }
}
