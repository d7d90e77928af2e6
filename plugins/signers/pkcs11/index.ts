import type { JsonWebKey } from 'node:crypto'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Signer, SignerPlugin } from '../../../src/plugin/index.ts'
import type { TokenAnswer, TokenCall } from './token-worker.ts'

/** Max wait for a token, including queued calls. */
const MAX_WAIT_MS = 20_000
const CLOSING_MS = 2000

/**
 * P-256 keys generated in a PKCS #11 token (HSM), not extractable. Options: `module` (library), `token` (label), `pin` (user PIN). Calls
 * run in a separate thread.
 */
export default {
  kind: 'signer',
  name: 'pkcs11',
  async open({ module: library, token, pin }): Promise<Signer> {
    for (const [name, value] of Object.entries({ MODULE: library, TOKEN: token, PIN: pin })) {
      if (!value) throw new Error(`The signer "pkcs11" requires SIGNER_${name}. Set it.`)
    }
    thread ??= new TokenThread()
    const { call, close } = thread.token()
    try {
      await call('open', library, token, pin)
    } catch (error) {
      await close()
      throw error
    }
    return {
      createKey: (label) => call('createKey', label) as Promise<string>,
      publicJwk: (keyId) => call('publicJwk', keyId) as Promise<JsonWebKey>,
      sign: (keyId, data) => call('sign', keyId, data) as Promise<Uint8Array>,
      close,
    }
  },
} satisfies SignerPlugin

/** One per process: a library may be initialized once (PKCS #11 §5.4). */
let thread: TokenThread | undefined

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

class TokenThread {
  readonly #worker = new Worker(new URL(`./token-worker${extname(import.meta.filename)}`, import.meta.url))
  readonly #waiting = new Map<number, Waiting>()
  #calls = 0
  #tokens = 0
  #users = 0
  #ended: Error | undefined

  constructor() {
    this.#worker.on('message', (answer: TokenAnswer) => {
      const waiting = this.#waiting.get(answer.id)
      if ('value' in answer) waiting?.resolve(answer.value)
      else waiting?.reject(new Error(answer.message, { cause: answer.cause }))
    })
    this.#worker.on('error', (cause) => this.#end(cause))
    this.#worker.unref()
  }

  /** Adds a signer's token; the thread ends with the last one. */
  token() {
    const token = this.#tokens
    this.#tokens += 1
    this.#users += 1
    const call = (name: TokenCall['name'], ...values: unknown[]) => this.#call({ token, name, values }, MAX_WAIT_MS)
    const close = async () => {
      // Unresponsive tokens end with the process.
      await this.#call({ token, name: 'close', values: [] }, CLOSING_MS).catch(() => {})
      this.#users -= 1
      if (this.#users === 0) this.#end(new Error('The signer "pkcs11" is closed.'))
    }
    return { call, close }
  }

  #call(call: Omit<TokenCall, 'id'>, maxWaitMs: number): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const id = this.#calls
    this.#calls += 1
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const late = () => reject(new Error(`The token did not respond within ${maxWaitMs / 1000} s.`))
    const timer = setTimeout(late, maxWaitMs)
    this.#waiting.set(id, { resolve, reject })
    this.#worker.postMessage({ ...call, id } satisfies TokenCall)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(id)
    })
  }

  #end(cause: Error): void {
    this.#ended ??= cause
    if (thread === this) thread = undefined
    for (const { reject } of this.#waiting.values()) reject(cause)
    void this.#worker.terminate()
  }
}
