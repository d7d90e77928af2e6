import { readFileSync } from 'node:fs'

const SECOND = 1000
const MIB = 1024 * 1024

/** Resource limits per caller and in total. Times in milliseconds. Tests override them. */
export interface Bounds {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  /** Time without traffic in either direction, including clients that do not read. */
  readonly idleTimeout: number
  readonly checkInterval: number
  /** Time until the object store has responded completely. */
  readonly objectTimeout: number
  /** Time until a rejected client's connection is destroyed (RFC 9112, 9.6). */
  readonly lingerTimeout: number
  /** Connections in total; more are closed immediately. */
  readonly connections: number
  /** Connections per address, except trusted proxies. */
  readonly connectionsPerAddress: number
  /** Requests per connection; closing it rebalances clients over processes. */
  readonly requestsPerConnection: number
  /** Buffered request bodies in total, in bytes. */
  readonly bodyBytes: number
  /** Bodies of anonymous callers, so that they do not block others. */
  readonly anonymousBodyBytes: number
  /** Bodies per address. */
  readonly addressBodyBytes: number
  /** Time from DNS lookup until the server has accepted the message. */
  readonly mailTimeout: number
  /** Wait for a timestamp over all attempts. */
  readonly timestampTimeout: number
  /** Time from DNS lookup until the response is complete. */
  readonly registryTimeout: number
  /** Wait for a connection of the workspace. */
  readonly connectionWait: number
  /** Wait for an earlier request with the same `Idempotency-Key`. */
  readonly idempotencyWait: number
  /** Labels per request; label jobs draw more. */
  readonly labelsAtOnce: number
}

const MAX_CONNECTIONS = 4096
const RESERVED_DESCRIPTORS = 128
const USUAL_DESCRIPTORS = 1024

export const BOUNDS: Bounds = Object.freeze({
  headersTimeout: 20 * SECOND,
  requestTimeout: 60 * SECOND,
  keepAliveTimeout: 65 * SECOND,
  idleTimeout: 120 * SECOND,
  checkInterval: 2 * SECOND,
  objectTimeout: 20 * SECOND,
  lingerTimeout: 2 * SECOND,
  connections: connectionsFor(descriptorLimit()),
  connectionsPerAddress: Math.min(512, Math.floor(connectionsFor(descriptorLimit()) / 2)),
  requestsPerConnection: 100_000,
  bodyBytes: 128 * MIB,
  anonymousBodyBytes: 32 * MIB,
  addressBodyBytes: 32 * MIB,
  mailTimeout: 60 * SECOND,
  timestampTimeout: 3 * SECOND,
  registryTimeout: 20 * SECOND,
  connectionWait: 10 * SECOND,
  idempotencyWait: 2 * SECOND,
  labelsAtOnce: 500,
})

/** Returns the maximum number of connections; reserves at least a quarter of the descriptors. */
export function connectionsFor(descriptors: number): number {
  return Math.max(1, Math.min(MAX_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors * 0.75)))
}

/** Returns the soft limit on open files, which limits `accept` (Linux). */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_DESCRIPTORS)
  } catch {
    return USUAL_DESCRIPTORS
  }
}

/** Headers per request; more are not parsed. */
export const MAX_HEADERS = 100
export const MAX_TARGET_CHARACTERS = 8192
export const MAX_PARAMETERS = 64
const MAX_VALUE_CHARACTERS = 4096

/** Limits for parsed or compared headers. All headers must fit into 16 KiB. */
export const MAX_CHARACTERS_OF_HEADER: Readonly<Record<string, number>> = {
  host: 270,
  accept: 1024,
  'accept-language': 512,
  'content-type': 512,
  'idempotency-key': 1024,
  'x-csrf-token': 512,
  'x-forwarded-for': 1024,
  'x-forwarded-host': 1024,
  cookie: 8192,
}

/** Minimum of all limits; shorter headers pass without lookup. */
const LET_THROUGH = Math.min(...Object.values(MAX_CHARACTERS_OF_HEADER))

interface TooMuch {
  readonly status: 400 | 414 | 431
  readonly message: string
}

export function tooMuch(target: string, rawHeaders: readonly string[]): TooMuch | undefined {
  if (target.length > MAX_TARGET_CHARACTERS) {
    return {
      status: 414,
      message: `The request target is longer than ${MAX_TARGET_CHARACTERS} characters. Shorten it.`,
    }
  }
  if (hasMoreParameters(target)) {
    return { status: 400, message: `The query has more than ${MAX_PARAMETERS} parameters. Send fewer.` }
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    return { status: 431, message: `The request has more than ${MAX_HEADERS} headers. Send fewer.` }
  }
  for (let index = 1; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] as string
    if (length <= LET_THROUGH) continue
    const name = (rawHeaders[index - 1] as string).toLowerCase()
    const maxLength =
      (Object.hasOwn(MAX_CHARACTERS_OF_HEADER, name) ? MAX_CHARACTERS_OF_HEADER[name] : undefined) ??
      MAX_VALUE_CHARACTERS
    if (length > maxLength)
      return { status: 431, message: `The header ${name} is longer than ${maxLength} characters. Shorten it.` }
  }
  return undefined
}

function hasMoreParameters(target: string): boolean {
  const query = target.indexOf('?')
  if (query === -1 || target.length - query <= MAX_PARAMETERS) return false
  let count = 1
  for (let at = target.indexOf('&', query); at !== -1; at = target.indexOf('&', at + 1)) count += 1
  return count > MAX_PARAMETERS
}
