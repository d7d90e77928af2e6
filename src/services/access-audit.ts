import type { Logger } from 'pino'
import type { Tier } from '../domain/view.ts'
import type { Database } from './database.ts'
import type { Candidate } from './renditions.ts'

/** Categories whose law forbids usage tracking (toys: Regulation (EU) 2025/2509). */
const UNTRACKED: ReadonlySet<string> = new Set(['toys'])
const FLUSH_AFTER_MS = 1000
/** Large enough that writing one entry costs little beside answering. */
const FLUSH_AT = 2500
/** Beyond this many waiting entries new ones are dropped and counted: an audit must not exhaust the memory. */
const MOST = 50_000

interface AccessEntry {
  readonly passportId: string
  readonly representation: string
  readonly tier: Tier
  readonly network: string
  readonly at: number
}

/**
 * One entry per successful resolution (specification 4.1), without anything that leads to a person: the network of the
 * address only, no user agent, no referrer. Written in batches off the request's path, so the last second before a
 * crash is lost; a clean shutdown flushes first.
 */
export class AccessAudit {
  readonly #database: Database
  readonly #log: Logger
  #entries: AccessEntry[] = []
  #dropped = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor({ database, log }: { database: Database; log: Logger }) {
    this.#database = database
    this.#log = log
  }

  record(passport: Pick<Candidate, 'id' | 'category'>, representation: string, tier: Tier, ip: string): void {
    if (passport.category !== null && UNTRACKED.has(passport.category)) return
    if (this.#entries.length >= MOST) {
      this.#dropped += 1
      return
    }
    this.#entries.push({ passportId: passport.id, representation, tier, network: anonymised(ip), at: Date.now() })
    if (this.#entries.length === FLUSH_AT) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS)
  }

  /** Writes what is waiting. Never throws; what cannot be written is logged as lost. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const entries = this.#entries
    this.#entries = []
    this.#writing = this.#writing.then(() => this.#write(entries))
    return this.#writing
  }

  async #write(entries: readonly AccessEntry[]): Promise<void> {
    const dropped = this.#dropped
    this.#dropped = 0
    if (dropped > 0) this.#log.warn({ dropped }, 'access audit could not keep up')
    if (entries.length === 0) return
    try {
      await this.#database.lookup.query({
        name: 'record-access',
        // A passport may be gone by now; its entries go with it.
        text: `insert into access_audit (passport_id, representation, tier, network, accessed_at)
          select e.passport_id, e.representation, e.tier, e.network, to_timestamp(e.at / 1000.0)
          from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::float8[])
            as e (passport_id, representation, tier, network, at)
          where exists (select 1 from passport p where p.id = e.passport_id)`,
        values: [
          arrayLiteral(entries.map(({ passportId }) => passportId)),
          arrayLiteral(entries.map(({ representation }) => representation)),
          arrayLiteral(entries.map(({ tier }) => tier)),
          arrayLiteral(entries.map(({ network }) => network)),
          arrayLiteral(entries.map(({ at }) => at)),
        ],
      })
    } catch (error) {
      this.#log.warn({ err: error, lost: entries.length }, 'access audit entries are lost')
    }
  }
}

// JSON quotes as PostgreSQL's array literals do, control characters aside, which none of these texts has; the driver
// builds the same text one element at a time, for twice the cost.
const arrayLiteral = (values: readonly (string | number)[]) => `{${JSON.stringify(values).slice(1, -1)}}`

/** IPv4 to its /24, IPv6 to its /48. */
export function anonymised(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(ip)
  if (v4) return `${v4[1]}.0/24`
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) while (groups.length < 3) groups.push('0')
  return groups.length < 3 ? 'unknown' : `${groups.slice(0, 3).join(':')}::/48`
}
