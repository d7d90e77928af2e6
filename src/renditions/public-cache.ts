import { LRUCache } from 'lru-cache'
import type { Resolved } from '../audit/access-audit.ts'
import type { Cradle } from '../cradle.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { WireRendition } from './rendition.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** Bounds staleness if a change notification is missed. */
const MAX_AGE_MS = 5000
/** Bookkeeping bytes per entry. */
const OVERHEAD = 512
/** Per set: the last 5,000 to 10,000 keys are known. */
const REQUESTED_KEYS = 5000
const LISTEN_AGAIN_MS = 1000
/** How long a rendition is served while the database is unavailable. */
const STALE_WITHIN_MS = 10 * 60_000
/** Longest expected delay of a replica. */
const RECENT_MS = MAX_AGE_MS
const MAX_RECENT = 100_000

export interface CachedRendition extends Resolved {
  readonly representation: string
  readonly rendition: WireRendition
  /** Counts a read. Absent if not cached. */
  readonly count?: (ip: string) => void
  /** Headers of the last response. */
  headers?: { readonly of: WireRendition; readonly list: string[] }
}

declare module '../cradle.ts' {
  interface Cradle {
    publicCache: ReturnType<typeof publicCache>
  }
}

/**
 * Public renditions in memory, bounded in bytes with LRU eviction. Other tiers must not enter. `passport_changed` evicts in other
 * processes. Renditions enter on their second request: caching unread ones costs more than it saves.
 */
export default function publicCache({ database, log, accessAudit }: Cradle) {
  /** False while change notifications are unavailable: then nothing is cached, and entries are only for {@link getStale}. */
  let isOn = false
  /** Increments with every change; a read that began before must not be cached. */
  let epoch = 0
  let evictions = 0
  const entries = new LRUCache<string, CachedRendition>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ rendition: { body } }) => body.length + OVERHEAD,
    ttl: MAX_AGE_MS,
    ttlResolution: 0,
    noDeleteOnStaleGet: true,
    dispose: (entry, key, reason) => {
      if (reason === 'evict') evictions += 1
      for (const name of namesOf(key, entry)) {
        const keys = keysOf.get(name)
        keys?.delete(key)
        if (keys?.size === 0) keysOf.delete(name)
      }
    },
  })
  const keysOf = new Map<string, Set<string>>()
  /** Two sets cost less than an LRU cache: a miss changes one of them. */
  let [requested, requestedBefore] = [new Set<string>(), new Set<string>()]
  const recent = database.hasReplica
    ? new LRUCache<string, true>({ max: MAX_RECENT, ttl: RECENT_MS, ttlResolution: 0 })
    : undefined
  let allChangedAt = Number.NEGATIVE_INFINITY

  return {
    ...{ follow, get, getStale, set, evict, evictAfter, clear, changedRecently, statistics },
    epoch: () => epoch,
    isOn: () => isOn,
  }

  /**
   * Follows changes of other processes; caches nothing while disconnected.
   * @returns function that unsubscribes
   */
  function follow(): () => Promise<void> {
    let isStopped = false
    let stopListening: (() => Promise<void>) | undefined
    let retry: NodeJS.Timeout | undefined
    const listen = async () => {
      try {
        stopListening = await database.listen(onChange, onLost)
        // Changes may have been missed.
        clear()
        isOn = true
      } catch (error) {
        log.warn({ err: error }, 'cannot listen for changes; public responses are not cached')
        onLost()
      }
    }
    // An empty id evicts everything, such as after a key rotation.
    const onChange = (id: string) => (id === '' ? clear() : evict(id))
    const onLost = () => {
      isOn = false
      epoch += 1
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
      await listening
      await stopListening?.()
    }
  }

  function get(key: string): CachedRendition | undefined {
    return isOn ? entries.get(key) : undefined
  }

  /** For the time without a database: the last known rendition, and seconds since it was read. */
  function getStale(key: string): { readonly found: CachedRendition; readonly age: number } | undefined {
    const found = entries.get(key, { allowStale: true })
    const age = MAX_AGE_MS - entries.getRemainingTTL(key)
    return found === undefined || age > STALE_WITHIN_MS ? undefined : { found, age: Math.ceil(age / 1000) }
  }

  function changedRecently({ id, unitId }: { readonly id: string; readonly unitId: string | null }): boolean {
    const isRecent = (name: string) => recent?.has(name) === true
    return performance.now() - allChangedAt < RECENT_MS || isRecent(id) || (unitId !== null && isRecent(unitId))
  }

  /** Caches from the second request, unless something changed since epoch `readAt`. `key` begins with the address, `/01/{gtin} …`. */
  function set(key: string, found: CachedRendition, readAt: number): void {
    if (!isOn || readAt !== epoch || !wasRequested(key)) return
    const count = accessAudit.counterOf(found, found.representation, 'public')
    entries.set(key, { ...found, count, rendition: withOwnBuffer(found.rendition) })
    if (!entries.has(key)) return
    for (const name of namesOf(key, found)) {
      const keys = keysOf.get(name)
      if (keys === undefined) keysOf.set(name, new Set([key]))
      else keys.add(key)
    }
  }

  /** Evicts here and in other processes after the commit; shared caches purge the names too. */
  function evictAfter(tx: Transaction, names: readonly string[]): void {
    tx.changes(names)
    tx.afterCommit(() => {
      for (const name of names) evict(name)
    })
  }

  /** Evicts by passport id (with its units), unit id or identifier. */
  function evict(name: string): void {
    epoch += 1
    recent?.set(name, true)
    for (const key of [...(keysOf.get(name) ?? [])]) entries.delete(key)
  }

  function clear(): void {
    epoch += 1
    allChangedAt = performance.now()
    entries.clear()
  }

  function statistics(): { isOn: boolean; entries: number; bytes: number; evictions: number } {
    return { isOn, entries: entries.size, bytes: entries.calculatedSize, evictions }
  }

  function wasRequested(key: string): boolean {
    if (requested.has(key) || requestedBefore.has(key)) return true
    if (requested.size >= REQUESTED_KEYS) [requested, requestedBefore] = [new Set(), requested]
    requested.add(key)
    return false
  }
}

function namesOf(key: string, { passportId, unitId }: Resolved): string[] {
  const end = key.indexOf(' ')
  const identifier = key.slice(key.lastIndexOf('/', end) + 1, end)
  return unitId === null ? [passportId, identifier] : [passportId, unitId, identifier]
}

/** Copies the body out of Node's buffer pool. */
function withOwnBuffer(rendition: WireRendition): WireRendition {
  const { body } = rendition
  if (body.buffer.byteLength === body.length) return rendition
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return { ...rendition, body: own }
}
