import { hash } from 'node:crypto'

const MAX_CREDENTIALS = 10_000

/**
 * Which credentials were valid when they were last looked up, by their hash; oldest out first. It decides nothing but
 * which budget a request is counted against before the next look-up: every request is still looked up.
 */
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
   * Undefined when it was valid; while another request with it is being looked up, that one's outcome decides, so that a
   * burst of a new client counts as one look-up. Otherwise it is the caller's turn to look it up.
   * @returns what the caller must call when the outcome is known, or will never be
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
