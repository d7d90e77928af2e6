import { Socket } from 'node:net'
import type pg from 'pg'
import { traced } from '../telemetry/current.ts'
import { RoleClient } from './role-client.ts'
import type { Call, Rows } from './statement.ts'
import { wireValue } from './wire-values.ts'

const CONNECTED_WITHIN_MS = 5000

export const connectionOptions = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'dpp-gateway',
  keepAlive: true,
  connectionTimeoutMillis: CONNECTED_WITHIN_MS,
})

/** SQLSTATE duplicate_prepared_statement: a pooler without support for names changed the server connection (PgBouncer before 1.21). */
const DUPLICATE = '42P05'
/**
 * SQLSTATEs of a stale prepared statement: a migration changed its columns (0A000, "cached plan must not change result type"), or a pooler
 * changed the server connection (26000).
 */
const STALE: ReadonlySet<unknown> = new Set(['0A000', '26000', DUPLICATE])

const isStale = (error: unknown): boolean => STALE.has((error as { code?: unknown } | null)?.code)

/** `work` must begin its own transaction. */
export const retryIfStale = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error) => {
    if (isStale(error)) return work()
    throw error
  })

/** Part of statement names, so that every connection prepares stale statements again. */
let generation = 0
/** False behind a pooler without support for named statements. */
let areNamed = true

function preparedName(name: string): string {
  if (name === '' || !areNamed) return ''
  return generation === 0 ? name : `${name} ${generation}`
}

type Query = string | (pg.QueryConfig & { queryMode: 'extended' })

/** The mode `extended` makes the server reject texts of several statements. */
const toQuery = ([{ name, text, isPrepared }, values]: Call): Query =>
  isPrepared === false ? text : { name: preparedName(name), text, values: values.map(wireValue), queryMode: 'extended' }

type Result = pg.QueryResult | pg.QueryResult[]

const rowsOf = (result: Result): Rows => (Array.isArray(result) ? result[0] : result)?.rows ?? []

/** Names of statements, never values. */
export const batchAttributes = (calls: readonly Call[]) => ({
  'db.system.name': 'postgresql',
  'db.operation.name': 'BATCH',
  'db.operation.batch.size': calls.length,
  'db.query.summary': calls.map(([{ name }]) => name).join(' '),
})

/** Runs a statement on its own connection, for a role without a pool. */
export async function runOnce(url: string, query: pg.QueryConfig): Promise<void> {
  const client = new RoleClient(connectionOptions(url))
  try {
    await client.connect()
    await client.query(query)
  } finally {
    await client.end().catch(() => {})
  }
}

type Chunks = Parameters<NonNullable<Socket['_writev']>>[0]

/** Sends what was written while corked as one buffer: the kernel takes longer for dozens of small ones. */
class JoinedSocket extends Socket {
  override _writev(chunks: Chunks, done: (error?: Error | null) => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer' as BufferEncoding, done)
  }
}

/** Connection in pipeline mode: the statements of a batch are sent without waiting for the results of earlier ones. */
export class Connection extends RoleClient {
  readonly #socket: Socket
  /** By `performance.now`. */
  #sentAt: number | undefined

  constructor(options: pg.ClientConfig) {
    const socket = new JoinedSocket()
    super({ ...options, pipeline: true, stream: () => socket })
    this.#socket = socket
  }

  /**
   * Sends statements in one round trip. Each is a transaction unless the batch or an earlier one begins one; then an error makes the
   * server reject the remaining statements and roll back at `commit`.
   * @returns the rows of each statement
   * @throws DatabaseError of the first failed statement
   */
  batch(calls: readonly Call[]): Promise<Rows[]> {
    return traced(
      'batch',
      'client',
      () => batchAttributes(calls),
      () => this.#send(calls),
    )
  }

  async #send(calls: readonly Call[]): Promise<Rows[]> {
    // Values that cannot be sent throw before the first statement is sent.
    const queries = calls.map(toQuery)
    const sentIn = generation
    this.#sentAt = performance.now()
    try {
      return await new Promise<Rows[]>((resolve, reject) => this.#submit(queries, resolve, reject))
    } catch (error) {
      if ((error as { code?: string }).code === DUPLICATE) areNamed = false
      if (isStale(error) && sentIn === generation) generation += 1
      throw error
    } finally {
      this.#sentAt = undefined
    }
  }

  #submit(queries: readonly Query[], resolve: (rows: Rows[]) => void, reject: (error: Error) => void): void {
    const rows: Rows[] = queries.map(() => [])
    let unanswered = queries.length
    let failure: Error | undefined
    const onAnswer = (index: number) => (error: Error | null, result: Result) => {
      if (error === null) rows[index] = rowsOf(result)
      else failure ??= error
      unanswered -= 1
      if (unanswered > 0) return
      if (failure === undefined) resolve(rows)
      else reject(failure)
    }
    // One system call for all statements.
    this.#socket.cork()
    try {
      for (const [index, query] of queries.entries()) this.query(query as string, onAnswer(index) as never)
    } finally {
      this.#socket.uncork()
    }
  }

  waitsLonger(milliseconds: number): boolean {
    return this.#sentAt !== undefined && performance.now() - this.#sentAt > milliseconds
  }

  /** Unanswered statements fail; the server gets no notice. */
  cut(): void {
    this.#socket.destroy()
  }
}
