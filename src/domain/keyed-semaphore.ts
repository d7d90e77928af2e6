import { unavailable } from './problem.ts'

interface Options {
  /** How many may be inside at once under one name. */
  readonly places: number
  /** How many may wait under one name. */
  readonly mostWaiting: number
  readonly mostMilliseconds: number
}

interface Lane {
  inside: number
  readonly waiting: (() => void)[]
}

/** Lets so many in at once under one name; the others wait in the order in which they came, for a bounded time. */
export class KeyedSemaphore {
  readonly #options: Options
  readonly #lanes = new Map<string, Lane>()

  constructor(options: Options) {
    this.#options = options
  }

  /** How many are inside under this name. */
  inside(name: string): number {
    return this.#lanes.get(name)?.inside ?? 0
  }

  /**
   * Resolves inside, to a function that leaves; calling it again does nothing.
   * @throws Problem 503 when too many are waiting, or after too long a wait
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
    if (waiting.length >= this.#options.mostWaiting) throw tooBusy()
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1)
        reject(tooBusy())
      }, this.#options.mostMilliseconds)
      waiting.push(enter)
    })
  }

  #leave(name: string, lane: Lane): void {
    // The place goes from hand to hand: nobody who comes now gets ahead of those who wait.
    const next = lane.waiting.shift()
    if (next === undefined) lane.inside -= 1
    else next()
    if (lane.inside === 0) this.#lanes.delete(name)
  }
}

const tooBusy = () => unavailable('This workspace has too many requests in work. Please send the request again.', 2)
