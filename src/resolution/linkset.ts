import { LINK_TYPES } from '../domain/link-query.ts'
import { isGroup, type Json, type Metadata, textIn } from '../domain/metadata.ts'
import { negotiate, parseWeightedList } from '../domain/negotiate.ts'
import type { PassportView } from '../domain/view.ts'

export const LINKSET_CONTEXT = 'https://ref.gs1.org/standards/resolver/linkset-context'

/** Link (RFC 9264, 4.2.4). */
interface Link {
  readonly href: string
  readonly title: string
  readonly type?: string | undefined
  /** Tags no longer than `pt-BR` (GS1 schema). */
  readonly hreflang?: readonly string[] | undefined
}

type Links = readonly (readonly [linkType: string, link: Link])[]

export interface LinkContext {
  readonly anchor: string
  readonly itemDescription: string
  readonly links: Links
}

interface LinkedForm {
  readonly mediaType: string
  readonly languages?: readonly string[] | undefined
}

/**
 * Builds a linkset (RFC 9264, 4.2), most specific level first. GS1's schemas of 2025 and 1.2 accept full URIs with only `itemDescription`,
 * but not CURIEs.
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

export const linksOfType = (contexts: readonly LinkContext[], requestedType: string): readonly Link[] =>
  contexts
    .map(({ links }) => links.flatMap(([linkType, link]) => (linkType === requestedType ? [link] : [])))
    .find(({ length }) => length > 0) ?? []

/**
 * Chooses by language, then media type.
 * @returns undefined if ambiguous
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

/** Filters by preferred language (RFC 4647, 3.4), or returns all. */
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

const FURTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['text/html', 'pip'],
  ['application/ld+json', 'masterData'],
])

export const formLinks = (href: string, name: string, forms: readonly LinkedForm[]): Links =>
  forms.flatMap(({ mediaType, languages }) => {
    const link = { href, title: titleOf(name), type: mediaType, hreflang: languages }
    return ['dpp', FURTHER_TYPES.get(mediaType) ?? []].flat().map((linkType) => [linkType, link] as const)
  })

/** Default link with only a title (GS1-Conformant Resolver 1.2). */
export const defaultLink = (href: string, name: string): Links => [['defaultLink', { href, title: titleOf(name) }]]

const titleOf = (name: string) => `Digital product passport of ${name}`

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

/** Returns an http(s) address that is safe in a header. */
function webAddress(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_ADDRESS_CHARACTERS || !URL.canParse(value)) return undefined
  const { protocol, username, password, href, host } = new URL(value)
  const isPlain = /^https?:$/.test(protocol) && username === '' && password === '' && /^[a-z0-9]/i.test(host)
  return isPlain ? href : undefined
}
