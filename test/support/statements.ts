import { openProxy, type ProxiedDatabase } from './faults.ts'

/** A proxy to the database that records statements. */
export interface Wire {
  readonly url: string
  /** Round trips of requests since the last call: statements, including those that begin and end transactions. */
  taken(): { readonly count: number; readonly texts: readonly string[] }
  close(): Promise<void>
}

/** Frontend messages that a server responds to (PostgreSQL, message formats): a simple query, and a Sync. */
const QUERY = 0x51
const PARSE = 0x50
const SYNC = 0x53

/** Counts round trips of the application's and the lookup roles; the job queue polls independently. */
export async function openWire(databaseUrl: string): Promise<Wire> {
  let count = 0
  let texts: string[] = []
  const read = (type: number, body: Buffer) => {
    if (type === QUERY || type === SYNC) count += 1
    if (type === QUERY) texts.push(body.toString().replace(/\0/g, ''))
    if (type === PARSE) texts.push(body.toString().split('\0')[1] ?? '')
    return undefined
  }
  const { url, close } = await openProxy(databaseUrl, () => messagesOf(read))
  return {
    url,
    taken: () => {
      const result = { count, texts }
      count = 0
      texts = []
      return result
    },
    close,
  }
}

/**
 * Splits a connection's bytes into messages; those after the first, which specifies the role, have a type.
 * @param read maps each message of the application's and the lookup roles
 */
function messagesOf(read: (type: number, body: Buffer) => Buffer | undefined): (chunk: Buffer) => Buffer {
  let pending = Buffer.alloc(0)
  let isStarted = false
  let isMeant = false
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    const passed: Buffer[] = []
    for (;;) {
      const head = isStarted ? 1 : 0
      const length = pending.length < head + 4 ? Number.POSITIVE_INFINITY : head + pending.readInt32BE(head)
      if (pending.length < length) return Buffer.concat(passed)
      const message = pending.subarray(0, length)
      if (!isStarted) isMeant = /dpp_(app|lookup)/.test(message.toString())
      const replaced = isStarted && isMeant ? read(message[0] ?? 0, message.subarray(5)) : undefined
      passed.push(replaced ?? message)
      isStarted = true
      pending = pending.subarray(length)
    }
  }
}

/** A proxy to the database that rewrites statements with `rewrite`. */
export function openRewriting(databaseUrl: string, rewrite: (text: string) => string): Promise<ProxiedDatabase> {
  return openProxy(databaseUrl, () =>
    messagesOf((type, body) => {
      if (type !== PARSE) return undefined
      const [name = '', text = ''] = body.toString('latin1').split('\0', 2)
      const rest = body.subarray(name.length + text.length + 2)
      const changed = rewrite(Buffer.from(text, 'latin1').toString())
      const content = Buffer.concat([Buffer.from(`${name}\0${changed}\0`), rest])
      const head = Buffer.alloc(5)
      head[0] = PARSE
      head.writeInt32BE(content.length + 4, 1)
      return Buffer.concat([head, content])
    }),
  )
}
