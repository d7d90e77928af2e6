import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { batchCalls } from '../domain/batching.ts'
import { connectionOptions, runOnce } from './connection.ts'
import { RoleClient } from './role-client.ts'

/** Transactions whose changes share a notification. */
const MAX_TRANSACTIONS = 1000
const SENT_WITHIN_MS = 1500

const NOTIFY = {
  name: 'notify-of-changes',
  text: `select pg_notify('passport_changed', name) from unnest($1::text[]) as name`,
}

/**
 * Uses the role of the job queue, which needs a dedicated session even behind a pooler: LISTEN has no effect on a connection that changes
 * with each transaction.
 */
export class ChangeChannel {
  readonly #url: string
  readonly #log: Logger
  readonly #notify = batchCalls<readonly string[], undefined>((_, changes) => this.#notifyOfAll(changes), {
    maxBatch: MAX_TRANSACTIONS,
  })
  readonly #pending = new Set<Promise<void>>()
  #listener: pg.Client | undefined

  constructor(url: string, log: Logger) {
    this.#url = url
    this.#log = log
  }

  /**
   * @param onChange receives a name, or '' if anything may have changed
   * @param onLost called once if the connection is lost afterwards
   * @returns a function that ends the connection
   */
  async listen(onChange: (name: string) => void, onLost: () => void): Promise<() => Promise<void>> {
    const client = this.#createClient()
    let isListening = false
    const lost = () => {
      if (!isListening) return
      isListening = false
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
    isListening = true
    this.#listener = client
    return () => client.end()
  }

  /** @param names changed passports and units; empty if anything may have changed */
  notify(names: readonly string[]): void {
    const sent: Promise<void> = this.#notify('', names.length === 0 ? [''] : names).finally(() =>
      this.#pending.delete(sent),
    )
    this.#pending.add(sent)
  }

  /** Waits for pending notifications, at most 1.5 s. */
  async settle(): Promise<void> {
    await Promise.race([Promise.all(this.#pending), sleep(SENT_WITHIN_MS, undefined, { ref: false })])
  }

  /** Processes that miss a notification notice the change after a few seconds. */
  async #notifyOfAll(changes: readonly (readonly string[])[]): Promise<undefined[]> {
    const query = { ...NOTIFY, values: [[...new Set(changes.flat())]] }
    try {
      if (this.#listener !== undefined) await this.#listener.query(query)
      // A process that does not listen has no connection.
      else await runOnce(this.#url, query)
    } catch (error) {
      this.#log.warn({ err: error }, 'other processes are not notified of changes; they detect them within seconds')
    }
    return []
  }

  #createClient(): pg.Client {
    return new RoleClient(connectionOptions(this.#url))
  }
}
