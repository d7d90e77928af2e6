import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { typesFor } from '../domain/notifications.ts'
import { clamped } from '../domain/paging.ts'
import type { Principal } from '../domain/principal.ts'
import { notFound } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { listNotifications, readNotification } from '../storage/notifications.ts'

declare module '../cradle.ts' {
  interface Cradle {
    notifications: ReturnType<typeof notifications>
  }
}

/** Specification section 6. */
export default function notifications({ database }: Cradle) {
  return { list, read }

  async function list(
    principal: Principal,
    { unread, limit, before }: { readonly unread?: string; readonly limit?: string; readonly before?: string },
  ): Promise<Content<'NotificationPage'>> {
    const pageSize = clamped(limit, 200, 50)
    if (before !== undefined && !isUuid(before)) return { count: 0, next: null, notifications: [] }
    const found = await listNotifications(database.forTenant(principal.tenantId), scopeOf(principal), {
      before: before ?? null,
      isUnread: unread === 'true',
      limit: pageSize + 1,
    })
    const shown = found.slice(0, pageSize)
    const next = found.length > pageSize ? (shown.at(-1)?.id ?? null) : null
    return { count: shown.length, next, notifications: shown }
  }

  /** @throws Problem 404 if absent or hidden */
  async function read(principal: Principal, id: string): Promise<Schema<'Notification'>> {
    const session = database.forTenant(principal.tenantId)
    const found = isUuid(id) ? await readNotification(session, scopeOf(principal), id) : undefined
    if (found === undefined) throw notFound('Notification not found.')
    return found
  }
}

const scopeOf = ({ permissions, operatorId }: Principal) => ({ types: typesFor(permissions), operatorId })
