import type { WireRendition } from './rendition.ts'

const MOST_BYTES = 64 * 1024 * 1024
/** Beside the notifications: what was missed while a connection was down is corrected after this time. */
const MOST_AGE_MS = 5000
/** Bytes of bookkeeping per entry, so that many small entries are bounded too. */
const OVERHEAD = 512
/** How many keys are known to have been asked for once. */
const MOST_ASKED = 10_000

/** A public rendition with what the access audit needs. */
export interface CachedRendition {
  readonly passportId: string
  readonly category: string | null
  readonly representation: string
  readonly rendition: WireRendition
}

interface Entry extends CachedRendition {
  readonly expires: number
}

/**
 * Public renditions in memory, oldest first out, bounded in bytes. Other tiers never enter. What changes is forgotten
 * at once in the process that changed it, and through `passport_changed` in all others.
 *
 * Only what is asked for again enters: megabytes per second that come and go unread would cost more than they save.
 */
export class PublicCache {
  /** Off while nobody would tell about changes. */
  isOn = false
  /** Moves with every change; a reading that began before a change must not be kept after it. */
  epoch = 0
  #bytes = 0
  readonly #entries = new Map<string, Entry>()
  /** Cache keys by passport id, and by the identifier in the address. */
  readonly #keysOf = new Map<string, Set<string>>()
  readonly #asked = new Set<string>()

  get(key: string): CachedRendition | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expires < Date.now()) {
      this.#remove(key, entry)
      return undefined
    }
    return entry
  }

  /**
   * Keeps `rendition` from the second time on, unless anything changed since `epoch` was read. `key` begins with the
   * address, `/01/{gtin} …`; what stands there has neither slash nor space.
   */
  set(key: string, rendition: CachedRendition, epoch: number): void {
    if (!this.isOn || epoch !== this.epoch || !this.#wasAsked(key)) return
    const previous = this.#entries.get(key)
    if (previous !== undefined) this.#remove(key, previous)
    this.#entries.set(key, { ...rendition, expires: Date.now() + MOST_AGE_MS })
    this.#bytes += sizeOf(rendition)
    for (const name of [rendition.passportId, identifierIn(key)]) {
      const keys = this.#keysOf.get(name)
      if (keys === undefined) this.#keysOf.set(name, new Set([key]))
      else keys.add(key)
    }
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= MOST_BYTES) break
      this.#remove(oldest, entry)
    }
  }

  /**
   * Forgets what stands at the identifiers of a product: where another passport has answered alone there may be two now.
   * Other processes learn it by the time limit.
   */
  forgetProduct({ productId, gtin, grai }: { readonly [name: string]: unknown }): void {
    for (const identifier of [productId, gtin, grai]) {
      if (typeof identifier === 'string') this.forget(identifier)
    }
  }

  /** Forgets a passport by its id, or whatever is kept at an identifier such as a GTIN. */
  forget(name: string): void {
    this.epoch += 1
    for (const key of this.#keysOf.get(name) ?? []) {
      const entry = this.#entries.get(key)
      if (entry !== undefined) this.#remove(key, entry)
    }
  }

  clear(): void {
    this.epoch += 1
    this.#entries.clear()
    this.#keysOf.clear()
    this.#bytes = 0
  }

  /** Whether `key` was asked for lately; it has been from now on. */
  #wasAsked(key: string): boolean {
    if (this.#asked.has(key)) return true
    if (this.#asked.size >= MOST_ASKED) this.#asked.clear()
    this.#asked.add(key)
    return false
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key)
    this.#bytes -= sizeOf(entry)
    for (const name of [entry.passportId, identifierIn(key)]) {
      const keys = this.#keysOf.get(name)
      keys?.delete(key)
      if (keys?.size === 0) this.#keysOf.delete(name)
    }
  }
}

function identifierIn(key: string): string {
  const end = key.indexOf(' ')
  return key.slice(key.lastIndexOf('/', end) + 1, end)
}

const sizeOf = ({ rendition }: CachedRendition) => rendition.body.length + OVERHEAD
