import type { Cradle } from '../cradle.ts'
import { type DigitalLink, qualifier, readDigitalLink } from '../domain/digital-link.ts'
import { isUuid, MAX_PRODUCT_ID_CHARACTERS } from '../domain/identifiers.ts'
import { hasGrant, type LinkQuery, queryOf, readLinkQuery } from '../domain/link-query.ts'
import { negotiate } from '../domain/negotiate.ts'
import { badRequest } from '../domain/problem.ts'
import type { ProductLevel } from '../domain/product-level.ts'
import type { Redirect } from '../renditions/rendition.ts'
import type { Match } from './candidates.ts'
import { redirect } from './link-redirect.ts'
import { addressOf, itemsAmong, type LinkCaller, nothingHere, productsOf, type Target } from './link-targets.ts'
import { choices, type ManyChoices } from './passport-choices.ts'
import type { RenditionResult } from './rendition-result.ts'
import { isForPeople, type ManyLinks, resolveLinkQuery } from './resolve-link-query.ts'
import { isOneWorkspace, selectServed } from './served-passports.ts'

declare module '../cradle.ts' {
  interface Cradle {
    digitalLinks: ReturnType<typeof digitalLinks>
  }
}

/** Resolves GS1 Digital Links (AI 01 and 8003) and links of passports without a GS1 key. */
export default function digitalLinks(services: Cradle) {
  const { candidateSearch, config, database, resolution } = services
  const { representations, levels } = services.plugins
  const { baseUrl, resolverRedirects } = config

  return { resolve, resolveProduct, resolveItem, isOther }

  /** @throws Problem 400, 404, 406 */
  function resolve(caller: LinkCaller) {
    const link = readDigitalLink(caller.target)
    if (qualifier(link, '21') !== undefined) return resolveItem(caller)
    const level = link.fault === undefined ? levels.find(({ ai }) => qualifier(link, ai) !== undefined) : undefined
    return level === undefined ? resolveProduct(caller) : resolveRecord(level, link, caller)
  }

  /** Ignores variants and third-party extensions. Redirects a product id that is not a GTIN to its passport. */
  async function resolveProduct(
    caller: LinkCaller,
  ): Promise<RenditionResult | ManyChoices | ManyLinks | Redirect<307>> {
    const link = readDigitalLink(caller.target)
    if (link.fault !== undefined) return redirectToSku(link, caller)
    return answerProducts(link, await productsOf(services, link, caller), caller)
  }

  async function answerProducts(
    link: DigitalLink,
    found: readonly Target[],
    caller: LinkCaller,
  ): Promise<RenditionResult | ManyChoices | ManyLinks | Redirect<307>> {
    const linkQuery = queryAt(link, caller)
    if (linkQuery.kind !== 'default') return resolveLinkQuery(services, 307, link, found, linkQuery, caller)
    const [only] = found
    if (found.length > 1) return choices(services, link, found, caller)
    if (only === undefined || !redirectsFor(caller)) return resolution.answer(only, caller)
    return redirect(baseUrl, 307, addressOf(baseUrl, only), link, caller)
  }

  /** Without a record, resolves the product (GS1 "walking up"). Among several workspaces the caller chooses, not the recorder. */
  async function resolveRecord(
    { name, ai }: ProductLevel,
    link: DigitalLink,
    caller: LinkCaller,
  ): Promise<RenditionResult | ManyChoices | ManyLinks | Redirect<302 | 307>> {
    const found = selectServed(
      await candidateSearch.byQualifier(name, link.key.value, qualifier(link, ai) ?? '', caller),
    )
    const recorded = isOneWorkspace(found) ? found.find(({ record }) => record !== undefined) : undefined
    if (recorded === undefined) return answerProducts(link, found, caller)
    const target: Target = { ...recorded, by: ai }
    const linkQuery = queryAt(link, caller)
    if (linkQuery.kind !== 'default') return resolveLinkQuery(services, 302, link, [target], linkQuery, caller)
    return redirect(baseUrl, 302, addressOf(baseUrl, target), link, caller)
  }

  /**
   * Prefers the unit, then the passport with this UUID or serial, then the product (GS1 "walking up"). Among several workspaces the caller
   * chooses, not the recorder.
   */
  async function resolveItem(caller: LinkCaller): Promise<RenditionResult | ManyChoices | ManyLinks | Redirect<302>> {
    const link = readDigitalLink(caller.target)
    // Our links that violate GS1 rules have only a serial after the key.
    if (link.fault !== undefined && link.qualifiers.length > 1) throw badRequest(link.fault)
    const serial = qualifier(link, '21') ?? ''
    const isTooLong = link.key.value.length > MAX_PRODUCT_ID_CHARACTERS
    const candidates = isTooLong ? [] : await candidateSearch.bySerial(link.key.value, serial, caller)
    const found = await itemsAmong(database, candidates, serial)
    if (found.every(({ by }) => by === undefined)) refuseUnknown(link, serial, candidates)
    if (found.length === 0) found.push(...(await productsOf(services, link, caller)))
    const linkQuery = queryAt(link, caller)
    if (linkQuery.kind !== 'default') return resolveLinkQuery(services, 302, link, found, linkQuery, caller)
    const [only] = found
    if (only === undefined) throw nothingHere()
    return found.length > 1
      ? choices(services, link, found, caller)
      : redirect(baseUrl, 302, addressOf(baseUrl, only), link, caller)
  }

  /** Rejects an unknown serial in a faulty link. @throws Problem 400, 404 */
  function refuseUnknown({ fault, isKeyFaulty }: DigitalLink, serial: string, candidates: readonly Match[]): void {
    if (fault === undefined) return
    // An existing product, or a UUID as serial, is not a format error.
    if (isKeyFaulty ? candidates.length > 0 : isUuid(serial)) throw nothingHere()
    throw badRequest(fault)
  }

  /** True for redirects and links instead of passports. */
  function isOther({ target, accept }: Pick<LinkCaller, 'target' | 'accept'>): boolean {
    const link = readDigitalLink(target)
    if (hasGrant(queryOf(target))) return false
    return (
      qualifier(link, '21') !== undefined ||
      link.fault !== undefined ||
      queryAt(link, { target, accept }).kind !== 'default' ||
      redirectsFor({ accept })
    )
  }

  /** Resolves emitted links `/01/{sku}`. */
  async function redirectToSku(link: DigitalLink, caller: LinkCaller): Promise<ManyChoices | Redirect<307>> {
    const { key, qualifiers, fault = '' } = link
    const isOurs = key.ai === '01' && qualifiers.length === 0 && key.value.length <= MAX_PRODUCT_ID_CHARACTERS
    const found = isOurs ? selectServed(await candidateSearch.byKey(key.value, undefined, caller)) : []
    const [only] = found
    if (only === undefined) throw badRequest(fault)
    return found.length > 1
      ? choices(services, link, found, caller)
      : redirect(baseUrl, 307, addressOf(baseUrl, only), link, caller)
  }

  function queryAt({ fault }: DigitalLink, { target, accept }: Pick<LinkCaller, 'target' | 'accept'>): LinkQuery {
    // A faulty link has no linkset; its redirect includes the query.
    if (fault !== undefined) return { kind: 'default' }
    return readLinkQuery(queryOf(target), accept, representations, resolverRedirects)
  }

  /** False for machine formats, and for grants, whose token must not get into another address. */
  function redirectsFor({ accept, grant }: Pick<LinkCaller, 'accept'> & { readonly grant?: string }): boolean {
    if (!resolverRedirects || grant !== undefined) return false
    const named = negotiate(accept, representations)?.name
    return !representations.some((plugin) => plugin.name === named && !isForPeople(plugin))
  }
}
