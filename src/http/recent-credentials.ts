import { hash } from 'node:crypto'

const MAX_CREDENTIALS = 10_000

/** Recently valid credentials by hash, with LRU eviction. Selects only the budget; every credential is still looked up. */
export class RecentCredentials {
  readonly #valid = new Set<string>()
  readonly #lookups = new Map<string, Promise<void>>()

  add(credential: string): void {
    const key = hashOf(credential)
    this.#valid.delete(key)
    this.#valid.add(key)
    for (const oldest of this.#valid) {
      if (this.#valid.size <= MAX_CREDENTIALS) break
      this.#valid.delete(oldest)
    }
  }

  remove(credential: string): void {
    this.#valid.delete(hashOf(credential))
  }

  /**
   * Waits for a running lookup, so that a burst counts once.
   * @returns undefined if valid; else a callback that must be called when the lookup ends or is aborted
   */
  async reserveLookup(credential: string): Promise<(() => void) | undefined> {
    const key = hashOf(credential)
    if (this.#valid.has(key)) return undefined
    const lookup = this.#lookups.get(key)
    if (lookup !== undefined) {
      await lookup
      if (this.#valid.has(key)) return undefined
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lookups.set(key, promise)
    return () => {
      if (this.#lookups.get(key) === promise) this.#lookups.delete(key)
      resolve()
    }
  }
}

const hashOf = (credential: string) => hash('sha256', credential, 'base64url')
