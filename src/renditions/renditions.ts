import type { Cradle } from '../cradle.ts'
import type { Reader } from '../domain/audience.ts'
import { once } from '../domain/once.ts'
import type { Principal } from '../domain/principal.ts'
import { notAcceptable } from '../domain/problem.ts'
import type { LevelName } from '../domain/product-level.ts'
import type { CeasedUnitView, UnitView } from '../domain/unit.ts'
import type { PassportView, VersionView } from '../domain/view.ts'
import { yieldFor, yieldTurn } from '../domain/yielding.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import type { VersionName } from '../passports/passport-versions.ts'
import type {
  LevelRenderers,
  PlainRepresentation,
  RenderContext,
  Rendered,
  RepresentationPlugin,
} from '../plugin/contracts.ts'
import type { Candidate } from '../resolution/candidates.ts'
import type { Session } from '../storage/statement.ts'
import { type Choice, choose as chooseAmong, type RequestedFormat, variantOf } from './negotiated-format.ts'
import { toWire, type WireRendition } from './rendition.ts'
import { kindOf, type Name, type SubjectKind } from './rendition-statements.ts'
import type { SubjectView } from './subject-views.ts'

declare module '../cradle.ts' {
  interface Cradle {
    renditions: ReturnType<typeof renditions>
  }
}

/**
 * Renders passports, units and records of levels, and stores the renditions, except pages for holders of tokens and units with measured
 * data. All processes serve stored bytes, so that signatures and entity tags agree.
 */
export default function renditions({
  passportVersions,
  database,
  passportViews,
  subjectViews,
  translator,
  descriptions,
  issuers,
  statusLists,
  plugins,
  renditionStore,
}: Cradle) {
  const { representations, defaultRepresentation } = plugins
  const modules = new Set(plugins.modules.map(({ name }) => name))
  const offers = {
    passport: offerOf(representations, defaultRepresentation),
    unit: offerOf(representations.filter(hasUnits), defaultRepresentation),
    ...Object.fromEntries(
      plugins.levels.map(({ name }) => [
        name,
        offerOf(representations.filter(showsLevel(name)), defaultRepresentation),
      ]),
    ),
  } as Readonly<Record<SubjectKind, Offer>>

  const versioned = representations.filter((plugin) => plugin.isSigned !== true && plugin.renderVersion !== undefined)
  const versionedTypes = versioned.map(({ mediaTypes: [first] }) => first)

  return {
    choose,
    chooseCredential,
    formatsOf,
    of,
    withNotice,
    renderSealedVersion,
    renderArchived,
    renderCeased,
    findOwn,
    renderDefault,
    contextFor,
  }

  /** Negotiates a format; undefined if the default is not loaded. */
  function choose({ accept, format }: RequestedFormat, kind: SubjectKind): Choice | undefined {
    if (format !== undefined) return { isSigned: false, plugin: format }
    const { all, usual } = offers[kind]
    return chooseAmong(accept, all, usual)
  }

  function chooseCredential(accept: string | undefined, kind: SubjectKind): Choice | undefined {
    const { signed } = offers[kind]
    return chooseAmong(accept, signed, signed[0])
  }

  function formatsOf(kind: SubjectKind): readonly RepresentationPlugin[] {
    return offers[kind].all
  }

  /** Returns the stored rendition for the reader, or renders it; undefined if the reader may see nothing. */
  async function of(
    candidate: Candidate,
    reader: Reader,
    choice: Choice,
    language: string,
    { grant, countSlowWork }: RenditionCaller = {},
  ): Promise<WireRendition | undefined> {
    if (choice.isSigned) return renderSigned(candidate, choice, reader)
    const { plugin } = choice
    const make = async (session: Session, grant?: string) => {
      const seen = await subjectViews.load(session, candidate, { reader, shownTo: reader, isLive: true })
      await yieldTurn()
      return (
        seen && {
          ...seen,
          rendition: await render(seen, plugin, {
            ...contextFor(plugin, language, kindOf(candidate)),
            grant,
            countSlowWork,
          }),
        }
      )
    }
    // Pages for the holder of a token contain it; measured data changes without a new version.
    const isStored =
      reader === 'public' || (candidate.unit === undefined && (reader === 'owner' || plugin.renderPage === undefined))
    if (!isStored) return (await make(database.batchedFor(candidate.tenantId), grant))?.rendition
    const session = database.forTenant(candidate.tenantId)
    const kind = { representation: plugin.name, variant: variantOf(choice, () => language) ?? '', reader, keyNumber: 0 }
    const lookUp = reader === 'public' ? database.batchedLookup : database.batchedFor(candidate.tenantId)
    const stored = await renditionStore.find(lookUp, candidate, kind)
    if (stored !== undefined) return stored
    const made = await make(session)
    return made && renditionStore.keep(session, made, kind)
  }

  async function withNotice(
    candidate: Candidate,
    notice: RenderContext['notice'],
    plugin: PlainRepresentation,
    language: string,
  ): Promise<WireRendition | undefined> {
    const session = database.forTenant(candidate.tenantId)
    const seen = await subjectViews.load(session, candidate, { reader: 'public', shownTo: 'public', isLive: true })
    return seen && render(seen, plugin, { ...contextFor(plugin, language, kindOf(candidate)), notice })
  }

  /**
   * Undefined if absent.
   * @throws Problem 406 for a format without versions, such as a credential
   */
  async function renderSealedVersion(
    { id, tenantId }: Candidate,
    name: VersionName,
    choice: Choice,
    language: string,
  ): Promise<WireRendition | undefined> {
    const renderer = versionRenderer(choice)
    const found = await passportVersions.findSealed(database.forTenant(tenantId), id, name)
    await yieldTurn()
    return found && renderEarlier(passportViews.viewVersion(found), renderer, language)
  }

  /**
   * Undefined if no data of that time is readable.
   * @throws Problem like {@link renderSealedVersion}
   */
  async function renderArchived(
    { id, tenantId }: Candidate,
    time: string,
    reader: Reader,
    choice: Choice,
    language: string,
    grant?: string,
  ): Promise<WireRendition | undefined> {
    const renderer = versionRenderer(choice)
    const found = await passportVersions.findArchived(database.forTenant(tenantId), id, time)
    if (found === undefined || (reader !== 'owner' && !found.wasPublished)) return undefined
    await yieldTurn()
    return renderEarlier(passportViews.viewArchived(found, reader, time), renderer, language, grant)
  }

  function versionRenderer(choice: Choice): VersionRenderer {
    const plugin = choice.isSigned ? undefined : choice.plugin
    if (plugin !== undefined && hasVersions(plugin)) return plugin
    throw notAcceptable(`Earlier versions are available as ${versionedTypes.join(', ')}.`)
  }

  async function renderEarlier(
    view: VersionView,
    plugin: VersionRenderer,
    language: string,
    grant?: string,
  ): Promise<WireRendition> {
    const context = { ...contextFor(plugin, language), mediaTypes: versionedTypes, grant }
    await yieldTurn()
    return toWireYielding(plugin, await plugin.renderVersion(view, context))
  }

  /** Undefined if the default format is required but not loaded. */
  function renderCeased(view: CeasedUnitView, accept: string | undefined, language: string): WireRendition | undefined {
    const plugins = [choose({ accept }, 'unit')?.plugin, defaultRepresentation]
    const plugin = plugins.find((plugin) => plugin?.renderCeasedUnit !== undefined)
    const rendered = plugin?.renderCeasedUnit?.(view, contextFor(plugin, language, 'unit'))
    return plugin && rendered && toWire(plugin, rendered)
  }

  function findOwn(
    principal: Principal,
    named: { readonly name: Name; readonly value: string },
    reader: Reader,
    choice: Choice,
    language: string,
  ) {
    const variant = variantOf(choice, () => language) ?? ''
    return renditionStore.findOwn(principal, named, choice, { variant, reader: shownTo(choice, reader) })
  }

  async function renderSigned(
    candidate: Candidate,
    choice: Choice & { isSigned: true },
    reader: Reader,
  ): Promise<WireRendition | undefined> {
    const { plugin, profile } = choice
    const shown = shownTo(choice, reader)
    if (profile === undefined) {
      throw notAcceptable(`The profiles of ${plugin.mediaTypes[0]} are ${plugin.profiles.join(', ')}.`)
    }
    const session = database.forTenant(candidate.tenantId)
    const currentKey = await issuers.currentKeyNumber(candidate.tenantId)
    if (currentKey === undefined) throw notAcceptable('The issuer of this passport has no signing key.')
    const kindFor = (keyNumber: number) => ({ representation: plugin.name, variant: profile, reader: shown, keyNumber })
    const stored = await renditionStore.find(session, candidate, kindFor(currentKey))
    if (stored !== undefined) return stored
    const [seen, issuer] = await Promise.all([
      subjectViews.load(session, candidate, { reader, shownTo: shown, isLive: false }),
      issuers.current(candidate.tenantId),
    ])
    if (seen === undefined || issuer === undefined) return undefined
    await yieldTurn()
    const { id, unit } = candidate
    const statusPlace = once(() =>
      statusLists.placeOf(
        candidate.tenantId,
        unit === undefined ? { kind: 'passport', id } : { kind: 'unit', id: unit.id },
      ),
    )
    const context = { ...contextFor(plugin, ''), profile, signing: { issuer, statusPlace } }
    return renditionStore.keep(
      session,
      { ...seen, rendition: await render(seen, plugin, context) },
      kindFor(issuer.keyNumber),
    )
  }

  async function renderDefault(row: PassportRow): Promise<WireRendition | undefined> {
    const passport = passportViews.view(row, 'public')
    return (
      defaultRepresentation &&
      render({ subject: row, passport }, defaultRepresentation, contextFor(defaultRepresentation, ''))
    )
  }

  function contextFor(plugin: RepresentationPlugin, language: string, kind: SubjectKind = 'passport'): RenderContext {
    return {
      lang: language,
      translate: (key, params) => translator.translate(language, plugin.name, key, params),
      mediaTypes: formatsOf(kind).map(({ mediaTypes: [first] }) => first),
      modules,
      describe: (category) => descriptions.of(category, language),
    }
  }
}

interface RenditionCaller {
  readonly grant?: string | undefined
  readonly countSlowWork?: RenderContext['countSlowWork']
}

interface Offer {
  readonly all: readonly RepresentationPlugin[]
  readonly usual: RepresentationPlugin | undefined
  readonly signed: readonly RepresentationPlugin[]
}

const offerOf = (all: readonly RepresentationPlugin[], usual: RepresentationPlugin | undefined): Offer => ({
  all,
  usual: usual !== undefined && all.includes(usual) ? usual : undefined,
  signed: all.filter(({ isSigned }) => isSigned),
})

type VersionRenderer = PlainRepresentation & Required<Pick<PlainRepresentation, 'renderVersion'>>

const hasVersions = (plugin: PlainRepresentation): plugin is VersionRenderer => plugin.renderVersion !== undefined

const hasUnits = ({ renderUnit }: RepresentationPlugin) => renderUnit !== undefined
const showsLevel =
  (name: LevelName) =>
  ({ levels }: RepresentationPlugin) =>
    levels?.[name] !== undefined

interface Renderer<Context> extends Pick<RepresentationPlugin, 'name' | 'mediaTypes'> {
  render(view: PassportView, context: Context): Rendered | Promise<Rendered>
  renderUnit?(view: UnitView, context: Context): Rendered | Promise<Rendered>
  readonly levels?: LevelRenderers | undefined
}

async function render<Context extends RenderContext>(
  seen: SubjectView,
  plugin: Renderer<Context>,
  context: Context,
): Promise<WireRendition> {
  const rendered = renderSubject(seen, plugin, context)
  if (rendered === undefined) throw new Error(`${plugin.name} is not available for a ${kindOf(seen.subject)}.`)
  return toWireYielding(plugin, await rendered)
}

/** Yields before large renditions. */
async function toWireYielding(plugin: Renderer<never>, rendered: Rendered): Promise<WireRendition> {
  await yieldFor(rendered.body)
  return toWire(plugin, rendered)
}

function renderSubject<Context extends RenderContext>(seen: SubjectView, plugin: Renderer<Context>, context: Context) {
  if (seen.unit !== undefined) return plugin.renderUnit?.(seen.unit, context)
  if (seen.record === undefined) return plugin.render(seen.passport, context)
  return plugin.levels?.[seen.record.level]?.render(seen.record.view, context)
}

const shownTo = (choice: Choice, reader: Reader): Reader =>
  choice.isSigned && choice.plugin.isPublicOnly === true ? 'public' : reader
