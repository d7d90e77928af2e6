import { LINK_TYPES } from './link-question.ts'
import { isGroup, type Json, type Metadata, textIn } from './metadata.ts'
import { negotiate, parseWeightedList } from './negotiate.ts'
import type { PassportView } from './view.ts'

/** A link of a linkset (RFC 9264, 4.2.4.2); members that are undefined are not there. */
export interface Link {
  readonly href: string
  readonly title: string
  readonly type?: string | undefined
  /** Two-letter languages; GS1's schema takes no longer tags than `pt-BR`. */
  readonly hreflang?: readonly string[] | undefined
}

/** Links by their type, which is a name of GS1's vocabulary. */
export type Links = Readonly<Record<string, readonly Link[]>>

/** What is linked from one level of a product: all of it, a batch, or one item. */
export interface LinkContext {
  /** The GS1 Digital Link of the level. */
  readonly anchor: string
  readonly itemDescription: string
  readonly links: Links
}

/** A form in which an address answers. */
export interface LinkedForm {
  readonly mediaType: string
  /** Languages of a form for people. */
  readonly languages?: readonly string[] | undefined
}

/**
 * The linkset of these levels (RFC 9264, 4.2), most specific first. Types are full URIs, and the text of a level is
 * `itemDescription` alone: GS1's schemas of 2025 and of 1.2 both take that, and no CURIE.
 */
export const linksetDocument = (contexts: readonly LinkContext[]): object => ({
  linkset: contexts.map(({ links, ...context }) => ({
    ...context,
    ...Object.fromEntries(Object.entries(links).map(([type, ofType]) => [LINK_TYPES + type, ofType])),
  })),
})

/** The links of a type of the most specific level that has any. */
export const linksOfType = (contexts: readonly LinkContext[], type: string): readonly Link[] =>
  contexts
    .map(({ links }) => (Object.hasOwn(links, type) ? (links[type] ?? []) : []))
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

/** What a form of a passport or of a unit is beside a `dpp`. */
const FURTHER_TYPE: Readonly<Record<string, string>> = { 'text/html': 'pip', 'application/ld+json': 'masterData' }

/** The links to the forms in which an address answers. */
export function formLinks(href: string, name: string, forms: readonly LinkedForm[]): Links {
  const links = forms.map(({ mediaType, languages }) => ({
    href,
    title: `Digital product passport of ${name}`,
    type: mediaType,
    hreflang: languages,
  }))
  const further = Object.entries(FURTHER_TYPE).map(([mediaType, type]) => [
    type,
    links.filter((link) => link.type === mediaType),
  ])
  return withoutEmpty({ dpp: links, ...Object.fromEntries(further) })
}

/** The default link, which has a title and nothing else (GS1-Conformant Resolver 1.2). */
export const defaultLink = (href: string, name: string): Links => ({
  defaultLink: [{ href, title: `Digital product passport of ${name}` }],
})

/** Keys of metadata that hold an address, by the type of its link. */
const ADDRESSES: readonly (readonly [type: string, ...path: string[]])[] = [
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
  const links: Record<string, Link[]> = {}
  const add = (type: string, link: Link) => {
    links[type] ??= []
    links[type].push(link)
  }
  for (const [type, ...path] of ADDRESSES) {
    const href = webAddress(path.reduce<Json | undefined>(memberOf, metadata))
    if (href !== undefined) add(type, { href, title: label(path.at(-1) as string, path.at(-2)) })
  }
  for (const name of certificatesIn(metadata)) add('certificationInfo', { ...page, title: name })
  if (status === 'RECALLED') add('recallStatus', { ...page, title: 'Recall' })
  return links
}

const memberOf = (value: Json | undefined, key: string): Json | undefined =>
  isGroup(value) && Object.hasOwn(value, key) ? value[key] : undefined

function certificatesIn(metadata: Metadata): string[] {
  const certificates = memberOf(memberOf(metadata, 'regulatoryCompliance'), 'certificates')
  if (!Array.isArray(certificates)) return []
  return certificates.flatMap((certificate: Json) => (isGroup(certificate) ? (textIn(certificate, 'name') ?? []) : []))
}

const MOST_ADDRESS_CHARACTERS = 2048

/** An address of the web as it can stand in a header, or undefined for anything else. */
function webAddress(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > MOST_ADDRESS_CHARACTERS || !URL.canParse(value)) return undefined
  const { protocol, username, password, href, host } = new URL(value)
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === '' && /^[a-z0-9]/i.test(host)
  return isPlain ? href : undefined
}

const withoutEmpty = (links: Links): Links =>
  Object.fromEntries(Object.entries(links).filter(([, ofType]) => ofType.length > 0))

/** The links of several, type by type. */
export function together(all: readonly Links[]): Links {
  const links: Record<string, Link[]> = {}
  for (const some of all) {
    for (const [type, ofType] of Object.entries(some)) links[type] = [...(links[type] ?? []), ...ofType]
  }
  return links
}
