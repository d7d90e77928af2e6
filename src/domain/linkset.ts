import { LINK_TYPES } from './link-query.ts'
import { isGroup, type Json, type Metadata, textIn } from './metadata.ts'
import { negotiate, parseWeightedList } from './negotiate.ts'
import type { PassportView } from './view.ts'

/** A link of a linkset (RFC 9264, 4.2.4); members that are undefined are not there. */
interface Link {
  readonly href: string
  readonly title: string
  /** Media type. */
  readonly type?: string | undefined
  /** Two-letter languages; GS1's schema takes no longer tags than `pt-BR`. */
  readonly hreflang?: readonly string[] | undefined
}

/** Links, each with its link type, which is a name of GS1's vocabulary. */
type Links = readonly (readonly [linkType: string, link: Link])[]

/** What is linked from one level of a product: all of it, or one item. */
export interface LinkContext {
  /** The GS1 Digital Link of the level. */
  readonly anchor: string
  readonly itemDescription: string
  readonly links: Links
}

/** A form in which an address answers. */
interface LinkedForm {
  readonly mediaType: string
  /** Languages of a form for people. */
  readonly languages?: readonly string[] | undefined
}

/**
 * The linkset of these levels (RFC 9264, 4.2), most specific first. Link types are full URIs, and the text of a level is
 * `itemDescription` alone: GS1's schemas of 2025 and of 1.2 both take that, and no CURIE.
 */
export const linksetDocument = (contexts: readonly LinkContext[]): object => ({
  linkset: contexts.map(({ links, ...context }) => ({ ...context, ...Object.fromEntries(byLinkType(links)) })),
})

function byLinkType(links: Links): Map<string, Link[]> {
  const grouped = new Map<string, Link[]>()
  for (const [linkType, link] of links) {
    const name = LINK_TYPES + linkType
    grouped.set(name, [...(grouped.get(name) ?? []), link])
  }
  return grouped
}

/** The links of a type of the most specific level that has any. */
export const linksOfType = (contexts: readonly LinkContext[], wanted: string): readonly Link[] =>
  contexts
    .map(({ links }) => links.flatMap(([linkType, link]) => (linkType === wanted ? [link] : [])))
    .find(({ length }) => length > 0) ?? []

/**
 * The one link that the request means: by its language, then by its media type; several with one address are one.
 * @returns undefined where that does not decide
 */
export function chooseLink(
  links: readonly Link[],
  { accept, acceptLanguage }: { readonly accept: string | undefined; readonly acceptLanguage: string | undefined },
): Link | undefined {
  const types = [...new Set(links.map(({ type = '' }) => type))].map((type) => ({ name: type, mediaTypes: [type] }))
  const inLanguage = speaking(links, acceptLanguage)
  const type = negotiate(accept, types)?.name
  const ofType = inLanguage.filter((link) => link.type === type)
  const left = ofType.length === 0 ? inLanguage : ofType
  return new Set(left.map(({ href }) => href)).size === 1 ? left[0] : undefined
}

/** Those in the language that is liked best of those that there are (RFC 4647, 3.4); all where there is none of them. */
function speaking(links: readonly Link[], acceptLanguage = ''): readonly Link[] {
  const ranges = parseWeightedList(acceptLanguage).filter(({ quality }) => quality > 0)
  for (const { value } of ranges.sort((a, b) => b.quality - a.quality)) {
    for (let tag = value; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
      const found = links.filter(({ hreflang = [] }) => hreflang.some((language) => language.toLowerCase() === tag))
      if (found.length > 0) return found
    }
  }
  return links
}

/** What a form is beside a `dpp`. */
const FURTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['text/html', 'pip'],
  ['application/ld+json', 'masterData'],
])

/** The links to the forms in which an address answers. */
export const formLinks = (href: string, name: string, forms: readonly LinkedForm[]): Links =>
  forms.flatMap(({ mediaType, languages }) => {
    const link = { href, title: titleOf(name), type: mediaType, hreflang: languages }
    return ['dpp', FURTHER_TYPES.get(mediaType) ?? []].flat().map((linkType) => [linkType, link] as const)
  })

/** The default link, which has a title and nothing else (GS1-Conformant Resolver 1.2). */
export const defaultLink = (href: string, name: string): Links => [['defaultLink', { href, title: titleOf(name) }]]

const titleOf = (name: string) => `Digital product passport of ${name}`

/** Keys of metadata that hold an address, by its link type. */
const ADDRESSES: readonly (readonly [linkType: string, ...path: string[]])[] = [
  ['instructions', 'instructionsForUse'],
  ['instructions', 'repairManualUrl'],
  ['instructions', 'disassemblyInstructionsUrl'],
  ['safetyInfo', 'safetyDatasheetUrl'],
  ['certificationInfo', 'declarationOfConformityUrl'],
  ['certificationInfo', 'regulatoryCompliance', 'declarationOfConformityUrl'],
  ['sustainabilityInfo', 'epdUrl'],
  ['sustainabilityInfo', 'eprelUrl'],
  ['sustainabilityInfo', 'dueDiligenceReportUrl'],
  ['sustainabilityInfo', 'carbonFootprint', 'studyUrl'],
]

/**
 * The links of what a passport says: addresses in it, certificates, and a recall. What has no address of its own is on the
 * passport's page.
 * @param label what a key of its metadata is called
 */
export function contentLinks(
  { metadata, status }: Pick<PassportView, 'metadata' | 'status'>,
  page: Link,
  label: (key: string, group?: string) => string,
): Links {
  const addresses = ADDRESSES.flatMap(([linkType, ...path]): Links => {
    const href = webAddress(path.reduce<Json | undefined>(memberOf, metadata))
    return href === undefined ? [] : [[linkType, { href, title: label(path.at(-1) as string, path.at(-2)) }]]
  })
  const certificates = certificatesIn(metadata).map((title) => ['certificationInfo', { ...page, title }] as const)
  const recall: Links = status === 'RECALLED' ? [['recallStatus', { ...page, title: 'Recall' }]] : []
  return [...addresses, ...certificates, ...recall]
}

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isGroup(value) && Object.hasOwn(value, key) ? value[key] : undefined

function certificatesIn(metadata: Metadata): string[] {
  const certificates = memberOf(memberOf(metadata, 'regulatoryCompliance'), 'certificates')
  if (!Array.isArray(certificates)) return []
  return certificates.flatMap((certificate: Json) => (isGroup(certificate) ? (textIn(certificate, 'name') ?? []) : []))
}

const MAX_ADDRESS_CHARACTERS = 2048

/** An address of the web as it can stand in a header, or undefined for anything else. */
function webAddress(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_CHARACTERS || !URL.canParse(value)) return undefined
  const { protocol, username, password, href, host } = new URL(value)
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === '' && /^[a-z0-9]/i.test(host)
  return isPlain ? href : undefined
}
