import { BlockList, isIP } from 'node:net'

const MAX_URL_CHARACTERS = 2048

// IANA IPv4 Special-Purpose Address Registry; non-unicast (RFC 5771, RFC 1112 section 4).
const NOT_PUBLIC_IPV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// Exceptions in 2000::/3 (RFC 4291, section 2.4): Teredo and ORCHID, documentation, 6to4 (IANA IPv6 Special-Purpose Address Registry).
const NOT_PUBLIC_IPV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refused = new BlockList()
for (const [network, prefix] of NOT_PUBLIC_IPV4) refused.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of NOT_PUBLIC_IPV6) refused.addSubnet(network, prefix, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** True for public unicast. Addresses that embed another one (mapped, compatible, translated, 6to4, Teredo) are not public. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refused.check(address, 'ipv4')
  // Zones (`%eth0`) are local to a link.
  if (family !== 6 || address.includes('%')) return false
  return globalUnicast.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}

const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')
// 169.254.0.0/16 embedded in IPv6; BlockList matches mapped addresses itself.
for (const network of ['::a9fe:0', '64:ff9b::a9fe:0']) linkLocal.addSubnet(network, 112, 'ipv6')
linkLocal.addSubnet('2002:a9fe::', 32, 'ipv6')
// Other cloud metadata services: Alibaba, Azure, Oracle, AWS, Google.
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) linkLocal.addAddress(address, 'ipv4')
for (const address of ['fd00:ec2::254', 'fd20:ce::254']) linkLocal.addAddress(address, 'ipv6')

/** True for link-local and cloud metadata addresses, which give credentials to any client. */
export function isMetadataAddress(address: string): boolean {
  const [bare = ''] = address.split('%')
  const family = isIP(bare)
  return family !== 0 && linkLocal.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}

interface UrlRules {
  readonly ports?: readonly string[]
  readonly literals?: boolean
}

/**
 * Returns the reason for rejecting a caller's URL. Requires https, no credentials, an allowed port, and a public host. Resolved addresses
 * are validated on connection. Parses like the client (WHATWG URL): `0x7f.1` is 127.0.0.1.
 */
export function whyNotPublicUrl(text: string, { ports = [], literals = false }: UrlRules = {}): string | undefined {
  if (text.length > MAX_URL_CHARACTERS || !URL.canParse(text)) return 'is not a URL.'
  const { protocol, hostname, port, username, password } = new URL(text)
  if (protocol !== 'https:') return 'must begin with https://.'
  if (username !== '' || password !== '') return 'must not contain a user name or password.'
  if (port !== '' && !ports.includes(port))
    return `has a port that is not allowed. Allowed: ${['443', ...ports].join(', ')}.`
  const address = literalOf(hostname)
  if (address !== undefined)
    return literals && isPublicAddress(address) ? undefined : 'does not have a public host name.'
  // Names without a dot are local; a final dot would bypass name lists.
  return /\.[a-z][a-z0-9-]*$/.test(hostname) ? undefined : 'does not have a public host name.'
}

/** Returns the IP address of a URL host, without brackets. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}
