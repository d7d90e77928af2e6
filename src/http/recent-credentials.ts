import { hash } from 'node:crypto'

const MAX_CREDENTIALS = 10_000

/** Recently valid credentials by hash, with LRU eviction. Selects only the budget; every credential is still looked up. */
export class RecentCredentials {
  readonly #valid = new Set<string>()
  readonly #asked = new Map<string, Promise<void>>()

  remember(credential: string): void {
    const key = hashOf(credential)
    this.#valid.delete(key)
    this.#valid.add(key)
    for (const oldest of this.#valid) {
      if (this.#valid.size <= MAX_CREDENTIALS) break
      this.#valid.delete(oldest)
    }
  }

  forget(credential: string): void {
    this.#valid.delete(hashOf(credential))
  }

  /**
   * Waits for a running lookup, so that a burst counts once.
   * @returns undefined if valid; else a callback that must be called when the lookup ends or is aborted
   */
  async turnFor(credential: string): Promise<(() => void) | undefined> {
    const key = hashOf(credential)
    if (this.#valid.has(key)) return undefined
    const asked = this.#asked.get(key)
    if (asked !== undefined) {
      await asked
      if (this.#valid.has(key)) return undefined
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#asked.set(key, promise)
    return () => {
      if (this.#asked.get(key) === promise) this.#asked.delete(key)
      resolve()
    }
  }
}

const hashOf = (credential: string) => hash('sha256', credential, 'base64url')
