import { readFileSync } from 'node:fs'

const SECOND = 1000
const MIB = 1024 * 1024

/**
 * What one caller, and all callers together, can hold open. Times are milliseconds. One table, so that nobody has to
 * look for a bound; tests put shorter times in its place.
 */
export interface Bounds {
  /** From the beginning of a connection or request until its headers are complete. */
  readonly headersTimeout: number
  /** From the beginning of a request until its body is complete. */
  readonly requestTimeout: number
  /** Between two requests of a connection. */
  readonly keepAliveTimeout: number
  /** A connection on which nothing moves, whoever's turn it is: also a client that does not read its answer. */
  readonly idleTimeout: number
  /** How often the timeouts are looked after. */
  readonly checkInterval: number
  /** What the store of objects is asked, until its answer is complete. */
  readonly objectTimeout: number
  /** How long a refused client may take to close its side before the connection is destroyed (RFC 9112, 9.6). */
  readonly lingerTimeout: number
  /** Connections of all callers. More are closed at once. */
  readonly connections: number
  /** Connections of one address; trusted proxies are not counted. */
  readonly connectionsPerAddress: number
  /** Requests of one connection; then it is closed, so that clients spread over the processes anew. */
  readonly requestsPerConnection: number
  /** Bytes of request bodies in memory at once: of all callers, */
  readonly bodyBytes: number
  /** of all callers without credentials, who so cannot keep the others out, */
  readonly anonymousBodyBytes: number
  /** and of one address. */
  readonly addressBodyBytes: number
  /** From the first look-up until the server has taken an e-mail. */
  readonly mailTimeout: number
  /** Wait of a seal for its timestamp, over all attempts. */
  readonly timestampTimeout: number
  /** From the first look-up until the answer of the registry is complete. */
  readonly registryTimeout: number
  /** Wait of a transaction for one of the connections of its workspace. */
  readonly connectionWait: number
  /** Wait of a request for an earlier one with the same `Idempotency-Key`. */
  readonly idempotencyWait: number
  /** Most labels drawn in the answer to a request; a label job draws more. */
  readonly labelsAtOnce: number
}

/** Most connections, however many descriptors there are: each costs memory too. */
const MAX_CONNECTIONS = 4096
/** Descriptors that are kept for the database, files and calls to others. */
const RESERVED_DESCRIPTORS = 128
/** The usual limit, where the process cannot read its own. */
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

/** How many connections a process with this many descriptors may have; at least one in four descriptors is kept back. */
export function connectionsFor(descriptors: number): number {
  return Math.max(1, Math.min(MAX_CONNECTIONS, descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors * 0.75)))
}

/** The soft limit on open files of this process, where the system tells (Linux); it is what `accept` runs into. */
function descriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? USUAL_DESCRIPTORS)
  } catch {
    return USUAL_DESCRIPTORS
  }
}

/** Headers of one request; what is beyond is not even parsed. */
export const MAX_HEADERS = 100
/** Characters of the request target: longer than any address that the gateway emits. */
export const MAX_TARGET_CHARACTERS = 8192
/** Parameters of the query, known or not. */
export const MAX_PARAMETERS = 64
/** Characters of a header that has no bound of its own below. */
const MAX_VALUE_CHARACTERS = 4096

/** Characters of the headers that are parsed or compared here. All of a request have to fit into 16 KiB besides. */
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

/** No header of any name is bounded tighter than this, so most of them are let through by their length alone. */
const LET_THROUGH = Math.min(...Object.values(MAX_CHARACTERS_OF_HEADER))

/** A request that is refused for its size alone, before anything reads it. */
interface TooMuch {
  readonly status: 400 | 414 | 431
  readonly message: string
}

/** Judges the sizes of a request: the target, the number of its parameters, the number and length of its headers. */
export function tooMuch(target: string, rawHeaders: readonly string[]): TooMuch | undefined {
  if (target.length > MAX_TARGET_CHARACTERS) {
    return { status: 414, message: `The address is longer than ${MAX_TARGET_CHARACTERS} characters.` }
  }
  if (hasMoreParameters(target)) {
    return { status: 400, message: `The query has more than ${MAX_PARAMETERS} parameters.` }
  }
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    return { status: 431, message: `The request has more than ${MAX_HEADERS} headers.` }
  }
  for (let index = 1; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] as string
    if (length <= LET_THROUGH) continue
    const name = (rawHeaders[index - 1] as string).toLowerCase()
    const most =
      (Object.hasOwn(MAX_CHARACTERS_OF_HEADER, name) ? MAX_CHARACTERS_OF_HEADER[name] : undefined) ??
      MAX_VALUE_CHARACTERS
    if (length > most) return { status: 431, message: `The header ${name} is longer than ${most} characters.` }
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
