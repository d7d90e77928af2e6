import { openProxy } from './faults.ts'

/** A way to the database that tells what went through it. */
export interface Wire {
  /** The database's URL, by this way. */
  readonly url: string
  /** Round trips of the gateway's requests since the last call: statements, with those that begin and end transactions. */
  taken(): { readonly count: number; readonly texts: readonly string[] }
  close(): Promise<void>
}

/** Frontend messages after which a server answers (PostgreSQL, message formats): a simple query, and a Sync. */
const QUERY = 0x51
const PARSE = 0x50
const SYNC = 0x53

/** Counts what the application's and the look-up's roles send; the job queue asks at times of its own. */
export async function openWire(databaseUrl: string): Promise<Wire> {
  let count = 0
  let texts: string[] = []
  const read = (type: number, body: Buffer) => {
    if (type === QUERY || type === SYNC) count += 1
    if (type === QUERY) texts.push(body.toString().replace(/\0/g, ''))
    if (type === PARSE) texts.push(body.toString().split('\0')[1] ?? '')
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

/** Takes a connection's bytes apart into messages, of which those after the first, which names the role, have a type. */
function messagesOf(read: (type: number, body: Buffer) => void): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0)
  let isStarted = false
  let isCounted = false
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (pending.length < head + 4) return
      const length = head + pending.readInt32BE(head)
      if (pending.length < length) return
      const message = pending.subarray(0, length)
      if (!isStarted) isCounted = /dpp_(app|lookup)/.test(message.toString())
      else if (isCounted) read(message[0] ?? 0, message.subarray(5))
      isStarted = true
      pending = pending.subarray(length)
    }
  }
}
