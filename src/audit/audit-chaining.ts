import type { Cradle } from '../cradle.ts'

const CHAINED_EVERY_MS = 1000

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
      // The job role sees all workspaces.
      const { rows } = await boss.getDb().executeSql('select public.audit_chain_all() as failing')
      const { failing } = rows[0] as { failing: number }
      if (failing > 0 && !isFailing) log.error({ workspaces: failing }, 'audit entries cannot be chained')
      isFailing = failing > 0
    } catch (error) {
      // Logged once per outage.
      if (!isFailing) log.warn({ err: error }, 'the audit trail could not be chained')
      isFailing = true
    }
  }
}
