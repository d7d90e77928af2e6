import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { Principal } from '../domain/principal.ts'
import { notAcceptable, Problem } from '../domain/problem.ts'
import type { Tier } from '../domain/view.ts'
import type { Choice } from '../publication/choice.ts'
import type { WireRendition } from '../publication/rendition.ts'
import {
  type Candidate,
  candidateById,
  candidatesByKey,
  isBoundTo,
  type KeyName,
  type Match,
} from '../storage/candidates.ts'
import type { Name } from '../storage/renditions.ts'
import { theOneNamed } from './passports.ts'

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

declare module '../cradle.ts' {
  interface Cradle {
    resolution: ReturnType<typeof resolution>
  }
}

/** Answers a passport in the form and the tier that the caller gets (specification 4.5 and 5.10). */
export default function resolution({ database, renditions, grants, accessAudit }: Cradle) {
  const audit = accessAudit

  return { byId, byKey, answer, answerCredential, ofWorkspace }

  /** The passport with this id, drafts included; who may see it is decided by `answer`. */
  async function byId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    return candidateById(database, id)
  }

  /** Passports that answer at this value and that the caller may see, see {@link candidatesByKey}. */
  async function byKey(value: string, named: KeyName | undefined, caller: Caller): Promise<Match[]> {
    const rows = await candidatesByKey(database, value, named, caller.principal?.tenantId ?? null)
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
    if (choice === undefined) throw noRepresentation()
    return told(candidate, tier, choice, await renditions.of(candidate, tier, choice, caller.lang), caller)
  }

  /**
   * Answers the passport that `idOrProduct` names for a workspace, with its stored form read along with it.
   * @throws Problem as {@link theOneNamed}
   */
  async function ofWorkspace(
    idOrProduct: string,
    caller: Caller & { readonly principal: Principal },
  ): Promise<RenditionResult> {
    const { principal, accept, lang } = caller
    const choice = renditions.choose(accept)
    if (choice === undefined) throw noRepresentation()
    const tier = seesOwnerTier(principal) ? 'owner' : 'public'
    const read = (name: Name) => renditions.findOwn(principal, { name, value: idOrProduct }, tier, choice, lang)
    const byId = isUuid(idOrProduct) ? await read('id') : []
    const found = byId.length > 0 ? byId : await read('product_id')
    const { candidate, rendition } = theOneNamed(found, principal, ({ candidate }) => candidate.operatorId)
    if (candidate.status === 'DRAFT' && tier !== 'owner') throw noPassport()
    return told(candidate, tier, choice, rendition ?? (await renditions.of(candidate, tier, choice, lang)), caller)
  }

  function told(
    candidate: Candidate,
    tier: Tier,
    choice: Choice,
    rendition: WireRendition | undefined,
    { ip }: Caller,
  ): RenditionResult {
    if (rendition === undefined) throw noPassport()
    audit.record(candidate, choice.plugin.name, tier, ip)
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
    if (principal === undefined || !seesOwnerTier(principal)) return false
    if (principal.operatorId !== null && principal.operatorId !== candidate.operatorId) return false
    if (candidate.tenantId === principal.tenantId) return true
    return isBoundTo(database, candidate.operatorId, principal.tenantId)
  }
}

/** Sessions get the public tier (specification 4.1). */
const seesOwnerTier = ({ kind, permissions }: Principal) => kind === 'key' && permissions.has('passport:read')

const noRepresentation = () => notAcceptable('This gateway does not have the representation.')

// Bare also where an operation with credentials asks (specification 4.1): it answers what the public resolver does.
const noPassport = () =>
  new Problem(404, 'There is no public passport at this address.', { title: 'Not Found', isBare: true })
