import type { EntityManager } from '@mikro-orm/postgresql'
import type { Cradle } from '../cradle.ts'
import { notAcceptable } from '../domain/problem.ts'
import type { PassportView, Tier } from '../domain/view.ts'
import type {
  PlainRepresentation,
  RenderContext,
  RepresentationPlugin,
  SignedRepresentation,
} from '../plugin/contracts.ts'
import type { Candidate } from '../storage/candidates.ts'
import { loadPassport, type PassportRow } from '../storage/passport-rows.ts'
import { type Choice, choose as chooseAmong, variantOf } from './choice.ts'
import { toWire, type WireRendition } from './rendition.ts'
import type { NewRendition } from './rendition-store.ts'

declare module '../cradle.ts' {
  interface Cradle {
    renditions: ReturnType<typeof renditions>
  }
}

/**
 * Renders passports, and keeps what the public tier sees: it is rendered when it changes and read a million times.
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

  return { choose, chooseCredential, ofPublic, ofTier, renderNew, contextFor }

  /** What the Accept header names, the default where it names none of ours; undefined where that is not loaded. */
  function choose(accept: string | undefined): Choice | undefined {
    return chooseAmong(accept, representations, defaultRepresentation)
  }

  /** The same among what is signed, where the first is the default. */
  function chooseCredential(accept: string | undefined): Choice | undefined {
    return chooseAmong(accept, signed, signed[0])
  }

  /** The stored public rendition of the candidate's current version, made now if it is the first use. */
  async function ofPublic(candidate: Candidate, choice: Choice, language: string): Promise<WireRendition | undefined> {
    if (choice.isSigned) return ofSigned(candidate, choice.plugin, choice.profile, 'public')
    const { plugin } = choice
    const key = [candidate.id, plugin.name, variantOf(choice, () => language) ?? ''] as const
    const stored = await renditionStore.find(...key)
    if (stored !== undefined) return stored
    const em = database.forTenant(candidate.tenantId)
    const row = await loadPassport(em, candidate.id)
    if (row === undefined || row.status === 'DRAFT') return undefined
    await renditionStore.forgetStale(em, row)
    const rendered = await store(em, row, plugin, language)
    return (await renditionStore.find(...key)) ?? rendered
  }

  /** What a tier above the public sees. Only what is signed is stored, because a signature is what costs. */
  async function ofTier(
    candidate: Candidate,
    tier: Tier,
    choice: Choice,
    language: string,
  ): Promise<WireRendition | undefined> {
    if (choice.isSigned) {
      return ofSigned(candidate, choice.plugin, choice.profile, choice.plugin.isPublicOnly ? 'public' : tier)
    }
    const row = await loadPassport(database.forTenant(candidate.tenantId), candidate.id)
    return row && render(passportViews.view(row, tier), choice.plugin, language)
  }

  /** What is signed for a tier, by the current key; stored, and made now if it is the first use. */
  async function ofSigned(
    candidate: Candidate,
    plugin: SignedRepresentation,
    profile: string | undefined,
    tier: Tier,
  ): Promise<WireRendition | undefined> {
    if (profile === undefined) {
      throw notAcceptable(`The profiles of ${plugin.mediaTypes[0]} are ${plugin.profiles.join(', ')}.`)
    }
    const em = database.forTenant(candidate.tenantId)
    const currentKey = await issuers.currentKeyNumber(candidate.tenantId)
    if (currentKey === undefined) throw notAcceptable('The issuer of this passport has no signing key.')
    const under = (keyNumber: number) => ({ representation: plugin.name, variant: profile, tier, keyNumber })
    const stored = await renditionStore.findSigned(em, candidate.id, under(currentKey))
    if (stored !== undefined) return stored
    const row = await loadPassport(em, candidate.id)
    const issuer = await issuers.current(candidate.tenantId)
    if (row === undefined || issuer === undefined) return undefined
    const statusIndex = () => statusLists.indexOf(candidate.tenantId, row.id)
    const context = { ...contextFor(plugin, ''), profile, signing: { issuer, statusIndex } }
    const rendered = toWire(plugin, await plugin.render(passportViews.view(row, tier), context))
    await renditionStore.forgetStale(em, row, issuer.keyNumber)
    await renditionStore.insert(em, row, under(issuer.keyNumber), rendered)
    return (await renditionStore.findSigned(em, row.id, under(issuer.keyNumber))) ?? rendered
  }

  /** Renders for the public tier, and stores that. */
  async function store(
    em: EntityManager,
    row: PassportRow,
    plugin: PlainRepresentation,
    language: string,
  ): Promise<WireRendition> {
    const rendered = await render(passportViews.view(row, 'public'), plugin, language)
    const variant = variantOf({ isSigned: false, plugin }, () => language) ?? ''
    await renditionStore.insert(
      em,
      row,
      { representation: plugin.name, variant, tier: 'public', keyNumber: 0 },
      rendered,
    )
    return rendered
  }

  /** The default form of passports that are new, to be stored by the rendition store. */
  async function renderNew(rows: readonly PassportRow[]): Promise<NewRendition[]> {
    if (defaultRepresentation === undefined) return []
    return Promise.all(
      rows.map(async (row) => ({
        row,
        rendition: await render(passportViews.view(row, 'public'), defaultRepresentation, ''),
      })),
    )
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
