import { openProxy, type ProxiedDatabase } from './faults.ts'

/** A proxy to the database that records statements. */
export interface Wire {
  readonly url: string
  /**
   * Round trips of requests since the last call; statements sent before the first response are one. Texts include
   * statements that begin and end transactions.
   */
  taken(): { readonly count: number; readonly texts: readonly string[] }
  close(): Promise<void>
}

/** Frontend messages that a server responds to (PostgreSQL, message formats): a simple query, and a Sync. */
const QUERY = 0x51
const PARSE = 0x50
const SYNC = 0x53
/** True for start-up messages of the application and lookup roles. */
const isOfGateway = (startup: string) => /dpp_(app|lookup)/.test(startup)
/** The server's last message for each. */
const READY_FOR_QUERY = 0x5a

/** Counts round trips of the application's and the lookup roles; the job queue polls independently. */
export async function openWire(databaseUrl: string): Promise<Wire> {
  let count = 0
  let texts: string[] = []
  const { url, close } = await openProxy(databaseUrl, () => {
    let unanswered = 0
    let isCounted = false
    const read = (type: number, body: Buffer) => {
      if (type === QUERY) texts.push(body.toString().replace(/\0/g, ''))
      if (type === PARSE) texts.push(body.toString().split('\0')[1] ?? '')
      if (type !== QUERY && type !== SYNC) return undefined
      if (!isCounted) count += 1
      isCounted = true
      unanswered += 1
      return undefined
    }
    const onStart = () => {
      if (unanswered === 0) isCounted = false
    }
    return {
      sent: messagesOf({ read, onStart, isMeant: isOfGateway }),
      received: messagesOf({
        read: (type) => {
          if (type === READY_FOR_QUERY && unanswered > 0) unanswered -= 1
          return undefined
        },
      }),
    }
  })
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

interface Reader {
  /** Receives the type and the body of each message; returns a message to send in its place. */
  read(type: number, body: Buffer): Buffer | undefined
  /** Called for each chunk that begins with a message. */
  onStart?(): void
  /** Only for bytes of the client, whose first message has no type: true for connections to read. */
  isMeant?(startup: string): boolean
}

/** Splits the bytes of one direction into messages. */
function messagesOf({ read, onStart, isMeant }: Reader): (chunk: Buffer) => Buffer {
  let pending = Buffer.alloc(0)
  let isStarted = isMeant === undefined
  let isRead = isStarted
  return (chunk) => {
    if (pending.length === 0) onStart?.()
    pending = Buffer.concat([pending, chunk])
    const passed: Buffer[] = []
    for (;;) {
      const head = isStarted ? 1 : 0
      const length = pending.length < head + 4 ? Number.POSITIVE_INFINITY : head + pending.readInt32BE(head)
      if (pending.length < length) return Buffer.concat(passed)
      const message = pending.subarray(0, length)
      if (!isStarted) isRead = isMeant?.(message.toString()) === true
      const replaced = isStarted && isRead ? read(message[0] ?? 0, message.subarray(5)) : undefined
      passed.push(replaced ?? message)
      isStarted = true
      pending = pending.subarray(length)
    }
  }
}

/** A proxy to the database that rewrites statements with `rewrite`. */
export function openRewriting(databaseUrl: string, rewrite: (text: string) => string): Promise<ProxiedDatabase> {
  return openProxy(databaseUrl, () => ({
    sent: messagesOf({
      read: (type, body) => {
        if (type !== PARSE) return undefined
        const [name = '', text = ''] = body.toString('latin1').split('\0', 2)
        const rest = body.subarray(name.length + text.length + 2)
        const changed = rewrite(Buffer.from(text, 'latin1').toString())
        const content = Buffer.concat([Buffer.from(`${name}\0${changed}\0`), rest])
        const head = Buffer.alloc(5)
        head[0] = PARSE
        head.writeInt32BE(content.length + 4, 1)
        return Buffer.concat([head, content])
      },
      isMeant: isOfGateway,
    }),
  }))
}
