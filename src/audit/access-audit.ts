import type { Cradle } from '../cradle.ts'
import type { Tier } from '../domain/audience.ts'
import { networkOf } from '../domain/ip-address.ts'
import { memoize } from '../domain/memoize.ts'
import { type AccessRow, recordAccesses } from './access-audit-statements.ts'

const SECOND = 1000
const ROWS_PER_STATEMENT = 5000
/** An audit must not exhaust memory. */
const MAX_ROWS = 50_000
const MAX_ADDRESSES = 10_000

export interface Resolved {
  readonly passportId: string
  readonly unitId: string | null
  readonly category: string | null
}

interface Counted {
  readonly second: Second | undefined
  count: number
}

type Accesses = Counted & AccessRow & { readonly second: Second }

interface Second {
  /** Seconds since the epoch. */
  readonly number: number
}

declare module '../cradle.ts' {
  interface Cradle {
    accessAudit: ReturnType<typeof accessAudit>
  }
}

/**
 * Counts resolutions (specification 4.1) without personal data: only the network of the address, no user agent or referrer. A crash loses
 * the current second, a clean shutdown nothing.
 */
export default function accessAudit({ database, log, plugins }: Cradle) {
  const networkFrom = memoize((ip) => networkOf(ip, { v4: 24, v6: 48 }) ?? 'unknown', {
    entries: MAX_ADDRESSES,
    characters: 64,
  })
  let second: Second | undefined
  /** By format, tier and network, then by subject. */
  let rows = new Map<string, Map<string, Accesses>>()
  let unwritten = 0
  const lost: Counted = { second: undefined, count: 0 }
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  return { record, counterOf, flush, isTracked }

  function record(resolved: Resolved, representation: string, tier: Tier, ip: string): void {
    if (isTracked(resolved.category)) rowOf(resolved, representation, tier, networkFrom(ip)).count += 1
  }

  /** Returns a counter that reuses its last row, for subjects that are read often. */
  function counterOf(resolved: Resolved, representation: string, tier: Tier): (ip: string) => void {
    if (!isTracked(resolved.category)) return () => {}
    let row = lost
    let counted: string | undefined
    return (ip) => {
      if (row === lost || row.second !== second || ip !== counted) {
        row = rowOf(resolved, representation, tier, networkFrom(ip))
        counted = ip
      }
      row.count += 1
    }
  }

  /** False if the law of the category forbids counting. */
  function isTracked(category: string | null): boolean {
    return category === null || plugins.categories.get(category)?.plugin.isUntracked !== true
  }

  /** Returns `lost` if there is no row and the limit is reached. */
  function rowOf({ passportId, unitId }: Resolved, representation: string, tier: Tier, network: string): Counted {
    second ??= begin()
    const kind = `${representation} ${tier} ${network}`
    const id = unitId ?? passportId
    const ofKind = rows.get(kind) ?? new Map<string, Accesses>()
    const known = ofKind.get(id)
    if (known !== undefined || unwritten >= MAX_ROWS) return known ?? lost
    const row = { passportId, unitId, representation, tier, network, second, count: 0 }
    rows.set(kind, ofKind.set(id, row))
    unwritten += 1
    return row
  }

  function begin(): Second {
    const now = Date.now()
    timer = setTimeout(() => void flush(), SECOND - (now % SECOND))
    return { number: Math.floor(now / SECOND) }
  }

  /** Writes waiting rows. Never throws; lost rows are logged. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    const ended = [...rows.values()].flatMap((ofKind) => [...ofKind.values()])
    rows = new Map()
    second = undefined
    writing = writing.then(() => write(ended))
    return writing
  }

  async function write(ended: readonly Accesses[]): Promise<void> {
    if (lost.count > 0) log.warn({ dropped: lost.count }, 'access audit is overloaded')
    lost.count = 0
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
