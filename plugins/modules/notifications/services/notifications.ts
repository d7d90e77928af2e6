import { notFound } from '../../../../src/plugin/index.ts'
import { clamped, isUuid, type ModuleCradle, type Principal } from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import { listNotifications, readNotification } from '../notification-rows.ts'

type Schemas = components['schemas']

/** Specification section 6. */
export default function notifications({ database, plugins }: ModuleCradle) {
  return { list, read }

  async function list(
    principal: Principal,
    { unread, limit, before }: { readonly unread?: string; readonly limit?: string; readonly before?: string },
  ): Promise<Omit<Schemas['NotificationPage'], 'success'>> {
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
  async function read(principal: Principal, id: string): Promise<Schemas['Notification']> {
    const session = database.forTenant(principal.tenantId)
    const found = isUuid(id) ? await readNotification(session, scopeOf(principal), id) : undefined
    if (found === undefined) throw notFound('Notification not found.')
    return found
  }

  function scopeOf({ permissions, operatorId }: Principal) {
    const readable = [...plugins.notificationTypes].filter(([, permission]) => permissions.has(permission))
    return { types: readable.map(([type]) => type), operatorId }
  }
}
