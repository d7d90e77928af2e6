import type { Contexts } from '../domain/contexts.ts'
import type { SealTrust } from './seal.ts'

export interface Documents {
  /** @throws Error if unreadable */
  read(url: string, accept: string, bounds?: ReadingBounds): Promise<string>
}

export interface ReadingBounds {
  readonly withinMs: number
  readonly maxBytes: number
}

export interface VerifyOptions {
  readonly documents: Documents
  /** By address; never fetched. */
  readonly contexts: Contexts
  /** Contexts and schemas that may not be shipped, such as UNTP's. Not checked if undefined. */
  readonly vocabulary?: Documents
  /** Seals are checked at their own time. */
  readonly now: Date
  /** True to accept unknown revocation status. */
  readonly allowUnknownStatus?: boolean
  readonly seals?: SealTrust
}

/** Size limit per document. The gateway accepts at most 3 MiB. */
export const MAX_BYTES = 4 * 1024 * 1024
export const WITHIN_MS = 10_000

/** Limits per verification: key, status lists, and the same again. */
const MAX_READINGS = 8
const MAX_BYTES_IN_ALL = 4 * MAX_BYTES
const WITHIN_IN_ALL_MS = 30_000

/** Unreadable or forbidden document; dependent checks stay open. */
export class NotRead extends Error {}

/** Reads each document once, within one budget, so that a credential cannot prolong the verification. Every error is a {@link NotRead}. */
export function withinBudget(documents: Documents): Documents {
  const deadline = performance.now() + WITHIN_IN_ALL_MS
  const readings = new Map<string, Promise<string>>()
  let bytesLeft = MAX_BYTES_IN_ALL

  const read = async (url: string, accept: string) => {
    const withinMs = Math.min(WITHIN_MS, Math.floor(deadline - performance.now()))
    const maxBytes = Math.min(MAX_BYTES, bytesLeft)
    if (withinMs <= 0 || maxBytes <= 0)
      throw new NotRead(`${url} was not read: the limit of time or bytes for this document is reached.`)
    try {
      const text = await documents.read(url, accept, { withinMs, maxBytes })
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
          return Promise.reject(
            new NotRead(`${url} was not read: this document refers to more than ${MAX_READINGS} other documents.`),
          )
        }
        reading = read(url, accept)
        readings.set(url, reading)
      }
      return reading
    },
  }
}
