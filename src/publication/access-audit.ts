import type { Cradle } from '../cradle.ts'
import { networkOf } from '../domain/ip-address.ts'
import { remembered } from '../domain/remembered.ts'
import type { Tier } from '../domain/view.ts'
import type { Candidate } from '../storage/candidates.ts'

const SECOND = 1000
/** Rows of one statement, so that putting it together holds nobody up. */
const ROWS_PER_STATEMENT = 5000
/** Beyond this many rows that are not written yet no new ones begin: an audit must not exhaust the memory. */
const MOST_ROWS = 50_000
/** Addresses whose network is remembered. */
const MOST_ADDRESSES = 10_000

/** Resolutions of one second that differ in nothing. */
interface Accesses {
  readonly passportId: string
  readonly representation: string
  readonly tier: Tier
  readonly network: string
  /** Seconds since the epoch. */
  readonly second: number
  count: number
}

declare module '../cradle.ts' {
  interface Cradle {
    accessAudit: ReturnType<typeof accessAudit>
  }
}

/**
 * Every successful resolution is counted (specification 4.1), without anything that leads to a person: the network of the
 * address only, no user agent, no referrer. Those of one second that differ in nothing share a row, which says how many
 * they were. Written at the end of each second and off the request's path, so the last second before a crash is lost; a
 * clean shutdown flushes first.
 */
export default function accessAudit({ database, log, plugins }: Cradle) {
  const networkFrom = remembered(MOST_ADDRESSES, (ip) => networkOf(ip, { v4: 24, v6: 48 }) ?? 'unknown')
  /** The rows of `second` by passport and network, of which a passport has few: to count again is to add one. */
  let current = new Map<string, Map<string, Accesses[]>>()
  let second = 0
  let waiting: Accesses[] = []
  /** Rows that are waiting or being written. */
  let unwritten = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  return { record, flush }

  function record(passport: Pick<Candidate, 'id' | 'category'>, representation: string, tier: Tier, ip: string): void {
    if (passport.category !== null && plugins.categories.get(passport.category)?.plugin.isUntracked) return
    const now = Date.now()
    begin(Math.floor(now / SECOND))
    const network = networkFrom(ip)
    for (const row of current.get(passport.id)?.get(network) ?? NONE) {
      if (row.representation !== representation || row.tier !== tier) continue
      row.count += 1
      return
    }
    if (unwritten >= MOST_ROWS) {
      dropped += 1
      return
    }
    add({ passportId: passport.id, representation, tier, network, second, count: 1 })
    timer ??= setTimeout(() => void flush(), SECOND - (now % SECOND))
  }

  /** Goes on to another second, if it is one. */
  function begin(now: number): void {
    if (now === second) return
    second = now
    current = new Map()
  }

  function add(row: Accesses): void {
    const networks = current.get(row.passportId) ?? new Map<string, Accesses[]>()
    current.set(row.passportId, networks)
    networks.set(row.network, [...(networks.get(row.network) ?? NONE), row])
    waiting.push(row)
    unwritten += 1
  }

  /** Writes what is waiting. Never throws; what cannot be written is logged as lost. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    current = new Map()
    writing = writing.then(() => write(rows))
    return writing
  }

  async function write(rows: readonly Accesses[]): Promise<void> {
    const missed = dropped
    dropped = 0
    if (missed > 0) log.warn({ dropped: missed }, 'access audit could not keep up')
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) await insert(rows.slice(at, at + ROWS_PER_STATEMENT))
  }

  async function insert(rows: readonly Accesses[]): Promise<void> {
    try {
      await database.lookup.query({
        name: 'record-access',
        // A passport may be gone by now; its entries go with it.
        text: `insert into access_audit (passport_id, representation, tier, network, accessed_at, accesses)
          select a.passport_id, a.representation, a.tier, a.network, to_timestamp(a.second), a.count
          from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::int[])
            as a (passport_id, representation, tier, network, second, count)
          where exists (select 1 from passport p where p.id = a.passport_id)`,
        values: [
          rows.map(({ passportId }) => passportId),
          rows.map(({ representation }) => representation),
          rows.map(({ tier }) => tier),
          rows.map(({ network }) => network),
          rows.map(({ second }) => second),
          rows.map(({ count }) => count),
        ],
      })
    } catch (error) {
      log.warn({ err: error, lost: rows.reduce((sum, { count }) => sum + count, 0) }, 'access audit entries are lost')
    } finally {
      unwritten -= rows.length
    }
  }
}

const NONE: readonly Accesses[] = []
