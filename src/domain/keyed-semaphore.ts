import { unavailable } from './problem.ts'

interface Options {
  /** Concurrent holders per name. */
  readonly places: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

interface Lane {
  inside: number
  readonly waiting: (() => void)[]
}

/** Limits concurrency per name. Excess callers wait in FIFO order with a timeout. */
export class KeyedSemaphore {
  readonly #options: Options
  readonly #lanes = new Map<string, Lane>()

  constructor(options: Options) {
    this.#options = options
  }

  inside(name: string): number {
    return this.#lanes.get(name)?.inside ?? 0
  }

  /**
   * @returns a release function
   * @throws Problem 503 if the queue is full, or on timeout
   */
  async enter(name: string): Promise<() => void> {
    const lane = this.#laneOf(name)
    if (lane.inside < this.#options.places) lane.inside += 1
    else await this.#wait(lane)
    let isInside = true
    return () => {
      if (isInside) this.#leave(name, lane)
      isInside = false
    }
  }

  #laneOf(name: string): Lane {
    let lane = this.#lanes.get(name)
    if (lane === undefined) {
      lane = { inside: 0, waiting: [] }
      this.#lanes.set(name, lane)
    }
    return lane
  }

  #wait({ waiting }: Lane): Promise<void> {
    if (waiting.length >= this.#options.maxWaiting) throw tooBusy()
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(tooBusy())
      }, this.#options.maxWaitMs)
      waiting.push(enter)
    })
  }

  #leave(name: string, lane: Lane): void {
    // New callers cannot overtake the queue.
    const next = lane.waiting.shift()
    if (next === undefined) lane.inside -= 1
    else next()
    if (lane.inside === 0) this.#lanes.delete(name)
  }
}

const tooBusy = () => unavailable('Too many requests of this workspace are being processed. Retry later.', 2)
