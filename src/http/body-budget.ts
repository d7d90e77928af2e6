import type { Cradle } from '../cradle.ts'
import { network } from './forwarding.ts'

export interface BodyShare {
  /** Reserves nothing. */
  hasCapacityFor(bytes: number): boolean
  take(bytes: number): boolean
  close(): void
}

declare module '../cradle.ts' {
  interface Cradle {
    bodyBudget: ReturnType<typeof bodyBudget>
  }
}

/** Memory budget of request bodies in flight. Counts received bytes, not announced ones. */
export default function bodyBudget({ config: { bounds } }: Pick<Cradle, 'config'>) {
  let inFlight = 0
  let anonymousBytes = 0
  const bytesOf = new Map<string, number>()

  return { open, inFlight: () => inFlight }

  function open(address: string, isAnonymous: boolean): BodyShare {
    const key = network(address)
    let held = 0
    const hasCapacityFor = (bytes: number) =>
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
      hasCapacityFor,
      take(bytes) {
        if (!hasCapacityFor(bytes)) return false
        add(bytes)
        return true
      },
      close: () => add(-held),
    }
  }
}
