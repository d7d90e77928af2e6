import { connect } from 'node:net'
import { COUNTER, readHead, type WireRequest } from './http.ts'

/** One slice of load: `connections` callers, each with one request in flight, walking over `requests` together. */
export interface Slice {
  readonly port: number
  readonly requests: readonly WireRequest[]
  readonly connections: number
  /** Where in `requests` the walk begins. */
  readonly first: number
  /** The slice ends after this time, or after `count` requests. */
  readonly seconds: number
  readonly count?: number
  /** How long each caller waits after an answer. */
  readonly pauseMs?: number
  /** The only status that is not an error. */
  readonly status: number
  /** First number to put in place of the counter; numbers from here on are not given again. */
  readonly counter: number
}

export interface SliceResult {
  readonly requests: number
  readonly seconds: number
  /** The longest time between a request and the last byte of its answer. */
  readonly longestMs: number
}

/** What the child sends back. */
export type LoadReply = { readonly result: SliceResult } | { readonly error: string }

/**
 * The load generator, a process of its own. It writes prepared bytes to raw sockets, because a full HTTP client costs
 * more than the servers that it is to keep busy.
 */
function run(slice: Slice): Promise<SliceResult> {
  const { port, requests, first, connections, seconds, count, status, counter, pauseMs } = slice
  // One character per byte, which is the cheapest to write.
  const parts = requests.map((request) => Buffer.from(request).toString('latin1').split(COUNTER))
  const walk = count ?? Number.POSITIVE_INFINITY
  let sent = 0
  let done = 0
  let longestMs = 0
  const nextRequest = (): string => {
    const pieces = parts[(first + sent) % parts.length] as string[]
    const number = String(counter + sent).padStart(COUNTER.length, '0')
    sent += 1
    return pieces.length === 1 ? (pieces[0] as string) : pieces.join(number)
  }
  const start = performance.now()
  const deadline = start + seconds * 1000

  const caller = () =>
    new Promise<void>((resolve, reject) => {
      let head = Buffer.alloc(0)
      let missing = 0
      let asked = 0
      const socket = connect({ host: '127.0.0.1', port, noDelay: true })
      const fail = (error: Error) => {
        socket.destroy()
        reject(error)
      }
      const next = () => {
        if (sent >= walk || performance.now() >= deadline) {
          socket.end()
          resolve()
        } else {
          asked = performance.now()
          socket.write(nextRequest(), 'latin1')
        }
      }
      socket.setTimeout(20_000, () => fail(new Error('No answer for 20 seconds.')))
      socket.on('error', fail)
      socket.on('close', () => reject(new Error('The server closed a connection.')))
      socket.on('connect', next)
      socket.on('data', (chunk) => {
        if (missing > 0) {
          missing -= chunk.length
        } else {
          const bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk])
          try {
            const answer = readHead(bytes, 0)
            if (answer === undefined) {
              head = bytes
              return
            }
            if (answer.status !== status) {
              return fail(new Error(`Status ${answer.status} instead of ${status}: ${bytes.toString().slice(0, 900)}`))
            }
            head = Buffer.alloc(0)
            missing = answer.bodyStart + answer.bodyLength - bytes.length
          } catch (error) {
            return fail(error as Error)
          }
        }
        if (missing > 0) return
        if (missing < 0) return fail(new Error('More bytes than the answer has.'))
        done += 1
        longestMs = Math.max(longestMs, performance.now() - asked)
        if (pauseMs === undefined) next()
        else setTimeout(next, pauseMs)
      })
    })

  return Promise.all(Array.from({ length: connections }, caller)).then(() => ({
    requests: done,
    longestMs,
    seconds: (performance.now() - start) / 1000,
  }))
}

process.on('message', (slice: Slice) => {
  run(slice).then(
    (result) => process.send?.({ result } satisfies LoadReply),
    (error: Error) => process.send?.({ error: error.message } satisfies LoadReply),
  )
})
// The parent's end is the child's end, however the parent ended.
process.on('disconnect', () => process.exit(0))
