import type { Cradle } from '../cradle.ts'

/** How long what was recorded waits at most before it is chained, while any process of the gateway runs. */
const CHAINED_EVERY_MS = 1000

declare module '../cradle.ts' {
  interface Cradle {
    auditChaining: ReturnType<typeof auditChaining>
  }
}

/**
 * Puts what was recorded into the chain of its workspace, behind the writers and not in their transactions: the one row that
 * is the head would let them commit only one after the other. Measured with 16 writers of one workspace, a chain within
 * the transaction left a quarter of the commits of single entries and two thirds of those of 200. Until an entry is chained
 * nobody would miss it: until then it is kept by the rights of the roles alone, which may add to the inbox and no more.
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

  /** Chains what waits a last time. Never throws. */
  async function stop(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await chaining
    await chain()
  }

  async function chain(): Promise<void> {
    try {
      // In the role of the jobs, because it is for all workspaces.
      const { rows } = await boss.getDb().executeSql('select public.audit_chain_all() as failing')
      const { failing } = rows[0] as { failing: number }
      if (failing > 0 && !isFailing) log.error({ workspaces: failing }, 'audit entries cannot be chained')
      isFailing = failing > 0
    } catch (error) {
      // Told once, and not every second of an outage.
      if (!isFailing) log.warn({ err: error }, 'the audit trail could not be chained')
      isFailing = true
    }
  }
}
