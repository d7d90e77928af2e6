import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Client } from './cluster.ts'

/** Any number will do as long as every version of the gateway uses the same. */
const PRESENCE_LOCK = 4_457_116

/**
 * A connection that says "this process uses the server", for a connection pool may be empty at any moment. It holds a
 * shared advisory lock; who gets the exclusive one is the last. A lost connection is made anew, because a server that
 * recovers from a crashed backend drops every connection and goes on.
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
    // The server outlives this process anyway, so the connection must not keep a process alive that is done.
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

  /** One after the other: pg deprecates queueing queries on one client. */
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

  /** Gives up the presence. True when nobody else is left and the server may be stopped. */
  async leaveAsLast(): Promise<boolean> {
    this.#left = true
    try {
      return await this.#isLast()
    } catch {
      return false // a server that does not answer is not ours to stop; the next open adopts or replaces it
    } finally {
      this.#client?.ref()
      await this.#client?.end().catch(() => {})
    }
  }

  async #isLast(): Promise<boolean> {
    await this.query('select pg_advisory_unlock_all()')
    const [lock] = await this.query<{ alone: boolean }>('select pg_try_advisory_lock($1) as alone', [PRESENCE_LOCK])
    if (!lock?.alone) return false
    // The backends of connections that this process closed a moment ago take some milliseconds to go.
    for (const deadline = performance.now() + 500; ; await sleep(25)) {
      const [others] = await this.query<{ count: number }>(
        `select count(*)::int from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      if (others?.count === 0) return true
      if (performance.now() > deadline) return false
    }
  }
}
