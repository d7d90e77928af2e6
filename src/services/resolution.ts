import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { Principal } from '../domain/principal.ts'
import { notAcceptable, Problem } from '../domain/problem.ts'
import type { Tier } from '../domain/view.ts'
import type { Choice } from '../publication/choice.ts'
import type { WireRendition } from '../publication/rendition.ts'
import type { Candidate } from '../publication/renditions.ts'
import { boundTo, IS_BOUND } from '../storage/bindings.ts'

/** A passport in the representation and the tier that the caller gets. */
export interface RenditionResult {
  readonly rendition: WireRendition
  readonly isPublic: boolean
  /** Of a passport; absent for documents that are the same for everybody. */
  readonly tier?: Tier
}

/** Who asks for a passport, and how. */
export interface Caller {
  readonly principal?: Principal
  /** A capability token, not yet looked up. */
  readonly grant?: string
  readonly accept: string | undefined
  readonly lang: string
  readonly ip: string
}

const COLUMNS = `p.id, p.tenant_id as "tenantId", p.operator_id as "operatorId", p.status, p.version, p.category`

/** The metadata key that names a product where no product id does. */
type KeyName = 'gtin' | 'grai'

/** A passport at an address that several may share. */
export interface Match extends Candidate {
  /** It names the product in its metadata only; its product id is another. */
  readonly isNamed: boolean
  /** It comes from the holder of the GS1 company prefix. */
  readonly isClaimed: boolean
  readonly isSealed: boolean
}

/** Passports that are told of at one address. */
const MOST_MATCHES = 50

// Drafts are seen by workspaces that act for their operator alone, and come last.
const VISIBLE = `(p.status <> 'DRAFT' or p.tenant_id = $2
  or ${boundTo('p.operator_id', '$2')})`

const MATCH = `${COLUMNS}, p.seal_id is not null as "isSealed", p.created_at`

/** The holder of the prefix, or whoever issues for an operator for which the holder acts too. */
const CLAIMED = `coalesce(h.holder = m."tenantId" or ${boundTo('m."operatorId"', 'h.holder')}, false)`

const candidatesBy = (named: KeyName | undefined) => `
  with own as materialized (select ${MATCH}, false as "isNamed" from passport p where p.product_id = $1 and ${VISIBLE}),
    match as (
      select * from own
      ${
        named === undefined
          ? ''
          : `union all select ${MATCH}, true from passport p
             where p.${named} = $1 and p.product_id <> $1 and ${VISIBLE} and not exists (select 1 from own where status <> 'DRAFT')`
      }
    ),
    holder as (
      select nearest.tenant_id as holder from (
        select c.prefix, c.tenant_id from company_prefix c where c.prefix <= substr($1, 2, 12) order by c.prefix desc limit 1
      ) as nearest where starts_with(substr($1, 2), nearest.prefix)
    ),
    ordered as (
      select m.*, ${CLAIMED} as "isClaimed", row_number() over (
        partition by m."isNamed", m.status = 'DRAFT', m."tenantId" order by not m."isSealed", m.created_at, m.id
      ) as turn
      from match m left join holder h on true
    ),
    told as (
      select * from ordered order by "isNamed", status = 'DRAFT', "isClaimed" desc, turn, "isSealed" desc, created_at, id
      limit ${MOST_MATCHES}
    )
  select id, "tenantId", "operatorId", status, version, category, "isNamed", "isClaimed", "isSealed" from told
  order by "isNamed", status = 'DRAFT', "isClaimed" desc, "isSealed" desc, created_at, id`

declare module '../cradle.ts' {
  interface Cradle {
    resolution: ReturnType<typeof resolution>
  }
}

/** Answers a passport in the form and the tier that the caller gets (specification 4.5 and 5.10). */
export default function resolution({ database, renditions, grants, accessAudit }: Cradle) {
  const audit = accessAudit

  return { byId, byKey, answer, answerCredential }

  /** The passport with this id, drafts included; who may see it is decided by `answer`. */
  async function byId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    const { rows } = await database.lookup.query<Candidate>({
      name: 'candidate-by-id',
      text: `select ${COLUMNS} from passport p where p.id = $1`,
      values: [id],
    })
    return rows[0]
  }

  /**
   * Passports that answer at this value and that the caller may see: those whose product id it is. Only where there is
   * none, those that name it in their metadata, as anybody can. At most {@link MOST_MATCHES}, first those of the holder of
   * the GS1 company prefix, then sealed ones, then older ones. When there are more, every workspace has its turn, so that
   * any number of another's passports hides nobody's.
   */
  async function byKey(value: string, named: KeyName | undefined, caller: Caller): Promise<Match[]> {
    const { rows } = await database.lookup.query<Match>({
      name: `candidates-by-${named ?? 'product'}`,
      text: candidatesBy(named),
      values: [value, caller.principal?.tenantId ?? null],
    })
    const visible = await Promise.all(
      rows.map(async (row) => row.status !== 'DRAFT' || (await isOwned(row, caller.principal))),
    )
    const seen = rows.filter((_, index) => visible[index])
    const own = seen.filter(({ isNamed }) => !isNamed)
    return own.length > 0 ? own : seen
  }

  /** Answers the candidate, or 404 where it is absent or hidden from this caller. */
  function answer(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return answerAs(candidate, caller, renditions.choose(caller.accept))
  }

  /** The same as a credential, whatever else the caller would accept. */
  function answerCredential(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return answerAs(candidate, caller, renditions.chooseCredential(caller.accept))
  }

  async function answerAs(
    candidate: Candidate | undefined,
    caller: Caller,
    choice: Choice | undefined,
  ): Promise<RenditionResult> {
    const tier = candidate === undefined ? 'public' : await tierOf(candidate, caller)
    // A hidden draft and an absent passport answer alike (specification 4.5).
    if (candidate === undefined || (candidate.status === 'DRAFT' && tier !== 'owner')) throw noPassport()
    if (choice === undefined) throw notAcceptable('This gateway does not have the representation.')
    const rendition =
      tier === 'public'
        ? await renditions.ofPublic(candidate, choice, caller.lang)
        : await renditions.ofTier(candidate, tier, choice, caller.lang)
    if (rendition === undefined) throw noPassport()
    audit.record(candidate, choice.plugin.name, tier, caller.ip)
    return { rendition, isPublic: tier === 'public', tier }
  }

  /** The best tier that any of the caller's credentials gives; a bad one gives nothing and takes nothing. */
  async function tierOf(candidate: Candidate, { principal, grant }: Caller): Promise<Tier> {
    if (await isOwned(candidate, principal)) return 'owner'
    return grant !== undefined && (await grants.unlocks(grant, candidate)) ? 'restricted' : 'public'
  }

  /**
   * Database API keys of the owning workspace, or of one to which the operator is bound, get the owner tier; sessions
   * get the public tier (specification 4.1). A key that is limited to an operator is limited here too.
   */
  async function isOwned(candidate: Candidate, principal: Principal | undefined): Promise<boolean> {
    if (principal?.kind !== 'key') return false
    if (principal.operatorId !== null && principal.operatorId !== candidate.operatorId) return false
    if (!principal.permissions.has('passport:read')) return false
    if (candidate.tenantId === principal.tenantId) return true
    const { rows } = await database.lookup.query<{ isBound: boolean }>({
      ...IS_BOUND,
      values: [candidate.operatorId, principal.tenantId],
    })
    return rows[0]?.isBound === true
  }
}

// Bare also where an operation with credentials asks (specification 4.1): it answers what the public resolver does.
const noPassport = () =>
  new Problem(404, 'There is no public passport at this address.', { title: 'Not Found', isBare: true })
