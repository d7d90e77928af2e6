/** Connections cache the plan under the unique name, unless it is empty. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** False for a text without parameters, such as `begin`. If it has several statements, the result is that of the first. */
  readonly isPrepared?: false
}

export type Call = readonly [statement: Statement, values: readonly unknown[]]

export type Rows = Record<string, unknown>[]

export interface Session {
  /**
   * Statements queued together share a round trip and a transaction, in order.
   * @throws DatabaseError of the first failed statement; the transaction is rolled back then
   */
  run<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

/** ISO 8601 in UTC; `column` is trusted SQL, never input. */
export const iso = (column: string): string => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

type Send = (calls: readonly Call[]) => Promise<readonly Rows[]>

interface Waiting {
  readonly call: Call
  /** Absent if no caller awaits the rows. */
  readonly asker?: { resolve(rows: Rows): void; reject(error: unknown): void }
}

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

  /**
   * Queues a call whose rows are not needed.
   * @returns a function that is true once it was sent
   */
  add(call: Call): () => boolean {
    const added = { call }
    this.#waiting.push(added)
    return () => !this.#waiting.includes(added)
  }

  /** Removes and returns the unsent calls; rejects their callers with `reason`. */
  take(reason: unknown): Call[] {
    const taken = this.#waiting
    this.#waiting = []
    for (const { asker } of taken) asker?.reject(reason)
    return taken.map(({ call }) => call)
  }

  /** @throws the error if no caller awaits it */
  async flush(): Promise<void> {
    this.#isFlushing = false
    const sent = this.#waiting
    if (sent.length === 0) return
    this.#waiting = []
    try {
      const rows = await this.#send(sent.map(({ call }) => call))
      for (const [index, { asker }] of sent.entries()) asker?.resolve(rows[index] as Rows)
    } catch (error) {
      const awaited = sent.filter(({ asker }) => asker !== undefined)
      for (const { asker } of awaited) asker?.reject(error)
      if (awaited.length === 0) throw error
    }
  }
}
