/** Seconds up to which a request counts into each bucket; what takes longer counts into one more. */
export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const BOUNDS_MS = Float64Array.from(BUCKETS, (seconds) => seconds * 1000)
const WIDTH = BUCKETS.length + 1
/** Of statuses; the first is for callers who left before there was an answer. */
const STATUS_CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** Requests of one operation by the class of their status: how many took how long. */
export class RequestCounter {
  /** For each class so many buckets; a request is counted in one of them. */
  readonly #counts = new Float64Array(STATUS_CLASSES.length * WIDTH)
  readonly #sums = new Float64Array(STATUS_CLASSES.length)

  /** @param status 0 where there was no answer */
  observe(status: number, milliseconds: number): void {
    const place = Math.trunc(status / 100)
    let bucket = 0
    while (bucket < BOUNDS_MS.length && milliseconds > (BOUNDS_MS[bucket] as number)) bucket += 1
    const at = place * WIDTH + bucket
    this.#counts[at] = (this.#counts[at] as number) + 1
    this.#sums[place] = (this.#sums[place] as number) + milliseconds
  }

  /** What was counted of each class that there was: in each bucket, and all seconds together. */
  *classes(): Iterable<{ status: string; counts: readonly number[]; seconds: number }> {
    for (const [place, status] of STATUS_CLASSES.entries()) {
      const counts = Array.from(this.#counts.subarray(place * WIDTH, (place + 1) * WIDTH))
      if (counts.some((count) => count > 0)) yield { status, counts, seconds: (this.#sums[place] as number) / 1000 }
    }
  }
}

/** Requests that no operation answers. */
const NO_OPERATION = 'none'

/**
 * What is counted while the gateway works: plain numbers, since whoever counts is in a hurry. They are counted whether or not
 * somebody asks for them, and `src/telemetry/exposition.ts` hands them over when somebody does.
 */
export class Counters {
  /** What became of requests that the public lane understood; `left` to the pipeline, which words what there is to say. */
  readonly lane = { hit: 0, miss: 0, left: 0, notModified: 0 }
  readonly seals = { made: 0, failed: 0 }
  readonly signatures = { made: 0, failed: 0 }
  /** `omitted` while the authority is left alone. */
  readonly timestamps = { granted: 0, failed: 0, omitted: 0 }
  readonly webhookAttempts = { taken: 0, refused: 0, unreachable: 0, nothing: 0, lost: 0 }
  readonly webhookDeliveries = { delivered: 0, failed: 0 }
  readonly auditReads = { written: 0, refused: 0 }
  readonly spans = { sent: 0, lost: 0 }
  readonly #requests = new Map<string, RequestCounter>()

  /** @param operationId of the contract, and nothing that a caller says */
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
