import { randomUUID } from 'node:crypto'
import type { Schema } from '../domain/schema.ts'
import { iso, type Session, type Statement } from './statement.ts'
import type { Transaction } from './transaction.ts'

// What a workspace is told of. Notifications are written in the transaction of what they tell.

type Notification = Schema<'Notification'>

/** A notification that is raised. */
interface NewNotification extends Pick<Notification, 'type' | 'subjectId' | 'message'> {
  /** Whose affair it is; null: the whole workspace's. */
  readonly operatorId: string | null
  /** Given where the same may be raised again, which is told once. */
  readonly id?: string
}

const NOTIFY: Statement = {
  name: 'notify',
  text: `insert into notification (id, tenant_id, operator_id, type, subject_id, message)
    values ($1, app_tenant(), $2, $3, $4, $5) on conflict do nothing`,
}

/** Tells the workspace of something, with the next round trip of the transaction. */
export function notify(tx: Transaction, { id, operatorId, type, subjectId, message }: NewNotification): void {
  tx.write(NOTIFY, [id ?? randomUUID(), operatorId, type, subjectId, message])
}

/** Which notifications a caller sees. */
interface NotificationScope {
  readonly types: readonly Notification['type'][]
  /** Null: those of every operator, and of the workspace. */
  readonly operatorId: string | null
}

const COLUMNS = `id, type, message, subject_id as "subjectId", ${iso('read_at')} as "readAt",
  ${iso('created_at')} as "createdAt"`
const SEEN = `tenant_id = app_tenant() and type = any ($1::text[]) and ($2::uuid is null or operator_id = $2)`
const BEFORE = `($3::uuid is null or (created_at, id) < (
  select b.created_at, b.id from notification b where b.id = $3 and b.tenant_id = app_tenant()))`
const listOf = (name: string, where: string): Statement => ({
  name,
  text: `select ${COLUMNS} from notification where ${SEEN} and ${where} order by created_at desc, id desc limit $4`,
})
const LIST = listOf('list-notifications', BEFORE)
const LIST_UNREAD = listOf('list-unread-notifications', `read_at is null and ${BEFORE}`)

/** Notifications, newest first: those that are older than the one named, and of them perhaps those that nobody has read. */
export const listNotifications = (
  session: Session,
  { types, operatorId }: NotificationScope,
  { before, isUnread, limit }: { readonly before: string | null; readonly isUnread: boolean; readonly limit: number },
): Promise<Notification[]> => session.run(isUnread ? LIST_UNREAD : LIST, [types, operatorId, before, limit])

const READ: Statement = {
  name: 'read-notification',
  text: `update notification set read_at = coalesce(read_at, now()) where ${SEEN} and id = $3 returning ${COLUMNS}`,
}

/** Keeps that a notification was read, and when first; undefined where the caller sees none of this id. */
export async function readNotification(
  session: Session,
  { types, operatorId }: NotificationScope,
  id: string,
): Promise<Notification | undefined> {
  const [read] = await session.run<Notification>(READ, [types, operatorId, id])
  return read
}
