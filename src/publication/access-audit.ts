import type { Cradle } from '../cradle.ts'
import { networkOf } from '../domain/ip-address.ts'
import type { Tier } from '../domain/view.ts'
import type { Candidate } from '../storage/candidates.ts'

const FLUSH_AFTER_MS = 1000
/** Large enough that writing one entry costs little beside answering. */
const FLUSH_AT = 10_000
/** Beyond this many entries that are not written yet new ones are dropped and counted: an audit must not exhaust the memory. */
const MOST_ENTRIES = 50_000

/** Resolutions that differ in nothing but their time. Kept together, ten thousands of them cost the collector nothing. */
interface Accesses {
  readonly passportId: string
  readonly representation: string
  readonly tier: Tier
  readonly network: string
  /** Milliseconds since the epoch, one per resolution. */
  readonly times: number[]
}

declare module '../cradle.ts' {
  interface Cradle {
    accessAudit: ReturnType<typeof accessAudit>
  }
}

/**
 * One entry per successful resolution (specification 4.1), without anything that leads to a person: the network of the
 * address only, no user agent, no referrer. Entries of one second that differ in nothing but their time share a row,
 * whose `accessed_at` holds the time of each. Written in batches off the request's path, so the last second before a
 * crash is lost; a clean shutdown flushes first.
 */
export default function accessAudit({ database, log, plugins }: Cradle) {
  let waiting = new Map<string, Accesses>()
  let count = 0
  let unwritten = 0
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  return { record, flush }

  function record(passport: Pick<Candidate, 'id' | 'category'>, representation: string, tier: Tier, ip: string): void {
    if (passport.category !== null && plugins.categories.get(passport.category)?.plugin.isUntracked) return
    if (unwritten >= MOST_ENTRIES) {
      dropped += 1
      return
    }
    const network = networkOf(ip, { v4: 24, v6: 48 }) ?? 'unknown'
    const key = `${passport.id} ${representation} ${tier} ${network}`
    const accesses = waiting.get(key)
    if (accesses !== undefined) accesses.times.push(Date.now())
    else waiting.set(key, { passportId: passport.id, representation, tier, network, times: [Date.now()] })
    count += 1
    unwritten += 1
    if (count === FLUSH_AT) void flush()
    else timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS)
  }

  /** Writes what is waiting. Never throws; what cannot be written is logged as lost. */
  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...waiting.values()]
    waiting = new Map()
    const size = count
    count = 0
    writing = writing.then(() => write(batch, size))
    return writing
  }

  async function write(batch: readonly Accesses[], size: number): Promise<void> {
    const missed = dropped
    dropped = 0
    if (missed > 0) log.warn({ dropped: missed }, 'access audit could not keep up')
    if (size === 0) return
    try {
      const statement = {
        name: 'record-access',
        // A passport may be gone by now; its entries go with it.
        text: `insert into access_audit (passport_id, representation, tier, network, accessed_at)
          select a.passport_id, a.representation, a.tier, a.network,
            array(select to_timestamp(at / 1000.0) from unnest(a.times::float8[]) as at)
          from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[])
            as a (passport_id, representation, tier, network, times)
          where exists (select 1 from passport p where p.id = a.passport_id)`,
      }
      await database.lookup.run(statement, [
        batch.map(({ passportId }) => passportId),
        batch.map(({ representation }) => representation),
        batch.map(({ tier }) => tier),
        batch.map(({ network }) => network),
        batch.map(({ times }) => `{${times.join()}}`),
      ])
    } catch (error) {
      log.warn({ err: error, lost: size }, 'access audit entries are lost')
    } finally {
      unwritten -= size
    }
  }
}
