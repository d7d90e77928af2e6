/** Upper bounds in seconds; one more bucket counts longer requests. */
export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const BOUNDS_MS = Float64Array.from(BUCKETS, (seconds) => seconds * 1000)
const WIDTH = BUCKETS.length + 1
/** `none` counts callers that disconnected. */
const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

export class RequestCounter {
  readonly #counts = new Float64Array(STATUS_CLASSES.length * WIDTH)
  readonly #sums = new Float64Array(STATUS_CLASSES.length)

  /** @param status 0 if there was no response */
  observe(status: number, milliseconds: number): void {
    const place = Math.trunc(status / 100)
    let bucket = 0
    while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] as number)) bucket += 1
    const at = place * WIDTH + bucket
    this.#counts[at] = (this.#counts[at] as number) + 1
    this.#sums[place] = (this.#sums[place] as number) + milliseconds
  }

  *classes(): Iterable<{ status: string; counts: readonly number[]; seconds: number }> {
    for (const [place, status] of STATUS_CLASSES.entries()) {
      const counts = Array.from(this.#counts.subarray(place * WIDTH, (place + 1) * WIDTH))
      if (counts.some((count) => count > 0)) yield { status, counts, seconds: (this.#sums[place] as number) / 1000 }
    }
  }
}

const NO_OPERATION = 'none'

/** Plain numbers for speed. */
export class Counters {
  readonly lane = { hit: 0, miss: 0, left: 0, notModified: 0 }
  readonly seals = { made: 0, failed: 0 }
  readonly signatures = { made: 0, failed: 0 }
  readonly timestamps = { granted: 0, failed: 0, omitted: 0 }
  readonly webhookAttempts = { taken: 0, refused: 0, unreachable: 0, nothing: 0, lost: 0 }
  readonly webhookDeliveries = { delivered: 0, failed: 0 }
  readonly auditReads = { written: 0, refused: 0 }
  readonly spans = { sent: 0, lost: 0 }
  readonly #requests = new Map<string, RequestCounter>()

  /** @param operationId from the contract, never from caller input */
  requestsOf(operationId = NO_OPERATION): RequestCounter {
    let counter = this.#requests.get(operationId)
    if (counter === undefined) {
      counter = new RequestCounter()
      this.#requests.set(operationId, counter)
    }
    return counter
  }

  requests(): Iterable<[operationId: string, counter: RequestCounter]> {
    return this.#requests
  }
}
