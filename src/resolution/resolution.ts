import type { Cradle } from '../cradle.ts'
import { audienceOf, type Reader, tierOf } from '../domain/audience.ts'
import { inEitherForm, isUuid } from '../domain/identifiers.ts'
import { tagOf } from '../domain/precondition.ts'
import type { Principal } from '../domain/principal.ts'
import { badRequest, notAcceptable, Problem } from '../domain/problem.ts'
import type { LevelName } from '../domain/product-level.ts'
import { lastMomentOf, type VersionName } from '../passports/passport-versions.ts'
import { uniqueMatch } from '../passports/passports.ts'
import type { Choice } from '../renditions/negotiated-format.ts'
import type { WireRendition } from '../renditions/rendition.ts'
import { kindOf, type Name, type SubjectKind } from '../renditions/rendition-statements.ts'
import {
  type Candidate,
  candidateById,
  candidatesByKey,
  candidatesBySerial,
  deletedCandidateById,
  isBoundTo,
  type KeyName,
  type Match,
  recordCandidates,
  unitCandidateById,
} from './candidates.ts'

export interface RenditionResult {
  readonly rendition: WireRendition
  readonly isPublic: boolean
  readonly reader?: Reader
  /** Passports and units that it shows. */
  readonly ids?: readonly string[]
  /** True if the format has languages. */
  readonly isLocalised?: boolean
}

/** Public response for a recycled unit. */
export interface CeasedUnit {
  readonly ceased: WireRendition
}

export interface Caller {
  readonly principal?: Principal
  /** Unverified capability token. */
  readonly grant?: string
  readonly accept: string | undefined
  readonly lang: string
  readonly ip: string
  readonly countSlowWork?: (() => Promise<void>) | undefined
}

declare module '../cradle.ts' {
  interface Cradle {
    resolution: ReturnType<typeof resolution>
  }
}

/** Specification 4.5 and 5.10. */
export default function resolution({
  database,
  renditions,
  unitViews,
  grants,
  accessAudit,
  protectedReadAudit,
  plugins,
}: Cradle) {
  const recordsAt = new Map(plugins.levels.map((level) => [level.name, recordCandidates(level)]))

  return {
    byId,
    byUnitId,
    byKey,
    bySerial,
    byQualifier,
    answer,
    answerVersion,
    answerCredential,
    answerRecord,
    answerUnit,
    answerUnitCredential,
    resolveOwn,
  }

  /** Includes drafts; {@link answer} checks access. */
  async function byId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    return candidateById(database, id)
  }

  async function byUnitId(id: string): Promise<Candidate | undefined> {
    if (!isUuid(id)) return undefined
    return unitCandidateById(database, id)
  }

  async function byKey(value: string, named: KeyName | undefined, caller: Caller): Promise<Match[]> {
    return inEitherForm(value, async (key) =>
      nearest(await visible(await candidatesByKey(database, key, named, workspaceOf(caller)), caller)),
    )
  }

  /** Returns the passports of a GTIN, each with its record of the level. */
  async function byQualifier(level: LevelName, gtin: string, value: string, caller: Caller): Promise<Match[]> {
    const found = await recordsAt.get(level)?.byQualifier(database, gtin, value, workspaceOf(caller))
    return nearest(await visible(found ?? [], caller))
  }

  async function bySerial(productId: string, serial: string, caller: Caller): Promise<Match[]> {
    return inEitherForm(productId, async (key) =>
      visible(await candidatesBySerial(database, key, serial, workspaceOf(caller)), caller),
    )
  }

  async function visible(rows: readonly Match[], { principal }: Caller): Promise<Match[]> {
    const isVisible = await Promise.all(rows.map(async (row) => row.status !== 'DRAFT' || isOwned(row, principal)))
    return rows.filter((_, index) => isVisible[index])
  }

  /** @throws Problem 404 if absent or hidden */
  function answer(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return answerAs(candidate, caller, renditions.choose(caller.accept, 'passport'))
  }

  /**
   * Returns a sealed version in its public view, else the current passport. Privileged callers also get unsealed states by time.
   * @throws Problem 400, 404, 406
   */
  async function answerVersion(
    id: string,
    { version, asOf }: { readonly version?: string | undefined; readonly asOf?: string | undefined },
    caller: Caller,
  ): Promise<RenditionResult> {
    if (version !== undefined && asOf !== undefined) throw badRequest('Specify a version or a time, not both.')
    const name = nameOf(version, asOf)
    const present = await byId(id)
    if (name === undefined) return answer(present, caller)
    const candidate = present ?? (await deletedById(id))
    if (candidate === undefined) throw hidden('passport')
    const isForAll = 'version' in name && candidate.status !== 'DRAFT'
    return answerEarlier(candidate, name, isForAll ? PUBLIC : await viewerOf(candidate, caller), caller)
  }

  async function deletedById(id: string): Promise<Candidate | undefined> {
    return isUuid(id) ? deletedCandidateById(database.batchedLookup, id) : undefined
  }

  /** Versions of drafts and deleted passports are for the owner and authorities. */
  async function answerEarlier(
    candidate: Candidate,
    name: VersionName,
    viewer: Viewer,
    caller: Caller,
  ): Promise<RenditionResult> {
    const { reader } = viewer
    if (candidate.status === 'DRAFT' && reader !== 'owner' && audienceOf(reader) !== 'authority')
      throw hidden('passport')
    const choice = renditions.choose(caller.accept, 'passport')
    if (choice === undefined) throw noRepresentation()
    const time = reader === 'public' ? undefined : await archivedTime(candidate, name)
    const rendition =
      time === undefined
        ? await renditions.renderSealedVersion(candidate, name, choice, caller.lang)
        : await renditions.renderArchived(candidate, time, reader, choice, caller.lang, tokenOf(viewer, caller))
    if (rendition === undefined) throw 'asOf' in name && time !== undefined ? noState() : noVersion(name)
    return toResult(candidate, viewer, choice, rendition, caller)
  }

  async function archivedTime({ id, tenantId, status }: Candidate, name: VersionName): Promise<string | undefined> {
    if ('asOf' in name) return name.asOf
    return status === 'DRAFT' ? lastMomentOf(database.forTenant(tenantId), id, name.version) : undefined
  }

  async function answerRecord(level: LevelName, id: string, caller: Caller): Promise<RenditionResult> {
    const candidate = isUuid(id) ? await recordsAt.get(level)?.byId(database, id) : undefined
    if (candidate === undefined) throw hidden(level)
    return answerAs(candidate, caller, renditions.choose(caller.accept, level))
  }

  function answerCredential(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult> {
    return answerAs(candidate, caller, renditions.chooseCredential(caller.accept, 'passport'))
  }

  function answerUnit(candidate: Candidate | undefined, caller: Caller): Promise<RenditionResult | CeasedUnit> {
    return resolveUnit(candidate, caller, () => renditions.choose(caller.accept, 'unit'))
  }

  function answerUnitCredential(
    candidate: Candidate | undefined,
    caller: Caller,
  ): Promise<RenditionResult | CeasedUnit> {
    return resolveUnit(candidate, caller, () => renditions.chooseCredential(caller.accept, 'unit'))
  }

  /** Recycling takes precedence over representation and view (specification 3.2). */
  async function resolveUnit(
    candidate: Candidate | undefined,
    caller: Caller,
    choice: () => Choice | undefined,
  ): Promise<RenditionResult | CeasedUnit> {
    const unit = candidate?.unit
    if (candidate === undefined || unit === undefined) throw hidden('unit')
    const view = unitViews.ceased(unit, { id: candidate.id, productId: unit.productId, category: candidate.category })
    if (view === undefined) return answerAs(candidate, caller, choice())
    if (candidate.status === 'DRAFT' && !(await isOwned(candidate, caller.principal))) throw hidden('unit')
    const ceased = renditions.renderCeased(view, caller.accept, caller.lang)
    if (ceased === undefined) throw noRepresentation()
    return { ceased }
  }

  async function answerAs(
    candidate: Candidate | undefined,
    caller: Caller,
    choice: Choice | undefined,
  ): Promise<RenditionResult> {
    const viewer = candidate === undefined ? PUBLIC : await viewerOf(candidate, caller)
    const { reader } = viewer
    // Hidden drafts and absent passports get the same response (specification 4.5).
    if (candidate === undefined || (candidate.status === 'DRAFT' && reader !== 'owner')) throw hidden(kindOf(candidate))
    if (choice === undefined) throw noRepresentation()
    if (
      reader === 'public' &&
      caller.grant !== undefined &&
      !choice.isSigned &&
      choice.plugin.renderPage !== undefined
    ) {
      // Notifies people that their access ended; not cached for others.
      const page = await renditions.withNotice(candidate, 'accessEnded', choice.plugin, caller.lang)
      return { ...toResult(candidate, viewer, choice, page, caller), isPublic: false }
    }
    return toResult(
      candidate,
      viewer,
      choice,
      await renditions.of(candidate, reader, choice, caller.lang, {
        grant: tokenOf(viewer, caller),
        countSlowWork: caller.countSlowWork,
      }),
      caller,
    )
  }

  /**
   * Returns a passport to a workspace. The entity tag contains the version, for conditional writes.
   * @throws Problem as {@link uniqueMatch}
   */
  async function resolveOwn(
    idOrProduct: string,
    { asOf }: { readonly asOf?: string | undefined },
    caller: Caller & { readonly principal: Principal },
  ): Promise<RenditionResult> {
    const { principal, accept, lang } = caller
    const choice = renditions.choose(accept, 'passport')
    if (choice === undefined) throw noRepresentation()
    const viewer = seesOwnerTier(principal) ? ownerViewer(principal) : PUBLIC
    const { reader } = viewer
    const read = (name: Name, value: string) => renditions.findOwn(principal, { name, value }, reader, choice, lang)
    const byId = isUuid(idOrProduct) ? await read('id', idOrProduct) : []
    const found = byId.length > 0 ? byId : await inEitherForm(idOrProduct, (product) => read('product_id', product))
    if (found.length === 0 && asOf !== undefined && reader === 'owner') {
      const deleted = await deletedById(idOrProduct)
      if (deleted !== undefined && (await isOwned(deleted, principal))) {
        return answerEarlier(deleted, momentNamed(asOf), viewer, caller)
      }
    }
    const { candidate, rendition } = uniqueMatch(found, principal, ({ candidate }) => candidate.operatorId)
    if (candidate.status === 'DRAFT' && reader !== 'owner') throw hidden('passport')
    if (asOf !== undefined) return answerEarlier(candidate, momentNamed(asOf), viewer, caller)
    const shown = rendition ?? (await renditions.of(candidate, reader, choice, lang))
    const tagged = shown && { ...shown, etag: tagOf(candidate.version, shown.etag) }
    return toResult(candidate, viewer, choice, tagged, caller)
  }

  function toResult(
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
      const auditedRead = {
        action: unit === undefined ? 'passport.read' : 'batteryunit.read',
        representation,
        audience,
      } as const
      protectedReadAudit.record({ tenantId, actor, subjectId: unit?.id ?? passportId, ...auditedRead })
    }
    const isLocalised = !choice.isSigned && choice.plugin.localised === true
    const ids = [passportId, ...(unit === undefined ? [] : [unit.id])]
    return { rendition, isPublic: reader === 'public', reader, ids, isLocalised }
  }

  /** Returns the widest view of the credentials; invalid ones are ignored. */
  async function viewerOf(candidate: Candidate, { principal, grant }: Caller): Promise<Viewer> {
    if (principal !== undefined && (await isOwned(candidate, principal))) return ownerViewer(principal)
    const granted = grant === undefined ? undefined : await grants.readerBy(grant, candidate)
    return granted === undefined ? PUBLIC : { reader: granted.reader, actor: `grant:${granted.grantId}` }
  }

  /**
   * API keys of the owning workspace, or of one bound to the operator, get the owner tier within their operator scope; sessions the public
   * tier (specification 4.1).
   */
  async function isOwned(candidate: Candidate, principal: Principal | undefined): Promise<boolean> {
    if (principal === undefined || !seesOwnerTier(principal)) return false
    if (principal.operatorId !== null && principal.operatorId !== candidate.operatorId) return false
    if (candidate.tenantId === principal.tenantId) return true
    return isBoundTo(database, candidate.operatorId, principal.tenantId)
  }
}

interface Viewer {
  readonly reader: Reader
  readonly actor: string
}

const PUBLIC: Viewer = { reader: 'public', actor: 'public' }
const ownerViewer = ({ actor }: Principal): Viewer => ({ reader: 'owner', actor })

const tokenOf = ({ reader }: Viewer, { grant }: Caller) => (tierOf(reader) === 'restricted' ? grant : undefined)

/** Sessions get the public tier (specification 4.1). */
export const seesOwnerTier = ({ kind, permissions }: Principal) => kind === 'key' && permissions.has('passport:read')

function nameOf(version: string | undefined, asOf: string | undefined): VersionName | undefined {
  if (version !== undefined) return { version: Number(version) }
  return asOf === undefined ? undefined : momentNamed(asOf)
}

const momentNamed = (asOf: string): { readonly asOf: string } => ({
  asOf: new Date(Math.max(0, Math.min(Date.parse(asOf), Date.now()))).toISOString(),
})

const noState = () => new Problem(404, 'No passport that you may read existed at that time.', { title: 'Not Found' })

const noVersion = (name: VersionName) =>
  new Problem(
    404,
    'version' in name
      ? `This passport has no sealed version ${name.version}. Only sealed versions stay readable.`
      : 'No sealed version of this passport was published at that time. Only sealed versions stay readable.',
    { title: 'Not Found' },
  )

const noRepresentation = () => notAcceptable('Representation not available on this gateway.')

const workspaceOf = ({ principal }: Caller) => principal?.tenantId ?? null

const nearest = (seen: Match[]): Match[] => {
  const own = seen.filter(({ isNamed }) => !isNamed)
  return own.length > 0 ? own : seen
}

// Bare even with credentials, like the public resolver (specification 4.1).
const hidden = (kind: SubjectKind) =>
  new Problem(404, `No public ${kind === 'unit' ? 'battery unit' : kind} at this address.`, {
    title: 'Not Found',
    isBare: true,
  })
