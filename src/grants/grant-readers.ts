import type { Cradle } from '../cradle.ts'
import type { Reader } from '../domain/audience.ts'
import { audienceOfGrant, hashOfToken } from '../domain/grants.ts'
import type { Candidate } from '../resolution/candidates.ts'
import { countGrantUses, findOpenGrant } from './grant-statements.ts'

const GRANT_TOKEN = /^dpp_(?:li|auth)_[A-Za-z0-9]{20,64}$/
const COUNT_AFTER_MS = 1000

/** Authorises readers by their tokens, and counts the uses in batches. */
export function grantReaders({ database, log }: Pick<Cradle, 'database' | 'log'>) {
  let uses = new Map<string, { count: number; last: Date }>()
  let timer: NodeJS.Timeout | undefined

  return { readerBy, flush }

  /**
   * Returns the reader that a token authorises. Queries the database each time, so that revocations apply immediately in every process.
   * @param isModel true if every unit shows the content, so that a token for one unit is valid
   */
  async function readerBy(
    token: string,
    candidate: Candidate,
    { isModel = false }: { readonly isModel?: boolean } = {},
  ): Promise<{ readonly reader: Reader; readonly grantId: string } | undefined> {
    if (!GRANT_TOKEN.test(token)) return undefined
    const grant = await findOpenGrant(database, hashOfToken(token), candidate, isModel)
    if (grant === undefined) return undefined
    const { id, kind, isStrict } = grant
    uses.set(id, { count: (uses.get(id)?.count ?? 0) + 1, last: new Date() })
    timer ??= setTimeout(() => void flush(), COUNT_AFTER_MS)
    const audience = audienceOfGrant(kind)
    return { reader: audience === 'authority' && isStrict ? 'strictAuthority' : audience, grantId: id }
  }

  /** Writes pending use counts. Never throws. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (uses.size === 0) return
    const counted = uses
    uses = new Map()
    try {
      await countGrantUses(database, counted)
    } catch (error) {
      log.warn({ err: error, grants: counted.size }, 'grant uses could not be counted')
    }
  }
}
