import type { Bounds } from './bounds.ts'
import { network } from './forwarding.ts'

/** What one request holds of the budget, until it is closed. */
export interface BodyShare {
  /** Whether so many bytes would fit now; nothing is taken. */
  hasRoomFor(bytes: number): boolean
  /** Takes what has been read; false where the budget is used up. */
  take(bytes: number): boolean
  close(): void
}

/**
 * The memory of request bodies that are being read and parsed, of all requests together. What has arrived is counted,
 * not what was announced: to use it up one has to send it.
 */
export class BodyBudget {
  readonly #bounds: Pick<Bounds, 'bodyBytes' | 'anonymousBodyBytes' | 'addressBodyBytes'>
  #bytes = 0
  #anonymousBytes = 0
  readonly #bytesOf = new Map<string, number>()

  constructor({ config }: { config: { bounds: Bounds } }) {
    this.#bounds = config.bounds
  }

  /** Bytes that are held now. */
  get inFlight(): number {
    return this.#bytes
  }

  /** @param address of the caller; @param isAnonymous whether it came without a credential that holds */
  open(address: string, isAnonymous: boolean): BodyShare {
    const key = network(address)
    let held = 0
    const hasRoomFor = (bytes: number) =>
      this.#bytes + bytes <= this.#bounds.bodyBytes &&
      (!isAnonymous || this.#anonymousBytes + bytes <= this.#bounds.anonymousBodyBytes) &&
      (this.#bytesOf.get(key) ?? 0) + bytes <= this.#bounds.addressBodyBytes
    const add = (bytes: number) => {
      held += bytes
      this.#bytes += bytes
      if (isAnonymous) this.#anonymousBytes += bytes
      const ofAddress = (this.#bytesOf.get(key) ?? 0) + bytes
      if (ofAddress === 0) this.#bytesOf.delete(key)
      else this.#bytesOf.set(key, ofAddress)
    }
    return {
      hasRoomFor,
      take(bytes) {
        if (!hasRoomFor(bytes)) return false
        add(bytes)
        return true
      },
      close: () => add(-held),
    }
  }
}
