import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Cradle } from '../cradle.ts'
import type { Resolved } from './access-audit.ts'
import type { PublicQuestion } from './choice.ts'
import type { WireRendition } from './rendition.ts'

const MOST_BYTES = 64 * 1024 * 1024
/** Beside the notifications: what was missed while a connection was down is corrected after this time. */
const MOST_AGE_MS = 5000
/**
 * What is still asked for as it comes to that age is looked after ahead of it, together with all that is after this time: a
 * look-up for each would be most of what popular documents cost.
 */
const RENEWED_AHEAD_MS = 2000
const GATHERED_FOR_MS = 500
/** Of one statement. */
const MOST_RENEWED = 1000
/** Links that are answered anew at a time, between which everybody else has a turn. */
const LINKS_AT_ONCE = 16
/** Bytes of bookkeeping per entry, so that many small entries are bounded too. */
const OVERHEAD = 512
/** How many keys are known to have been asked for once. */
const MOST_ASKED_KEYS = 10_000
/** Of a target and the headers that matter with it, where they are the key: strangers choose them. */
const MOST_LINK_CHARACTERS = 1024
const LISTEN_AGAIN_MS = 1000

/** A public rendition with what the access audit needs. */
export interface CachedRendition extends Resolved {
  readonly representation: string
  readonly rendition: WireRendition
  /** Counts for the access audit that it was read, from this address; made by who reads it first. */
  count?: (ip: string) => void
}

/** Where something is, in place of the thing. */
export interface Redirect<Status extends number = number> {
  readonly status: Status
  readonly headers: { readonly Location: string; readonly [name: string]: string }
}

/** What answers at a GS1 Digital Link in place of a passport: the way to one, or its links. */
export interface CachedLink extends Resolved {
  readonly answer: Redirect | WireRendition
  /** The key in the link; what changes for it changes the answer. */
  readonly identifier: string
}

interface Ageing {
  /** By `performance.now`. */
  expires: number
  /** It has been asked for lately, and waits to be looked after. */
  isAgeing: boolean
}

interface RenditionEntry extends CachedRendition, Ageing {
  /** What it answers. */
  readonly question: PublicQuestion
}

interface LinkEntry extends CachedLink, Ageing {
  /** What answers there now; undefined for what is not to be kept. */
  readonly again: () => Promise<CachedLink | undefined>
}

type Entry = RenditionEntry | LinkEntry

declare module '../cradle.ts' {
  interface Cradle {
    publicCache: ReturnType<typeof publicCache>
  }
}

/**
 * Public renditions, and what answers at GS1 Digital Links in their place, in memory, oldest first out, bounded in bytes. Other tiers never enter. What changes is forgotten
 * at once in the process that changed it, and through `passport_changed` in all others.
 *
 * Only what is asked for again enters: megabytes per second that come and go unread would cost more than they save.
 */
export default function publicCache({ database, log, renditionStore }: Cradle) {
  /** Off while nobody would tell about changes. */
  let isOn = false
  /** Moves with every change; a reading that began before a change must not be kept after it. */
  let epoch = 0
  let bytes = 0
  let evictions = 0
  const entries = new Map<string, Entry>()
  /** Cache keys by passport id, by unit id, and by the identifier in the address. */
  const keysOf = new Map<string, Set<string>>()
  const asked = new Set<string>()
  /** What is to be looked after, with its key. */
  let ageing = new Map<Entry, string>()

  return { follow, get, getLink, lastKnown, set, setLink, forgetProduct, forget, clear, statistics, epoch: () => epoch }

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

  /** What is kept at `key` and was read, or found to be as it was, lately enough to be served. */
  function get(key: string): CachedRendition | undefined {
    return renditionIn(fresh(key))
  }

  /** The same of the answer at a link, by the whole target and what was sent with it. */
  function getLink(key: string): CachedLink | undefined {
    const entry = fresh(key)
    return entry === undefined || 'rendition' in entry ? undefined : entry
  }

  function fresh(key: string): Entry | undefined {
    const entry = entries.get(key)
    const now = performance.now()
    if (entry === undefined || entry.expires < now) return undefined
    if (!entry.isAgeing && entry.expires < now + RENEWED_AHEAD_MS) {
      entry.isAgeing = true
      if (ageing.size === 0) setTimeout(() => void renew(), GATHERED_FOR_MS).unref()
      ageing.set(entry, key)
    }
    return entry
  }

  /** Lets what is as it was grow old anew; what has been forgotten meanwhile stays so. Never throws: whatever fails expires. */
  async function renew(): Promise<void> {
    const keys = ageing
    ageing = new Map()
    const all = [...keys.keys()]
    const renditions = all.filter((entry) => 'rendition' in entry)
    const links = all.filter((entry): entry is LinkEntry => !('rendition' in entry))
    await renewRenditions(renditions, keys)
    await renewLinks(links, keys)
  }

  async function renewRenditions(all: readonly RenditionEntry[], keys: ReadonlyMap<Entry, string>): Promise<void> {
    for (let at = 0; at < all.length; at += MOST_RENEWED) {
      const expires = performance.now() + MOST_AGE_MS
      const asKnown = await renditionStore.thoseAsKnown(all.slice(at, at + MOST_RENEWED)).catch(() => [])
      for (const entry of asKnown) {
        if (entries.get(keys.get(entry) ?? '') !== entry) continue
        entry.expires = expires
        entry.isAgeing = false
      }
    }
  }

  /** What a link depends on is more than one statement tells: it is answered anew. */
  async function renewLinks(all: readonly LinkEntry[], keys: ReadonlyMap<Entry, string>): Promise<void> {
    for (let at = 0; at < all.length; at += LINKS_AT_ONCE) {
      const readAt = epoch
      const some = all.slice(at, at + LINKS_AT_ONCE)
      await Promise.all(
        some.map(async (entry) => {
          const key = keys.get(entry) ?? ''
          const link = await entry.again().catch(() => undefined)
          if (link !== undefined && entries.get(key) === entry) setLink(key, link, readAt, entry.again)
        }),
      )
      await setImmediate()
    }
  }

  /** What is kept at `key` however old it is: to ask whether it is still so, and not to be served. */
  function lastKnown(key: string): CachedRendition | undefined {
    return renditionIn(entries.get(key))
  }

  /**
   * Keeps `rendition` from the second time on, unless anything changed since `readAt`, the epoch at which it was read.
   * `key` begins with the address, `/01/{gtin} …`; what stands there has neither slash nor space.
   */
  function set(key: string, found: CachedRendition, readAt: number, question: PublicQuestion): void {
    const make = () => ({
      ...found,
      rendition: alone(found.rendition),
      question,
      isAgeing: false,
      expires: performance.now() + MOST_AGE_MS,
    })
    keep(key, make, readAt)
  }

  /**
   * Keeps what answers at a link, as {@link set} keeps a rendition, unless the target is too long to be anybody's code.
   * @param again answers it anew; undefined for what is not to be kept
   */
  function setLink(key: string, link: CachedLink, readAt: number, again: LinkEntry['again']): void {
    if (key.length > MOST_LINK_CHARACTERS) return
    keep(key, () => ({ ...link, again, isAgeing: false, expires: performance.now() + MOST_AGE_MS }), readAt)
  }

  function keep(key: string, make: () => Entry, readAt: number): void {
    if (!isOn || readAt !== epoch || !wasAsked(key)) return
    const entry = make()
    const previous = entries.get(key)
    if (previous !== undefined) remove(key, previous)
    entries.set(key, entry)
    bytes += sizeOf(key, entry)
    for (const name of namesOf(key, entry)) {
      const keys = keysOf.get(name)
      if (keys === undefined) keysOf.set(name, new Set([key]))
      else keys.add(key)
    }
    for (const [oldest, entry] of entries) {
      if (bytes <= MOST_BYTES) break
      remove(oldest, entry)
      evictions += 1
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
    for (const key of keysOf.get(name) ?? []) {
      const entry = entries.get(key)
      if (entry !== undefined) remove(key, entry)
    }
  }

  function clear(): void {
    epoch += 1
    entries.clear()
    keysOf.clear()
    bytes = 0
  }

  /** How much is kept, and how much had to make room since the start. */
  function statistics(): { isOn: boolean; entries: number; bytes: number; evictions: number } {
    return { isOn, entries: entries.size, bytes, evictions }
  }

  /** Whether `key` was asked for lately; it has been from now on. */
  function wasAsked(key: string): boolean {
    if (asked.has(key)) return true
    if (asked.size >= MOST_ASKED_KEYS) asked.clear()
    asked.add(key)
    return false
  }

  function remove(key: string, entry: Entry): void {
    entries.delete(key)
    bytes -= sizeOf(key, entry)
    for (const name of namesOf(key, entry)) {
      const keys = keysOf.get(name)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(name)
    }
  }
}

const renditionIn = (entry: Entry | undefined): RenditionEntry | undefined =>
  entry !== undefined && 'rendition' in entry ? entry : undefined

/** What an entry is forgotten by. */
function namesOf(key: string, entry: Entry): string[] {
  const identifier = 'rendition' in entry ? identifierIn(key) : entry.identifier
  return entry.unitId === null ? [entry.passportId, identifier] : [entry.passportId, entry.unitId, identifier]
}

function identifierIn(key: string): string {
  const end = key.indexOf(' ')
  return key.slice(key.lastIndexOf('/', end) + 1, end)
}

/** With a body in memory of its own: Node cuts small buffers out of larger ones, all of which one of them would keep. */
function alone(rendition: WireRendition): WireRendition {
  const { body } = rendition
  if (body.buffer.byteLength === body.length) return rendition
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return { ...rendition, body: own }
}

/** A target may be long, and so is where it redirects then. */
function sizeOf(key: string, entry: Entry): number {
  if ('rendition' in entry) return entry.rendition.body.length + OVERHEAD
  const { answer } = entry
  return ('body' in answer ? answer.body.length : 0) + 4 * key.length + OVERHEAD
}
