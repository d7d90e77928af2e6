import { notAcceptable } from '../domain/credentials/untp.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { Principal } from '../domain/principal.ts'
import { notFound, Problem } from '../domain/problem.ts'
import type { Tier } from '../domain/view.ts'
import type { AccessAudit } from './access-audit.ts'
import type { Database } from './database.ts'
import type { Grants } from './grants.ts'
import type { Candidate, Choice, Renditions, WireRendition } from './renditions.ts'

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

/** Answers a passport in the form and the tier that the caller gets (specification 4.5 and 5.10). */
export class Resolution {
  readonly #database: Database
  readonly #renditions: Renditions
  readonly #grants: Grants
  readonly #audit: AccessAudit

  constructor(dependencies: {
    database: Database
    renditions: Renditions
    grants: Grants
    accessAudit: AccessAudit
  }) {
    this.#database = dependencies.database
    this.#renditions = dependencies.renditions
    this.#grants = dependencies.grants
    this.#audit = dependencies.accessAudit
  }

  /** The passport with this id, drafts included; who may see it is decided by `answer`. */
  async byId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    const { rows } = await this.#database.lookup.query<Candidate>({
      name: 'candidate-by-id',
      text: `select ${COLUMNS} from passport p where p.id = $1`,
      values: [id],
    })
    return rows[0]
  }

  /**
   * Passports whose GTIN, GRAI or product id is this value and that the caller may see. Drafts come last, so that any
   * number of them, which nobody has judged, hides no published passport.
   */
  async byKey(value: string, caller: Caller): Promise<Candidate[]> {
    const { rows } = await this.#database.lookup.query<Candidate>({
      name: 'candidates-by-key',
      text: `select ${COLUMNS} from passport p where p.product_id = $1 or p.gtin = $1 or p.grai = $1
        order by p.status = 'DRAFT', p.created_at, p.id limit 50`,
      values: [value],
    })
    const owned = await Promise.all(rows.map((candidate) => this.#isOwned(candidate, caller.principal)))
    return rows.filter((candidate, index) => candidate.status !== 'DRAFT' || owned[index])
  }

  /** Answers the candidate, or 404 where it is absent or hidden from this caller. */
  answer(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return this.#answer(candidate, caller, this.#renditions.choose(caller.accept))
  }

  /** The same as a credential, whatever else the caller would accept. */
  answerCredential(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return this.#answer(candidate, caller, this.#renditions.chooseCredential(caller.accept))
  }

  async #answer(
    candidate: Candidate | undefined,
    caller: Caller,
    choice: Choice | undefined,
  ): Promise<RenditionResult> {
    const tier = candidate === undefined ? 'public' : await this.#tierOf(candidate, caller)
    // A hidden draft and an absent passport answer alike (specification 4.5).
    if (candidate === undefined || (candidate.status === 'DRAFT' && tier !== 'owner')) throw noPassport()
    if (choice === undefined) throw notAcceptable('This gateway does not have the representation.')
    const rendition =
      tier === 'public'
        ? await this.#renditions.ofPublic(candidate, choice, caller.lang)
        : await this.#renditions.ofTier(candidate, tier, choice, caller.lang)
    if (rendition === undefined) throw noPassport()
    this.#audit.record(candidate, choice.plugin.name, tier, caller.ip)
    return { rendition, isPublic: tier === 'public', tier }
  }

  /** The best tier that any of the caller's credentials gives; a bad one gives nothing and takes nothing. */
  async #tierOf(candidate: Candidate, { principal, grant }: Caller): Promise<Tier> {
    if (await this.#isOwned(candidate, principal)) return 'owner'
    return grant !== undefined && (await this.#grants.unlocks(grant, candidate)) ? 'restricted' : 'public'
  }

  /**
   * Database API keys of the owning workspace, or of one to which the operator is bound, get the owner tier; sessions
   * get the public tier (specification 4.1). A key that is limited to an operator is limited here too.
   */
  async #isOwned(candidate: Candidate, principal: Principal | undefined): Promise<boolean> {
    if (principal?.kind !== 'key') return false
    if (principal.operatorId !== null && principal.operatorId !== candidate.operatorId) return false
    if (!principal.permissions.has('passport:read')) return false
    if (candidate.tenantId === principal.tenantId) return true
    const { rowCount } = await this.#database.lookup.query({
      name: 'is-bound',
      text: 'select 1 from operator_binding where operator_id = $1 and tenant_id = $2',
      values: [candidate.operatorId, principal.tenantId],
    })
    return rowCount !== 0
  }
}

const noPassport = () => {
  const { message, status, fields } = notFound('There is no public passport at this address.')
  return new Problem(status, message, { ...fields, isPublic: true })
}
