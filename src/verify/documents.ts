import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { get } from '../services/outgoing.ts'

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
  /** The time at which everything must hold. */
  readonly now: Date
}

const WITHIN_MS = 10_000
const MOST_CHARACTERS = 32 * 1024 * 1024

/** Reads over HTTPS; plain HTTP only on this machine. */
export const webDocuments: Documents = {
  async read(url, accept) {
    const { protocol, hostname } = new URL(url)
    const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
    if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) throw new Error(`${url} is not an https address.`)
    const { status, text } = await get({ url, headers: { accept }, within: WITHIN_MS, most: MOST_CHARACTERS }).catch(
      (error: Error) => {
        throw new Error(`${url} cannot be read: ${(error.cause as Error | undefined)?.message ?? error.message}`)
      },
    )
    if (status !== 200) throw new Error(`${url} answered ${status}.`)
    return text
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
