import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readHead, type WireRequest } from '../http.ts'
import type { Kind } from './kinds.ts'

const ANSWERS_WITHIN_MS = 30_000
/** Shorter than a server keeps a connection on which nobody asks. */
const KEPT_FOR_MS = 3000
/** How long there is nothing to do for a caller who has nothing to ask for. */
const IDLE_MS = 100
/** A caller who is later than this does not catch up. */
const MAX_LATE_MS = 1000

/** What is told of every request. */
export interface Told {
  answered(kind: Kind, milliseconds: number): void
  failed(kind: Kind, error: Error): void
}

/** Keeps all kinds asked at their rates until `isOver`; each caller has one request at a time. */
export async function keepAsking(
  port: number,
  kinds: readonly Kind[],
  told: Told,
  isOver: () => boolean,
): Promise<void> {
  await Promise.all(kinds.flatMap((kind) => callersOf(port, kind, told, isOver)))
}

function callersOf(port: number, kind: Kind, told: Told, isOver: () => boolean): Promise<void>[] {
  let due = performance.now()
  const caller = async () => {
    const connection = new Connection(port)
    while (!isOver()) {
      const now = performance.now()
      due = Math.max(due + 1000 / kind.perSecond, now - MAX_LATE_MS)
      // No caller sleeps longer than it takes to see that the end has come.
      for (const turn = due; turn > performance.now() && !isOver(); ) {
        await sleep(Math.min(Math.max(turn - performance.now(), 0), IDLE_MS))
      }
      const request = isOver() ? undefined : kind.next()
      if (request === undefined) {
        await sleep(IDLE_MS)
        continue
      }
      const start = performance.now()
      try {
        const { status, body } = await connection.ask(request)
        told.answered(kind, performance.now() - start)
        if (status !== kind.status) throw new Error(`Status ${status} instead of ${kind.status}: ${body.slice(0, 500)}`)
        kind.read?.(body)
      } catch (error) {
        told.failed(kind, error as Error)
      }
    }
    connection.close()
  }
  return Array.from({ length: kind.callers }, caller)
}

/** A connection that is kept alive, and opened anew where it may have been closed. */
class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #usedAt = 0

  constructor(port: number) {
    this.#port = port
  }

  ask(request: WireRequest): Promise<{ status: number; body: string }> {
    if (performance.now() - this.#usedAt > KEPT_FOR_MS) this.close()
    this.#socket ??= this.#open()
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      let bytes: Buffer = Buffer.alloc(0)
      let needed = 0
      const settle = () => {
        socket.off('data', onData).off('error', onError).off('close', onClose)
        this.#usedAt = performance.now()
      }
      const onError = (error: Error) => {
        settle()
        this.close()
        reject(error)
      }
      const onClose = () => onError(new Error('The gateway closed the connection.'))
      const onData = (chunk: Buffer) => {
        bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
        if (bytes.length < needed) return
        try {
          const head = readHead(bytes, 0)
          needed = head === undefined ? 0 : head.bodyStart + head.bodyLength
          if (head === undefined || bytes.length < needed) return
          settle()
          if (head.isLast) this.close()
          resolve({ status: head.status, body: bytes.toString('utf8', head.bodyStart, needed) })
        } catch (error) {
          onError(error as Error)
        }
      }
      socket.on('data', onData).on('error', onError).on('close', onClose)
      socket.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true })
    // What happens between two requests is nobody's error.
    socket.on('error', () => {})
    return socket.setTimeout(ANSWERS_WITHIN_MS, () =>
      socket.destroy(new Error(`No answer for ${ANSWERS_WITHIN_MS / 1000} seconds.`)),
    )
  }
}
