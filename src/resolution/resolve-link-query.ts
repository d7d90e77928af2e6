import type { Cradle } from '../cradle.ts'
import { credentialBlocker } from '../domain/credential-country.ts'
import { type DigitalLink, pathOf, qualifier } from '../domain/digital-link.ts'
import { LINKSET_TYPE, type LinkQuery, queryOf } from '../domain/link-query.ts'
import { textIn } from '../domain/metadata.ts'
import { notFound } from '../domain/problem.ts'
import { yieldTurn } from '../domain/yielding.ts'
import type { RepresentationPlugin } from '../plugin/contracts.ts'
import { etagOf, type Redirect, type WireRendition } from '../renditions/rendition.ts'
import { linksetLink, redirect } from './link-redirect.ts'
import { addressOf, kindOf, type LinkCaller, nothingHere, type Target } from './link-targets.ts'
import {
  chooseLink,
  contentLinks,
  defaultLink,
  formLinks,
  LINKSET_CONTEXT,
  type LinkContext,
  linksetDocument,
  linksOfType,
} from './linkset.ts'
import type { RenditionResult } from './rendition-result.ts'

type Services = Pick<
  Cradle,
  | 'config'
  | 'database'
  | 'descriptions'
  | 'issuers'
  | 'passportRows'
  | 'passportViews'
  | 'plugins'
  | 'renditions'
  | 'translator'
>

export interface ManyLinks {
  readonly status: 300
  readonly body: string
  readonly contentType: typeof LINKSET_TYPE
  readonly headers: { readonly [name: string]: string }
}

/** Responds to `linkType`: the linkset, a redirect, or several links. @throws Problem 404 */
export async function resolveLinkQuery<Status extends number>(
  services: Services,
  status: Status,
  link: DigitalLink,
  found: readonly Target[],
  linkQuery: Exclude<LinkQuery, { kind: 'default' }>,
  caller: LinkCaller,
): Promise<RenditionResult | ManyLinks | Redirect<Status>> {
  const { baseUrl } = services.config
  const contexts = await contextsOf(services, link, found)
  if (contexts.length === 0) throw nothingHere()
  if (linkQuery.kind === 'linkset') {
    const rendition = linksetAs(linkQuery.mediaType, contexts, linksetLink(baseUrl, link))
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
  if (chosen !== undefined) return redirect(baseUrl, status, chosen.href, link, caller)
  const [{ anchor, itemDescription } = { anchor: '', itemDescription: '' }] = contexts
  return {
    status: 300,
    body: JSON.stringify(
      linksetDocument([{ anchor, itemDescription, links: links.map((each) => [linkQuery.type ?? '', each]) }]),
    ),
    contentType: LINKSET_TYPE,
    headers: { Link: linksetLink(baseUrl, link) },
  }
}

/** Returns contexts, most specific first. */
async function contextsOf(services: Services, link: DigitalLink, found: readonly Target[]): Promise<LinkContext[]> {
  const { baseUrl, resolverRedirects } = services.config
  const described = (await Promise.all(found.map((target) => linksFrom(services, link, target)))).filter(
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
    const isFirst = index === contexts.findIndex(({ anchor }) => (resolverRedirects ? anchor === context.anchor : true))
    return isFirst ? { ...context, links: [...context.links, ...ofDefault] } : context
  })
}

async function linksFrom(services: Services, link: DigitalLink, target: Target) {
  if (target.status === 'DRAFT') return undefined
  const keyNumber = await services.issuers.currentKeyNumber(target.tenantId)
  const product = await readLinks(services, target, keyNumber !== undefined)
  if (product === undefined) return undefined
  const { name, formsOf, links } = product
  const { baseUrl } = services.config
  const itemPage = addressOf(baseUrl, target)
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
          links: formLinks(itemPage, itemName, formsOf(services.renditions.formatsOf(kindOf(target)))),
          ofDefault: defaultLink(itemPage, itemName),
        }
  return { name, links, item, ofDefault: defaultLink(`${baseUrl}/passport/${target.id}`, name) }
}

async function readLinks(
  { config, database, descriptions, passportRows, passportViews, plugins, translator }: Services,
  { id, tenantId }: Target,
  hasKey: boolean,
) {
  const row = await passportRows.load(database.forTenant(tenantId), id)
  if (row === undefined || row.status === 'DRAFT') return undefined
  // A view of large metadata is as slow as reading it.
  await yieldTurn()
  const view = passportViews.view(row, 'public')
  const name = textIn(view.metadata, 'productName') ?? view.productId
  const page = `${config.baseUrl}/passport/${id}`
  const languages = [...translator.languages].sort()
  const isSignable = hasKey && credentialBlocker(view.facility) === undefined
  const formsOf = (plugins: readonly RepresentationPlugin[]) =>
    plugins
      .filter(({ isSigned }) => isSigned !== true || isSignable)
      .map((plugin) => ({ mediaType: plugin.mediaTypes[0], languages: isForPeople(plugin) ? languages : undefined }))
  const { label } = descriptions.of(view.metadata.category, 'en')
  const shown = { href: page, title: name, type: 'text/html', hreflang: languages }
  const links = [
    ...formLinks(page, name, formsOf(plugins.representations)),
    ...contentLinks(view, shown, (key, group) => label(key, group) ?? key),
  ]
  return { name, formsOf, links }
}

function linksetAs(mediaType: string, contexts: readonly LinkContext[], own: string): WireRendition {
  const body = Buffer.from(JSON.stringify(linksetDocument(contexts)))
  const context = `<${LINKSET_CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`
  return { body, etag: etagOf(body, mediaType), contentType: mediaType, links: `${own}, ${context}` }
}

export const isForPeople = ({ mediaTypes: [first] }: RepresentationPlugin) => first === 'text/html'
