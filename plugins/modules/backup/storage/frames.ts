import { UnreadableBackup } from './file.ts'

/** The rows follow in COPY format. */
export interface TableFrame {
  readonly table: string
  /** `jobs`: waiting jobs, one JSON object per row. */
  readonly kind: 'rows' | 'jobs'
  readonly columns: readonly string[]
}

export interface Structure {
  /** Monthly partitions with bounds in UTC. */
  readonly partitions: readonly { readonly parent: string; readonly name: string; readonly bounds: string }[]
}

export interface Ending {
  /** Last number of each used sequence: a bigint, so a string. */
  readonly sequences: Readonly<Record<string, string>>
  readonly tables: number
  readonly rows: number
}

export type Frame =
  | { readonly type: 'structure'; readonly detail: Structure }
  | { readonly type: 'table'; readonly detail: TableFrame }
  | { readonly type: 'data'; readonly data: Buffer }
  | { readonly type: 'rows'; readonly detail: { readonly rows: number } }
  | { readonly type: 'end'; readonly detail: Ending }

const TYPES = ['structure', 'table', 'data', 'rows', 'end'] as const
const MAX_BYTES = 1024 * 1024
const MAX_DATA_BYTES = 128 * 1024

export function* written(frame: Frame): Generator<Buffer> {
  if (frame.type !== 'data') {
    yield* inBytes(frame.type, Buffer.from(JSON.stringify(frame.detail)))
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

/** @throws UnreadableBackup */
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
      yield type === 'data' ? { type, data: content } : ({ type, detail: JSON.parse(content.toString()) } as Frame)
    }
  }
  if (rest.length > 0) throw unknown()
}

const unknown = () =>
  new UnreadableBackup('The backup contains data unknown to this version. Restore it with a newer version.')
