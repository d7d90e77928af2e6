import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { KeyedSemaphore } from '../domain/keyed-semaphore.ts'
import { unavailable } from '../domain/problem.ts'

interface ThreadLimits {
  readonly maxWaiting: number
  /** Maximum time in the queue, in milliseconds. */
  readonly maxWait: number
  /** Maximum time of a call, in milliseconds; then the thread is terminated. */
  readonly maxDuration: number
  /** Heap limit in MiB; the thread ends above it. */
  readonly maxHeap: number
}

/** Releases the memory of an idle thread. */
const IDLE_MS = 60_000
const RETRY_AFTER_SECONDS = 10

type ThreadAnswer<Output> = { readonly output: Output } | { readonly error: string }

/** Runs one function in a separate thread, one call at a time, to keep requests unblocked. The thread's file calls {@link serveThread}. */
export class WorkThread<Input, Output> {
  readonly #file: URL
  readonly #limits: ThreadLimits
  readonly #semaphore: KeyedSemaphore
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(file: URL, limits: ThreadLimits) {
    this.#file = file
    this.#limits = limits
    this.#semaphore = new KeyedSemaphore({ places: 1, maxWaiting: limits.maxWaiting, maxWaitMs: limits.maxWait })
  }

  /**
   * @param input structured-cloneable
   * @throws Problem 503 if queue, time or memory limit is exceeded
   */
  async run(input: Input): Promise<Output> {
    const leave = await this.#semaphore.enter('')
    clearTimeout(this.#idle)
    try {
      return await this.#ask(input)
    } finally {
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
      leave()
    }
  }

  #ask(input: Input): Promise<Output> {
    const worker = this.#worker ?? this.#start()
    return new Promise((resolve, reject) => {
      const giveUp = (cause?: unknown) => {
        this.#end()
        settle(() => reject(unavailable('The operation took too long. Retry later.', RETRY_AFTER_SECONDS, cause)))
      }
      const timer = setTimeout(giveUp, this.#limits.maxDuration)
      const onMessage = (answer: ThreadAnswer<Output>) =>
        settle(() => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer.output)))
      const settle = (end: () => void) => {
        clearTimeout(timer)
        worker.off('message', onMessage).off('error', giveUp).off('exit', giveUp)
        end()
      }
      worker.on('message', onMessage).on('error', giveUp).on('exit', giveUp)
      worker.postMessage(input)
    })
  }

  #start(): Worker {
    const worker = new Worker(this.#file, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.maxHeap },
    })
    // Otherwise an error outside a call would end the process.
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    worker.unref()
    this.#worker = worker
    return worker
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}

/** Serves the {@link WorkThread} of this file. */
export function serveThread<Input, Output>(work: (input: Input) => Output | Promise<Output>): void {
  if (isMainThread) throw new Error('This file must run in a worker thread.')
  parentPort?.on('message', async (input: Input) => {
    const answer: ThreadAnswer<Output> = await Promise.resolve(input)
      .then(work)
      .then(
        (output) => ({ output }),
        (error) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
    parentPort?.postMessage(answer)
  })
}
