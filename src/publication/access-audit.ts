import type { Cradle } from '../cradle.ts'
import type { Tier } from '../domain/audience.ts'
import { networkOf } from '../domain/ip-address.ts'
import { memoize } from '../domain/memoize.ts'
import { type AccessRow, recordAccesses } from '../storage/access-audit.ts'

const SECOND = 1000
/** Rows of one statement, so that putting it together holds nobody up. */
const ROWS_PER_STATEMENT = 5000
/** Beyond this many rows that are not written yet no new ones begin: an audit must not exhaust the memory. */
const MAX_ROWS = 50_000
/** Addresses whose network is remembered. */
const MAX_ADDRESSES = 10_000

/** What was resolved: a passport, or one of its units. */
export interface Resolved {
  readonly passportId: string
  readonly unitId: string | null
  readonly category: string | null
}

/** Resolutions that are being counted. */
interface Accesses extends Omit<AccessRow, 'count'> {
  readonly second: Second
  count: number
}

/** The time while a row is counted: until the second ends, or its rows are written. */
interface Second {
  /** Since the epoch. */
  readonly number: number
}

declare module '../cradle.ts' {
  interface Cradle {
    accessAudit: ReturnType<typeof accessAudit>
  }
}

/**
 * Every successful resolution is counted (specification 4.1), without anything that leads to a person: the network of the
 * address only, no user agent, no referrer. Those of one second that differ in nothing share a row, which says how many
 * they were. Written when the second has ended and off the request's path, so the last one before a crash is lost; a clean
 * shutdown flushes first.
 */
export default function accessAudit({ database, log, plugins }: Cradle) {
  const networkFrom = memoize((ip) => networkOf(ip, { v4: 24, v6: 48 }) ?? 'unknown', {
    entries: MAX_ADDRESSES,
    characters: 64,
  })
  let second: Second | undefined
  /** The rows of this second by what they count. */
  let rows = new Map<string, Accesses>()
  /** Rows that are waiting or being written. */
  let unwritten = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  return { record, counterOf, flush, isTracked }

  /** Counts one resolution from this address. */
  function record(resolved: Resolved, representation: string, tier: Tier, ip: string): void {
    counterOf(resolved, representation, tier)(ip)
  }

  /**
   * Counts resolutions of one kind, for whoever has many of them: it keeps the row that it counted last, so that to count
   * again is to add one.
   */
  function counterOf(resolved: Resolved, representation: string, tier: Tier): (ip: string) => void {
    if (!isTracked(resolved.category)) return () => {}
    let row: Accesses | undefined
    let counted: string | undefined
    return (ip) => {
      if (row === undefined || row.second !== second || ip !== counted) {
        row = rowOf(resolved, representation, tier, networkFrom(ip))
        counted = ip
      }
      if (row === undefined) dropped += 1
      else row.count += 1
    }
  }

  /** Whether resolutions of a category may be counted; the law of some forbids it. */
  function isTracked(category: string | null): boolean {
    return category === null || plugins.categories.get(category)?.plugin.isUntracked !== true
  }

  /** @returns undefined where there is no row and must not be another */
  function rowOf(
    { passportId, unitId }: Resolved,
    representation: string,
    tier: Tier,
    network: string,
  ): Accesses | undefined {
    second ??= begin()
    const key = `${unitId ?? passportId} ${representation} ${tier} ${network}`
    const known = rows.get(key)
    if (known !== undefined || unwritten >= MAX_ROWS) return known
    const row = { passportId, unitId, representation, tier, network, second, count: 0 }
    rows.set(key, row)
    unwritten += 1
    return row
  }

  function begin(): Second {
    const now = Date.now()
    timer = setTimeout(() => void flush(), SECOND - (now % SECOND))
    return { number: Math.floor(now / SECOND) }
  }

  /** Writes what is waiting. Never throws; what cannot be written is logged as lost. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    const ended = [...rows.values()]
    rows = new Map()
    second = undefined
    writing = writing.then(() => write(ended))
    return writing
  }

  async function write(ended: readonly Accesses[]): Promise<void> {
    const missed = dropped
    dropped = 0
    if (missed > 0) log.warn({ dropped: missed }, 'access audit could not keep up')
    for (let at = 0; at < ended.length; at += ROWS_PER_STATEMENT) await insert(ended.slice(at, at + ROWS_PER_STATEMENT))
  }

  async function insert(part: readonly Accesses[]): Promise<void> {
    try {
      if (part[0] !== undefined) await recordAccesses(database.lookup, part[0].second.number, part)
    } catch (error) {
      log.warn({ err: error, lost: part.reduce((sum, { count }) => sum + count, 0) }, 'access audit entries are lost')
    } finally {
      unwritten -= part.length
    }
  }
}
