import type { Cradle } from '../cradle.ts'
import type { Audience } from '../domain/audience.ts'
import { isRefused } from '../storage/database-errors.ts'
import { type ReadEntry, recordReads } from './audit-statements.ts'

const WRITTEN_AFTER_MS = 1000
const COUNTED_FOR_MS = 60_000
const ENTRIES_PER_STATEMENT = 5000
/** An audit must not exhaust memory. */
const MAX_ENTRIES = 50_000

export interface Read {
  readonly tenantId: string
  /** `grant:` with the grant id, or the credential holder. */
  readonly actor: string
  readonly action: ReadEntry['action']
  readonly subjectId: string
  readonly representation: string
  readonly audience: Exclude<Audience, 'public'>
}

interface Counted {
  readonly read: Read
  /** Milliseconds since the epoch. */
  readonly until: number
  /** Unwritten reads, with times of the first and last. */
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
 * Records reads of non-public data in the workspace's audit trail, with the grant or key (EN 18239, 5.2). A first read is written within a
 * second; equal reads of the next minute share an entry. Entries wait if the database is unavailable; `reads.lost` counts those rejected or
 * over capacity. A crash loses unwritten entries, a clean shutdown nothing.
 */
export default function protectedReadAudit({ counters, database, log }: Pick<Cradle, 'counters' | 'database' | 'log'>) {
  const counting = new Map<string, Counted>()
  let waiting: ReadEntry[] = []
  let lost = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  return { record, flush }

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
    scheduleWrite()
  }

  function scheduleWrite(): void {
    if (timer === undefined) timer = setTimeout(writeCounted, WRITTEN_AFTER_MS).unref()
  }

  function writeCounted(): void {
    timer = undefined
    const now = Date.now()
    for (const [key, counted] of counting) {
      const hasEnded = now >= counted.until
      if (hasEnded || !counted.isWritten) take(counted)
      if (hasEnded) counting.delete(key)
    }
    void write()
    if (counting.size + waiting.length + lost.size > 0) scheduleWrite()
  }

  /** Writes all counted reads. Never throws. */
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
      log.error({ tenantId, lost: count }, 'reads lost from the audit trail')
      entries.push({ tenantId, actor: 'platform', action: 'reads.lost', subjectId: tenantId, detail: { count } })
    }
    try {
      while (entries.length > 0) {
        await writeEach(entries.slice(0, ENTRIES_PER_STATEMENT))
        entries.splice(0, ENTRIES_PER_STATEMENT)
      }
    } catch (error) {
      log.warn({ err: error, waiting: entries.length }, 'reads waiting to be written to the audit trail')
      waiting = [...entries, ...waiting]
    }
  }

  /**
   * Writes entries in one statement, or in halves if rejected, to skip only the rejected ones.
   * @throws if the database is unavailable
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
    log.error({ err: error, tenantId, action, subjectId }, 'audit entry rejected')
    const { count } = detail as { count: number }
    // The next write reports the number, unless this is such a report.
    if (action !== 'reads.lost') lost.set(tenantId, (lost.get(tenantId) ?? 0) + count)
  }
}
