import type { Cradle } from '../cradle.ts'
import { isPassing } from '../storage/database-errors.ts'

const CHAINED_EVERY_MS = 1000
/** Takes about 0.1 s, in which other workspaces wait. */
const ENTRIES_PER_TURN = 1000

declare module '../cradle.ts' {
  interface Cradle {
    auditChaining: ReturnType<typeof auditChaining>
  }
}

/**
 * Chains audit entries outside of the writers' transactions, which the chain head would serialize. Measured with 16 writers of one
 * workspace: chaining in the transaction left 1/4 of the commits of single entries and 2/3 of those of 200. Unchained entries are protected
 * only by database roles, which may insert and nothing else.
 */
export default function auditChaining({ boss, log }: Cradle) {
  let timer: NodeJS.Timeout | undefined
  let chaining: Promise<void> = Promise.resolve()
  let isFailing = false

  return { start, stop }

  function start(): void {
    timer = setTimeout(() => {
      chaining = chain().finally(() => timer !== undefined && start())
    }, CHAINED_EVERY_MS).unref()
  }

  /** Chains waiting entries. Never throws. */
  async function stop(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await chaining
    await chain()
  }

  async function chain(): Promise<void> {
    try {
      const failing = await chainAll()
      if (failing > 0 && !isFailing) log.error({ workspaces: failing }, 'audit entries cannot be chained')
      isFailing = failing > 0
    } catch (error) {
      // Logged once per outage.
      if (!isFailing) log.warn({ err: error }, 'the audit trail could not be chained')
      isFailing = true
    }
  }

  /**
   * Chains each workspace in its own transaction, in turns. The job role sees all workspaces.
   * @returns the number of workspaces whose chain cannot be continued
   */
  async function chainAll(): Promise<number> {
    const failing = new Set<string>()
    let isMore = true
    while (isMore) {
      isMore = false
      const { rows } = await boss.getDb().executeSql('select public.audit_waiting() as id')
      for (const { id } of (rows as { id: string }[]).filter(({ id }) => !failing.has(id))) {
        const chained = await chainOf(id)
        if (chained === undefined) failing.add(id)
        isMore ||= chained === ENTRIES_PER_TURN
      }
    }
    return failing.size
  }

  async function chainOf(workspaceId: string): Promise<number | undefined> {
    try {
      const values = [workspaceId, ENTRIES_PER_TURN]
      const { rows } = await boss.getDb().executeSql('select public.audit_chain_of($1, $2) as chained', values)
      return (rows[0] as { chained: number }).chained
    } catch (error) {
      if (isPassing(error)) throw error
      if (!isFailing) log.error({ err: error, workspaceId }, 'the audit chain of a workspace cannot be continued')
      return undefined
    }
  }
}
