import type { Contexts } from '../domain/contexts.ts'
import type { SealTrust } from './seal.ts'

/** Where DID documents and status lists come from while something is verified. */
export interface Documents {
  /**
   * The text at an address.
   * @throws Error that says why it cannot be read
   */
  read(url: string, accept: string, bounds?: ReadingBounds): Promise<string>
}

/** What one reading may cost. */
export interface ReadingBounds {
  /** Milliseconds. */
  readonly withinMs: number
  /** Bytes. */
  readonly mostBytes: number
}

/** What verification works with. */
export interface VerifyOptions {
  readonly documents: Documents
  /** JSON-LD contexts by address; none of them is fetched. */
  readonly contexts: Contexts
  /**
   * Where the contexts and schemas are that may not be shipped with the gateway, such as UNTP's: a folder of the
   * verifier's own. Absent: what they say is not checked. No other context or schema is taken from there.
   */
  readonly vocabulary?: Documents
  /** The time at which everything must hold; a seal holds at its own. */
  readonly now: Date
  /** Whether a credential is valid although nobody could say if it was revoked. */
  readonly allowUnknownStatus?: boolean
  /** Whom the verifier trusts with seals. */
  readonly seals?: SealTrust
}

/** One document: what is verified, and each document that is read for it. Three MiB is the largest that the gateway takes. */
export const MAX_BYTES = 4 * 1024 * 1024
/** One reading. */
export const WITHIN_MS = 10_000

/** What one verification may read in all: key, status lists, and again as much. */
const MAX_READINGS = 8
const MAX_BYTES_IN_ALL = 4 * MAX_BYTES
const WITHIN_IN_ALL_MS = 30_000

/** A document cannot be read, or may not be asked for; what depends on it stays unknown. */
export class NotRead extends Error {}

/**
 * The same documents for one verification, each read once and all within one budget, so that no credential decides how
 * long a verifier works. Whatever goes wrong is a {@link NotRead}.
 */
export function withinBudget(documents: Documents): Documents {
  const deadline = performance.now() + WITHIN_IN_ALL_MS
  const readings = new Map<string, Promise<string>>()
  let bytesLeft = MAX_BYTES_IN_ALL

  const read = async (url: string, accept: string) => {
    const withinMs = Math.min(WITHIN_MS, Math.floor(deadline - performance.now()))
    const mostBytes = Math.min(MAX_BYTES, bytesLeft)
    if (withinMs <= 0 || mostBytes <= 0)
      throw new NotRead(`${url} is not read: too much was read for this document already.`)
    try {
      const text = await documents.read(url, accept, { withinMs, mostBytes })
      bytesLeft -= Buffer.byteLength(text)
      return text
    } catch (error) {
      throw new NotRead((error as Error).message)
    }
  }
  return {
    read(url, accept) {
      let reading = readings.get(url)
      if (reading === undefined) {
        if (readings.size >= MAX_READINGS) {
          return Promise.reject(new NotRead(`${url} is not read: this document names too many others.`))
        }
        reading = read(url, accept)
        readings.set(url, reading)
      }
      return reading
    },
  }
}
