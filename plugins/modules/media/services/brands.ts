import { notFound } from '../../../../src/plugin/index.ts'
import {
  badRequest,
  isColour,
  isReadable,
  isUuid,
  type ModuleCradle,
  PLATFORM,
  type Principal,
  readable,
  recordAudit,
} from '../../../../src/plugin/module.ts'
import { brandOf, deleteMedia, insertMedia, logoOf, storeBrand } from '../media-rows.ts'
import type media from './media.ts'

const MAX_LOGO_BYTES = 1024 * 1024

interface Services extends ModuleCradle {
  readonly media: ReturnType<typeof media>
}

export default function brands({ database, media, passportLocks }: Services) {
  return { read, set }

  /** `logo` is the path of its file. @throws Problem 404 */
  async function read(id: string): Promise<{ readonly accent: string | null; readonly logo: string | null }> {
    if (!isUuid(id)) throw notFound(`Workspace ${id} not found.`)
    const session = database.forTenant(id)
    const [found, logo] = await Promise.all([brandOf(session, id), logoOf(session, id)])
    if (found === undefined) throw notFound(`Workspace ${id} not found.`)
    return { accent: found.accent, logo: logo === undefined ? null : `/media/${logo.id}/${logo.file}` }
  }

  /** Changes the given members; null removes one. @throws Problem 400, 404 */
  async function set(
    id: string,
    { accent, logo }: { accent?: string | null; logo?: Buffer | null },
    by: Pick<Principal, 'actor'> = PLATFORM,
  ) {
    const colour = accent?.toLowerCase() ?? accent
    if (typeof colour === 'string') assertReadable(colour)
    if (logo && logo.length > MAX_LOGO_BYTES) throw badRequest(`logo must have at most ${MAX_LOGO_BYTES} bytes.`)
    const made = logo ? await media.logo(id, logo) : logo
    return database.transaction(id, async (tx) => {
      const before = isUuid(id) ? await brandOf(tx, id) : undefined
      if (before === undefined) throw notFound(`Workspace ${id} not found.`)
      passportLocks.lockAllOf(tx, { kind: 'workspace', id })
      const after = {
        tenantId: id,
        accent: colour === undefined ? before.accent : colour,
        logoId: made === undefined ? before.logoId : (made?.id ?? null),
      }
      if (made) insertMedia(tx, made)
      storeBrand(tx, after)
      // A new logo has a new address, so caches do not show the old one.
      if (made !== undefined && before.logoId !== null) deleteMedia(tx, before.logoId)
      recordAudit(tx, by, 'workspace.updated', id, {
        ...(colour === undefined ? {} : { accent: colour }),
        ...(made === undefined ? {} : { logo: after.logoId }),
      })
      return { accent: after.accent, logo: after.logoId }
    })
  }
}

function assertReadable(colour: string): void {
  if (!isColour(colour)) throw badRequest('accent must be a colour in the format #rrggbb.')
  if (isReadable(colour)) return
  throw badRequest(
    `accent: the contrast of ${colour} on the page is below 4.5:1. Use a colour such as ${readable(colour)}.`,
  )
}
