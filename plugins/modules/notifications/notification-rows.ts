import { randomUUID } from 'node:crypto'
import type { ModuleTransaction, NewNotification } from '../../../src/plugin/index.ts'
import { iso, type Session, type Statement } from '../../../src/plugin/module.ts'
import type { components } from './generated.ts'

type Notification = components['schemas']['Notification']

const ADD: Statement = {
  name: 'add-notification',
  text: `insert into notification (id, tenant_id, operator_id, type, subject_id, message)
    values ($1, app_tenant(), $2, $3, $4, $5) on conflict do nothing`,
}

export function addNotification(
  tx: ModuleTransaction,
  { id, operatorId, type, subjectId, message }: NewNotification,
): void {
  tx.write(ADD, [id ?? randomUUID(), operatorId, type, subjectId, message])
}

interface NotificationScope {
  readonly types: readonly string[]
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

export const listNotifications = (
  session: Session,
  { types, operatorId }: NotificationScope,
  { before, isUnread, limit }: { readonly before: string | null; readonly isUnread: boolean; readonly limit: number },
): Promise<Notification[]> => session.run(isUnread ? LIST_UNREAD : LIST, [types, operatorId, before, limit])

const READ: Statement = {
  name: 'read-notification',
  text: `update notification set read_at = coalesce(read_at, now()) where ${SEEN} and id = $3 returning ${COLUMNS}`,
}

/** Stores the first read time; undefined if not visible. */
export async function readNotification(
  session: Session,
  { types, operatorId }: NotificationScope,
  id: string,
): Promise<Notification | undefined> {
  const [read] = await session.run<Notification>(READ, [types, operatorId, id])
  return read
}
