/** A statement with parameters `$1` …, by a name of its own: connections keep its plan under that name. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** A statement with the values of its parameters. */
export type Call = readonly [statement: Statement, values: readonly unknown[]]

/** What one call gave. */
export type Rows = Record<string, unknown>[]

/** What statements run in. */
export interface Session {
  /**
   * Runs a statement. Those that one session is asked for in one go share a round trip and a transaction, in their order;
   * then all of them fail with the first.
   * @throws DatabaseError of the first statement that failed; nothing of the transaction has happened then
   */
  run<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

/** A timestamp as ISO 8601 in UTC, as SQL; the column is our own and never input. */
export const iso = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Sends calls in one round trip and one transaction; @returns the rows of each */
type Send = (calls: readonly Call[]) => Promise<readonly Rows[]>

interface Waiting {
  readonly call: Call
  /** Absent where nobody waits for its rows. */
  readonly asker?: { resolve(rows: Rows): void; reject(error: unknown): void }
}

/** Gathers what is asked for in one go, and sends that together. */
export class CallQueue implements Session {
  readonly #send: Send
  #waiting: Waiting[] = []
  #isFlushing = false

  constructor(send: Send) {
    this.#send = send
  }

  run<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      this.#waiting.push({ call: [statement, values], asker: { resolve: resolve as (rows: Rows) => void, reject } })
      if (this.#isFlushing) return
      this.#isFlushing = true
      queueMicrotask(() => void this.flush())
    })
  }

  /** Adds a call whose rows nobody asks for; it goes with the next that is run. @returns whether it has been sent */
  add(call: Call): () => boolean {
    const added = { call }
    this.#waiting.push(added)
    return () => !this.#waiting.includes(added)
  }

  /** What has not been sent yet; it is the caller's from now on, and whoever waits for it is told `reason`. */
  take(reason: unknown): Call[] {
    const taken = this.#waiting
    this.#waiting = []
    for (const { asker } of taken) asker?.reject(reason)
    return taken.map(({ call }) => call)
  }

  /** Sends what has not been sent yet. @throws what it failed with, where nobody waits who could be told */
  async flush(): Promise<void> {
    this.#isFlushing = false
    const sent = this.#waiting
    if (sent.length === 0) return
    this.#waiting = []
    try {
      const rows = await this.#send(sent.map(({ call }) => call))
      for (const [index, { asker }] of sent.entries()) asker?.resolve(rows[index] as Rows)
    } catch (error) {
      const asked = sent.filter(({ asker }) => asker !== undefined)
      for (const { asker } of asked) asker?.reject(error)
      if (asked.length === 0) throw error
    }
  }
}
