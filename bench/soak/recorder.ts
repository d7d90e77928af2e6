import type { Listener } from './callers.ts'
import type { Kind } from './kinds.ts'

/** Response times in milliseconds. */
export interface Latency {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

const MAX_STORED_ERRORS = 20

/** Response times of a run by kind, in chronological order. */
export class Recorder implements Listener {
  readonly errors: string[] = []
  errorCount = 0
  answerCount = 0
  readonly #times: ReadonlyMap<string, number[]>
  /** Numbers of response times at each mark. */
  readonly #marks: ReadonlyMap<string, number[]>

  constructor(kinds: readonly Kind[]) {
    this.#times = new Map(kinds.map(({ name }) => [name, []]))
    this.#marks = new Map(kinds.map(({ name }) => [name, [0]]))
  }

  answered({ name }: Kind, milliseconds: number): void {
    this.answerCount += 1
    this.#times.get(name)?.push(milliseconds)
  }

  failed({ name }: Kind, { message }: Error): void {
    this.errorCount += 1
    if (this.errors.length < MAX_STORED_ERRORS) this.errors.push(`${name}: ${message}`)
  }

  /** Ends an interval. */
  mark(): void {
    for (const [name, times] of this.#times) this.#marks.get(name)?.push(times.length)
  }

  /** Summarises a kind between two marks (by number), or over the whole run. */
  latency(name: string, from = 0, to?: number): Latency {
    const [times = [], marks = []] = [this.#times.get(name), this.#marks.get(name)]
    const sorted = times.slice(marks[from] ?? 0, to === undefined ? undefined : marks[to]).sort((a, b) => a - b)
    return {
      count: sorted.length,
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      longest: quantile(sorted, 1),
    }
  }
}

/** Returns the value that this share of all does not exceed, to two decimals. */
function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
  return Math.round(value * 100) / 100
}
