import { LRUCache } from 'lru-cache'
import type { Cradle } from '../cradle.ts'
import type { Resolved } from './access-audit.ts'
import type { WireRendition } from './rendition.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** Beside the notifications: a change that was missed while a connection was down is visible after this time. */
const MAX_AGE_MS = 5000
/** Bytes of bookkeeping per entry, so that many small entries are bounded too. */
const OVERHEAD = 512
/** Number of keys that are remembered because they were asked for once. */
const MAX_ASKED_KEYS = 10_000
const LISTEN_AGAIN_MS = 1000

/** A public rendition with what the access audit needs. */
export interface CachedRendition extends Resolved {
  readonly representation: string
  readonly rendition: WireRendition
  /** Counts for the access audit that it was read, from this address; made by who reads it first. */
  count?: (ip: string) => void
}

declare module '../cradle.ts' {
  interface Cradle {
    publicCache: ReturnType<typeof publicCache>
  }
}

/**
 * Public renditions in memory, bounded in bytes; the least recently used goes first. Other tiers never enter. A change is forgotten
 * at once in the process that made it, and through `passport_changed` in all others.
 *
 * Only what is asked for again enters: megabytes per second that come and go unread would cost more than they save.
 */
export default function publicCache({ database, log }: Cradle) {
  /** Off while nobody would tell about changes. */
  let isOn = false
  /** Moves with every change; a reading that began before a change must not be kept after it. */
  let epoch = 0
  let evictions = 0
  const entries = new LRUCache<string, CachedRendition>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ rendition }) => rendition.body.length + OVERHEAD,
    ttl: MAX_AGE_MS,
    ttlResolution: 0,
    dispose: (entry, key, reason) => {
      if (reason === 'evict') evictions += 1
      for (const name of namesOf(key, entry)) {
        const keys = keysOf.get(name)
        keys?.delete(key)
        if (keys?.size === 0) keysOf.delete(name)
      }
    },
  })
  /** Cache keys by passport id, by unit id, and by the identifier in the address. */
  const keysOf = new Map<string, Set<string>>()
  const asked = new LRUCache<string, true>({ max: MAX_ASKED_KEYS })

  return { follow, get, set, forgetProduct, forget, clear, statistics, epoch: () => epoch }

  /**
   * Keeps the cache true to what other processes write; while nobody tells, nothing is cached.
   * @returns what ends it
   */
  function follow(): () => Promise<void> {
    let isStopped = false
    let stopListening: (() => Promise<void>) | undefined
    let retry: NodeJS.Timeout | undefined
    const listen = async () => {
      try {
        stopListening = await database.listen(onChange, onLost)
        isOn = true
      } catch (error) {
        log.warn({ err: error }, 'cannot listen for changes; public answers are not cached')
        onLost()
      }
    }
    // Without an id everything may have changed, as after the rotation of a key.
    const onChange = (id: string) => (id === '' ? clear() : forget(id))
    const onLost = () => {
      isOn = false
      clear()
      stopListening = undefined
      if (!isStopped && retry === undefined) {
        retry = setTimeout(() => {
          retry = undefined
          listening = listen()
        }, LISTEN_AGAIN_MS)
      }
    }
    let listening = listen()
    return async () => {
      isStopped = true
      clearTimeout(retry)
      // One that is being opened would otherwise stay open, with nobody left to end it.
      await listening
      await stopListening?.()
    }
  }

  /** The rendition that is kept at `key` and was read lately enough to be served. */
  function get(key: string): CachedRendition | undefined {
    return entries.get(key)
  }

  /**
   * Keeps `rendition` from the second time on, unless anything changed since `readAt`, the epoch at which it was read.
   * `key` begins with the address, `/01/{gtin} …`; what stands there has neither slash nor space.
   */
  function set(key: string, found: CachedRendition, readAt: number): void {
    if (!isOn || readAt !== epoch || !wasAsked(key)) return
    entries.set(key, { ...found, rendition: alone(found.rendition) })
    if (!entries.has(key)) return
    for (const name of namesOf(key, found)) {
      const keys = keysOf.get(name)
      if (keys === undefined) keysOf.set(name, new Set([key]))
      else keys.add(key)
    }
  }

  /**
   * Forgets what stands at the identifiers of a product: where another passport has answered alone there may be two now.
   * Other processes learn it by the time limit.
   */
  function forgetProduct({ productId, gtin, grai }: { readonly [name: string]: unknown }): void {
    for (const identifier of [productId, gtin, grai]) {
      if (typeof identifier === 'string') forget(identifier)
    }
  }

  /** Forgets a passport by its id, with its units, or a unit, or whatever is kept at an identifier such as a GTIN. */
  function forget(name: string): void {
    epoch += 1
    for (const key of [...(keysOf.get(name) ?? [])]) entries.delete(key)
  }

  function clear(): void {
    epoch += 1
    entries.clear()
  }

  /** How much is kept, and how much had to make room since the start. */
  function statistics(): { isOn: boolean; entries: number; bytes: number; evictions: number } {
    return { isOn, entries: entries.size, bytes: entries.calculatedSize, evictions }
  }

  /** Whether `key` was asked for lately; it has been from now on. */
  function wasAsked(key: string): boolean {
    if (asked.has(key)) return true
    asked.set(key, true)
    return false
  }
}

/** The names by which an entry is forgotten. */
function namesOf(key: string, { passportId, unitId }: Resolved): string[] {
  const end = key.indexOf(' ')
  const identifier = key.slice(key.lastIndexOf('/', end) + 1, end)
  return unitId === null ? [passportId, identifier] : [passportId, unitId, identifier]
}

/** With a body in memory of its own: Node cuts small buffers out of larger ones, all of which one of them would keep. */
function alone(rendition: WireRendition): WireRendition {
  const { body } = rendition
  if (body.buffer.byteLength === body.length) return rendition
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return { ...rendition, body: own }
}
