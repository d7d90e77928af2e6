import type { Cradle } from '../cradle.ts'
import { network } from './forwarding.ts'

/** What one request holds of the budget, until it is closed. */
export interface BodyShare {
  /** Whether so many bytes would fit now; nothing is taken. */
  hasRoomFor(bytes: number): boolean
  /** Takes what has been read; false where the budget is used up. */
  take(bytes: number): boolean
  close(): void
}

declare module '../cradle.ts' {
  interface Cradle {
    bodyBudget: ReturnType<typeof bodyBudget>
  }
}

/**
 * The memory of request bodies that are being read and parsed, of all requests together. What has arrived is counted,
 * not what was announced: to use it up one has to send it.
 */
export default function bodyBudget({ config: { bounds } }: Pick<Cradle, 'config'>) {
  let inFlight = 0
  let anonymousBytes = 0
  const bytesOf = new Map<string, number>()

  return { open, inFlight: () => inFlight }

  /** @param address of the caller; @param isAnonymous whether it came without a credential that holds */
  function open(address: string, isAnonymous: boolean): BodyShare {
    const key = network(address)
    let held = 0
    const hasRoomFor = (bytes: number) =>
      inFlight + bytes <= bounds.bodyBytes &&
      (!isAnonymous || anonymousBytes + bytes <= bounds.anonymousBodyBytes) &&
      (bytesOf.get(key) ?? 0) + bytes <= bounds.addressBodyBytes
    const add = (bytes: number) => {
      held += bytes
      inFlight += bytes
      if (isAnonymous) anonymousBytes += bytes
      const ofAddress = (bytesOf.get(key) ?? 0) + bytes
      if (ofAddress === 0) bytesOf.delete(key)
      else bytesOf.set(key, ofAddress)
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
