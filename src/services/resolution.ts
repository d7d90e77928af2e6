import type { Cradle } from '../cradle.ts'
import { audienceOf, type Reader, tierOf } from '../domain/audience.ts'
import { inEitherForm, isUuid } from '../domain/identifiers.ts'
import { tagOf } from '../domain/precondition.ts'
import type { Principal } from '../domain/principal.ts'
import { badRequest, notAcceptable, Problem } from '../domain/problem.ts'
import type { Choice } from '../publication/negotiated-format.ts'
import type { WireRendition } from '../publication/rendition.ts'
import {
  batchCandidateById,
  type Candidate,
  candidateById,
  candidatesByBatch,
  candidatesByKey,
  candidatesBySerial,
  deletedCandidateById,
  isBoundTo,
  type KeyName,
  type Match,
  unitCandidateById,
} from '../storage/candidates.ts'
import { lastMomentOf, type VersionName } from '../storage/passport-rows.ts'
import { kindOf, type Name, type SubjectKind } from '../storage/renditions.ts'
import { theOneNamed } from './passports.ts'

/** A passport, or a unit, in the representation that the caller gets, as the caller may see it. */
export interface RenditionResult {
  readonly rendition: WireRendition
  readonly isPublic: boolean
  /** Of a passport or a unit; absent for documents that are the same for everybody. */
  readonly reader?: Reader
}

/** What everybody gets of a unit that was recycled. */
export interface CeasedUnit {
  readonly ceased: WireRendition
}

/** Who asks for a passport, and how. */
export interface Caller {
  readonly principal?: Principal
  /** A capability token, not yet looked up. */
  readonly grant?: string
  readonly accept: string | undefined
  readonly lang: string
  readonly ip: string
  /** See `OperationRequest`. */
  readonly countSlowWork?: (() => Promise<void>) | undefined
}

declare module '../cradle.ts' {
  interface Cradle {
    resolution: ReturnType<typeof resolution>
  }
}

/** Answers passports and units in the form that the caller gets, as the caller may see them (specification 4.5 and 5.10). */
export default function resolution({
  database,
  renditions,
  unitViews,
  grants,
  accessAudit,
  protectedReadAudit,
}: Cradle) {
  return {
    byId,
    byUnitId,
    byBatchId,
    byKey,
    bySerial,
    byBatch,
    answer,
    answerVersion,
    answerCredential,
    answerBatch,
    answerUnit,
    answerUnitCredential,
    ofWorkspace,
  }

  /** The passport with this id, drafts included; who may see it is decided by `answer`. */
  async function byId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    return candidateById(database, id)
  }

  /** The unit with this id, as {@link byId}. */
  async function byUnitId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    return unitCandidateById(database, id)
  }

  /** The batch with this id, as {@link byId}. */
  async function byBatchId(id: string): Promise<Candidate | undefined> {
    return isUuid(id) ? batchCandidateById(database, id) : undefined
  }

  /** Passports that answer at this value and that the caller may see, see {@link candidatesByKey}. */
  async function byKey(value: string, named: KeyName | undefined, caller: Caller): Promise<Match[]> {
    return inEitherForm(value, async (key) =>
      nearest(await visible(await candidatesByKey(database, key, named, workspaceOf(caller)), caller)),
    )
  }

  /** The same of a GTIN, each with its batch with this number. */
  async function byBatch(gtin: string, batchNumber: string, caller: Caller): Promise<Match[]> {
    return nearest(await visible(await candidatesByBatch(database, gtin, batchNumber, workspaceOf(caller)), caller))
  }

  /** Passports with this product id that the caller may see, each with its unit with this serial. */
  async function bySerial(productId: string, serial: string, caller: Caller): Promise<Match[]> {
    return inEitherForm(productId, async (key) =>
      visible(await candidatesBySerial(database, key, serial, workspaceOf(caller)), caller),
    )
  }

  async function visible(rows: readonly Match[], { principal }: Caller): Promise<Match[]> {
    const isVisible = await Promise.all(rows.map(async (row) => row.status !== 'DRAFT' || isOwned(row, principal)))
    return rows.filter((_, index) => isVisible[index])
  }

  /** Answers the passport, or 404 where it is absent or hidden from this caller. */
  function answer(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return answerAs(candidate, caller, renditions.choose(caller.accept, 'passport'))
  }

  /**
   * Answers the sealed version of the passport that the query names, as the public read it; the passport as {@link answer} does
   * where it names none. Who sees more than the public gets what there was at a time, sealed or not.
   * @throws Problem 400, 404, 406
   */
  async function answerVersion(
    id: string,
    { version, asOf }: { readonly version?: string | undefined; readonly asOf?: string | undefined },
    caller: Caller,
  ): Promise<RenditionResult> {
    if (version !== undefined && asOf !== undefined) throw badRequest('Name a version or a time, not both.')
    const name = nameOf(version, asOf)
    const present = await byId(id)
    if (name === undefined) return answer(present, caller)
    const candidate = present ?? (await deletedById(id))
    if (candidate === undefined) throw hidden('passport')
    const isForAll = 'version' in name && candidate.status !== 'DRAFT'
    return answerEarlier(candidate, name, isForAll ? PUBLIC : await sightOf(candidate, caller), caller)
  }

  async function deletedById(id: string): Promise<Candidate | undefined> {
    return isUuid(id) ? deletedCandidateById(database.batchedLookup, id) : undefined
  }

  /** Earlier versions of what is a draft now, or deleted, are for its owner and for authorities. */
  async function answerEarlier(
    candidate: Candidate,
    name: VersionName,
    sight: Viewer,
    caller: Caller,
  ): Promise<RenditionResult> {
    const { reader } = sight
    if (candidate.status === 'DRAFT' && reader !== 'owner' && audienceOf(reader) !== 'authority')
      throw hidden('passport')
    const choice = renditions.choose(caller.accept, 'passport')
    if (choice === undefined) throw noRepresentation()
    const time = reader === 'public' ? undefined : await archivedTime(candidate, name)
    const rendition =
      time === undefined
        ? await renditions.ofVersion(candidate, name, choice, caller.lang)
        : await renditions.ofArchived(candidate, time, reader, choice, caller.lang, tokenOf(sight, caller))
    if (rendition === undefined) throw 'asOf' in name && time !== undefined ? noState() : noVersion(name)
    return told(candidate, sight, choice, rendition, caller)
  }

  /** The time that is asked for, or the last one of the version; undefined for a version that everybody may read. */
  async function archivedTime({ id, tenantId, status }: Candidate, name: VersionName): Promise<string | undefined> {
    if ('asOf' in name) return name.asOf
    return status === 'DRAFT' ? lastMomentOf(database.forTenant(tenantId), id, name.version) : undefined
  }

  /** Answers the batch as {@link answer} does a passport. */
  function answerBatch(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    if (candidate === undefined) throw hidden('batch')
    return answerAs(candidate, caller, renditions.choose(caller.accept, 'batch'))
  }

  /** The same as a credential, whatever else the caller would accept. */
  function answerCredential(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return answerAs(candidate, caller, renditions.chooseCredential(caller.accept, 'passport'))
  }

  /** Answers the unit as {@link answer} does a passport, or what is left of it. */
  function answerUnit(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult | CeasedUnit> {
    return ofUnit(candidate, caller, () => renditions.choose(caller.accept, 'unit'))
  }

  /** The same as a credential. */
  function answerUnitCredential(
    candidate: Candidate | undefined,
    caller: Caller,
  ): Promise<RenditionResult | CeasedUnit> {
    return ofUnit(candidate, caller, () => renditions.chooseCredential(caller.accept, 'unit'))
  }

  /** Whether the unit has ceased comes before what is asked for, and whatever would be shown (specification 3.2). */
  async function ofUnit(
    candidate: Candidate | undefined,
    caller: Caller,
    choice: () => Choice | undefined,
  ): Promise<RenditionResult | CeasedUnit> {
    const unit = candidate?.unit
    if (candidate === undefined || unit === undefined) throw hidden('unit')
    const view = unitViews.ceased(unit, { id: candidate.id, productId: unit.productId, category: candidate.category })
    if (view === undefined) return answerAs(candidate, caller, choice())
    if (candidate.status === 'DRAFT' && !(await isOwned(candidate, caller.principal))) throw hidden('unit')
    const ceased = renditions.ofCeased(view, caller.accept, caller.lang)
    if (ceased === undefined) throw noRepresentation()
    return { ceased }
  }

  async function answerAs(
    candidate: Candidate | undefined,
    caller: Caller,
    choice: Choice | undefined,
  ): Promise<RenditionResult> {
    const sight = candidate === undefined ? PUBLIC : await sightOf(candidate, caller)
    const { reader } = sight
    // A hidden draft and an absent passport answer alike (specification 4.5).
    if (candidate === undefined || (candidate.status === 'DRAFT' && reader !== 'owner')) throw hidden(kindOf(candidate))
    if (choice === undefined) throw noRepresentation()
    if (
      reader === 'public' &&
      caller.grant !== undefined &&
      !choice.isSigned &&
      choice.plugin.renderPage !== undefined
    ) {
      // People came for more than they get, and have to be told; nobody else may get what tells them.
      const page = await renditions.withNotice(candidate, 'accessEnded', choice.plugin, caller.lang)
      return { ...told(candidate, sight, choice, page, caller), isPublic: false }
    }
    return told(
      candidate,
      sight,
      choice,
      await renditions.of(candidate, reader, choice, caller.lang, {
        grant: tokenOf(sight, caller),
        countSlowWork: caller.countSlowWork,
      }),
      caller,
    )
  }

  /**
   * Answers the passport that `idOrProduct` names for a workspace, with its stored form read along with it, or what it was at a
   * time. The entity tag says which version it is, for those who write it next.
   * @throws Problem as {@link theOneNamed}
   */
  async function ofWorkspace(
    idOrProduct: string,
    { asOf }: { readonly asOf?: string | undefined },
    caller: Caller & { readonly principal: Principal },
  ): Promise<RenditionResult> {
    const { principal, accept, lang } = caller
    const choice = renditions.choose(accept, 'passport')
    if (choice === undefined) throw noRepresentation()
    const sight = seesOwnerTier(principal) ? ownerSight(principal) : PUBLIC
    const { reader } = sight
    const read = (name: Name, value: string) => renditions.findOwn(principal, { name, value }, reader, choice, lang)
    const byId = isUuid(idOrProduct) ? await read('id', idOrProduct) : []
    const found = byId.length > 0 ? byId : await inEitherForm(idOrProduct, (product) => read('product_id', product))
    if (found.length === 0 && asOf !== undefined && reader === 'owner') {
      const deleted = await deletedById(idOrProduct)
      if (deleted !== undefined && (await isOwned(deleted, principal))) {
        return answerEarlier(deleted, momentNamed(asOf), sight, caller)
      }
    }
    const { candidate, rendition } = theOneNamed(found, principal, ({ candidate }) => candidate.operatorId)
    if (candidate.status === 'DRAFT' && reader !== 'owner') throw hidden('passport')
    if (asOf !== undefined) return answerEarlier(candidate, momentNamed(asOf), sight, caller)
    const shown = rendition ?? (await renditions.of(candidate, reader, choice, lang))
    const tagged = shown && { ...shown, etag: tagOf(candidate.version, shown.etag) }
    return told(candidate, sight, choice, tagged, caller)
  }

  function told(
    candidate: Candidate,
    { reader, actor }: Viewer,
    choice: Choice,
    rendition: WireRendition | undefined,
    { ip }: Caller,
  ): RenditionResult {
    if (rendition === undefined) throw hidden(kindOf(candidate))
    const { id: passportId, tenantId, unit, category } = candidate
    const { name: representation } = choice.plugin
    accessAudit.record({ passportId, unitId: unit?.id ?? null, category }, representation, tierOf(reader), ip)
    const audience = audienceOf(reader)
    if (audience !== 'public') {
      const what = {
        action: unit === undefined ? 'passport.read' : 'batteryunit.read',
        representation,
        audience,
      } as const
      protectedReadAudit.record({ tenantId, actor, subjectId: unit?.id ?? passportId, ...what })
    }
    return { rendition, isPublic: reader === 'public', reader }
  }

  /** The most that any of the caller's credentials opens; a bad one gives nothing and takes nothing. */
  async function sightOf(candidate: Candidate, { principal, grant }: Caller): Promise<Viewer> {
    if (principal !== undefined && (await isOwned(candidate, principal))) return ownerSight(principal)
    const granted = grant === undefined ? undefined : await grants.readerBy(grant, candidate)
    return granted === undefined ? PUBLIC : { reader: granted.reader, actor: `grant:${granted.grantId}` }
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

/** As whom somebody reads, and whom the audit trail names. */
interface Viewer {
  readonly reader: Reader
  readonly actor: string
}

const PUBLIC: Viewer = { reader: 'public', actor: 'public' }
const ownerSight = ({ actor }: Principal): Viewer => ({ reader: 'owner', actor })

/** The token that made a reader of the caller, for links to what it opens. */
const tokenOf = ({ reader }: Viewer, { grant }: Caller) => (tierOf(reader) === 'restricted' ? grant : undefined)

/** Sessions get the public tier (specification 4.1). */
export const seesOwnerTier = ({ kind, permissions }: Principal) => kind === 'key' && permissions.has('passport:read')

function nameOf(version: string | undefined, asOf: string | undefined): VersionName | undefined {
  if (version !== undefined) return { version: Number(version) }
  return asOf === undefined ? undefined : momentNamed(asOf)
}

/** A time that is yet to come is the present, and before the first passport there was none. */
const momentNamed = (asOf: string): { readonly asOf: string } => ({
  asOf: new Date(Math.max(0, Math.min(Date.parse(asOf), Date.now()))).toISOString(),
})

const noState = () => new Problem(404, 'There was no passport that you may read at that time.', { title: 'Not Found' })

const noVersion = (name: VersionName) =>
  new Problem(
    404,
    'version' in name
      ? `This passport has no sealed version ${name.version}. Only sealed versions stay readable.`
      : 'No sealed version of this passport was published at that time. Only sealed versions stay readable.',
    { title: 'Not Found' },
  )

const noRepresentation = () => notAcceptable('This gateway does not have the representation.')

const workspaceOf = ({ principal }: Caller) => principal?.tenantId ?? null

const nearest = (seen: Match[]): Match[] => {
  const own = seen.filter(({ isNamed }) => !isNamed)
  return own.length > 0 ? own : seen
}

const NOUNS: Readonly<Record<SubjectKind, string>> = { passport: 'passport', unit: 'battery unit', batch: 'batch' }

// Bare also where an operation with credentials asks (specification 4.1): it answers what the public resolver does.
const hidden = (kind: SubjectKind) =>
  new Problem(404, `There is no public ${NOUNS[kind]} at this address.`, { title: 'Not Found', isBare: true })
