import { existsSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPublicAddress, whyNotPublicUrl } from '../domain/public-address.ts'
import { type Documents, MAX_BYTES, type ReadingBounds, WITHIN_MS } from '../verify/documents.ts'
import { readInput, Unreadable, utf8 } from './files.ts'
import { type NameResolver, Outgoing } from './http-client.ts'

const FORMS = 'application/vc+jwt, application/vc+ld+json;q=0.9, application/dc+sd-jwt;q=0.8, application/ld+json;q=0.7'

const MAX_ATTEMPTS = 4
const USUAL_WAIT_SECONDS = 60
const MAX_WAIT_SECONDS = 120

/**
 * Waits if rate-limited (429).
 * @throws Unreadable if reading fails
 */
export async function readSubject(subject: string, waiting: (message: string) => void = () => {}): Promise<Buffer> {
  if (!/^https?:\/\//.test(subject)) return readInput(subject, MAX_BYTES)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readAddress(subject, FORMS)
    } catch (error) {
      if (!(error instanceof RateLimited) || attempt === MAX_ATTEMPTS) throw new Unreadable((error as Error).message)
      waiting(`${subject} limits the rate: next attempt in ${error.seconds} s …`)
      await sleep(error.seconds * 1000)
    }
  }
}

class RateLimited extends Error {
  readonly seconds: number

  constructor(url: string, seconds: number) {
    super(`${url} responded with 429: retry in ${seconds} s.`)
    this.seconds = seconds
  }
}

interface WebOptions {
  /** Allows this machine too, by HTTP and at any port. */
  readonly allowLocalhost?: boolean
  readonly resolver?: NameResolver
}

/**
 * Reads untrusted addresses over HTTPS: public unicast addresses, port 443, by name, without credentials or redirects. Validates the
 * connected address.
 */
export const webDocuments = ({ allowLocalhost = false, resolver }: WebOptions = {}): Documents => ({
  async read(url, accept, { withinMs, maxBytes } = { withinMs: WITHIN_MS, maxBytes: MAX_BYTES }) {
    const isLocal = isLoopbackUrl(url)
    if (isLocal && !allowLocalhost) {
      throw new Error(`${url} is on this machine. To allow this, add --allow-localhost.`)
    }
    const why = isLocal ? undefined : whyNotPublicUrl(url)
    if (why !== undefined) throw new Error(`${url} ${why}`)
    const mayConnect = isLocal ? isLoopback : isPublicAddress
    return utf8(await bytesAt(url, { accept, withinMs, maxBytes, resolver, mayConnect }), url)
  },
})

async function readAddress(url: string, accept: string): Promise<Buffer> {
  if (new URL(url).protocol !== 'https:' && !isLoopbackUrl(url)) throw new Error(`${url} must begin with https://.`)
  return bytesAt(url, { accept, withinMs: WITHIN_MS, maxBytes: MAX_BYTES, mayConnect: () => true })
}

interface ReadRequest extends ReadingBounds {
  readonly accept: string
  readonly mayConnect: (address: string) => boolean
  readonly resolver?: NameResolver
}

async function bytesAt(url: string, { accept, withinMs, maxBytes, ...where }: ReadRequest): Promise<Buffer> {
  const pending = new Outgoing(where).get({ url, headers: { accept }, withinMs, maxBytes })
  const { status, headers, body } = await pending.catch((error: Error) => {
    throw new Error(`${url} cannot be read: ${error.message || (error as NodeJS.ErrnoException).code}`)
  })
  if (status >= 300 && status < 400) throw new Error(`${url} redirects (${status}). Redirects are not followed.`)
  if (status === 429)
    throw new RateLimited(url, secondsToWait(headers['retry-after'], body.toString('latin1', 0, 1000)))
  if (status !== 200) throw new Error(`${url} responded with ${status}.`)
  return body
}

/** Gateways state it only in words: "retry in 37 seconds". */
function secondsToWait(retryAfter: string | undefined, text: string): number {
  const [, stated] = /^(\d+)$/.exec(retryAfter ?? '') ?? /retry in (\d+) second/.exec(text) ?? []
  return Math.min(Number(stated ?? USUAL_WAIT_SECONDS), MAX_WAIT_SECONDS)
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1']
const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && LOOPBACK_NAMES.includes(hostname)
}

/** Reads `https://host/path` from `host/path` in a folder, as stored by `wget -x`. */
export function folderDocuments(folder: string): Documents {
  const root = resolve(folder)
  return {
    async read(url, _accept, { maxBytes } = { withinMs: 0, maxBytes: MAX_BYTES }) {
      if (!URL.canParse(url)) throw new Error(`${url} is not a URL.`)
      const { host, pathname, search } = new URL(url)
      const place = resolve(join(root, host, decodeURIComponent(pathname) + search))
      if (!place.startsWith(root + sep)) throw new Error(`${url} is outside ${folder}.`)
      const file = isKind(place, 'isDirectory') ? join(place, 'index.html') : place
      if (!isKind(file, 'isFile')) throw new Error(`${url} is not in ${folder} (${file.slice(root.length + 1)}).`)
      return utf8(readInput(file, maxBytes), file)
    },
  }
}

const isKind = (path: string, kind: 'isFile' | 'isDirectory') => existsSync(path) && statSync(path)[kind]()
