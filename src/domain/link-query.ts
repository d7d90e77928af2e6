import { negotiate } from './negotiate.ts'

/** GS1 Web Vocabulary namespace and alternative spellings. */
export const LINK_TYPES = 'https://ref.gs1.org/voc/'
const NAMESPACES = [LINK_TYPES, 'https://gs1.org/voc/', 'https://www.gs1.org/voc/', 'gs1:']

/** Linkset media type (RFC 9264, 4.2). JSON-only callers get the same document. */
export const LINKSET_TYPE = 'application/linkset+json'
const JSON_TYPE = 'application/json'

export type LinkQuery =
  /** Default response. */
  | { readonly kind: 'default' }
  | { readonly kind: 'linkset'; readonly mediaType: string }
  /** Link of this type; undefined for an unknown namespace. */
  | { readonly kind: 'link'; readonly type: string | undefined }

/**
 * Parses `linkType` (GS1-Conformant Resolver 1.2; `all` is deprecated) and Accept.
 * @param query without `?`
 * @param acceptsJson true if plain JSON means a linkset
 */
export function readLinkQuery(
  query: string,
  accept: string | undefined,
  representations: Parameters<typeof negotiate>[1],
  acceptsJson: boolean,
): LinkQuery {
  const requested = new URLSearchParams(query).get('linkType')?.trim() ?? ''
  if (requested === 'linkset' || requested === 'all')
    return { kind: 'linkset', mediaType: negotiate(accept, FORMS)?.mediaType ?? LINKSET_TYPE }
  if (requested !== '') return linkOf(requested)
  const forms = acceptsJson ? FORMS : FORMS.slice(0, 1)
  const others = representations.filter(({ mediaTypes: [first] }) => !forms.some(({ name }) => name === first))
  const negotiated = negotiate(accept, [...others, ...forms])
  return FORMS.some(({ name }) => name === negotiated?.name)
    ? { kind: 'linkset', mediaType: negotiated?.mediaType ?? LINKSET_TYPE }
    : { kind: 'default' }
}

const FORMS = [LINKSET_TYPE, JSON_TYPE].map((mediaType) => ({ name: mediaType, mediaTypes: [mediaType] }))

function linkOf(requested: string): LinkQuery {
  const namespace = NAMESPACES.find((candidate) => requested.startsWith(candidate))
  const type = namespace === undefined ? undefined : requested.slice(namespace.length)
  return type === 'defaultLink' ? { kind: 'default' } : { kind: 'link', type }
}

export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}

/** Appends the query without capability tokens, which must not reach logs or external addresses. */
export function forwarded(address: string, query: string): string {
  const remaining = withoutGrant(query)
  if (remaining === '') return address
  const fragment = address.indexOf('#')
  const [before, after] = fragment === -1 ? [address, ''] : [address.slice(0, fragment), address.slice(fragment)]
  return `${before}${before.includes('?') ? '&' : '?'}${remaining}${after}`
}

/** True if `grant` is present in any spelling, such as `%67rant` or `GRANT`. */
export const hasGrant = (query: string): boolean => query !== '' && withoutGrant(query) !== query

function withoutGrant(query: string): string {
  const pairs = query.split('&')
  const remaining = pairs.filter((pair) => ![...new URLSearchParams(pair).keys()].some(isGrant))
  return remaining.length === pairs.length ? query : remaining.join('&')
}

const isGrant = (name: string) => /^\s*grant\s*(\[|$)/i.test(name)
