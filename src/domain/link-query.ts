import { negotiate } from './negotiate.ts'

/** The namespace of GS1's link types (GS1 Web Vocabulary), and its two other spellings. */
export const LINK_TYPES = 'https://ref.gs1.org/voc/'
const NAMESPACES = [LINK_TYPES, 'https://gs1.org/voc/', 'https://www.gs1.org/voc/', 'gs1:']

/** What a linkset is sent as (RFC 9264, 4.2); callers that know no more than JSON get the same as JSON. */
export const LINKSET_TYPE = 'application/linkset+json'
const JSON_TYPE = 'application/json'

/** What is wanted at a GS1 Digital Link. */
export type LinkQuery =
  /** Whatever answers there. */
  | { readonly kind: 'default' }
  /** All links, as one of its media types. */
  | { readonly kind: 'linkset'; readonly mediaType: string }
  /** A link of this type, by the name that it has in the vocabulary; undefined: of a type that nobody has. */
  | { readonly kind: 'link'; readonly type: string | undefined }

/**
 * Reads what is wanted (GS1-Conformant Resolver 1.2, `linkType`; `all` is the deprecated name of `linkset`).
 * @param query as it was sent, without `?`
 * @param representations in which the address answers beside a linkset
 * @param takesJson whether JSON, and no more than that, is a linkset here
 */
export function readLinkQuestion(
  query: string,
  accept: string | undefined,
  representations: Parameters<typeof negotiate>[1],
  takesJson: boolean,
): LinkQuery {
  const asked = new URLSearchParams(query).get('linkType')?.trim() ?? ''
  if (asked === 'linkset' || asked === 'all')
    return { kind: 'linkset', mediaType: negotiate(accept, FORMS)?.mediaType ?? LINKSET_TYPE }
  if (asked !== '') return linkOf(asked)
  const negotiated = negotiate(accept, [...representations, ...(takesJson ? FORMS : FORMS.slice(0, 1))])
  return FORMS.some(({ name }) => name === negotiated?.name)
    ? { kind: 'linkset', mediaType: negotiated?.mediaType ?? LINKSET_TYPE }
    : { kind: 'default' }
}

const FORMS = [LINKSET_TYPE, JSON_TYPE].map((mediaType) => ({ name: mediaType, mediaTypes: [mediaType] }))

/** The default link has a type too, which is no other question than none. */
function linkOf(asked: string): LinkQuery {
  const namespace = NAMESPACES.find((candidate) => asked.startsWith(candidate))
  const type = namespace === undefined ? undefined : asked.slice(namespace.length)
  return type === 'defaultLink' ? { kind: 'default' } : { kind: 'link', type }
}

/** The query of a target as it was sent, without `?`; empty where there is none. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}

/**
 * An address with the query of the request, byte for byte but for a capability token: addresses end up in logs and
 * histories, and not all of them are ours.
 */
export function forwarded(address: string, query: string): string {
  const kept = withoutGrant(query)
  if (kept === '') return address
  const fragment = address.indexOf('#')
  const [before, after] = fragment === -1 ? [address, ''] : [address.slice(0, fragment), address.slice(fragment)]
  return `${before}${before.includes('?') ? '&' : '?'}${kept}${after}`
}

/** Every spelling of the name counts, those included that this gateway does not take for a token: `%67rant`, `grant[]`, `GRANT`. */
export const hasGrant = (query: string): boolean => query !== '' && withoutGrant(query) !== query

function withoutGrant(query: string): string {
  const pairs = query.split('&')
  const kept = pairs.filter((pair) => ![...new URLSearchParams(pair).keys()].some(isGrant))
  return kept.length === pairs.length ? query : kept.join('&')
}

const isGrant = (name: string) => /^\s*grant\s*(\[|$)/i.test(name)
