import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { networkOf } from '../domain/ip-address.ts'
import { memoize } from '../domain/memoize.ts'
import { type Config, trustedProxies } from '../start/config.ts'

const CACHE_LIMITS = { entries: 10_000, characters: 512 }

/** True if the address `hop` steps before the gateway is a trusted proxy. */
type TrustProxy = (address: string, hop: number) => boolean

/** `TRUST_PROXY`: a proxy count, or addresses and networks. */
function trustOf(trustProxy: Config['trustProxy']): TrustProxy {
  if (typeof trustProxy === 'string') return trustedProxies(trustProxy)
  return (_, hop) => hop < Number(trustProxy)
}

export class Forwarding {
  readonly #isTrusted: TrustProxy
  readonly #origin = memoize((way) => this.#addressIn(way), CACHE_LIMITS)

  constructor({ trustProxy }: Pick<Config, 'trustProxy'>) {
    this.#isTrusted = trustOf(trustProxy)
  }

  isProxy(address: string): boolean {
    return this.#isTrusted(address, 0)
  }

  /** Returns the peer, or the last address of `X-Forwarded-For` that is not a trusted proxy. */
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
      // A trusted proxy writes only addresses.
      if (next === undefined || !this.#isTrusted(address, hop)) break
      address = next
    }
    return address
  }

  /**
   * Returns the requested hosts. Every value of `X-Forwarded-Host` counts, because their authors are unknown.
   * @returns undefined if one is not a host name
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

/** Some proxies add the port. */
function bareAddress(text: string): string | undefined {
  if (isIP(text) !== 0) return text.toLowerCase()
  const [, six, four] = /^(?:\[([0-9a-fA-F:.]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  const bare = six ?? four
  return bare !== undefined && isIP(bare) !== 0 ? bare.toLowerCase() : undefined
}

// Labels with an optional final dot, or an address in brackets; then a port (RFC 9110, 7.2).
const HOST = /^(?:(\[[0-9A-Fa-f:.]{2,45}\])|([\w-]{1,63}(?:\.[\w-]{1,63})*)\.?)(?::\d{1,5})?$/

/**
 * Returns the host without port and final dot (RFC 1034, 3.1). An empty header is valid (RFC 9110, 7.2).
 * @returns undefined if malformed
 */
export function hostName(value: string): string | undefined {
  if (value === '') return ''
  const [, address, name] = HOST.exec(value) ?? []
  return (address ?? name)?.toLowerCase()
}

/** Rate-limit key: the address, or the /64 of IPv6 that one subscriber has. */
export const network = memoize((address: string) => networkOf(address, { v4: 32, v6: 64 }) ?? address, CACHE_LIMITS)
