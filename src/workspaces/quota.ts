import type { Cradle } from '../cradle.ts'
import { PLANS, upgradeUrl } from '../domain/plans.ts'
import type { Principal } from '../domain/principal.ts'
import { Problem } from '../domain/problem.ts'
import { countPublished, lockPlan } from '../passports/published.ts'
import type { Transaction } from '../storage/transaction.ts'

/** SQLSTATE of a write beyond the storage limit, see the storage migration. */
const NO_STORAGE = 'DP402'

export interface RemainingQuota {
  /** Infinity without a limit. */
  readonly left: number
  /** @throws Problem 402 if `added` further passports leave none */
  assert(added?: number): void
}

declare module '../cradle.ts' {
  interface Cradle {
    quota: ReturnType<typeof quota>
  }
}

/** Specification 8. */
export default function quota({ config }: Cradle) {
  const baseUrl = config.baseUrl

  return { readRemaining, assertQuota }

  /** Locks the workspace's row until the transaction ends, so that the limit is exact. */
  async function readRemaining(tx: Transaction, principal: Principal): Promise<RemainingQuota> {
    const passportLimit = passportLimitOf(principal)
    if (passportLimit === null) return { left: Number.POSITIVE_INFINITY, assert() {} }
    const activePassports = await count(tx)
    return {
      left: Math.max(0, passportLimit - activePassports),
      assert(added = 0) {
        const published = activePassports + added
        if (published >= passportLimit) throw exceeded(principal, published, passportLimit)
      },
    }
  }

  /** Checks the quota after publishing `added` passports in this transaction. @throws Problem 402 beyond the limit */
  async function assertQuota(tx: Transaction, principal: Principal, added: number): Promise<void> {
    const passportLimit = passportLimitOf(principal)
    if (passportLimit === null || added === 0) return
    const activePassports = await count(tx)
    if (activePassports > passportLimit) throw exceeded(principal, activePassports - added, passportLimit)
  }

  function count(tx: Transaction): Promise<number> {
    lockPlan(tx)
    return countPublished(tx)
  }

  function exceeded({ workspace }: Principal, activePassports: number, passportLimit: number): Problem {
    return new Problem(402, quotaMessage(passportLimit, activePassports), {
      title: 'Payment Required',
      code: 'passport_quota_exceeded',
      extra: { quota: { tier: workspace.plan, activePassports, passportLimit }, upgradeUrl: upgradeUrl(baseUrl) },
    })
  }
}

/** Returns the workspace's own limit, else its plan's; null is unlimited. */
export function passportLimitOf({ workspace }: Principal): number | null {
  return workspace.passportLimit ?? PLANS[workspace.plan]?.passportLimit ?? null
}

/** Reported by the rejecting trigger; null is unlimited. */
interface Usage {
  readonly tier: string
  readonly storedBytes: number
  readonly storageLimit: number | null
  readonly storedRows: number
  readonly rowLimit: number | null
}

/** @returns Problem 402 for a write beyond the storage limit, else undefined */
export function storageRefusal(error: unknown, baseUrl: string): Problem | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const { code, detail } = cause as { code?: unknown; detail?: unknown }
    if (code !== NO_STORAGE || typeof detail !== 'string') continue
    const quota = JSON.parse(detail) as Usage
    return new Problem(402, storageMessage(quota), {
      title: 'Payment Required',
      code: 'STORAGE_LIMIT_REACHED',
      extra: { quota, upgradeUrl: upgradeUrl(baseUrl) },
    })
  }
  return undefined
}

const storageMessage = ({ storedBytes, storageLimit, storedRows, rowLimit }: Usage) =>
  `The storage limit is reached: ${toUsageText(storedBytes, storageLimit)} bytes and ${toUsageText(storedRows, rowLimit)} rows are in use. Delete drafts, or change the plan.`

const toUsageText = (used: number, bound: number | null) => (bound === null ? `${used}` : `${used} of ${bound}`)

const quotaMessage = (limit: number, published: number) =>
  `The limit of ${limit} published passports is reached: ${published} are published. Upgrade the plan.`
