import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { badRequest, conflict, notFound } from '../domain/problem.ts'
import { boundTo } from '../storage/bindings.ts'

/** SQLSTATE of a passport that would come under a prefix that another workspace has claimed. */
const CLAIMED = 'DP409'
/** SQLSTATE of a claim that overlaps another, or is the same. */
const OVERLAPS: ReadonlySet<string> = new Set(['23P01', '23505'])

/** A claim, as the command line tells it. */
interface PrefixClaim {
  readonly prefix: string
  readonly workspaceId: string
  readonly workspace: string
  readonly claimedAt: Date
}

/** A passport of somebody else that was there before the claim. */
interface Squatter {
  readonly id: string
  readonly workspaceId: string
  readonly productId: string
}

/** @returns Problem 409 for a passport under a prefix that another workspace has claimed */
export const prefixClaimed = () =>
  conflict(
    'This GTIN or GRAI is under a GS1 company prefix that another workspace has claimed. Use a number of your own.',
    'GTIN_PREFIX_CLAIMED',
  )

/** The refusal that the database means, or the error as it is. */
export const asRefusal = (error: unknown): unknown =>
  (error as { code?: string } | null)?.code === CLAIMED ? prefixClaimed() : error

declare module '../cradle.ts' {
  interface Cradle {
    companyPrefixes: ReturnType<typeof companyPrefixes>
  }
}

/** GS1 company prefixes that workspaces have claimed: whose the GTINs and GRAIs below them are. */
export default function companyPrefixes({ database }: Cradle) {
  return { claim, list, release }

  /**
   * Claims a prefix for a workspace. Passports of others that are there already stay, and are told.
   * @throws Problem 400 for what is not a prefix, 404 for an unknown workspace, 409 where a claim overlaps
   */
  async function claim(
    workspaceId: string,
    prefix: string,
  ): Promise<{ prefix: string; workspaceId: string; others: Squatter[] }> {
    if (!/^[0-9]{4,12}$/.test(prefix)) throw badRequest(`prefix: "${prefix}" is not 4 to 12 digits.`)
    const em = database.forTenant(workspaceId)
    const [workspace] = isUuid(workspaceId)
      ? await em.execute('select 1 from workspace where id = ?', [workspaceId])
      : []
    if (workspace === undefined) throw notFound(`There is no workspace ${workspaceId}.`)
    try {
      await em.execute('insert into company_prefix (prefix, tenant_id) values (?, ?)', [prefix, workspaceId])
    } catch (error) {
      if (!OVERLAPS.has((error as { code?: string }).code ?? '')) throw error
      const overlapped = (await list()).filter(
        (claim) => claim.prefix.startsWith(prefix) || prefix.startsWith(claim.prefix),
      )
      const told = overlapped.map((claim) => `${claim.prefix} of workspace ${claim.workspace} (${claim.workspaceId})`)
      throw conflict(`The prefix overlaps ${told.join(', ') || 'another claim'}. Release that one first.`)
    }
    return { prefix, workspaceId, others: await others(workspaceId, prefix) }
  }

  async function list(): Promise<PrefixClaim[]> {
    const { rows } = await database.lookup.query<PrefixClaim>(
      `select c.prefix, c.tenant_id as "workspaceId", w.name as workspace, c.claimed_at as "claimedAt"
       from company_prefix c join workspace w on w.id = c.tenant_id order by c.prefix`,
    )
    return rows
  }

  /** @throws Problem 404 */
  async function release(prefix: string): Promise<{ prefix: string; workspaceId: string }> {
    const claim = (await list()).find((candidate) => candidate.prefix === prefix)
    if (claim === undefined) throw notFound(`Nobody has claimed ${prefix}.`)
    const { workspaceId } = claim
    await database.forTenant(workspaceId).execute('delete from company_prefix where prefix = ?', [prefix])
    return { prefix, workspaceId }
  }

  /** Passports below the prefix that are neither the workspace's nor of an operator for which it acts. */
  async function others(workspaceId: string, prefix: string): Promise<Squatter[]> {
    const { rows } = await database.lookup.query<Squatter>(
      `select p.id, p.tenant_id as "workspaceId", p.product_id as "productId" from passport p
       where p.status <> 'DRAFT' and p.tenant_id <> $2
         and exists (
           select 1 from unnest(array[p.product_id, p.gtin, p.grai]) as k (key)
           where starts_with(substr(k.key, 2), $1) and k.key ~ '^[0-9]{14}[0-9A-Za-z]{0,16}$'
         )
         and not ${boundTo('p.operator_id', '$2')}
       order by p.created_at, p.id limit 1000`,
      [prefix, workspaceId],
    )
    return rows
  }
}
