import { type DigitalLink, meansDigitalLink, readDigitalLink } from '../domain/digital-link.ts'
import { forwarded, hasGrant, LINKSET_TYPE, queryOf } from '../domain/link-query.ts'
import type { Redirect } from '../renditions/rendition.ts'
import type { LinkCaller } from './link-targets.ts'

export function redirect<Status extends number>(
  baseUrl: string,
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
    ...(hasGrant(query) ? { 'X-Access-Note': 'The token is not forwarded. Send it to the address in Location.' } : {}),
  }
  return {
    status,
    headers: link.fault === undefined ? { ...headers, Link: linksetLink(baseUrl, link) } : headers,
  }
}

/** Returns the `Link` header; undefined unless a GS1 Digital Link. */
export function linksetOf(baseUrl: string, target: string): string | undefined {
  const link = meansDigitalLink(target) ? readDigitalLink(target) : undefined
  return link === undefined || link.fault !== undefined ? undefined : linksetLink(baseUrl, link)
}

/** RFC 9264, 6.2. */
export function linksetLink(baseUrl: string, { path }: DigitalLink): string {
  return `<${baseUrl}${path}?linkType=linkset>; rel="linkset"; type="${LINKSET_TYPE}"`
}
