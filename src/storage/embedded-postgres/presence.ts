import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Client } from './cluster.ts'

/** Equal in every version of the gateway. */
const PRESENCE_LOCK = 4_457_116

/**
 * Connection that marks this process as a user of the server by a shared advisory lock; the last process gets the exclusive one.
 * Reconnects, because a server recovering from a crashed backend drops every connection.
 */
export class Presence {
  readonly #connect: () => Promise<Client>
  #client: Client | undefined
  #left = false
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(connect: () => Promise<Client>) {
    this.#connect = connect
  }

  static async enter(connect: () => Promise<Client>): Promise<Presence> {
    const presence = new Presence(connect)
    await presence.#enter()
    return presence
  }

  async #enter(): Promise<Client> {
    const client = await this.#connect()
    try {
      await client.query('select pg_advisory_lock_shared($1)', [PRESENCE_LOCK])
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    client.once('end', () => this.#client === client && this.#lost())
    // The connection must not keep this process alive.
    client.unref()
    this.#client = client
    return client
  }

  #lost(): void {
    this.#client = undefined
    setTimeout(() => {
      if (!this.#left && this.#client === undefined) this.#enter().catch(() => this.#lost())
    }, 1_000).unref()
  }

  /** Runs queries one by one: pg deprecates queueing on one client. */
  query<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]> {
    const result = this.#queue.then(() => this.#query<R>(sql, values))
    this.#queue = result.catch(() => {})
    return result
  }

  async #query<R extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<R[]> {
    const client = this.#client ?? (await this.#enter())
    client.ref()
    try {
      return (await client.query<R>(sql, values)).rows
    } finally {
      client.unref()
    }
  }

  async leaveAsLast(): Promise<boolean> {
    this.#left = true
    try {
      return await this.#isLast()
    } catch {
      return false // the next open adopts or replaces an unresponsive server
    } finally {
      this.#client?.ref()
      await this.#client?.end().catch(() => {})
    }
  }

  async #isLast(): Promise<boolean> {
    await this.query('select pg_advisory_unlock_all()')
    const [lock] = await this.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [PRESENCE_LOCK])
    if (!lock?.alone) return false
    // Backends of closed connections take some milliseconds to exit.
    for (const deadline = performance.now() + 500; ; await sleep(25)) {
      const [others] = await this.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      if (others?.count === 0) return true
      if (performance.now() > deadline) return false
    }
  }
}
