import { PLATFORM, recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { badRequest, conflict, notFound } from '../domain/problem.ts'
import { isLost } from '../storage/unit-of-work.ts'
import {
  claimedPrefixes,
  claimPrefix,
  type PrefixClaim,
  releasePrefix,
  type Squatter,
  squattersOf,
} from './company-prefix-statements.ts'
import { assertWorkspace } from './credential-statements.ts'

/** SQLSTATE of an overlapping or duplicate claim. */
const OVERLAPS: ReadonlySet<string> = new Set(['23P01', '23505'])

export const prefixClaimed = () =>
  conflict(
    'This GTIN or GRAI is under a GS1 company prefix that another workspace has claimed. Use your own number.',
    'GTIN_PREFIX_CLAIMED',
  )

/** Maps a claimed prefix to Problem 409; returns other errors unchanged. */
export const asRefusal = (error: unknown): unknown => (isLost(error, 'claimed') ? prefixClaimed() : error)

export function refuse(error: unknown): never {
  throw asRefusal(error)
}

declare module '../cradle.ts' {
  interface Cradle {
    companyPrefixes: ReturnType<typeof companyPrefixes>
  }
}

export default function companyPrefixes({ database, publicCache }: Cradle) {
  return { claim, list, release }

  /** Claims a prefix. Existing passports of `others` remain. @throws Problem 400, 404; 409 for an overlapping claim */
  async function claim(
    workspaceId: string,
    prefix: string,
  ): Promise<{ prefix: string; workspaceId: string; others: Squatter[] }> {
    if (!/^[0-9]{4,12}$/.test(prefix)) throw badRequest(`prefix: "${prefix}" is not 4 to 12 digits.`)
    await assertWorkspace(database, workspaceId)
    try {
      await database.transaction(workspaceId, async (tx) => {
        tx.afterCommit(() => publicCache.clear())
        await claimPrefix(tx, prefix)
        recordAudit(tx, PLATFORM, 'prefix.claimed', prefix)
      })
    } catch (error) {
      if (!OVERLAPS.has((error as { code?: string }).code ?? '')) throw error
      const overlapped = (await list()).filter(
        (claim) => claim.prefix.startsWith(prefix) || prefix.startsWith(claim.prefix),
      )
      const overlaps = overlapped.map(
        (claim) => `${claim.prefix} of workspace ${claim.workspace} (${claim.workspaceId})`,
      )
      throw conflict(`The prefix overlaps ${overlaps.join(', ') || 'another claim'}. Release it first.`)
    }
    return { prefix, workspaceId, others: await squattersOf(database, prefix, workspaceId) }
  }

  function list(): Promise<PrefixClaim[]> {
    return claimedPrefixes(database)
  }

  /** @throws Problem 404 */
  async function release(prefix: string): Promise<{ prefix: string; workspaceId: string }> {
    const claim = (await list()).find((candidate) => candidate.prefix === prefix)
    if (claim === undefined) throw notFound(`Prefix ${prefix} is not claimed.`)
    const { workspaceId } = claim
    await database.transaction(workspaceId, async (tx) => {
      tx.afterCommit(() => publicCache.clear())
      if (await releasePrefix(tx, prefix)) recordAudit(tx, PLATFORM, 'prefix.released', prefix)
    })
    return { prefix, workspaceId }
  }
}
