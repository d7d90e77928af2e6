import { UnreadableBackup } from './file.ts'

/** A table that is kept: its rows come behind it, as COPY writes them. */
export interface TableFrame {
  readonly table: string
  /** Whose it is: ours, or the waiting jobs, each of which is an object of JSON. */
  readonly kind: 'rows' | 'jobs'
  readonly columns: readonly string[]
}

/** What is not a row. */
export interface Structure {
  /** Partitions by month, each with the expression of its bounds (UTC). */
  readonly partitions: readonly { readonly parent: string; readonly name: string; readonly bounds: string }[]
}

/** The last that is said. */
export interface Ending {
  /** The last number of each sequence that has given one; of a bigint, so in letters. */
  readonly sequences: Readonly<Record<string, string>>
  readonly tables: number
  readonly rows: number
}

/** What a back-up consists of, in this order: its structure, tables with their data, its end. */
export type Frame =
  | { readonly type: 'structure'; readonly said: Structure }
  | { readonly type: 'table'; readonly said: TableFrame }
  | { readonly type: 'data'; readonly data: Buffer }
  | { readonly type: 'rows'; readonly said: { readonly rows: number } }
  | { readonly type: 'end'; readonly said: Ending }

const TYPES = ['structure', 'table', 'data', 'rows', 'end'] as const
const MAX_BYTES = 1024 * 1024
const MAX_DATA_BYTES = 128 * 1024

/** A frame in bytes: its type, its length, and what it says. */
export function* written(frame: Frame): Generator<Buffer> {
  if (frame.type !== 'data') {
    yield* inBytes(frame.type, Buffer.from(JSON.stringify(frame.said)))
    return
  }
  for (let at = 0; at < frame.data.length; at += MAX_DATA_BYTES) {
    yield* inBytes('data', frame.data.subarray(at, at + MAX_DATA_BYTES))
  }
}

function* inBytes(type: Frame['type'], content: Buffer): Generator<Buffer> {
  if (content.length > MAX_BYTES) throw new RangeError(`A frame of ${content.length} bytes is too long.`)
  const head = Buffer.alloc(5)
  head.writeUInt8(TYPES.indexOf(type))
  head.writeUInt32BE(content.length, 1)
  yield head
  yield content
}

/**
 * The frames that are in these bytes.
 * @throws UnreadableBackup for bytes that are none
 */
export async function* readFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of bytes) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part])
    for (;;) {
      if (rest.length < 5) break
      const type = TYPES[rest.readUInt8()]
      const length = rest.readUInt32BE(1)
      if (type === undefined || length > MAX_BYTES) throw unknown()
      if (rest.length < 5 + length) break
      const content = rest.subarray(5, 5 + length)
      rest = rest.subarray(5 + length)
      yield type === 'data' ? { type, data: content } : ({ type, said: JSON.parse(content.toString()) } as Frame)
    }
  }
  if (rest.length > 0) throw unknown()
}

const unknown = () => new UnreadableBackup('The back-up has something in it that this version does not know.')
