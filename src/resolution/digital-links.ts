import type { Cradle } from '../cradle.ts'
import { credentialBlocker } from '../domain/credential-country.ts'
import { type DigitalLink, meansDigitalLink, pathOf, qualifier, readDigitalLink } from '../domain/digital-link.ts'
import { isUuid, MAX_PRODUCT_ID_CHARACTERS } from '../domain/identifiers.ts'
import {
  forwarded,
  hasGrant,
  LINK_TYPES,
  LINKSET_TYPE,
  type LinkQuery,
  queryOf,
  readLinkQuery,
} from '../domain/link-query.ts'
import { textIn } from '../domain/metadata.ts'
import { negotiate } from '../domain/negotiate.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import type { ProductLevel } from '../domain/product-level.ts'
import type { Content } from '../domain/schema.ts'
import { yieldTurn } from '../domain/yielding.ts'
import { operatorsOf, withSerial } from '../passports/passport-catalogue.ts'
import type { PassportChoice, Rendered, RepresentationPlugin } from '../plugin/contracts.ts'
import { etagOf, type Redirect, type WireRendition } from '../renditions/rendition.ts'
import type { Match } from './candidates.ts'
import {
  chooseLink,
  contentLinks,
  defaultLink,
  formLinks,
  type LinkContext,
  linksetDocument,
  linksOfType,
} from './linkset.ts'
import type { Caller, RenditionResult } from './resolution.ts'
import { isOneWorkspace, selectServed } from './served-passports.ts'

type LinkCaller = Caller & { readonly target: string; readonly acceptLanguage: string | undefined }

interface ManyChoices {
  readonly status: 300
  readonly body: Content<'MultipleChoices'>
  readonly headers: { readonly [name: string]: string }
  readonly page?: Rendered | undefined
}

interface ManyLinks {
  readonly status: 300
  readonly body: string
  readonly contentType: typeof LINKSET_TYPE
  readonly headers: { readonly [name: string]: string }
}

interface Target extends Match {
  /** Application identifier of the unit or record; absent for a product. */
  readonly by?: string
}

const LINKSET_CONTEXT = 'https://ref.gs1.org/standards/resolver/linkset-context'

declare module '../cradle.ts' {
  interface Cradle {
    digitalLinks: ReturnType<typeof digitalLinks>
  }
}

/** Resolves GS1 Digital Links (AI 01 and 8003) and links of passports without a GS1 key. */
export default function digitalLinks({
  passportRows,
  config,
  database,
  resolution,
  renditions,
  passportViews,
  issuers,
  plugins: { representations, levels },
  descriptions,
  translator,
}: Cradle) {
  const { baseUrl, resolverRedirects } = config
  const languages = [...translator.languages].sort()

  return { description, resolve, resolveProduct, resolveItem, isOther, linksetOf }

  /** Returns the resolver description file (GS1-Conformant Resolver 1.2). */
  function description(): Content<'ResolverDescription'> {
    return {
      name: 'dpp-gateway',
      resolverRoot: baseUrl,
      supportedPrimaryKeys: ['01', '8003'],
      supportedLinkType: [{ namespace: LINK_TYPES, prefix: 'gs1:' }],
      linkTypeDefaultCanBeLinkset: false,
      jsonLdContextLocation: LINKSET_CONTEXT,
    }
  }

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
    return answerProducts(link, await productsOf(link, caller), caller)
  }

  async function answerProducts(
    link: DigitalLink,
    found: readonly Target[],
    caller: LinkCaller,
  ): Promise<RenditionResult | ManyChoices | ManyLinks | Redirect<307>> {
    const linkQuery = queryAt(link, caller)
    if (linkQuery.kind !== 'default') return linked(307, link, found, linkQuery, caller)
    const [only] = found
    if (found.length > 1) return choices(link, found, caller)
    if (only === undefined || !redirectsFor(caller)) return resolution.answer(only, caller)
    return redirect(307, addressOf(only), link, caller)
  }

  /** Without a record, resolves the product (GS1 "walking up"). Among several workspaces the caller chooses, not the recorder. */
  async function resolveRecord(
    { name, ai }: ProductLevel,
    link: DigitalLink,
    caller: LinkCaller,
  ): Promise<RenditionResult | ManyChoices | ManyLinks | Redirect<302 | 307>> {
    const found = selectServed(await resolution.byQualifier(name, link.key.value, qualifier(link, ai) ?? '', caller))
    const recorded = isOneWorkspace(found) ? found.find(({ record }) => record !== undefined) : undefined
    if (recorded === undefined) return answerProducts(link, found, caller)
    const target: Target = { ...recorded, by: ai }
    const linkQuery = queryAt(link, caller)
    if (linkQuery.kind !== 'default') return linked(302, link, [target], linkQuery, caller)
    return redirect(302, addressOf(target), link, caller)
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
    const candidates = isTooLong ? [] : await resolution.bySerial(link.key.value, serial, caller)
    const found = await itemsAmong(candidates, serial)
    if (found.every(({ by }) => by === undefined)) refuseUnknown(link, serial, candidates)
    if (found.length === 0) found.push(...(await productsOf(link, caller)))
    const linkQuery = queryAt(link, caller)
    if (linkQuery.kind !== 'default') return linked(302, link, found, linkQuery, caller)
    const [only] = found
    if (only === undefined) throw nothingHere()
    return found.length > 1 ? choices(link, found, caller) : redirect(302, addressOf(only), link, caller)
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
    const found = isOurs ? selectServed(await resolution.byKey(key.value, undefined, caller)) : []
    const [only] = found
    if (only === undefined) throw badRequest(fault)
    return found.length > 1 ? choices(link, found, caller) : redirect(307, addressOf(only), link, caller)
  }

  async function productsOf({ key }: DigitalLink, caller: LinkCaller): Promise<readonly Target[]> {
    const found = await resolution.byKey(key.value, key.ai === '01' ? 'gtin' : 'grai', caller)
    return selectServed(found).map((match) => ({ ...match, unitId: null }))
  }

  /** Finds the item with a serial. A passport's UUID takes precedence over serials in metadata, which issuers choose. */
  async function itemsAmong(candidates: readonly Match[], serial: string): Promise<Target[]> {
    const named = candidates.find(({ id }) => id === serial.toLowerCase())
    const published = candidates.filter(({ status }) => status !== 'DRAFT')
    const answering = selectServed(published.length > 0 ? published : candidates)
    const isOne = isOneWorkspace(answering)
    const unit = answering.find(({ unitId }) => unitId !== null)
    if (isOne && unit !== undefined) return [{ ...unit, by: '21' }]
    if (named !== undefined) return [{ ...named, unitId: null, by: '21' }]
    const answers = await inTheirWorkspaces(answering, (session, ids) => withSerial(session, ids, serial))
    const ids = new Set(answers.flatMap((answer) => [...answer]))
    const targets = answering.map(
      (match): Target => (match.unitId !== null || ids.has(match.id) ? { ...match, by: '21' } : match),
    )
    const item = isOne ? targets.find(({ by }) => by !== undefined) : undefined
    return item === undefined ? targets : [item]
  }

  function inTheirWorkspaces<Answer>(
    matches: readonly Match[],
    ask: (session: ReturnType<typeof database.forTenant>, ids: string[]) => Promise<Answer>,
  ): Promise<Answer[]> {
    const byTenant = Map.groupBy(matches, ({ tenantId }) => tenantId)
    return Promise.all(
      [...byTenant].map(([tenantId, ofTenant]) =>
        ask(
          database.forTenant(tenantId),
          ofTenant.map(({ id }) => id),
        ),
      ),
    )
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

  /** @throws Problem 404 */
  async function linked<Status extends number>(
    status: Status,
    link: DigitalLink,
    found: readonly Target[],
    linkQuery: Exclude<LinkQuery, { kind: 'default' }>,
    caller: LinkCaller,
  ): Promise<RenditionResult | ManyLinks | Redirect<Status>> {
    const contexts = await contextsOf(link, found)
    if (contexts.length === 0) throw nothingHere()
    if (linkQuery.kind === 'linkset') {
      const rendition = linksetAs(linkQuery.mediaType, contexts, link)
      return { rendition, isPublic: true, reader: 'public', ids: found.map(({ id }) => id) }
    }
    const links = linkQuery.type === undefined ? [] : linksOfType(contexts, linkQuery.type)
    if (links.length === 0) throw notFound('No link of this type. ?linkType=linkset lists all links.')
    const chosen = chooseLink(links, {
      accept: caller.accept,
      acceptLanguage: [new URLSearchParams(queryOf(caller.target)).get('lang'), caller.acceptLanguage]
        .filter((part) => part)
        .join(','),
    })
    if (chosen !== undefined) return redirect(status, chosen.href, link, caller)
    const [{ anchor, itemDescription } = { anchor: '', itemDescription: '' }] = contexts
    return {
      status: 300,
      body: JSON.stringify(
        linksetDocument([{ anchor, itemDescription, links: links.map((each) => [linkQuery.type ?? '', each]) }]),
      ),
      contentType: LINKSET_TYPE,
      headers: { Link: linksetLink(link) },
    }
  }

  /** Returns contexts, most specific first. */
  async function contextsOf(link: DigitalLink, found: readonly Target[]): Promise<LinkContext[]> {
    const described = (await Promise.all(found.map((target) => linksFrom(link, target)))).filter(
      (each) => each !== undefined,
    )
    const [first] = described
    if (first === undefined) return []
    const item = described.flatMap(({ item }) => item ?? [])
    const product = {
      anchor: baseUrl + pathOf(link.key),
      itemDescription: first.name,
      links: described.flatMap(({ links }) => links),
    }
    // With redirects each anchor has a default link; otherwise only the most specific level.
    const contexts = [...item, { ...product, ofDefault: first.ofDefault }]
    return contexts.map(({ ofDefault, ...context }, index) => {
      const isFirst =
        index === contexts.findIndex(({ anchor }) => (resolverRedirects ? anchor === context.anchor : true))
      return isFirst ? { ...context, links: [...context.links, ...ofDefault] } : context
    })
  }

  async function linksFrom(link: DigitalLink, target: Target) {
    if (target.status === 'DRAFT') return undefined
    const keyNumber = await issuers.currentKeyNumber(target.tenantId)
    const product = await readLinks(target, keyNumber !== undefined)
    if (product === undefined) return undefined
    const { name, formsOf, links } = product
    const itemPage = addressOf(target)
    const { by } = target
    const itemName = by === undefined ? name : `${name}, ${qualifier(link, by)}`
    const item: (LinkContext & { readonly ofDefault: LinkContext['links'] }) | undefined =
      by === undefined
        ? undefined
        : {
            // Item data does not depend on the batch (GS1-Conformant Resolver 1.2).
            anchor:
              baseUrl +
              pathOf(
                link.key,
                link.qualifiers.filter(({ ai }) => ai === by),
              ),
            itemDescription: itemName,
            links: formLinks(itemPage, itemName, formsOf(renditions.formatsOf(kindOf(target)))),
            ofDefault: defaultLink(itemPage, itemName),
          }
    return { name, links, item, ofDefault: defaultLink(`${baseUrl}/passport/${target.id}`, name) }
  }

  async function readLinks({ id, tenantId }: Target, hasKey: boolean) {
    const row = await passportRows.load(database.forTenant(tenantId), id)
    if (row === undefined || row.status === 'DRAFT') return undefined
    // A view of large metadata is as slow as reading it.
    await yieldTurn()
    const view = passportViews.view(row, 'public')
    const name = textIn(view.metadata, 'productName') ?? view.productId
    const page = `${baseUrl}/passport/${id}`
    const isSignable = hasKey && credentialBlocker(view.facility) === undefined
    const formsOf = (plugins: readonly RepresentationPlugin[]) =>
      plugins
        .filter(({ isSigned }) => isSigned !== true || isSignable)
        .map((plugin) => ({ mediaType: plugin.mediaTypes[0], languages: isForPeople(plugin) ? languages : undefined }))
    const { label } = descriptions.of(view.metadata.category, 'en')
    const shown = { href: page, title: name, type: 'text/html', hreflang: languages }
    const links = [
      ...formLinks(page, name, formsOf(representations)),
      ...contentLinks(view, shown, (key, group) => label(key, group) ?? key),
    ]
    return { name, formsOf, links }
  }

  function linksetAs(mediaType: string, contexts: readonly LinkContext[], link: DigitalLink): WireRendition {
    const body = Buffer.from(JSON.stringify(linksetDocument(contexts)))
    const context = `<${LINKSET_CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`
    return { body, etag: etagOf(body), contentType: mediaType, links: `${linksetLink(link)}, ${context}` }
  }

  async function choices(
    link: DigitalLink,
    matches: readonly Match[],
    { accept, lang }: LinkCaller,
  ): Promise<ManyChoices> {
    const message = 'Several economic operators have a passport for this product. Choose one of the alternatives.'
    const plugin = renditions.choose(accept, 'passport')?.plugin
    const passports = await toChoices(matches)
    return {
      status: 300,
      body: {
        error: 'Multiple Choices',
        message,
        choices: passports.map(({ href }) => href),
        passports: passports.map(({ href: url, company, country, status, isClaimed: claimed, isSealed: sealed }) => ({
          url,
          company,
          country,
          status,
          claimed,
          sealed,
        })),
      },
      headers: link.fault === undefined ? { Link: linksetLink(link) } : {},
      page: plugin?.renderChoices?.(passports, renditions.contextFor(plugin, lang)),
    }
  }

  async function toChoices(matches: readonly Match[]): Promise<PassportChoice[]> {
    const found = await inTheirWorkspaces(matches, operatorsOf)
    const operators = new Map(found.flat().map((operator) => [operator.id, operator]))
    return matches.map((match) => ({
      href: addressOf(match),
      company: operators.get(match.id)?.name ?? match.id,
      country: operators.get(match.id)?.country ?? null,
      status: match.status,
      isClaimed: match.isClaimed,
      isSealed: match.isSealed,
    }))
  }

  function addressOf({ id, unitId, record }: Pick<Match, 'id' | 'unitId' | 'record'>): string {
    if (unitId !== null) return `${baseUrl}/unit/${unitId}`
    return record === undefined ? `${baseUrl}/passport/${id}` : `${baseUrl}/${record.level}/${record.id}`
  }

  function redirect<Status extends number>(
    status: Status,
    address: string,
    link: DigitalLink,
    { target }: LinkCaller,
  ): Redirect<Status> {
    const query = queryOf(target)
    // The requested address may contain a token.
    const headers = {
      Location: forwarded(address, query),
      'Referrer-Policy': 'no-referrer',
      ...(hasGrant(query)
        ? { 'X-Access-Note': 'The token is not forwarded. Send it to the address in Location.' }
        : {}),
    }
    return {
      status,
      headers: link.fault === undefined ? { ...headers, Link: linksetLink(link) } : headers,
    }
  }

  /** Returns the `Link` header; undefined unless a GS1 Digital Link. */
  function linksetOf(target: string): string | undefined {
    const link = meansDigitalLink(target) ? readDigitalLink(target) : undefined
    return link === undefined || link.fault !== undefined ? undefined : linksetLink(link)
  }

  /** RFC 9264, 6.2. */
  function linksetLink({ path }: DigitalLink): string {
    return `<${baseUrl}${path}?linkType=linkset>; rel="linkset"; type="${LINKSET_TYPE}"`
  }
}

const kindOf = ({ unitId, record }: Target) => (unitId === null ? (record?.level ?? 'passport') : 'unit')

const isForPeople = ({ mediaTypes: [first] }: RepresentationPlugin) => first === 'text/html'

const nothingHere = () => notFound('No public passport at this address.')
