import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { ask, type BenchRequest, hasCounter, numbered, openAgent } from './http.ts'

const RESPONDS_WITHIN_S = 20
/** Interval at which autocannon checks for the end of a slice. */
const SAMPLE_MS = 20

/** Load without pauses over several connections, each with one request in flight. */
export interface Slice {
  readonly port: number
  /** Sent in turn, distributed over the connections. */
  readonly requests: readonly BenchRequest[]
  readonly connections: number
  /** Index of the request that is sent first; wraps around. */
  readonly first: number
  /** A slice of a time aborts the requests in flight at its end; a slice of a number completes all. */
  readonly limit: { readonly seconds: number } | { readonly count: number }
  /** Expected status; any other fails the slice. */
  readonly status: number
}

export interface SliceResult {
  /** Completed requests. */
  readonly requests: number
  /** From the start to the last response. */
  readonly seconds: number
}

/** One request again and again over one connection, with a pause after each response. */
export interface Probe {
  readonly port: number
  readonly request: BenchRequest
  readonly pauseMs: number
  readonly seconds: number
  readonly status: number
}

export interface ProbeResult {
  readonly longestMs: number
}

/** Message to the load generator, which runs in a separate process. */
export type LoadTask = { readonly slice: Slice } | { readonly probe: Probe }

/** Reply of the load generator. */
export type LoadReply = { readonly result: SliceResult | ProbeResult } | { readonly error: string }

let counter = 0

async function runSlice({ port, requests, first, connections, limit, status }: Slice): Promise<SliceResult> {
  const shares = sharesOf(requests, first, connections)
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${port}`,
    connections,
    timeout: RESPONDS_WITHIN_S,
    sampleInt: SAMPLE_MS,
    bailout: 1,
    ...('count' in limit ? { amount: limit.count } : { duration: limit.seconds }),
    setupClient: (client) => client.setRequests(shares.shift() ?? []),
  }
  let [started, ended] = [0, 0]
  const {
    errors,
    statusCodeStats,
    requests: sent,
  } = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error, result) => (error === null ? resolve(result) : reject(error)))
    running.on('start', () => {
      started = performance.now()
    })
    running.on('response', (_client, received) => {
      ended = performance.now()
      if (received !== status) running.stop()
    })
  })
  const received = Object.entries(statusCodeStats ?? {})
  if (errors > 0 || received.some(([code]) => Number(code) !== status)) {
    const counts = received.map(([code, { count }]) => `${count} of status ${code}`)
    throw new Error(`Only status ${status} is expected: ${[...counts, `${errors} connection errors`].join(', ')}.`)
  }
  if ('count' in limit && sent.total !== limit.count) throw new Error(`${sent.total} of ${limit.count} responses.`)
  return { requests: sent.total, seconds: (ended - started) / 1000 }
}

/** Distributes the requests over the connections in turn; with fewer requests than connections, each sends all. */
function sharesOf(requests: readonly BenchRequest[], first: number, connections: number): autocannon.Request[][] {
  const start = first % requests.length
  const rotated = [...requests.slice(start), ...requests.slice(0, start)]
  return Array.from({ length: connections }, (_, connection) =>
    rotated.filter((_, index) => requests.length < connections || index % connections === connection).map(toRequest),
  )
}

/** Copies the request, because autocannon stores its bytes in it. */
const toRequest = (request: BenchRequest): autocannon.Request => ({
  ...request,
  ...(hasCounter(request) && {
    setupRequest: (built: autocannon.Request) => {
      counter += 1
      return { ...built, ...numbered(request, counter) }
    },
  }),
})

async function runProbe({ port, request, pauseMs, seconds, status }: Probe): Promise<ProbeResult> {
  const agent = openAgent()
  const end = performance.now() + seconds * 1000
  let longestMs = 0
  try {
    while (performance.now() < end) {
      const start = performance.now()
      const answer = await ask(port, request, agent)
      longestMs = Math.max(longestMs, performance.now() - start)
      if (answer.status !== status) throw new Error(`Status ${answer.status} instead of ${status}: ${answer.body}`)
      await sleep(pauseMs)
    }
    return { longestMs }
  } finally {
    agent.destroy()
  }
}

process.on('message', (task: LoadTask) => {
  const running = 'slice' in task ? runSlice(task.slice) : runProbe(task.probe)
  running.then(
    (result) => process.send?.({ result } satisfies LoadReply),
    (error: Error) => process.send?.({ error: error.message } satisfies LoadReply),
  )
})
// Ends with its parent, even if that was killed.
process.on('disconnect', () => process.exit(0))
