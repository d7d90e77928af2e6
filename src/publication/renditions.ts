import type { Cradle } from '../cradle.ts'
import type { Principal } from '../domain/principal.ts'
import { notAcceptable } from '../domain/problem.ts'
import type { PassportView, Tier } from '../domain/view.ts'
import type { PlainRepresentation, RenderContext, RepresentationPlugin } from '../plugin/contracts.ts'
import type { Candidate } from '../storage/candidates.ts'
import { loadPassport, type PassportRow } from '../storage/passport-rows.ts'
import type { Name } from '../storage/renditions.ts'
import { type Choice, choose as chooseAmong, variantOf } from './choice.ts'
import { toWire, type WireRendition } from './rendition.ts'

declare module '../cradle.ts' {
  interface Cradle {
    renditions: ReturnType<typeof renditions>
  }
}

/**
 * Renders passports, and keeps what the public and the owner see: it is rendered when it changes and read a million times.
 * Every process serves the stored bytes, so that signatures and entity tags agree.
 */
export default function renditions({
  database,
  passportViews,
  translator,
  descriptions,
  issuers,
  statusLists,
  plugins,
  renditionStore,
}: Cradle) {
  const { representations, defaultRepresentation } = plugins
  const signed = representations.filter(({ isSigned }) => isSigned)
  const mediaTypes = representations.map(({ mediaTypes: [first] }) => first)

  return { choose, chooseCredential, of, findOwn, renderDefault, contextFor }

  /** What the Accept header names, the default where it names none of ours; undefined where that is not loaded. */
  function choose(accept: string | undefined): Choice | undefined {
    return chooseAmong(accept, representations, defaultRepresentation)
  }

  /** The same among what is signed, where the first is the default. */
  function chooseCredential(accept: string | undefined): Choice | undefined {
    return chooseAmong(accept, signed, signed[0])
  }

  /**
   * What a tier gets of the candidate's current version; undefined where it may see nothing. What the public and the owner
   * see is stored, and made now if it is the first use.
   */
  async function of(
    candidate: Candidate,
    tier: Tier,
    choice: Choice,
    language: string,
  ): Promise<WireRendition | undefined> {
    if (choice.isSigned) return ofSigned(candidate, choice, shownTier(choice, tier))
    const { plugin } = choice
    const session = database.forTenant(candidate.tenantId)
    const make = async () => {
      const row = await loadPassport(session, candidate.id)
      if (row === undefined || (row.status === 'DRAFT' && tier !== 'owner')) return undefined
      return { row, rendition: await render(passportViews.view(row, tier), plugin, language) }
    }
    // Few readers hold a token, and each of them another.
    if (tier === 'restricted') return (await make())?.rendition
    const kind = { representation: plugin.name, variant: variantOf(choice, () => language) ?? '', tier, keyNumber: 0 }
    // What resolves for everybody cannot even read what is kept for others.
    const kept = await renditionStore.find(tier === 'public' ? database.lookup : session, candidate.id, kind)
    if (kept !== undefined) return kept
    const made = await make()
    return made && renditionStore.keep(session, made, kind)
  }

  /** What the caller's workspace calls by a name, see `renditionStore.findOwn`, with what is stored of it for `tier`. */
  function findOwn(
    principal: Principal,
    named: { readonly name: Name; readonly value: string },
    tier: Tier,
    choice: Choice,
    language: string,
  ) {
    const variant = variantOf(choice, () => language) ?? ''
    return renditionStore.findOwn(principal, named, choice, { variant, tier: shownTier(choice, tier) })
  }

  /** What is signed for a tier, by the current key; stored, and made now if it is the first use. */
  async function ofSigned(
    candidate: Candidate,
    { plugin, profile }: Choice & { isSigned: true },
    tier: Tier,
  ): Promise<WireRendition | undefined> {
    if (profile === undefined) {
      throw notAcceptable(`The profiles of ${plugin.mediaTypes[0]} are ${plugin.profiles.join(', ')}.`)
    }
    const session = database.forTenant(candidate.tenantId)
    const currentKey = await issuers.currentKeyNumber(candidate.tenantId)
    if (currentKey === undefined) throw notAcceptable('The issuer of this passport has no signing key.')
    const under = (keyNumber: number) => ({ representation: plugin.name, variant: profile, tier, keyNumber })
    const kept = await renditionStore.find(session, candidate.id, under(currentKey))
    if (kept !== undefined) return kept
    const [row, issuer] = await Promise.all([loadPassport(session, candidate.id), issuers.current(candidate.tenantId)])
    if (row === undefined || issuer === undefined) return undefined
    const statusIndex = () => statusLists.indexOf(candidate.tenantId, { kind: 'passport', id: row.id })
    const context = { ...contextFor(plugin, ''), profile, signing: { issuer, statusIndex } }
    const rendition = toWire(plugin, await plugin.render(passportViews.view(row, tier), context))
    return renditionStore.keep(session, { row, rendition }, under(issuer.keyNumber))
  }

  /** The default form of a new version for the public, if there is such a form. */
  async function renderDefault(row: PassportRow): Promise<WireRendition | undefined> {
    return defaultRepresentation && render(passportViews.view(row, 'public'), defaultRepresentation, '')
  }

  async function render(view: PassportView, plugin: PlainRepresentation, language: string): Promise<WireRendition> {
    return toWire(plugin, await plugin.render(view, contextFor(plugin, language)))
  }

  /** What a representation is given beside what it renders. */
  function contextFor(plugin: RepresentationPlugin, language: string): RenderContext {
    return {
      lang: language,
      translate: (key, params) => translator.translate(language, plugin.name, key, params),
      mediaTypes,
      describe: (category) => descriptions.of(category, language),
    }
  }
}

/** Whose eyes a form is for. */
const shownTier = (choice: Choice, tier: Tier): Tier =>
  choice.isSigned && choice.plugin.isPublicOnly === true ? 'public' : tier
