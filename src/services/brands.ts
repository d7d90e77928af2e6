import type { Cradle } from '../cradle.ts'
import { isColour, isReadable, readable } from '../domain/colour.ts'
import { isUuid } from '../domain/identifiers.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import { Workspace } from '../entities/workspace.ts'
import { PLATFORM, recordAudit } from '../storage/audit.ts'
import { deleteMedia, insertMedia } from '../storage/media.ts'

const MAX_LOGO_BYTES = 1024 * 1024

declare module '../cradle.ts' {
  interface Cradle {
    brands: ReturnType<typeof brands>
  }
}

export default function brands({ database, media, passportChange }: Cradle) {
  return { set }

  /** Changes the given members; null removes one. @throws Problem 400, 404 */
  async function set(id: string, { accent, logo }: { accent?: string | null; logo?: Buffer | null }) {
    const colour = accent?.toLowerCase() ?? accent
    if (typeof colour === 'string') assertReadable(colour)
    if (logo && logo.length > MAX_LOGO_BYTES) throw badRequest(`logo must have at most ${MAX_LOGO_BYTES} bytes.`)
    const made = logo ? await media.logo(id, logo) : logo
    return database.transaction(id, async (tx) => {
      const workspace = isUuid(id) ? await tx.entities.findOne(Workspace, { id }) : null
      if (workspace === null) throw notFound(`Workspace ${id} not found.`)
      passportChange.lockAllOf(tx, { kind: 'workspace', id })
      const before = workspace.logoId ?? null
      if (colour !== undefined) workspace.accent = colour
      if (made) insertMedia(tx, made)
      if (made !== undefined) workspace.logoId = made?.id ?? null
      await tx.entities.flush()
      // A new logo has a new address, so caches do not show the old one.
      if (made !== undefined && before !== null) deleteMedia(tx, before)
      recordAudit(tx, PLATFORM, 'workspace.updated', id, {
        ...(colour === undefined ? {} : { accent: colour }),
        ...(made === undefined ? {} : { logo: made?.id ?? null }),
      })
      return { accent: workspace.accent ?? null, logo: workspace.logoId ?? null }
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
