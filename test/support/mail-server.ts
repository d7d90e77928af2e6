import { createServer, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Letter extends Omit<Email, 'sender'> {
  /** Envelope recipients, the only ones that count. */
  readonly recipients: readonly string[]
  readonly sender: string
  readonly raw: string
}

/**
 * Server behaviour: accepts; permanently rejects the recipient; or accepts a message and disconnects before the reply.
 */
type Mode = 'takes' | 'refuses' | 'dies after the message'

/** A local mail server that stores received messages. */
export interface MailServer {
  readonly url: string
  readonly port: number
  readonly letters: Letter[]
  mode: Mode
  next(isIt?: (letter: Letter) => boolean): Promise<Letter>
  close(): Promise<void>
}

/** Greets immediately. The library waits 100 ms for clients that talk too soon. */
class PromptServer extends SMTPServer {
  override connect(...given: Parameters<SMTPServer['connect']>): void {
    const before = new Set(this.connections)
    super.connect(...given)
    for (const connection of this.connections.difference(before)) {
      const greet = connection.connectionReady.bind(connection)
      connection.connectionReady = () => {}
      greet()
    }
  }
}

/** Starts on a given or a random port. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const letters: Letter[] = []
  const seen = new Set<Letter>()
  const waiting = new Set<() => void>()
  const server = new PromptServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo: (address, _session, done) => {
      if (self.mode !== 'refuses') return done()
      done(Object.assign(new Error(`5.1.1 <${address.address}> There is no such mailbox`), { responseCode: 550 }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        letters.push({
          ...(await PostalMime.parse(raw)),
          recipients: rcptTo.map(({ address }) => address),
          sender: mailFrom === false ? '' : mailFrom.address,
          raw: raw.toString(),
        })
        // Other connections may be in use.
        const own = [...sockets].find(({ remotePort }) => remotePort === session.remotePort)
        if (self.mode === 'dies after the message') own?.destroy()
        else done()
        for (const wake of waiting) wake()
        waiting.clear()
      })
    },
  })
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: bound } = server.server.address() as { port: number }
  const self: MailServer = {
    url: `smtp://127.0.0.1:${bound}`,
    port: bound,
    letters,
    mode: 'takes',
    async next(isIt = () => true) {
      for (;;) {
        const letter = letters.find((candidate) => !seen.has(candidate) && isIt(candidate))
        if (letter !== undefined) {
          seen.add(letter)
          return letter
        }
        await new Promise<void>((resolve) => {
          waiting.add(resolve)
        })
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return self
}

/** A server that accepts connections and stays silent. */
export async function startSilentServer(): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
