import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { get } from '../services/outgoing.ts'
import type { SealTrust } from './seal.ts'

/** Where DID documents, status lists and schemas come from while something is verified. */
export interface Documents {
  /**
   * The text at an address.
   * @throws Error that says why there is none
   */
  read(url: string, accept: string): Promise<string>
}

/** What verification works with. */
export interface VerifyOptions {
  readonly documents: Documents
  /** JSON-LD contexts beside those that are built in, by address. */
  readonly contexts?: ReadonlyMap<string, object>
  /** The time at which everything must hold; a seal holds at its own. */
  readonly now: Date
  /** Whom the verifier trusts with seals. */
  readonly seals?: SealTrust
}

const WITHIN_MS = 10_000
const MOST_BYTES = 32 * 1024 * 1024

/** Reads over HTTPS; plain HTTP only on this machine. */
export const webDocuments: Documents = {
  async read(url, accept) {
    const { protocol, hostname } = new URL(url)
    const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
    if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) throw new Error(`${url} is not an https address.`)
    const { status, body } = await get({ url, headers: { accept }, within: WITHIN_MS, most: MOST_BYTES }).catch(
      (error: Error) => {
        throw new Error(`${url} cannot be read: ${(error.cause as Error | undefined)?.message ?? error.message}`)
      },
    )
    if (status !== 200) throw new Error(`${url} answered ${status}.`)
    return body.toString()
  },
}

/** Reads from a folder that has `https://host/path` at `host/path`, as `wget -x` leaves it. Nothing else is asked. */
export function folderDocuments(folder: string): Documents {
  const root = resolve(folder)
  return {
    async read(url) {
      const { host, pathname } = new URL(url)
      const place = resolve(join(root, host, decodeURIComponent(pathname)))
      if (!place.startsWith(root + sep)) throw new Error(`${url} is outside ${folder}.`)
      const file = existsSync(place) && statSync(place).isDirectory() ? join(place, 'index.html') : place
      if (!existsSync(file)) throw new Error(`${url} is not in ${folder} (${file.slice(root.length + 1)}).`)
      return readFileSync(file, 'utf8')
    },
  }
}
