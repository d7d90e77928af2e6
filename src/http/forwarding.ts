import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type Config, trustedProxies } from '../config.ts'
import { networkOf } from '../domain/ip-address.ts'
import { memoize } from '../domain/memoize.ts'

/** Addresses whose network is remembered, and ways that requests come whose beginning is. */
const REMEMBERED = { entries: 10_000, characters: 512 }

/** True if the address `hop` steps before us belongs to a proxy of ours. */
type TrustProxy = (address: string, hop: number) => boolean

/** `TRUST_PROXY`: a number of proxies, or their addresses and networks. */
function trustOf(trustProxy: Config['trustProxy']): TrustProxy {
  if (typeof trustProxy === 'string') return trustedProxies(trustProxy)
  return (_, hop) => hop < Number(trustProxy)
}

/** What is known of the way that a request came: the same for both lanes. */
export class Forwarding {
  readonly #isTrusted: TrustProxy
  readonly #origin = memoize((way) => this.#addressIn(way), REMEMBERED)

  constructor({ trustProxy }: Pick<Config, 'trustProxy'>) {
    this.#isTrusted = trustOf(trustProxy)
  }

  /** The peer is a proxy of ours, so that its `X-Forwarded-*` headers count and its connections are many people's. */
  isProxy(address: string): boolean {
    return this.#isTrusted(address, 0)
  }

  /** The caller: the peer, or the last address of `X-Forwarded-For` that no proxy of ours stands for. */
  addressOf(req: IncomingMessage): string {
    const direct = req.socket.remoteAddress ?? ''
    const forwarded = req.headers['x-forwarded-for']
    return forwarded === undefined ? direct : this.#origin(`${direct}\n${forwarded}`)
  }

  #addressIn(way: string): string {
    const [direct, forwarded] = way.split('\n') as [string, string]
    if (!this.isProxy(direct)) return direct
    let address = direct
    for (const [hop, text] of forwarded.split(',').reverse().entries()) {
      const next = bareAddress(text.trim())
      // Whatever is not an address was not written by anybody we trust.
      if (next === undefined || !this.#isTrusted(address, hop)) break
      address = next
    }
    return address
  }

  /**
   * The names under which the caller asked, in lower case: of the request, or as the proxy says. With several values of
   * `X-Forwarded-Host` nobody can tell who wrote which, so each of them counts.
   * @returns undefined if one of them is not a host name
   */
  hostsOf(req: IncomingMessage): string[] | undefined {
    const forwarded = req.headers['x-forwarded-host']
    const values =
      forwarded !== undefined && this.isProxy(req.socket.remoteAddress ?? '')
        ? String(forwarded).split(',')
        : [req.headers.host ?? '']
    const hosts = values.map((value) => hostName(value.trim()))
    return hosts.every((host) => host !== undefined) ? hosts : undefined
  }
}

/** Some proxies write the port too. */
function bareAddress(text: string): string | undefined {
  if (isIP(text) !== 0) return text.toLowerCase()
  const [, six, four] = /^(?:\[([0-9a-fA-F:.]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  const bare = six ?? four
  return bare !== undefined && isIP(bare) !== 0 ? bare.toLowerCase() : undefined
}

// A name of non-empty labels with at most one final dot, or an address in brackets; then a port (RFC 9110, 7.2).
const HOST = /^(?:(\[[0-9A-Fa-f:.]{2,45}\])|([\w-]{1,63}(?:\.[\w-]{1,63})*)\.?)(?::\d{1,5})?$/

/**
 * The host of a `Host` header in lower case, without port and final dot, which name the same (RFC 1034, 3.1). An empty
 * header is the empty name (RFC 9110, 7.2).
 * @returns undefined when it is malformed
 */
export function hostName(value: string): string | undefined {
  if (value === '') return ''
  const [, address, name] = HOST.exec(value) ?? []
  return (address ?? name)?.toLowerCase()
}

/** What a request budget is counted for: an address, or the /64 of IPv6 that one subscriber has as a whole. */
export const network = memoize((address: string) => networkOf(address, { v4: 32, v6: 64 }) ?? address, REMEMBERED)
