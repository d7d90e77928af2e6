import pg from 'pg'
import { serialize } from 'pg-protocol'
import { traced } from '../telemetry/current.ts'
import { bindMessage, LARGE_BYTES, type Wired } from './bind.ts'
import type { Call, Rows } from './statement.ts'

/**
 * SQLSTATEs that say that what the connection has prepared is of no use any more: its result has another form since a
 * migration (0A000, "cached plan must not change result type"), or it is not there (26000).
 */
const STALE = new Set(['0A000', '26000'])

/** Whether a batch failed for what its connection had prepared, which is forgotten by now: it may be sent once more. */
export const isStale = (error: unknown): boolean => STALE.has((error as { code?: string } | null)?.code ?? '')

/**
 * Runs `calls` in one round trip. PostgreSQL takes what stands before one Sync for one transaction, unless one was begun
 * before: an error anywhere undoes all of it, and what `set_config(…, true)` set ends with it (Protocol Flow, 54.2.3 and
 * 54.2.4).
 * @returns the rows of each call, in their order
 * @throws DatabaseError of the first call that failed; nothing of the batch has happened then
 */
export async function sendBatch(client: pg.ClientBase, calls: readonly Call[]): Promise<Rows[]> {
  try {
    return await traced(
      'batch',
      'client',
      () => described(calls),
      () => submitted(client, calls),
    )
  } catch (error) {
    if (isStale(error)) preparedOn(client).clear()
    throw error
  }
}

/** By the names of its statements, which are ours; what they are asked with is nobody's. */
export const described = (calls: readonly Call[]) => ({
  'db.system.name': 'postgresql',
  'db.operation.name': 'BATCH',
  'db.operation.batch.size': calls.length,
  'db.query.summary': calls.map(([{ name }]) => name).join(' '),
})

const submitted = (client: pg.ClientBase, calls: readonly Call[]): Promise<Rows[]> =>
  new Promise((resolve, reject) => {
    const done: Done = (error, rows) => (error === undefined ? resolve(rows) : reject(error))
    client.query(new Batch(calls, preparedOn(client), done) as never)
  })

/** What a connection has prepared: the columns of each statement's rows, by its name. */
type Prepared = Map<string, readonly Column[]>

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

const PREPARED = new WeakMap<pg.ClientBase, Prepared>()

function preparedOn(client: pg.ClientBase): Prepared {
  let prepared = PREPARED.get(client)
  if (prepared === undefined) {
    prepared = new Map()
    PREPARED.set(client, prepared)
  }
  return prepared
}

/** The part of pg's connection that a query writes to. */
interface Wire {
  readonly stream: { write(bytes: Buffer): void; cork(): void; uncork(): void }
}

type Done = (error: Error | undefined, rows: Rows[]) => void

/** A value as pg writes it; not in its types. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): Wired } }).utils

/**
 * A value as it goes over the wire. Arrays are written here, as pg writes them: it looks for what has to be escaped in every
 * element twice, which was a sixth of the gateway's work when a thousand rows come at once.
 */
function parameterOf(value: unknown): Wired {
  if (!Array.isArray(value)) return prepareValue(value)
  const { length } = value
  const written = new Array<string>(length)
  let text: string | undefined
  for (let index = 0; index < length; index += 1) {
    // Most columns of many rows say the same again and again.
    if (index === 0 || value[index] !== value[index - 1]) text = elementOf(value[index])
    if (text === undefined) return prepareValue(value)
    written[index] = text
  }
  return `{${written.join()}}`
}

function elementOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  if (PLAIN.test(value)) return value
  const isPlain = !value.includes('"') && !value.includes('\\')
  return `"${isPlain ? value : value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** What needs no quotes, such as an identifier or a time; `NULL` does. */
const PLAIN = /^(?!null$)[\w.:+-]+$/i

const NO_COLUMNS: readonly Column[] = []
const SYNC = serialize.sync()

/** A query of several statements, as pg takes one that does its own writing and reading (`submit`). */
class Batch {
  readonly #calls: readonly Call[]
  readonly #prepared: Prepared
  readonly #done: Done
  readonly #rows: Rows[]
  /** Columns of the statements that this batch prepares. They count as prepared when all has gone well, and not before. */
  readonly #described = new Map<string, readonly Column[]>()
  #current = 0
  #columns: readonly Column[] | undefined
  #isDone = false

  constructor(calls: readonly Call[], prepared: Prepared, done: Done) {
    this.#calls = calls
    this.#prepared = prepared
    this.#done = done
    this.#rows = calls.map(() => [])
  }

  /** @returns why nothing was sent: half a batch and a Sync would be a transaction of its own */
  submit({ stream }: Wire): Error | null {
    try {
      const messages = [...this.#messages(), SYNC]
      const size = messages.reduce((sum, { length }) => sum + length, 0)
      // One piece for the network, however many messages; a large one is not copied for that.
      if (size < LARGE_BYTES) stream.write(Buffer.concat(messages, size))
      else {
        stream.cork()
        for (const message of messages) stream.write(message)
        stream.uncork()
      }
      return null
    } catch (error) {
      return error as Error
    }
  }

  *#messages(): Iterable<Buffer> {
    for (const [{ name, text }, values] of this.#calls) {
      // What has no name is prepared for this once.
      const isKnown = name !== '' && (this.#prepared.has(name) || this.#described.has(name))
      if (!isKnown) {
        this.#described.set(name, NO_COLUMNS)
        // An earlier batch that failed may have prepared it; to close what is not there is no error (Protocol, 54.2.3).
        yield serialize.close({ type: 'S', name })
        yield serialize.parse({ name, text })
      }
      yield* bindMessage(name, values.map(parameterOf))
      if (!isKnown) yield serialize.describe({ type: 'P' })
      yield serialize.execute()
    }
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }))
    this.#described.set(this.#name(), columns)
    this.#columns = columns
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const name = this.#name()
    this.#columns ??= this.#described.get(name) ?? this.#prepared.get(name) ?? NO_COLUMNS
    const row: Record<string, unknown> = {}
    for (let index = 0; index < this.#columns.length; index += 1) {
      const column = this.#columns[index] as Column
      const text = fields[index] as string | null
      row[column.name] = text === null ? null : column.parse(text)
    }
    this.#rows[this.#current]?.push(row)
  }

  handleCommandComplete(): void {
    this.#current += 1
    this.#columns = undefined
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  /** The first error of the batch is the only one; the server passes over what follows, up to the Sync. */
  handleError(error: Error): void {
    this.#end(error)
  }

  handleReadyForQuery(): void {
    for (const [name, columns] of this.#described) if (name !== '') this.#prepared.set(name, columns)
    this.#end(undefined)
  }

  #name(): string {
    return this.#calls[this.#current]?.[0].name ?? ''
  }

  #end(error: Error | undefined): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#done(error, this.#rows)
  }
}
