import type { Cradle } from '../cradle.ts'
import type { Audience } from '../domain/audience.ts'
import { type ReadEntry, recordReads } from '../storage/audit.ts'
import { isRefused } from '../storage/database-errors.ts'

/** How long a first reading waits before it is written. */
const WRITTEN_AFTER_MS = 1000
/** How long readings that differ in nothing but their time are counted in one entry. */
const COUNTED_FOR_MS = 60_000
/** Entries of one statement, so that putting it together holds nobody up. */
const ENTRIES_PER_STATEMENT = 5000
/** Beyond this many that are counted or wait no new ones begin: an audit must not exhaust the memory. */
const MAX_ENTRIES = 50_000

/** What was read that the public does not see, and by whom. */
export interface Read {
  /** Whose it is: the entry stands in the chain of this workspace. */
  readonly tenantId: string
  /** `grant:` and the id of the grant, or who holds the credential. */
  readonly actor: string
  readonly action: ReadEntry['action']
  readonly subjectId: string
  /** The format, or what else it was read as. */
  readonly representation: string
  readonly audience: Exclude<Audience, 'public'>
}

/** Readings that are being counted. */
interface Counted {
  readonly read: Read
  /** When counting ends; milliseconds since the epoch. */
  readonly until: number
  /** Readings that are not written yet, and when the first and the last of them were. */
  count: number
  first: number
  last: number
  isWritten: boolean
}

declare module '../cradle.ts' {
  interface Cradle {
    protectedReadAudit: ReturnType<typeof protectedReadAudit>
  }
}

/**
 * Every reading of what is not public stands in the audit trail of its workspace, with the grant or the key (EN 18239, 5.2).
 * A first one is written within a second, off the request's path; those that follow within a minute and differ in nothing
 * are one entry, with their number. If the database is away, entries wait. An entry that the database refuses, or for which there
 * is no room, is counted in the trail of its workspace (`reads.lost`), and delays no other. A crash loses what is not written yet, a clean shutdown nothing.
 */
export default function protectedReadAudit({ counters, database, log }: Pick<Cradle, 'counters' | 'database' | 'log'>) {
  const counting = new Map<string, Counted>()
  let waiting: ReadEntry[] = []
  /** By workspace, readings that had no room. */
  let lost = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  return { record, flush }

  /** Counts one reading. */
  function record(read: Read): void {
    const now = Date.now()
    const key = `${read.tenantId} ${read.action} ${read.subjectId} ${read.representation} ${read.audience} ${read.actor}`
    const known = counting.get(key)
    if (known !== undefined && now < known.until) {
      if (known.count === 0) known.first = now
      known.count += 1
      known.last = now
    } else if (counting.size + waiting.length < MAX_ENTRIES) {
      if (known !== undefined) take(known)
      counting.set(key, { read, until: now + COUNTED_FOR_MS, count: 1, first: now, last: now, isWritten: false })
    } else {
      lost.set(read.tenantId, (lost.get(read.tenantId) ?? 0) + 1)
    }
    takeTurn()
  }

  function takeTurn(): void {
    if (timer === undefined) timer = setTimeout(turn, WRITTEN_AFTER_MS).unref()
  }

  /** What is due goes to be written; as long as anything is counted there is another turn. */
  function turn(): void {
    timer = undefined
    const now = Date.now()
    for (const [key, counted] of counting) {
      const hasEnded = now >= counted.until
      if (hasEnded || !counted.isWritten) take(counted)
      if (hasEnded) counting.delete(key)
    }
    void write()
    if (counting.size + waiting.length + lost.size > 0) takeTurn()
  }

  /** Writes everything that was counted. Never throws. */
  function flush(): Promise<void> {
    for (const counted of counting.values()) take(counted)
    counting.clear()
    return write()
  }

  function take(counted: Counted): void {
    const { read, count, first, last } = counted
    counted.isWritten = true
    if (count === 0) return
    counted.count = 0
    const { tenantId, actor, action, subjectId, representation, audience } = read
    const times = { from: new Date(first).toISOString(), to: new Date(last).toISOString() }
    waiting.push({ tenantId, actor, action, subjectId, detail: { representation, audience, count, ...times } })
  }

  function write(): Promise<void> {
    writing = writing.then(writeAll)
    return writing
  }

  async function writeAll(): Promise<void> {
    const missed = lost
    lost = new Map()
    const entries = waiting
    waiting = []
    for (const [tenantId, count] of missed) {
      log.error({ tenantId, lost: count }, 'readings are missing in the audit trail')
      entries.push({ tenantId, actor: 'platform', action: 'reads.lost', subjectId: tenantId, detail: { count } })
    }
    try {
      while (entries.length > 0) {
        await writeEach(entries.slice(0, ENTRIES_PER_STATEMENT))
        entries.splice(0, ENTRIES_PER_STATEMENT)
      }
    } catch (error) {
      log.warn({ err: error, waiting: entries.length }, 'readings wait to be written to the audit trail')
      waiting = [...entries, ...waiting]
    }
  }

  /**
   * Writes entries in one statement; if the database refuses it, in halves, so that only the refused entries are missing.
   * @throws what says that the database is away
   */
  async function writeEach(entries: readonly ReadEntry[]): Promise<void> {
    try {
      await recordReads(database.lookup, entries)
      counters.auditReads.written += entries.length
    } catch (error) {
      if (!isRefused(error)) throw error
      const [first] = entries
      if (entries.length === 1 && first !== undefined) return refuse(first, error)
      const middle = Math.ceil(entries.length / 2)
      await writeEach(entries.slice(0, middle))
      await writeEach(entries.slice(middle))
    }
  }

  function refuse({ tenantId, action, subjectId, detail }: ReadEntry, error: unknown): void {
    counters.auditReads.refused += 1
    log.error({ err: error, tenantId, action, subjectId }, 'an audit entry was refused')
    const { count } = detail as { count: number }
    // The next write names the number in the trail, unless that itself was refused.
    if (action !== 'reads.lost') lost.set(tenantId, (lost.get(tenantId) ?? 0) + count)
  }
}
