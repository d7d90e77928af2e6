import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { isPublicAddress, whyNotPublicUrl } from '../domain/public-address.ts'
import { type Documents, MOST_BYTES, type ReadingBounds, WITHIN_MS } from '../verify/documents.ts'
import { type NameResolver, Outgoing } from './outgoing.ts'

const FORMS = 'application/vc+jwt, application/vc+ld+json;q=0.9, application/dc+sd-jwt;q=0.8, application/ld+json;q=0.7'

/** What is to be verified cannot be had. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/**
 * The text of what is to be verified: of a file, an address, or standard input for `-`.
 * @throws Unreadable if it cannot be had
 */
export async function readSubject(subject: string): Promise<string> {
  try {
    if (/^https?:\/\//.test(subject)) return await readAddress(subject, FORMS)
    return readText(subject === '-' ? 0 : subject)
  } catch (error) {
    throw new Unreadable((error as Error).message)
  }
}

/** Whom the web may be asked for. */
interface WebOptions {
  /** Whether this machine itself may be asked too, by plain HTTP and at any port. */
  readonly allowLocalhost?: boolean
  readonly resolver?: NameResolver
}

/**
 * Reads over HTTPS what strangers name, so: at public unicast addresses, at port 443, by name, without credentials. This
 * is judged of the address that is connected to, and redirects are not followed.
 */
export const webDocuments = ({ allowLocalhost = false, resolver }: WebOptions = {}): Documents => ({
  async read(url, accept, { withinMs, mostBytes } = { withinMs: WITHIN_MS, mostBytes: MOST_BYTES }) {
    const isLocal = isLoopbackUrl(url)
    if (isLocal && !allowLocalhost) {
      throw new Error(`${url} is on this machine, which is asked only with --allow-localhost.`)
    }
    const why = isLocal ? undefined : whyNotPublicUrl(url)
    if (why !== undefined) throw new Error(`${url} ${why}`)
    return textAt(url, { accept, withinMs, mostBytes, resolver, mayConnect: isLocal ? isLoopback : isPublicAddress })
  },
})

/** Reads what the caller named: any HTTPS address, and this machine by plain HTTP. */
async function readAddress(url: string, accept: string): Promise<string> {
  if (new URL(url).protocol !== 'https:' && !isLoopbackUrl(url)) throw new Error(`${url} is not an https address.`)
  return textAt(url, { accept, withinMs: WITHIN_MS, mostBytes: MOST_BYTES, mayConnect: () => true })
}

interface Asking extends ReadingBounds {
  readonly accept: string
  readonly mayConnect: (address: string) => boolean
  readonly resolver?: NameResolver
}

async function textAt(url: string, { accept, withinMs, mostBytes, ...where }: Asking): Promise<string> {
  const asked = new Outgoing(where).get({ url, headers: { accept }, withinMs, mostBytes })
  const { status, body } = await asked.catch((error: Error) => {
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

/**
 * Reads from a folder that has `https://host/path` at `host/path`, as `wget -x` leaves it. Nothing else is asked.
 */
export function folderDocuments(folder: string): Documents {
  const root = resolve(folder)
  return {
    async read(url, _accept, { mostBytes } = { withinMs: 0, mostBytes: MOST_BYTES }) {
      if (!URL.canParse(url)) throw new Error(`${url} is not an address.`)
      const { host, pathname, search } = new URL(url)
      const place = resolve(join(root, host, decodeURIComponent(pathname) + search))
      if (!place.startsWith(root + sep)) throw new Error(`${url} is outside ${folder}.`)
      const file = isKind(place, 'isDirectory') ? join(place, 'index.html') : place
      if (!isKind(file, 'isFile')) throw new Error(`${url} is not in ${folder} (${file.slice(root.length + 1)}).`)
      return readText(file, mostBytes)
    },
  }
}

/**
 * The text of a file.
 * @throws Error if it does not exist, is too long or is not UTF-8
 */
function readText(file: string | 0, mostBytes = MOST_BYTES): string {
  if (file !== 0 && !existsSync(file)) throw new Error(`There is no file ${file}.`)
  if (file !== 0 && statSync(file).size > mostBytes) throw new Error(`${file} has more than ${mostBytes} bytes.`)
  const bytes = readFileSync(file)
  const name = file === 0 ? 'Standard input' : file
  if (bytes.length > mostBytes) throw new Error(`${name} has more than ${mostBytes} bytes.`)
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
