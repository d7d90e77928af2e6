import { existsSync, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve, sep } from 'node:path'
import { isPublicAddress } from '../domain/public-address.ts'
import { get, type Resolver } from '../services/outgoing.ts'
import type { SealTrust } from './seal.ts'

/** Where DID documents and status lists come from while something is verified. */
export interface Documents {
  /**
   * The text at an address.
   * @throws Error that says why there is none
   */
  read(url: string, accept: string, bounds?: Bounds): Promise<string>
}

/** What one reading may cost. */
export interface Bounds {
  /** Milliseconds. */
  readonly within: number
  /** Bytes. */
  readonly most: number
}

/** What verification works with. */
export interface VerifyOptions {
  readonly documents: Documents
  /**
   * Where UNTP's contexts and schemas are, which may not be shipped with the gateway: a folder of the verifier's own.
   * Absent: what they say is not checked. They are never fetched, and no other context or schema is taken from there.
   */
  readonly vocabulary?: Documents
  /** JSON-LD contexts beside those that are built in, by address. */
  readonly contexts?: ReadonlyMap<string, object>
  /** The time at which everything must hold; a seal holds at its own. */
  readonly now: Date
  /** Whether a credential is valid although nobody could say if it was revoked. */
  readonly allowUnknownStatus?: boolean
  /** Whom the verifier trusts with seals. */
  readonly seals?: SealTrust
}

/** One document, the one that is verified and each that is read for it. Three MiB is the largest that the gateway takes. */
export const MOST_BYTES = 4 * 1024 * 1024
/** One reading. */
const WITHIN_MS = 10_000

/** What one verification may read in all: key, status lists, and again as much. */
const MOST_READINGS = 8
const MOST_BYTES_IN_ALL = 4 * MOST_BYTES
const WITHIN_IN_ALL_MS = 30_000

/** There is no document at an address, or none that may be asked for; what depends on it stays unknown. */
export class NotRead extends Error {}

/**
 * The same documents for one verification, each read once and all within one budget, so that no credential decides how
 * long a verifier works. Whatever goes wrong is a {@link NotRead}.
 */
export function withinBudget(documents: Documents): Documents {
  const deadline = performance.now() + WITHIN_IN_ALL_MS
  const readings = new Map<string, Promise<string>>()
  let bytesLeft = MOST_BYTES_IN_ALL

  const read = async (url: string, accept: string) => {
    const within = Math.min(WITHIN_MS, Math.floor(deadline - performance.now()))
    const most = Math.min(MOST_BYTES, bytesLeft)
    if (within <= 0 || most <= 0) throw new NotRead(`${url} is not read: too much was read for this document already.`)
    try {
      const text = await documents.read(url, accept, { within, most })
      bytesLeft -= Buffer.byteLength(text)
      return text
    } catch (error) {
      throw new NotRead((error as Error).message)
    }
  }
  return {
    read(url, accept) {
      let reading = readings.get(url)
      if (reading === undefined) {
        if (readings.size >= MOST_READINGS) {
          return Promise.reject(new NotRead(`${url} is not read: this document names too many others.`))
        }
        reading = read(url, accept)
        readings.set(url, reading)
      }
      return reading
    },
  }
}

/** Whom the web may be asked for. */
export interface WebOptions {
  /** Whether this machine itself may be asked too, by plain HTTP and at any port. */
  readonly allowLocalhost?: boolean
  readonly resolver?: Resolver
}

/**
 * Reads over HTTPS what strangers name, so: at public unicast addresses, at port 443, by name, without credentials. This
 * is judged of the address that is connected to, and redirects are not followed.
 */
export const webDocuments = ({ allowLocalhost = false, resolver }: WebOptions = {}): Documents => ({
  async read(url, accept, { within, most } = { within: WITHIN_MS, most: MOST_BYTES }) {
    const isLocal = isLoopbackUrl(url)
    if (isLocal && !allowLocalhost) {
      throw new Error(`${url} is on this machine, which is asked only with --allow-localhost.`)
    }
    const why = isLocal ? undefined : whyNotPublic(url)
    if (why !== undefined) throw new Error(`${url} ${why}`)
    return textAt(url, { accept, within, most, resolver, mayConnect: isLocal ? isLoopback : isPublicAddress })
  },
})

/** Reads what the caller named: any HTTPS address, and this machine by plain HTTP. */
export async function readAddress(url: string, accept: string): Promise<string> {
  if (new URL(url).protocol !== 'https:' && !isLoopbackUrl(url)) throw new Error(`${url} is not an https address.`)
  return textAt(url, { accept, within: WITHIN_MS, most: MOST_BYTES, mayConnect: () => true })
}

interface Asking extends Bounds {
  readonly accept: string
  readonly mayConnect: (address: string) => boolean
  readonly resolver?: Resolver
}

async function textAt(url: string, { accept, ...asking }: Asking): Promise<string> {
  const { status, body } = await get({ url, headers: { accept }, ...asking }).catch((error: Error) => {
    throw new Error(`${url} cannot be read: ${error.message || (error as NodeJS.ErrnoException).code}`)
  })
  if (status >= 300 && status < 400) throw new Error(`${url} redirects (${status}), which is not followed.`)
  if (status !== 200) throw new Error(`${url} answered ${status}.`)
  return utf8(body, url)
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1']
const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && LOOPBACK_NAMES.includes(hostname)
}

const MOST_URL_CHARACTERS = 2048

/** Why an address is none to which a stranger may send a verifier, or undefined. */
function whyNotPublic(text: string): string | undefined {
  if (text.length > MOST_URL_CHARACTERS || !URL.canParse(text)) return 'is no address.'
  const { protocol, hostname, port, username, password } = new URL(text)
  if (protocol !== 'https:') return 'is not an https address.'
  if (username !== '' || password !== '') return 'has a user name or a password.'
  if (port !== '') return 'has a port: only 443 is asked.'
  if (isIP(hostname) !== 0 || hostname.startsWith('[') || !/\.[a-z][a-z0-9-]*$/.test(hostname)) {
    return 'is not at a public name.'
  }
  return undefined
}

/**
 * Reads from a folder that has `https://host/path` at `host/path`, as `wget -x` leaves it. Nothing else is asked.
 */
export function folderDocuments(folder: string): Documents {
  const root = resolve(folder)
  return {
    async read(url, _accept, { most } = { within: 0, most: MOST_BYTES }) {
      if (!URL.canParse(url)) throw new Error(`${url} is no address.`)
      const { host, pathname, search } = new URL(url)
      const place = resolve(join(root, host, decodeURIComponent(pathname) + search))
      if (!place.startsWith(root + sep)) throw new Error(`${url} is outside ${folder}.`)
      const file = isKind(place, 'isDirectory') ? join(place, 'index.html') : place
      if (!isKind(file, 'isFile')) throw new Error(`${url} is not in ${folder} (${file.slice(root.length + 1)}).`)
      return readText(file, most)
    },
  }
}

/**
 * The text of a file.
 * @throws Error where there is none, it is too long, or it is not UTF-8
 */
export function readText(file: string | 0, most = MOST_BYTES): string {
  if (file !== 0 && !existsSync(file)) throw new Error(`There is no file ${file}.`)
  if (file !== 0 && statSync(file).size > most) throw new Error(`${file} has more than ${most} bytes.`)
  const bytes = readFileSync(file)
  const name = file === 0 ? 'Standard input' : file
  if (bytes.length > most) throw new Error(`${name} has more than ${most} bytes.`)
  return utf8(bytes, name)
}

function utf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`${name} is not UTF-8 text.`)
  }
}

const isKind = (path: string, kind: 'isFile' | 'isDirectory') => existsSync(path) && statSync(path)[kind]()
